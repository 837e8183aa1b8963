/**
 * `history.purge`: removes the bytes of every past state of what was at or under a path from the database, under any name the state
 * had. The entries stay, and report that their content is gone (EGONE); current files stay unchanged. A copy elsewhere is another
 * file: the answer names it, and a purge of its own path removes it.
 *
 * Guarantees for the database file when it has returned:
 * - every row that held a past content, a part of one that the current file no longer has, or the target of a removed link was
 *   overwritten with zeros, and that was committed before the row was deleted;
 * - the search index, which reveals something of the texts, was overwritten and deleted;
 * - at least 8 MiB of free pages, the latest freed first, were overwritten, and more when the database has shrunk by more since the
 *   object woke (at most 256 MiB): they hold remnants of rows that grew, and of aborted streams;
 * - the unused parts of the pages of those rows, of the first pages of their tables, and of the last pages of the tables that grow
 *   at their end, were covered.
 * Maintenance erases a content that is being read meanwhile once its readers are done.
 *
 * Not covered: names and paths, which stay in the log; fragments shorter than a page in the unused parts of other pages, where
 * SQLite has moved rows or reused a free page; states that history had dropped before (by retention or for space), whose free pages
 * may be older; copies outside the file (other files, output of commands, proposals, messages and records of tools); SQLite's
 * write-ahead log until it is checkpointed; and Cloudflare's point-in-time backups, which reach back 30 days.
 */

import { FsError } from "../api/errors.ts";
import type { PurgeResult } from "../api/history.ts";
import { pin } from "../content/pin.ts";
import { ContentReader } from "../content/reader.ts";
import { Spool } from "../content/spool.ts";
import { coverPage, overwriteFreePages } from "../maintenance/erase.ts";
import { queueUnownedRows } from "../maintenance/free-trees.ts";
import { gcStep, release } from "../maintenance/gc-step.ts";
import { Mutation } from "../mutation/mutation.ts";
import {
  clearTargets,
  cutTails,
  overwriteTails,
  overwriteTargets,
  resizeTargets,
  selectRewritten,
  setErasing,
} from "../store/erase.ts";
import { selectShared } from "../store/gc.ts";
import { selectInode, selectInodes } from "../store/inodes.ts";
import { selectNamesOf } from "../store/names.ts";
import { purgeInodes, purgeStates, selectContentOwners, selectEverAt, selectPastContents } from "../store/purge.ts";
import { deleteIndex, overwriteIndex } from "../store/search-index.ts";
import { type Inode, isDirectory, isFile, PURGED } from "../tree/inode.ts";
import { joinPath } from "../tree/path.ts";
import type { VolumeStore } from "../volume/views.ts";
import { plainPath } from "./log/log.ts";
import { DirectoryPaths } from "./revert/directory-paths.ts";

/** Bytes read and written at a time when a file is moved to its own rows. */
const PART_BYTES = 1024 * 1024;

export async function purge(volume: VolumeStore, given: string): Promise<PurgeResult> {
  const path = plainPath(given, "purge");
  const { db } = volume.ensureOpen();
  if (db.inTransaction)
    throw new FsError("EBUSY", {
      syscall: "purge",
      path,
      reason: "purge commits in steps and cannot be part of a transaction",
    });
  if (volume.pristine !== null) return { states: 0, bytes: 0, shared: [] };
  const before = db.bytes;
  const { lost, tails, layouts, ...result } = db.transaction(() => purgeAll(volume, path));
  volume.purged();
  await db.sync();
  db.transaction(() => {
    coverPage((bytes) => resizeTargets(db, lost, bytes));
    clearTargets(db, lost);
    cutTails(db, tails);
    deleteIndex(db);
  });
  for (const ino of layouts) await moveToNewRows(volume, ino);
  // At once, not in later maintenance. Freeing versions leaves some without an owner.
  await eraseAll(volume);
  db.transaction(() => {
    queueUnownedRows(db);
    setErasing(db);
  });
  await eraseAll(volume);
  await overwriteFreePages(volume);
  return { ...result, bytes: Math.max(0, before - db.bytes) };
}

const ENDLESS = {
  days: Number.POSITIVE_INFINITY,
  entries: Number.POSITIVE_INFINITY,
  bytes: Number.POSITIVE_INFINITY,
};

