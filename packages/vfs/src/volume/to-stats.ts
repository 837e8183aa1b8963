/** Converts an inode to the `Stats` that `stat` returns. */
import { Stats } from "../node-args/stats.ts";
import { type Inode, isDirectory, typeCode, typeName } from "../tree/inode.ts";
import type { ReadView } from "./views.ts";

export function toStats(volume: ReadView, inode: Inode): Stats {
  const version = volume.revisions.format(inode.rev);
  return new Stats({
    type: typeName(typeCode(inode)),
    mode: inode.mode,
    size: inode.size,
    ino: inode.ino,
    // The inode still counts names inside a removed tree; only files with several names can have one.
    nlink: inode.nlink > 1 && !isDirectory(inode) ? volume.tree.reachableLinks(inode) : inode.nlink,
    mtimeMs: inode.mtime / 1000,
    ctimeMs: inode.ctime / 1000,
    birthtimeMs: inode.birthtime / 1000,
    version,
    contentVersion: inode.contentRev === inode.rev ? version : volume.revisions.format(inode.contentRev),
  });
}
