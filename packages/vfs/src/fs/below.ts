/**
 * The first entries under a directory, in the order of a walk: for whoever shows a page of them and asks for no versions and no whole
 * paths (the agent tools do). At once: a page is too little to give way in, and directories that are not in memory are read many at a
 * time.
 */
import { FsError } from "../errors.ts";
import type { EntryType } from "../filesystem.ts";
import { isDirectory, typeName } from "../inode.ts";
import { parsePath } from "../path.ts";
import { resolveExisting } from "../resolve.ts";
import type { Volume } from "../volume.ts";
import { Walker } from "../walk/walker.ts";
import { keepWalkCode } from "./keep-walk-code.ts";

export interface BelowEntry {
  readonly name: string;
  /** Path from the start, without a leading slash. */
  readonly relative: string;
  /** 1 for what is in the start itself. */
  readonly depth: number;
  readonly type: EntryType;
  readonly size: number;
  readonly mtimeMs: number;
}

export interface Below {
  readonly entries: BelowEntry[];
  /** There are more than were asked for. */
  readonly more: boolean;
}

export function below(volume: Volume, given: string, options: { maxDepth: number; limit: number }): Below {
  keepWalkCode();
  const { maxDepth, limit } = options;
  const { inode: start } = resolveExisting(volume.open().cache, parsePath(given, "scandir"), "scandir", "follow");
  if (!isDirectory(start)) throw new FsError("ENOTDIR", { syscall: "scandir", path: given });
  const walker = new Walker(volume, start, { what: "inodes", maxDepth, limit: volume.limits.walkEntries });
  const entries: BelowEntry[] = [];
  while (walker.next()) {
    if (entries.length >= limit) return { entries, more: true };
    const { name, inode, depth } = walker;
    entries.push({
      name,
      relative: walker.relative,
      depth,
      type: typeName(walker.type),
      size: inode.size,
      mtimeMs: inode.mtime / 1000,
    });
    if (walker.isDirectory) walker.enter();
  }
  return { entries, more: false };
}