async function eraseAll(volume: VolumeStore): Promise<void> {
  while (gcStep(volume.ensureOpen(), ENDLESS)) await volume.overwritten.commit(volume.db);
}

interface Purging extends Omit<PurgeResult, "bytes"> {
  /** Inodes that cannot be reached. */
  lost: number[];
  /** Rows of current files, and how many bytes of each they use. */
  tails: (readonly [content: number, size: number])[];
  /** Current files in several pieces, whose rows may hold parts of past states. */
  layouts: number[];
}

/** The part that must happen atomically. Nothing that is to be overwritten is deleted yet. */
function purgeAll(volume: VolumeStore, path: string): Purging {
  const { db } = volume;
  const inos = selectEverAt(db, path, volume.revisions.head);
  const json = JSON.stringify(inos);
  const inodes = selectInodes(db, inos);
  const unnamed = unreachable(volume, inodes);
  const lost = [...unnamed];
  const named = inodes.filter((inode) => !unnamed.has(inode.ino) && isFile(inode) && inode.content !== PURGED);
  const contents = selectPastContents(db, json);
  for (const { ino, content } of inodes)
    if (unnamed.has(ino) && content !== 0 && content !== PURGED) contents.push(content);
  const rewritten = new Set(selectRewritten(db, inos));
  const layouts = named.filter(({ ino, content }) => content < 0 && rewritten.has(ino)).map(({ ino }) => ino);
  const tails = ownRows(volume, named);
  setErasing(db);
  release(volume, contents, "queue");
  const states = purgeStates(db, json) + overwriteTargets(db, lost) + purgeInodes(db, lost);
  overwriteTails(db, tails);
  overwriteIndex(db);
  const own = new Set(inos);
  const held = selectContentOwners(db, contents).filter((ino) => !own.has(ino));
  return { states, shared: pathsOf(volume, held), lost, tails, layouts };
}

/** Current one-row files: nothing else uses the row unless it is shared. */
function ownRows({ db }: VolumeStore, files: readonly Inode[]): (readonly [content: number, size: number])[] {
  const single = files.filter(({ content }) => content > 0);
  const shared = new Set(
    selectShared(
      db,
      single.map(({ content }) => content),
    ),
  );
  return single.filter(({ content }) => !shared.has(content)).map(({ content, size }) => [content, size] as const);
}

/**
 * Copies the same bytes to rows that no past state shares; the old ones are erased with the rest. Not a change: nothing is logged.
 */
async function moveToNewRows(volume: VolumeStore, ino: number): Promise<void> {
  const { db } = volume.ensureOpen();
  const inode = selectInode(db, ino);
  if (inode === null || inode.content >= 0) return;
  using _reading = pin(volume.pinnedContents, inode.content);
  using spool = new Spool(volume);
  for (let at = 0; at < inode.size; at += PART_BYTES) {
    spool.push(new ContentReader(volume.ensureOpen().store.db, inode).read(at, at + PART_BYTES));
    await db.sync();
  }
  using rows = spool.finishRows();
  // Before the plan, which adds nothing that would make the commit reserve space again.
  volume.reserveSpace(0);
  const mutation = new Mutation(volume.ensureOpen(), {});
  // Changed meanwhile: its old content is a past state of a later revision.
  if (mutation.moveContent(inode, rows) === null) return;
  db.transaction(() => {
    mutation.commit();
    release(volume, [inode.content], "queue");
  });
}

/** Inodes without a name, and files whose names are in a removed tree. */
function unreachable({ db }: VolumeStore, inodes: readonly Inode[]): Set<number> {
  const lost = new Set(inodes.filter((inode) => !isDirectory(inode)).map(({ ino }) => ino));
  const names = selectNamesOf(db, [...lost]);
  const places = DirectoryPaths.load(
    db,
    names.map(({ parent }) => parent),
  );
  for (const { ino, parent } of names) if (places.path(parent) !== null) lost.delete(ino);
  return lost;
}

function pathsOf({ db }: VolumeStore, inos: readonly number[]): string[] {
  const names = selectNamesOf(db, inos);
  const places = DirectoryPaths.load(
    db,
    names.map(({ parent }) => parent),
  );
  return names.flatMap(({ parent, name }) => {
    const above = places.path(parent);
    return above === null ? [] : [joinPath(above, name)];
  });
}
