/**
 * Goes over what is under a directory, in the order of a walk, until the callback has enough: for whoever shows a page of it and asks
 * for no versions and no whole paths (the agent tools do). At once: a page is too little to give way in, and directories that are not
 * in memory are read many at a time. No object is made for an entry.
 */
import { FsError } from "../errors.ts";
import { isDirectory } from "../inode.ts";
import { parsePath } from "../path.ts";
import { resolveExisting } from "../resolve.ts";
import type { Volume } from "../volume.ts";
import { type VisitedEntry, WalkCursorEntry } from "../walk/walk-cursor-entry.ts";
import { Walker } from "../walk/walker.ts";
import { keepWalkCode } from "./keep-walk-code.ts";

/** False: that was enough. */
export type WalkVisitor = (entry: VisitedEntry) => boolean;

export function walkDirectory(volume: Volume, given: string, maxDepth: number, visit: WalkVisitor): void {
  keepWalkCode();
  const { inode: start } = resolveExisting(volume.ensureOpen().cache, parsePath(given, "scandir"), "scandir", "follow");
  if (!isDirectory(start)) throw new FsError("ENOTDIR", { syscall: "scandir", path: given });
  const walker = new Walker(volume, start, { what: "inodes", maxDepth, limit: volume.limits.walkEntries });
  const entry = new WalkCursorEntry(walker);
  while (walker.next()) {
    if (!visit(entry)) return;
    if (walker.isDirectory) walker.enter();
  }
}
