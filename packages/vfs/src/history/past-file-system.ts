/** The file system at a moment of the past: every verb that reads, and EROFS for every one that would change something. */
import { createFileSystem } from "../create-file-system.ts";
import type { FileHandle } from "../file-handle.ts";
import type { FileSystem, SearchableFileSystem } from "../file-system.ts";
import { parseFlags } from "../open-flags.ts";
import type { Volume } from "../volume.ts";
import type { PointInTime } from "./history.ts";
import { pastVolume, readOnly } from "./past-volume.ts";
import { resolvePointInTime } from "./point-in-time.ts";

/** Verbs that change something, and what they are called in an error. */
const WRITE_VERBS = {
  writeFile: "open",
  appendFile: "open",
  mkdir: "mkdir",
  mkdtemp: "mkdtemp",
  mkdtempDisposable: "mkdtemp",
  rm: "rm",
  rmdir: "rmdir",
  unlink: "unlink",
  rename: "rename",
  copyFile: "copyfile",
  cp: "cp",
  symlink: "symlink",
  link: "link",
  chmod: "chmod",
  utimes: "utime",
  lutimes: "lutime",
  truncate: "open",
  writeMany: "writeMany",
} as const satisfies Partial<Record<keyof FileSystem, string>>;

/** A moment to look at: found when it is first asked for, then fixed, whatever "now" means later. */
export interface PastView {
  readonly fs: SearchableFileSystem;
  /** For what is built on a volume, such as git. */
  volume(): Volume;
}

export function createPastView(present: Volume, moment: PointInTime): PastView {
  let rev: number | undefined;
  const revision = () => (rev ??= resolvePointInTime(present, moment, "at"));
  return { fs: createPastFileSystem(present, revision), volume: () => pastVolume(present, revision()) };
}

export function createPastFileSystem(present: Volume, revision: () => number): SearchableFileSystem {
  const open = () => createFileSystem(pastVolume(present, revision()));
  const verbs: Record<string, unknown> = {};
  for (const name of Object.keys(createFileSystem(present)) as (keyof SearchableFileSystem)[]) {
    const forward = (...args: unknown[]) => (open()[name] as (...args: unknown[]) => unknown)(...args);
    // What returns an iterable must not be a promise of one.
    verbs[name] = name === "watch" || name === "grepStream" ? forward : async (...args: unknown[]) => forward(...args);
  }
  for (const [name, syscall] of Object.entries(WRITE_VERBS)) {
    verbs[name] = async (path: unknown) => {
      throw readOnly(syscall, typeof path === "string" ? path : undefined);
    };
  }
  verbs.open = async (path: string, flags = "r", ...rest: [number?, object?]): Promise<FileHandle> => {
    const { write, create, truncate } = parseFlags(flags ?? "r", path);
    if (write || create || truncate) throw readOnly("open", path);
    return open().open(path, flags, ...rest);
  };
  return verbs as unknown as SearchableFileSystem;
}
