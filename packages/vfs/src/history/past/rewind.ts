/**
 * Rewinds one inode over entries of the log, newest first. The effect of an entry depends on the inode's role in it: the subject,
 * its directory, the directory it came from, or the inode it replaced.
 */

import type { LogRow } from "../../store/log-row.ts";
import { type Inode, isDirectory, TYPE_CODES } from "../../tree/inode.ts";

export type Role = "subject" | "parent" | "from" | "replaced" | "none";

export function roleIn(entry: LogRow, ino: number): Role {
  if (entry.ino === ino) return "subject";
  if (entry.parent === ino && entry.prevParent !== null) return "parent";
  if (entry.fromParent === ino) return "from";
  return entry.replaced === ino ? "replaced" : "none";
}

/**
 * The inode before the entries, or null if it did not exist. `subdirectories`: the current number of subdirectories of a directory.
 */
export function rewind(inode: Inode, entries: readonly LogRow[], subdirectories: number): Inode | null {
  let state = inode;
  let inside = subdirectories;
  for (const entry of entries) {
    const before = stepBack(state, entry);
    if (before === null) return null;
    state = before;
    inside -= subdirectoriesAdded(entry, inode.ino);
  }
  if (!isDirectory(state)) return state;
  const named = state.parent !== 0 || state.ino === 1;
  return { ...state, nlink: named ? 2 + inside : 0 };
}

function stepBack(after: Inode, entry: LogRow): Inode | null {
  switch (roleIn(entry, after.ino)) {
    case "subject":
      return subjectBefore(after, entry);
    case "parent":
      return touchedBefore(after, entry.parentMtime, entry.parentCtime, entry.prevParent);
    case "from":
      return touchedBefore(after, entry.fromMtime, entry.fromCtime, entry.prevFrom);
    case "replaced": {
      const ctime = entry.replacedCtime ?? after.mtime;
      return { ...named(after, entry.parent), ctime, rev: entry.prevReplaced ?? after.rev };
    }
    case "none":
      return after;
  }
}

function subjectBefore(after: Inode, entry: LogRow): Inode | null {
  const rev = entry.prev;
  const mtime = entry.oldMtime ?? after.mtime;
  const ctime = entry.oldCtime ?? mtime;
  switch (entry.op) {
    case "create":
      return null;
    case "write": {
      const content = entry.oldContent ?? after.content;
      const size = entry.oldSize ?? after.size;
      return { ...after, content, size, mtime, ctime, rev, contentRev: entry.oldContentRev ?? after.contentRev };
    }
    case "attr":
      return { ...after, mode: entry.oldMode ?? after.mode, mtime, ctime, rev };
    case "link":
      return isDirectory(after)
        ? { ...after, parent: 0, ctime, rev }
        : { ...after, nlink: after.nlink - 1, ctime, rev };
    case "remove":
      return { ...named(after, entry.parent), ctime, rev };
    case "rename":
      return { ...after, parent: isDirectory(after) ? (entry.fromParent ?? 0) : 0, ctime, rev };
  }
}

/** Restores the name that the entry removed. */
function named(after: Inode, parent: number): Inode {
  return isDirectory(after) ? { ...after, parent } : { ...after, nlink: after.nlink + 1 };
}

function touchedBefore(after: Inode, mtime: number | null, ctime: number | null, rev: number | null): Inode {
  const before = mtime ?? after.mtime;
  return { ...after, mtime: before, ctime: ctime ?? before, rev: rev ?? after.rev };
}

/** How many subdirectories an entry added to a directory. */
function subdirectoriesAdded(entry: LogRow, ino: number): number {
  if (entry.type !== TYPE_CODES.dir || entry.ino === ino) return 0;
  const left = entry.fromParent === ino ? 1 : 0;
  if (entry.parent !== ino) return -left;
  switch (entry.op) {
    case "create":
    case "link":
      return 1;
    case "remove":
      return -1;
    case "rename":
      // Only a directory can be replaced by one.
      return 1 - left - (entry.replaced === null ? 0 : 1);
    default:
      return 0;
  }
}

/** Returns the inode of each touched name in a directory before the entries; 0: none. */
export function namesBefore(directory: number, entries: readonly LogRow[]): Map<string, number> {
  const names = new Map<string, number>();
  for (const entry of entries) {
    for (const { parent, name, before } of changedDirents(entry)) if (parent === directory) names.set(name, before);
  }
  return names;
}

export interface TouchedSlot {
  readonly parent: number;
  readonly name: string;
  readonly path: string;
  readonly before: number;
  readonly after: number;
}

/** The names whose target an entry changed. */
export function changedDirents(entry: LogRow): TouchedSlot[] {
  const { op, parent, path, ino } = entry;
  const slot = { parent, name: lastName(path), path };
  switch (op) {
    case "create":
    case "link":
      return [{ ...slot, before: 0, after: ino }];
    case "remove":
      return [{ ...slot, before: ino, after: 0 }];
    case "rename": {
      const from = entry.fromPath ?? "";
      return [
        { ...slot, before: entry.replaced ?? 0, after: ino },
        { parent: entry.fromParent ?? 0, name: lastName(from), path: from, before: ino, after: 0 },
      ];
    }
    default:
      return [];
  }
}

export function lastName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
