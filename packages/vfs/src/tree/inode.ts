/** An inode in memory: an immutable record, replaced as a whole when it changes, so that a reference to it never changes. */
import type { EntryType } from "../api/file-system.ts";

export interface Inode {
  readonly ino: number;
  readonly mode: number;
  /** Number of names, including those in removed trees that were not collected yet. */
  readonly nlink: number;
  readonly size: number;
  readonly content: number;
  readonly target: string | null;
  readonly mtime: number;
  readonly ctime: number;
  readonly birthtime: number;
  readonly rev: number;
  readonly contentRev: number;
  readonly parent: number;
}

export const ROOT_INO = 1;
export const S_IFMT = 0o170000;
export const S_IFREG = 0o100000;
export const S_IFDIR = 0o040000;
export const S_IFLNK = 0o120000;
/** Applied to the mode of new files and directories, as a shell's usual umask. */
export const UMASK = 0o022;

/** The content of a past state whose bytes were purged. No row has this number. */
export const PURGED = Number.MAX_SAFE_INTEGER;

/** The type codes in `ws_dirent.type` and `ws_log.type`. */
export const TYPE_CODES = { file: 1, dir: 2, symlink: 3 } as const;
export type TypeCode = (typeof TYPE_CODES)[EntryType];

const TYPE_NAMES: Record<TypeCode, EntryType> = { 1: "file", 2: "dir", 3: "symlink" };

export function typeName(code: number): EntryType {
  return TYPE_NAMES[code as TypeCode] ?? "file";
}

export function typeCode(inode: Inode): TypeCode {
  switch (inode.mode & S_IFMT) {
    case S_IFDIR:
      return TYPE_CODES.dir;
    case S_IFLNK:
      return TYPE_CODES.symlink;
    default:
      return TYPE_CODES.file;
  }
}

export const isDirectory = (inode: Inode) => (inode.mode & S_IFMT) === S_IFDIR;
export const isSymlink = (inode: Inode) => (inode.mode & S_IFMT) === S_IFLNK;
export const isFile = (inode: Inode) => (inode.mode & S_IFMT) === S_IFREG;
