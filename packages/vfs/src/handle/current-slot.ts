/** Where an open file is now: it may have been renamed, lost one of several names, or lie in a tree that was moved or removed. */
import type { Inode } from "../inode.ts";
import type { Slot } from "../mutation/slot.ts";
import { joinPath, parsePath, utf8Length } from "../path.ts";
import { resolve } from "../resolve.ts";
import { selectHardlinks, selectNameOf } from "../store/inodes.ts";
import { selectLastPlace } from "../store/log.ts";
import type { Volume } from "../volume.ts";
import { pathOfDirectory } from "../walk/path-of.ts";

type Place = { parent: number; name: string };

/** Null when no name is left that can be reached. `lastPath` is where it was known to be. */
export function currentSlot(volume: Volume, inode: Inode, lastPath: string): Slot | null {
  if (inode.nlink === 0) return null;
  const same = at(volume, lastPath);
  if (same?.inode?.ino === inode.ino) return same;
  for (const place of inode.nlink > 1 ? selectHardlinks(volume.db, inode.ino) : places(volume, inode)) {
    const parent = volume.cache.inode(place.parent);
    const directory = parent === null ? null : pathOfDirectory(volume, parent);
    if (parent !== null && directory !== null)
      return { parent, name: place.name, path: joinPath(directory, place.name) };
  }
  return null;
}

function at(volume: Volume, path: string) {
  // Moved trees can be deeper than a path may be long.
  if (utf8Length(path) >= volume.limits.pathBytes) return null;
  try {
    return resolve(volume.cache, parsePath(path, "open"), "open", "itself");
  } catch {
    return null;
  }
}

/** The last entry of the log that concerns a file is the rename that took it where it is, or a change made there. */
function places(volume: Volume, inode: Inode): Place[] {
  const place = selectLastPlace(volume.db, inode.rev);
  if (place === null) return [];
  const name = selectNameOf(volume.db, place.parent, inode.ino);
  return name === null ? [] : [{ parent: place.parent, name }];
}
