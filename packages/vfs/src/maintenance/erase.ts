/**
 * Erases what is queued to be freed: overwrites it in one commit and deletes it in a later one (see store/erase.ts). Steps are
 * small, and the request to erase is in the database, so later maintenance erases what a crash or a reader delays.
 */
import type { Reservation } from "../content/reservations.ts";
import { selectLengths } from "../store/contents.ts";
import { coverEnds, coverRoots, insertZeros, overwriteContents, resizeZeros, selectQueued } from "../store/erase.ts";
import { deleteContents, deleteGarbage } from "../store/gc.ts";
import type { VolumeStore } from "../volume/views.ts";

/** Rows overwritten per step: at most 16 MiB. */
const ROWS_PER_STEP = 16;
/** Zeros written over free pages: minimum and maximum. */
const MIN_FILL = 8 * 1024 * 1024;
const MAX_FILL = 256 * 1024 * 1024;
const FILL_ROW = 1024 * 1024;
const FILL_ROWS = 8;
/** Rows of this length were written once, and never grew. */
const SMALL_ROW = 128 * 1024;
const PAGE_BYTES = 4096;
/** A remnant in a page's unused part is shorter than this. */
const COVER_STEP = 48;
/** Small rows at the end of the table cover the unused part of its last page. */
const COVER_ROWS = 128;
/**
 * Rows of almost a page each, as many as a table needs to fill its first page with the numbers of others. While a table is small,
 * its first page holds rows; when it stops being a leaf, SQLite leaves them in its unused part.
 */
const ROOT_ROWS = 700;
const ROOT_ROW = 4000;

/**
 * Does one step on queued rows without readers. All of them are overwritten before any is deleted: deleting a row makes SQLite move
 * its neighbors and leave their old bytes behind. False when nothing can be done before the next commit.
 */
export function eraseRows({ db, overwritten, pinnedContents }: VolumeStore): boolean {
  const limit = ROWS_PER_STEP + pinnedContents.size;
  const free = (after: number) => selectQueued(db, after, limit).filter((row) => !pinnedContents.has(row));
  const next = free(overwritten.last);
  overwritten.last = next.at(-1) ?? 0;
  const fresh = next.filter((row) => !overwritten.has(row));
  if (fresh.length > 0) {
    overwriteContents(db, fresh);
    overwritten.add(fresh);
    return true;
  }
  if (next.length > 0) return true;
  const ready = free(0).filter((row) => overwritten.isCommitted(row));
  if (ready.length === 0) return free(0).some((row) => !overwritten.has(row));
  const small = [...selectLengths(db, ready)].filter(([, length]) => length < SMALL_ROW).sort(([a], [b]) => a - b);
  coverPage((bytes) => resizeZeros(db, onePerPage(small), bytes));
  deleteContents(db, ready);
  deleteGarbage(db, ready);
  overwritten.delete(ready);
  return true;
}

/**
 * Grows a value of zeros until it fills its page. This overwrites what values that grew or moved left in the page's unused parts,
 * or clears it when SQLite defragments the page.
 */
export function coverPage(resize: (bytes: number) => void): void {
  for (let bytes = COVER_STEP; bytes < PAGE_BYTES; bytes += COVER_STEP) resize(bytes);
}

/** Enough rows to have one in each page that they share. */
function onePerPage(rows: readonly (readonly [row: number, length: number])[]): number[] {
  const chosen: number[] = [];
  let since = PAGE_BYTES;
  for (const [row, length] of rows) {
    since += length;
    if (since < PAGE_BYTES / 2) continue;
    chosen.push(row);
    since = 0;
  }
  return chosen;
}

/**
 * Writes zeros over free pages, the latest freed first: as many as this incarnation has seen the database shrink by, within bounds.
 * They hold what was freed without being overwritten: rows that grew or moved, and aborted streams.
 */
export async function overwriteFreePages(volume: VolumeStore): Promise<void> {
  const { db, limits } = volume.ensureOpen();
  const room = limits.databaseBytes - db.bytes;
  const wanted = Math.min(Math.max(db.peakBytes - db.bytes, MIN_FILL), MAX_FILL, room);
  const blocks: Reservation[] = [];
  try {
    blocks.push(await fill(volume, COVER_ROWS, COVER_STEP));
    blocks.push(await fill(volume, ROOT_ROWS, ROOT_ROW));
    for (let left = wanted; left > 0; left -= FILL_ROWS * FILL_ROW)
      blocks.push(await fill(volume, FILL_ROWS, FILL_ROW));
  } finally {
    volume.reservations.free(blocks);
  }
  db.transaction(() => {
    coverEnds(db, volume.ensureOpen().revisions.head, 2 * COVER_ROWS);
    coverRoots(db, volume.revisions.head, ROOT_ROWS, ROOT_ROW);
  });
}

async function fill(volume: VolumeStore, rows: number, bytes: number): Promise<Reservation> {
  const { db, reservations } = volume.ensureOpen();
  const block = reservations.reserve(rows);
  try {
    insertZeros(db, block.first, rows, bytes);
    block.written = rows;
    await db.sync();
    return block;
  } catch (error) {
    reservations.free([block]);
    throw error;
  }
}
