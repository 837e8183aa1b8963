/**
 * Visits the entries under a directory, in walk order, until the callback stops: for callers that show one page and need no
 * versions or whole paths (the agent tools do). Synchronous: a page is too short to yield, and uncached directories are read many
 * at a time. Allocates no object per entry.
 */
import { FsError } from "../../api/errors.ts";
import { isDirectory } from "../../tree/inode.ts";
import { parsePath } from "../../tree/path.ts";
import { resolveExisting } from "../../tree/resolve.ts";
import { keepWalkCode } from "../../walk/keep-code.ts";
import { type VisitedEntry, WalkCursorEntry } from "../../walk/walk-cursor-entry.ts";
import { Walker } from "../../walk/walker.ts";
import type { ReadView } from "../views.ts";

/** Return false to stop. */
export type WalkVisitor = (entry: VisitedEntry) => boolean;

export function walkDirectory(volume: ReadView, given: string, maxDepth: number, visit: WalkVisitor): void {
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
