/** Writes a mutation: all statements or none, and few of each kind, whatever the number of changes. */
import type { Reservation } from "../content/reservations.ts";
import type { Database } from "../db/database.ts";
import {
  addShares,
  appendToContent,
  deleteContentSpan,
  insertContents,
  releaseSpools,
  reserveSpool,
} from "../store/contents.ts";
import { deleteContents, deleteInodes } from "../store/gc.ts";
import {
  clearHardlinks,
  deleteDirents,
  deleteHardlinks,
  moveDirent,
  putDirents,
  putHardlinks,
  putInodes,
} from "../store/inodes.ts";
import { deleteEpoch, deleteLogAfter, insertEpoch, insertLog } from "../store/log.ts";
import { insertNodes } from "../store/nodes.ts";
import { typeCode } from "../tree/inode.ts";
import type { VolumeStore } from "../volume/views.ts";
import { AppendConflict } from "./append-conflict.ts";
import type { Mutation } from "./mutation.ts";
import { StaleMemory } from "./stale-memory.ts";

export function writeMutation(store: VolumeStore, mutation: Mutation): void {
  if (isPlain(mutation)) writeChanges(store, mutation);
  else store.db.transaction(() => writeChanges(store, mutation));
}

/**
 * A savepoint copies every page it touches, which costs as much as four small statements. The object commits all writes of one turn
 * together in any case, so plain rows are written without one; if a statement fails, those before it are undone. Where undoing
 * would need more than the previous rows, the savepoint stays.
 */
export function isPlain(mutation: Mutation): boolean {
  return (
    mutation.appends.length === 0 &&
    mutation.nodes.length === 0 &&
    mutation.shares.size === 0 &&
    mutation.releasedBlocks.length === 0 &&
    mutation.discardedRuns.length === 0 &&
    mutation.taken.size === 0 &&
    mutation.hardlinksAdded.length === 0 &&
    mutation.hardlinksRemoved.length === 0 &&
    mutation.hardlinksCleared.size === 0
  );
}

function writeChanges(store: VolumeStore, mutation: Mutation): void {
  const { db, pendingEpoch, logHead } = store;
  // First, because it detects stale memory.
  if (mutation.log.length > 0 && !insertLog(db, mutation.log, logHead)) throw new StaleMemory();
  if (pendingEpoch !== null) insertEpoch(db, pendingEpoch);
  for (const { id, length, bytes } of mutation.appends)
    if (!appendToContent(db, id, length, bytes)) throw new AppendConflict();
  if (mutation.contents.length > 0) insertContents(db, mutation.contents);
  if (mutation.nodes.length > 0) insertNodes(db, mutation.nodes);
  if (mutation.shares.size > 0) addShares(db, mutation.shares);
  if (mutation.releasedBlocks.length > 0) sealBlocks(store, mutation.releasedBlocks);
  for (const [row, , , count] of mutation.discardedRuns) deleteContentSpan(db, row, row + count - 1);
  if (mutation.taken.size > 0) sealDetached(store, mutation);
  if (mutation.inodes.size > 0) putInodes(db, [...mutation.inodes.values()]);
  writeNames(db, mutation);
  if (mutation.hardlinksCleared.size > 0) clearHardlinks(db, [...mutation.hardlinksCleared]);
  if (mutation.hardlinksRemoved.length > 0) deleteHardlinks(db, mutation.hardlinksRemoved);
  if (mutation.hardlinksAdded.length > 0) putHardlinks(db, mutation.hardlinksAdded);
}

/** Undoes what `writeChanges` may have done for a plain mutation; idempotent. */
export function undoMutation({ db, pendingEpoch, revisions }: VolumeStore, mutation: Mutation): void {
  db.transaction(() => {
    if (pendingEpoch !== null) deleteEpoch(db, pendingEpoch);
    deleteContents(
      db,
      mutation.contents.map(([id]) => id),
    );
    const before = [...mutation.inodesBefore];
    deleteInodes(
      db,
      before.filter(([, inode]) => inode === null).map(([ino]) => ino),
    );
    putInodes(
      db,
      before.flatMap(([, inode]) => inode ?? []),
    );
    const names = mutation.namesBefore;
    deleteDirents(
      db,
      names.map(([directory, name]) => [directory, name] as const),
    );
    putDirents(
      db,
      names.flatMap(([directory, name, inode]) =>
        inode === null ? [] : [[directory, name, inode.ino, typeCode(inode)]],
      ),
    );
    deleteLogAfter(db, revisions.head);
  });
}

/** Claimed rows leave `ws_spool`; garbage collection frees the rest if it is never claimed. */
function sealDetached(store: VolumeStore, mutation: Mutation): void {
  const { db, epochToken } = store;
  sealBlocks(
    store,
    [...mutation.taken.keys()].flatMap((contents) => contents.spans),
  );
  for (const [, left] of mutation.leftDetached())
    for (const [first, last] of left) reserveSpool(db, first, last, epochToken);
}

/** Removes blocks from the record of crash garbage: from now on files own their rows. */
function sealBlocks({ db, reservations }: VolumeStore, blocks: readonly Reservation[]): void {
  reservations.expectStored(blocks);
  releaseSpools(
    db,
    blocks.map(({ first }) => first),
  );
}

function writeNames(db: Database, mutation: Mutation): void {
  const puts: [number, string, number, number][] = [];
  const deletes: [number, string][] = [];
  for (const [directory, names] of mutation.entries) {
    for (const [name, ino] of names) {
      const inode = ino === 0 ? undefined : mutation.inodes.get(ino);
      if (inode === undefined) deletes.push([directory, name]);
      else puts.push([directory, name, ino, typeCode(inode)]);
    }
  }
  const [from, to] = [deletes[0], puts[0]];
  const only = mutation.log.length === 1 ? mutation.log[0] : undefined;
  if (only?.op === "rename" && from !== undefined && to !== undefined) {
    moveDirent(db, from, [to[0], to[1]]);
    return;
  }
  if (deletes.length > 0) deleteDirents(db, deletes);
  if (puts.length > 0) putDirents(db, puts);
}
