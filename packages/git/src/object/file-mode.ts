/** Modes of files as trees and the index store them: a type, and for regular files whether they are executable. */
import type { ObjectType } from "../odb/object-database.ts";

export const MODE_TREE = 0o40000;
export const MODE_FILE = 0o100644;
export const MODE_EXECUTABLE = 0o100755;
export const MODE_SYMLINK = 0o120000;
export const MODE_GITLINK = 0o160000;

/** The type alone: 0o100000 for regular files. */
export const modeType = (mode: number) => mode & 0o170000;
export const isSameType = (a: number, b: number) => modeType(a) === modeType(b);

export const isTreeMode = (mode: number) => modeType(mode) === MODE_TREE;
export const isFileMode = (mode: number) => modeType(mode) === 0o100000;
export const isSymlinkMode = (mode: number) => modeType(mode) === MODE_SYMLINK;
export const isGitlinkMode = (mode: number) => modeType(mode) === MODE_GITLINK;

/** The type of the object that a tree entry of this mode references. */
export function typeOfMode(mode: number): ObjectType {
  return isTreeMode(mode) ? "tree" : isGitlinkMode(mode) ? "commit" : "blob";
}

/** The mode that the index stores for an entry of a tree: old trees contain modes such as 0o100664. */
export function indexMode(mode: number): number {
  if (!isFileMode(mode)) return modeType(mode);
  return (mode & 0o100) !== 0 ? MODE_EXECUTABLE : MODE_FILE;
}

/** The mode of a file or symbolic link on the file system, as git stores it. */
export function modeOfStat(stat: { readonly type: string; readonly mode: number }): number {
  return stat.type === "symlink" ? MODE_SYMLINK : indexMode(0o100000 | (stat.mode & 0o777));
}

/** Six digits, as git prints a mode. */
export function octal(mode: number): string {
  return mode.toString(8).padStart(6, "0");
}
