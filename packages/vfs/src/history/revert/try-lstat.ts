/** The inode at a path, without following symlinks; null when there is none, or the path cannot be resolved. */
import { FsError } from "../../api/errors.ts";
import type { Inode } from "../../tree/inode.ts";
import { parsePath } from "../../tree/path.ts";
import { type NameLookup, resolve } from "../../tree/resolve.ts";
import type { Volume } from "../../volume/volume.ts";

export function tryLstat(volume: Volume, path: string): Inode | null {
  return inodeIn(volume.cache, path);
}

export function inodeIn(view: NameLookup, path: string): Inode | null {
  try {
    return resolve(view, parsePath(path, "lstat"), "lstat", "itself").inode;
  } catch (error) {
    if (error instanceof FsError && ["ENOENT", "ENOTDIR", "ELOOP"].includes(error.code)) return null;
    throw error;
  }
}
