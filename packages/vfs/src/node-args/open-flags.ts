/** Parses Node's open flags. */
import { FsError } from "../api/errors.ts";
import type { FinalSymlink } from "../tree/resolve.ts";

export interface OpenFlags {
  readonly read: boolean;
  readonly write: boolean;
  readonly append: boolean;
  readonly create: boolean;
  readonly exclusive: boolean;
  readonly truncate: boolean;
}

const NONE: OpenFlags = { read: false, write: false, append: false, create: false, exclusive: false, truncate: false };
const WRITE: OpenFlags = { ...NONE, write: true, create: true, truncate: true };
const APPEND: OpenFlags = { ...NONE, write: true, create: true, append: true };

const FLAGS: Record<string, OpenFlags> = {
  r: { ...NONE, read: true },
  "r+": { ...NONE, read: true, write: true },
  w: WRITE,
  "w+": { ...WRITE, read: true },
  wx: { ...WRITE, exclusive: true },
  "wx+": { ...WRITE, read: true, exclusive: true },
  a: APPEND,
  "a+": { ...APPEND, read: true },
  ax: { ...APPEND, exclusive: true },
  "ax+": { ...APPEND, read: true, exclusive: true },
};

const SYNONYMS: Record<string, string> = {
  rs: "r",
  sr: "r",
  "rs+": "r+",
  "sr+": "r+",
  xw: "wx",
  "xw+": "wx+",
  as: "a",
  sa: "a",
  "as+": "a+",
  "sa+": "a+",
  xa: "ax",
  "xa+": "ax+",
};

/** Linux's bits, as in `fs.constants`. The durability flags have no effect: writes are always durable. */
const O_ACCMODE = 0o3;
const O_CREAT = 0o100;
const O_EXCL = 0o200;
const O_TRUNC = 0o1000;
const O_APPEND = 0o2000;
const O_DSYNC = 0o10000;
const O_SYNC = 0o4010000;
const KNOWN = O_ACCMODE | O_CREAT | O_EXCL | O_TRUNC | O_APPEND | O_DSYNC | O_SYNC;

export function parseFlags(flag: unknown, path: string): OpenFlags {
  if (typeof flag === "number") return parseBits(flag, path);
  const name = typeof flag === "string" ? (Object.hasOwn(SYNONYMS, flag) ? (SYNONYMS[flag] as string) : flag) : "";
  if (!Object.hasOwn(FLAGS, name))
    throw new FsError("EINVAL", { syscall: "open", path, reason: `unknown flag "${String(flag)}"` });
  return FLAGS[name] as OpenFlags;
}

function parseBits(bits: number, path: string): OpenFlags {
  const access = bits & O_ACCMODE;
  if (!Number.isInteger(bits) || bits < 0 || (bits & ~KNOWN) !== 0 || access === O_ACCMODE)
    throw new FsError("EINVAL", { syscall: "open", path, reason: `flags ${bits} are not supported` });
  const has = (bit: number) => (bits & bit) !== 0;
  const write = access !== 0;
  const create = has(O_CREAT);
  // Truncating a file open for reading only is undefined in POSIX.
  if (has(O_TRUNC) && !write)
    throw new FsError("EINVAL", { syscall: "open", path, reason: "O_TRUNC needs a file that is open for writing" });
  return {
    read: access !== 1,
    write,
    append: write && has(O_APPEND),
    create,
    exclusive: create && has(O_EXCL),
    truncate: has(O_TRUNC),
  };
}

/** Returns how the flags treat a symlink in the last component: O_EXCL does not follow it. */
export function lastLinkFor(flags: OpenFlags): FinalSymlink {
  if (flags.exclusive) return "exclusive";
  return flags.create ? "create" : "follow";
}
