/** Finds the path of an inode: by the parent in a directory's inode, and the name it has there. */

import { selectNameOf } from "../store/inodes.ts";
import { type Inode, ROOT_INO } from "../tree/inode.ts";
import { joinPath } from "../tree/path.ts";
import type { ReadView } from "../volume/views.ts";

/** Null when the directory is in a removed tree. */
export function pathOfDirectory(volume: ReadView, directory: Inode): string | null {
  const above: Inode[] = [directory];
  // Names are read only if the ancestors end at the root: each may cost a scan of a whole directory.
  for (let at = directory; at.ino !== ROOT_INO; ) {
    const parent = at.parent === 0 ? null : volume.cache.inode(at.parent);
    if (parent === null) return null;
    above.push(parent);
    at = parent;
  }
  let path = "/";
  for (let i = above.length - 1; i > 0; i--) {
    const name = selectNameOf(volume.store.db, (above[i] as Inode).ino, (above[i - 1] as Inode).ino);
    if (name === null) return null;
    path = joinPath(path, name);
  }
  return path;
}
