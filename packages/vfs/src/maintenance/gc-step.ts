/**
 * One small step of garbage collection, in one transaction of a few hundred rows. In this order: unfinished spools of an earlier
 * incarnation, log entries beyond the retention, removed trees, data in the old format, contents without an owner. Returns false
 * when there was nothing.
 */

import type { Retention } from "../api/limits.ts";
import { deleteContentSpan, releaseSpools } from "../store/contents.ts";
import { clearErasing, isErasing } from "../store/erase.ts";
import {
  addGarbage,
  addOrphans,
  deleteContents,
  deleteGarbage,
  deleteInodes,
  deleteLogThrough,
  deleteOrphans,
  type Expired,
  hasQueued,
  releaseReference,
  selectGarbage,
  selectOldestLog,
  selectOrphans,
  selectShared,
  selectSpools,
} from "../store/gc.ts";
import {
  clearHardlinks,
  deleteDirents,
  deleteHardlinks,
  putInodes,
  selectEntries,
  selectInode,
  selectInodes,
} from "../store/inodes.ts";
import { keepTrimmed, saveLogHead } from "../store/log.ts";
import { deleteSnapshotsBefore } from "../store/snapshots.ts";
import { type Inode, isDirectory, PURGED } from "../tree/inode.ts";
import type { VolumeStore } from "../volume/views.ts";
import { convertLayouts } from "./convert-layouts.ts";
import { isBeyond } from "./due.ts";
import { eraseRows } from "./erase.ts";
import { freeTrees } from "./free-trees.ts";

/** Maximum rows written, and about as many read, for an entry of the log or a name in a removed directory. */
const ROWS_PER_ENTRY = 12;

function entriesPerStep({ limits }: VolumeStore): number {
  return Math.max(1, Math.floor(limits.gcStepRows / ROWS_PER_ENTRY));
}

export function gcStep(volume: VolumeStore, retention: Retention): boolean {
  const { db } = volume;
  return db.transaction(
    () =>
      freeSpool(volume) ||
      trimLog(volume, retention) ||
      collectOrphans(volume) ||
      convertLayouts(volume) ||
      freeGarbage(volume),
  );
}

function freeSpool(volume: VolumeStore): boolean {
  const { reservations } = volume;
  reservations.free([]);
  const stale = selectSpools(volume.db).find(({ first }) => !reservations.has(first));
  reservations.hasStale = stale !== undefined;
  if (stale === undefined) return false;
  deleteContentSpan(volume.db, stale.first, stale.last);
  releaseSpools(volume.db, [stale.first]);
  return true;
}

/** An entry may free an inode and a content, and is a row itself. */
function trimLog(volume: VolumeStore, retention: Retention): boolean {
  const { db, logTail } = volume;
  const { entry, pinnedRev } = logTail;
  if (entry === null || entry.rev > pinnedRev || !isBeyond(volume, retention, entry)) return false;
  const expired: Expired[] = [];
  let { retainedBefore } = entry;
  for (const oldest of selectOldestLog(db, entriesPerStep(volume))) {
    if (oldest.rev > pinnedRev || !isBeyond(volume, retention, { ...oldest, retainedBefore })) break;
    expired.push(oldest);
    retainedBefore = oldest.held;
  }
  const last = expired.at(-1);
  if (last === undefined) return false;
  release(
    volume,
    expired.flatMap(({ oldContent }) => oldContent || []),
  );
  collectInodes(volume, expired, last.rev);
  if (last.rev === volume.revisions.head) saveLogHead(db, { rev: volume.revisions.head, held: volume.retainedBytes });
  deleteLogThrough(db, last.rev);
  keepTrimmed(db, last);
  deleteSnapshotsBefore(db, last.rev);
  volume.invalidateHistory();
  return true;
}

/**
 * Inodes without a name that these entries touched last. An entry may touch an inode after another one removed its last name: a
 * write through an open handle, or an undo that moves something out of a removed directory. So every touched inode is checked.
 */
function collectInodes(volume: VolumeStore, expired: readonly Expired[], lastRev: number): void {
  const touched = new Set(expired.flatMap((entry) => entry.touched));
  const files: Inode[] = [];
  for (const inode of selectInodes(volume.db, [...touched])) {
    if (inode.nlink > 0 || inode.rev > lastRev) continue;
    if (isDirectory(inode) || volume.pinnedInodes.has(inode.ino)) addOrphans(volume.db, [inode.ino]);
    else files.push(inode);
  }
  deleteFiles(volume, files);
}

