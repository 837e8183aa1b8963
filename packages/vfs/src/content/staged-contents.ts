/**
 * Contents that are in the database before their files have names, for who learns the bytes first: rows that nobody can see yet,
 * recorded in `ws_spool` like those of a stream, so that what a crash leaves is found and freed. A mutation that gives some of them
 * to files takes those out of the record, in the same transaction.
 */
import { FsError } from "../errors.ts";
import type { StagedContents } from "../filesystem.ts";
import { deleteContentSpan, insertContents, releaseSpools, reserveSpool } from "../store/contents.ts";
import type { Volume } from "../volume.ts";

export type RowSpan = readonly [first: number, last: number];

export class StagedRows implements StagedContents {
  readonly #volume: Volume;
  readonly #first: number;
  readonly #sizes: Uint32Array;
  /** Those that no file has taken; each is a row of `ws_spool`. */
  spans: readonly RowSpan[];

  /** Each content is one row. */
  constructor(volume: Volume, contents: readonly Uint8Array[]) {
    this.#volume = volume.open();
    let bytes = 0;
    for (const { length } of contents) {
      if (length === 0 || length > volume.limits.rowBytes)
        throw new FsError("EFBIG", { syscall: "stage", reason: "a content that is no row" });
      bytes += length;
    }
    volume.ensureRoom(bytes);
    this.#first = volume.takeContentIds(contents.length);
    this.#sizes = Uint32Array.from(contents, ({ length }) => length);
    this.spans = this.#whole(contents.length);
    // All of the record before the contents: SQLite writes a page twice that it has to put aside in between.
    for (const [first, last] of this.spans) {
      reserveSpool(volume.db, first, last, volume.epochToken);
      volume.liveSpools.add(first);
    }
    try {
      const rows = contents.map((content, i) => [this.#first + i, content] as const);
      if (rows.length > 0) insertContents(volume.db, rows);
    } catch (error) {
      this[Symbol.dispose]();
      throw error;
    }
  }

  /** What an inode refers to. */
  at(index: number): { content: number; size: number } {
    const content = this.#first + index;
    const size = this.#sizes[index];
    if (size === undefined || !this.spans.some(([first, last]) => first <= content && content <= last))
      throw new FsError("EINVAL", { syscall: "writeMany", reason: "a staged content that another file has taken" });
    return { content, size };
  }

  /** In parts that the collector can free in one step. */
  #whole(count: number): RowSpan[] {
    const spans: RowSpan[] = [];
    const { collectRows } = this.#volume.limits;
    const last = this.#first + count - 1;
    for (let from = this.#first; from <= last; from += collectRows)
      spans.push([from, Math.min(from + collectRows - 1, last)]);
    return spans;
  }

  /** The spans that are left when these rows are taken. */
  without(taken: ReadonlySet<number>): RowSpan[] {
    const left: RowSpan[] = [];
    for (const [first, last] of this.spans) {
      let from = first;
      for (let row = first; row <= last; row++) {
        if (!taken.has(row)) continue;
        if (from < row) left.push([from, row - 1]);
        from = row + 1;
      }
      if (from <= last) left.push([from, last]);
    }
    return left;
  }

  [Symbol.dispose](): void {
    const { db, liveSpools } = this.#volume.open();
    // A rollback may have taken the record; the rows then belong to others.
    const live = this.spans.filter(([first]) => liveSpools.has(first));
    this.spans = [];
    if (live.length === 0) return;
    db.atomically(() => {
      for (const [first, last] of live) deleteContentSpan(db, first, last);
      const firsts = live.map(([first]) => first);
      releaseSpools(db, firsts);
    });
    for (const [first] of live) liveSpools.delete(first);
  }
}
