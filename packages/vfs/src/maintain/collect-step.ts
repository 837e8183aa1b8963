/**
 * One small step of collection, in one transaction of a few hundred rows: unfinished spools of an earlier incarnation, log
 * entries beyond the retention, removed trees, contents without an owner, in this order. Returns false when there was nothing.
 */
import { type Run, rowsOf } from "../content/layout.ts";
import { type Inode, isDirectory } from "../inode.ts";
import type { Retention } from "../limits.ts";
import {
  addGarbage,
  addOrphan,
  deleteContents,
  deleteGarbage,
  deleteInodes,
  deleteLayout,
  deleteLogThrough,
  deleteOrphan,
  dropShare,
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
} from "../store/inodes.ts";
import { keepLogHead, selectLogTail } from "../store/log.ts";
import type { Volume } from "../volume.ts";

const DAY = 24 * 60 * 60 * 1_000_000;

export function collectStep(volume: Volume, retention: Retention): boolean {
  const { db } = volume;
  return db.atomically(
    () => freeSpool(volume) || trimLog(volume, retention) || collectOrphan(volume) || freeGarbage(volume),
  );
}

/** Whether the oldest entry is beyond the retention; and if not, when it will be, by age. */
export function logDue(volume: Volume, retention: Retention): { due: boolean; at: number | null } {
  const tail = selectLogTail(volume.db);
  if (tail === null) return { due: false, at: null };
  const at = tail.time + retention.days * DAY;
  const tooMany = volume.headRev - tail.rev + 1 > retention.entries;
  return { due: tooMany || volume.held - tail.held > retention.bytes || at <= volume.now(), at };
}

function freeSpool(volume: Volume): boolean {
  const stale = selectSpools(volume.db).find(({ first }) => !volume.liveSpools.has(first));
  if (stale === undefined) return false;
  deleteContentSpan(volume.db, stale.first, stale.last);
  releaseSpools(volume.db, [stale.first]);
  return true;
}

/** An entry may free an inode, a content and a share: five rows at most. */
function trimLog(volume: Volume, retention: Retention): boolean {
  if (!logDue(volume, retention).due) return false;
  const { db } = volume;
  const surplus = Math.max(1, volume.headRev - (selectLogTail(db)?.rev ?? 0) + 1 - retention.entries);
  const most = Math.floor(volume.limits.collectRows / 5);
  const expired = selectOldestLog(db, Math.min(most, surplus));
  const last = expired.at(-1);
  if (last === undefined) return false;
  for (const entry of expired) {
    if (entry.oldContent !== null && entry.oldContent !== 0) release(volume, entry.oldContent);
    if (entry.op === "remove") forget(volume, entry.ino, entry.rev);
    if (entry.replaced !== null) forget(volume, entry.replaced, entry.rev);
  }
  if (last.rev === volume.headRev) keepLogHead(db, { rev: volume.headRev, held: volume.held });
  deleteLogThrough(db, last.rev);
  return true;
}

/** An inode that this entry took the last name from, and that no later entry concerns. */
function forget(volume: Volume, ino: number, rev: number): void {
  const inode = selectInode(volume.db, ino);
  if (inode === null || inode.nlink > 0 || inode.rev > rev) return;
  if (isDirectory(inode) || volume.pinnedInodes.has(ino)) addOrphan(volume.db, ino);
  else deleteInode(volume, inode);
}

function deleteInode(volume: Volume, inode: Inode): void {
  if (inode.content !== 0) release(volume, inode.content);
  deleteInodes(volume.db, [inode.ino]);
  volume.cache.putInode({ ...inode, nlink: 0, parent: 0 });
}

function release(volume: Volume, content: number): void {
  if (!dropShare(volume.db, content)) addGarbage(volume.db, content);
}

function collectOrphan(volume: Volume): boolean {
  const { db, limits } = volume;
  const ino = selectOrphans(db, volume.pinnedInodes.size + 1).find((orphan) => !volume.pinnedInodes.has(orphan));
  if (ino === undefined) return false;
  const inode = selectInode(db, ino);
  const children =
    inode !== null && isDirectory(inode) ? selectEntries(db, ino, "", Math.floor(limits.collectRows / 5)) : [];
  for (const child of children) {
    if (isDirectory(child.inode)) {
      const detached = { ...child.inode, nlink: 0, parent: 0 };
      putInodes(db, [detached]);
      volume.cache.putInode(detached);
      addOrphan(db, child.inode.ino);
    } else unname(volume, child.inode, ino, child.name);
  }
  if (children.length > 0)
    deleteDirents(
      db,
      children.map(({ name }) => [ino, name] as const),
    );
  else {
    if (inode !== null) deleteInode(volume, inode);
    deleteOrphan(db, ino);
  }
  return true;
}

/** A file in a collected tree loses a name; it may have others. */
function unname(volume: Volume, inode: Inode, parent: number, name: string): void {
  const { db } = volume;
  // Two names in one tree: the row read with the listing may be behind.
  const now = selectInode(db, inode.ino) ?? inode;
  const nlink = now.nlink - 1;
  if (nlink > 1) deleteHardlinks(db, [[now.ino, parent, name]]);
  if (nlink === 1) clearHardlinks(db, [now.ino]);
  if (nlink > 0 || volume.pinnedInodes.has(now.ino)) {
    const left = { ...now, nlink };
    putInodes(db, [left]);
    volume.cache.putInode(left);
    if (nlink === 0) addOrphan(db, now.ino);
  } else deleteInode(volume, now);
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
