/** The file system at a point in time: all verbs that read, and EROFS for all that write. */

import type { FileHandle } from "./api/file-handle.ts";
import type { FileSystem, SearchableFileSystem } from "./api/file-system.ts";
import type { PointInTime } from "./api/history.ts";
import { createFileSystem } from "./create-file-system.ts";
import { pastVolume, readOnly } from "./history/past/past-view.ts";
import { resolvePointInTime } from "./history/past/point-in-time.ts";
import { parseFlags } from "./node-args/open-flags.ts";
import type { Volume } from "./volume/volume.ts";

/** Verbs that write, and their names in errors. */
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

/** A point in time, resolved on first use and then fixed, whatever "now" means later. */
export interface PastView {
  readonly fs: SearchableFileSystem;
  /** For features built on a volume, such as git. */
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
    // A verb that returns an iterable must not return a promise of one.
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