function deleteFiles(volume: VolumeStore, inodes: readonly Inode[]): void {
  if (inodes.length === 0) return;
  release(
    volume,
    inodes.flatMap(({ content }) => content || []),
  );
  deleteInodes(
    volume.db,
    inodes.map(({ ino }) => ino),
  );
  for (const inode of inodes) volume.cache.putInode({ ...inode, nlink: 0, parent: 0 });
}

/**
 * Removes one owner of each. Rows without an owner are deleted at once, unless they are to be queued (and erased there). Large
 * contents, and those being read, always wait in the queue.
 */
export function release(volume: VolumeStore, given: readonly number[], rows: "delete" | "queue" = "delete"): void {
  const contents = given.filter((content) => content !== PURGED);
  if (contents.length === 0) return;
  const { db, pinnedContents } = volume;
  const shared = new Set(selectShared(db, contents));
  const free: number[] = [];
  const waiting: number[] = [];
  for (const content of contents) {
    if (shared.has(content) && releaseReference(db, content)) continue;
    (rows === "delete" && content > 0 && !pinnedContents.has(content) ? free : waiting).push(content);
  }
  addGarbage(db, waiting);
  deleteContents(db, free);
}

/** Collects removed directories with their entries, as many as fit the row limit. Subdirectories wait for a later step. */
function collectOrphans(volume: VolumeStore): boolean {
  const { db, pinnedInodes } = volume;
  let left = entriesPerStep(volume);
  const orphans = selectOrphans(db, pinnedInodes.size + left).filter((ino) => !pinnedInodes.has(ino));
  if (orphans.length === 0) return false;
  const inodes = new Map(selectInodes(db, orphans).map((inode) => [inode.ino, inode]));
  const files: Inode[] = [];
  const names: [parent: number, name: string][] = [];
  const below: Inode[] = [];
  const emptied: number[] = [];
  for (const ino of orphans) {
    const inode = inodes.get(ino);
    const children = inode !== undefined && isDirectory(inode) ? selectEntries(db, ino, "", left) : [];
    for (const { inode: child, name } of children) {
      names.push([ino, name]);
      if (isDirectory(child)) below.push({ ...child, nlink: 0, parent: 0 });
      else if (child.nlink === 1 && !pinnedInodes.has(child.ino)) files.push(child);
      else unname(volume, child, ino, name);
    }
    left -= children.length;
    // There may be more in it.
    if (left <= 0) break;
    if (inode !== undefined) files.push(inode);
    emptied.push(ino);
    if (--left <= 0) break;
  }
  putInodes(db, below);
  addOrphans(
    db,
    below.map(({ ino }) => ino),
  );
  for (const inode of below) volume.cache.putInode(inode);
  deleteFiles(volume, files);
  deleteDirents(db, names);
  deleteOrphans(db, emptied);
  return true;
}

/** A file in a collected tree loses one of several names, or its last one while it is open. */
function unname(volume: VolumeStore, inode: Inode, parent: number, name: string): void {
  const { db } = volume;
  // Two names in one tree: the row read with the listing may be outdated.
  const now = selectInode(db, inode.ino) ?? inode;
  const nlink = now.nlink - 1;
  if (nlink > 1) deleteHardlinks(db, [[now.ino, parent, name]]);
  if (nlink === 1) clearHardlinks(db, [now.ino]);
  if (nlink === 0 && !volume.pinnedInodes.has(now.ino)) return deleteFiles(volume, [now]);
  const left = { ...now, nlink };
  putInodes(db, [left]);
  volume.cache.putInode(left);
  if (nlink === 0) addOrphans(db, [now.ino]);
}

function freeGarbage(volume: VolumeStore): boolean {
  const { db, limits, pinnedContents } = volume;
  const waiting = selectGarbage(db, GARBAGE_PER_STEP + pinnedContents.size).filter(
    (content) => !pinnedContents.has(content),
  );
  const rows = waiting.filter((content) => content > 0);
  const erasing = isErasing(db);
  if (!erasing && rows.length > 0) {
    deleteContents(db, rows);
    deleteGarbage(db, rows);
    return true;
  }
  const trees = waiting.filter((content) => content < 0).map((content) => -content);
  if (trees.length > 0) {
    freeTrees(db, trees, limits.gcStepRows, erasing ? "queue" : "delete");
    return true;
  }
  if (!erasing) return false;
  const more = eraseRows(volume);
  if (!more && !hasQueued(db)) clearErasing(db);
  return more;
}

const GARBAGE_PER_STEP = 100;
