/** The verbs that write, and their names in errors: a view of the past has all others. */
import type { FileSystem } from "./file-system.ts";

export const WRITE_VERBS = {
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
