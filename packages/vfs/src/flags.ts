/** Node's open flags as what they mean. */
import { FsError } from "./errors.ts";
import type { LastLink } from "./resolve.ts";

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

export function parseFlags(flag: unknown, path: string): OpenFlags {
  const name = typeof flag === "string" ? (Object.hasOwn(SYNONYMS, flag) ? (SYNONYMS[flag] as string) : flag) : "";
  if (!Object.hasOwn(FLAGS, name))
    throw new FsError("EINVAL", { syscall: "open", path, reason: `unknown flag "${String(flag)}"` });
  return FLAGS[name] as OpenFlags;
}

/** How the flags treat a link as the last component: O_EXCL does not follow it. */
export function lastLinkFor(flags: OpenFlags): LastLink {
  if (flags.exclusive) return "exclusive";
  return flags.create ? "create" : "follow";
}
