/** `du`: bytes of content and entries by type under a path. */

import type { DiskUsage } from "../api/file-system.ts";
import { sumHistory } from "../store/purge.ts";
import { type Inode, isDirectory, isSymlink } from "../tree/inode.ts";
import { parsePath } from "../tree/path.ts";
import { resolveExisting } from "../tree/resolve.ts";
import type { ReadContext } from "../volume/context.ts";
import { Walker } from "../walk/walker.ts";
import { yieldToRequests } from "../walk/yield-to-requests.ts";

export async function du(ctx: ReadContext, given: string): Promise<DiskUsage> {
  const { volume } = ctx;
  const start = resolveExisting(volume.ensureOpen().cache, parsePath(given, "du"), "du", "itself");
  const use: DiskUsage = { bytes: 0, files: 0, directories: 0, symlinks: 0 };
  const counted = new Set<number>();
  const count = (inode: Inode) => {
    if (isDirectory(inode)) use.directories++;
    else if (isSymlink(inode)) use.symlinks++;
    else {
      // A file with several names counts once.
      if (inode.nlink > 1) {
        if (counted.has(inode.ino)) return;
        counted.add(inode.ino);
      }
      use.files++;
      use.bytes += inode.size;
    }
  };
  // The sum would include entries that a restricted view does not show.
  if (volume.rules === null) use.historyBytes = sumHistory(volume.store.db, start.path, volume.revisions.head);
  count(start.inode);
  if (!isDirectory(start.inode)) return use;
  const walker = new Walker(volume, start.inode, { what: "inodes", limit: volume.limits.walkEntries });
  for (let step = walker.step(); step !== "end"; step = walker.step()) {
    if (step === "pause") {
      await yieldToRequests();
      continue;
    }
    count(walker.inode);
    if (walker.isDirectory) walker.enter();
  }
  return use;
}
