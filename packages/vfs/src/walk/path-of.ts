/** From an inode back to a path: by the parent that a directory's inode holds, and the name it has there. */
import { type Inode, ROOT_INO } from "../inode.ts";
import { joinPath } from "../path.ts";
import { selectNameOf } from "../store/inodes.ts";
import type { Volume } from "../volume.ts";

/** Null when the directory is in a removed tree. */
export function pathOfDirectory(volume: Volume, directory: Inode): string | null {
  const names: string[] = [];
  let at = directory;
  while (at.ino !== ROOT_INO) {
    const parent = at.parent === 0 ? null : volume.cache.inode(at.parent);
    const name = parent === null ? null : selectNameOf(volume.db, parent.ino, at.ino);
    if (parent === null || name === null) return null;
    names.push(name);
    at = parent;
  }
  return names.reduceRight((path, name) => joinPath(path, name), "/");
}
