/**
 * One small step of collection, in one transaction of a few hundred rows: unfinished spools of an earlier incarnation, log
 * entries beyond the retention, removed trees, contents without an owner, in this order. Returns false when there was nothing.
 */
import { type Run, rowsOf } from "../content/layout.ts";
import { type Inode, isDirectory, PURGED } from "../inode.ts";
import type { Retention } from "../limits.ts";
import {
  addGarbage,
  addOrphans,
  deleteContents,
  deleteGarbage,
  deleteInodes,
  deleteLayout,
  deleteLogThrough,
  deleteOrphans,
  dropShare,
  type Expired,
  existingContents,
  selectFamily,
  selectGarbage,
  selectOldestLog,
  selectOrphans,
  selectShared,
  selectSpools,
} from "../store/collect.ts";
import { deleteContentSpan, releaseSpools, selectLayout } from "../store/contents.ts";
import {
  clearHardlinks,
  deleteDirents,
  deleteHardlinks,
  putInodes,
  selectEntries,
  selectInode,
  selectInodes,
} from "../store/inodes.ts";
import { keepLogHead, selectLogTail } from "../store/log.ts";
import { deleteSnapshotsBefore, selectPinnedRev } from "../store/snapshots.ts";
import type { Volume } from "../volume.ts";

const DAY = 24 * 60 * 60 * 1_000_000;

export function collectStep(volume: Volume, retention: Retention): boolean {
  const { db } = volume;
  return db.atomically(
    () => freeSpool(volume) || trimLog(volume, retention) || collectOrphans(volume) || freeGarbage(volume),
  );
}

/** Whether the oldest entry is beyond the retention; and if not, when it will be, by age. */
export function logDue(volume: Volume, retention: Retention): { due: boolean; at: number | null } {
  const tail = selectLogTail(volume.db);
  // A pinned snapshot needs every entry after it.
  if (tail === null || tail.rev > pinnedRev(volume)) return { due: false, at: null };
  const at = tail.time + retention.days * DAY;
  const tooMany = volume.headRev - tail.rev + 1 > retention.entries;
  return { due: tooMany || volume.held - tail.held > retention.bytes || at <= volume.now(), at };
}

function pinnedRev(volume: Volume): number {
  return selectPinnedRev(volume.db) ?? Number.POSITIVE_INFINITY;
}

function freeSpool(volume: Volume): boolean {
  const stale = selectSpools(volume.db).find(({ first }) => !volume.liveSpools.has(first));
  if (stale === undefined) return false;
  deleteContentSpan(volume.db, stale.first, stale.last);
  releaseSpools(volume.db, [stale.first]);
  return true;
}

/** An entry may free an inode and a content, and is a row itself: four rows at most with its place in a queue. */
function trimLog(volume: Volume, retention: Retention): boolean {
  if (!logDue(volume, retention).due) return false;
  const { db } = volume;
  const surplus = Math.max(1, volume.headRev - (selectLogTail(db)?.rev ?? 0) + 1 - retention.entries);
  const most = Math.floor(volume.limits.collectRows / 4);
  const pinned = pinnedRev(volume);
  const expired = selectOldestLog(db, Math.min(most, surplus)).filter(({ rev }) => rev <= pinned);
  const last = expired.at(-1);
  if (last === undefined) return false;
  release(
    volume,
    expired.flatMap(({ oldContent }) => oldContent || []),
  );
  forget(volume, expired);
  if (last.rev === volume.headRev) keepLogHead(db, { rev: volume.headRev, held: volume.held });
  deleteLogThrough(db, last.rev);
  deleteSnapshotsBefore(db, last.rev);
  volume.forgetPast();
  return true;
}

/** Inodes that these entries took the last name from, and that no later entry concerns. */
function forget(volume: Volume, expired: readonly Expired[]): void {
  const lost = new Map<number, number>();
  for (const { op, ino, replaced, rev } of expired) {
    if (op === "remove") lost.set(ino, rev);
    if (replaced !== null) lost.set(replaced, rev);
  }
  if (lost.size === 0) return;
  const files: Inode[] = [];
  for (const inode of selectInodes(volume.db, [...lost.keys()])) {
    if (inode.nlink > 0 || inode.rev > (lost.get(inode.ino) as number)) continue;
    if (isDirectory(inode) || volume.pinnedInodes.has(inode.ino)) addOrphans(volume.db, [inode.ino]);
    else files.push(inode);
  }
  deleteFiles(volume, files);
}

function deleteFiles(volume: Volume, inodes: readonly Inode[]): void {
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

/** One owner less for each. Rows without an owner go at once; what is large, or being read, waits in a queue. */
export function release(volume: Volume, given: readonly number[]): void {
  const contents = given.filter((content) => content !== PURGED);
  if (contents.length === 0) return;
  const { db, pinnedContents } = volume;
  const shared = new Set(selectShared(db, contents));
  const free: number[] = [];
  for (const content of contents) {
    if (shared.has(content) && dropShare(db, content)) continue;
    if (content > 0 && !pinnedContents.has(content)) free.push(content);
    else addGarbage(db, content);
  }
  if (free.length > 0) deleteContents(db, free);
}

/** Removed directories with what is in them, as many as there are rows for: four an entry at most. Those below wait for a later step. */
function collectOrphans(volume: Volume): boolean {
  const { db, limits, pinnedInodes } = volume;
  let left = Math.floor(limits.collectRows / 4);
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

/** A file in a collected tree loses one of several names, or its last one while it is held open. */
function unname(volume: Volume, inode: Inode, parent: number, name: string): void {
  const { db } = volume;
  // Two names in one tree: the row read with the listing may be behind.
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

function freeGarbage(volume: Volume): boolean {
  const { db, limits } = volume;
  const waiting = selectGarbage(db, limits.collectRows / 2 + volume.pinnedContents.size).filter(
    (content) => !volume.pinnedContents.has(content),
  );
  const rows = waiting.filter((content) => content > 0);
  if (rows.length > 0) {
    const some = rows.slice(0, limits.collectRows / 2);
    deleteContents(db, some);
    deleteGarbage(db, some);
    return true;
  }
  const layout = waiting[0];
  if (layout === undefined) return false;
  freeLayout(volume, -layout);
  return true;
}

/** Rows that no other layout of the family has, some at a time; with the last of them the layout itself. */
function freeLayout(volume: Volume, id: number): void {
  const { db, limits } = volume;
  const layout = selectLayout(db, id);
  if (layout !== null) {
    const own = rowsOf(layout.runs);
    for (const other of selectFamily(db, layout.family)) {
      if (other.id !== id) for (const row of rowsOf(JSON.parse(other.runs) as Run[])) own.delete(row);
    }
    // A row that is a whole content of its own elsewhere was counted as shared.
    const shared = selectShared(db, [...own]);
    for (const row of shared) own.delete(row);
    const left = existingContents(db, [...own], limits.collectRows);
    deleteContents(db, left);
    if (left.length === limits.collectRows) return;
    for (const row of shared) dropShare(db, row);
    deleteLayout(db, id);
  }
  deleteGarbage(db, [-id]);
}
