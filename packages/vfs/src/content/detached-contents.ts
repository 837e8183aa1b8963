/**
 * Contents that are in the database before their files have names, for who learns the bytes first: rows that nobody can see yet,
 * recorded in `ws_spool` like those of a stream, so that what a crash leaves is found and freed. A mutation that gives some of them
 * to files takes those out of the record, in the same transaction.
 */
import { FsError } from "../errors.ts";
import type { DetachedContents } from "../file-system.ts";
import { insertContents } from "../store/contents.ts";
import type { Volume } from "../volume.ts";
import type { Reservation } from "./reservations.ts";

export type RowSpan = readonly [first: number, last: number];

export class DetachedRows implements DetachedContents {
  readonly #volume: Volume;
  #first = 0;
  readonly #sizes: Uint32Array;
  /** Those that no file has taken. */
  spans: readonly Reservation[];

  /** Each content is one row. */
  constructor(volume: Volume, contents: readonly Uint8Array[]) {
    this.#volume = volume.ensureOpen();
    let bytes = 0;
    for (const { length } of contents) {
      if (length === 0 || length > volume.limits.rowBytes)
        throw new FsError("EFBIG", { syscall: "stage", reason: "a content that is no row" });
      bytes += length;
    }
    volume.reserveSpace(bytes);
    this.#sizes = Uint32Array.from(contents, ({ length }) => length);
    const spans: Reservation[] = [];
    this.spans = spans;
    try {
      // All of the record before the contents: SQLite writes a page twice that it has to put aside in between.
      this.#reserve(contents.length, spans);
      this.#first = spans[0]?.first ?? 0;
      const rows = contents.map((content, i) => [this.#first + i, content] as const);
      if (rows.length > 0) insertContents(volume.db, rows);
      for (const span of spans) span.written = span.last - span.first + 1;
    } catch (error) {
      this[Symbol.dispose]();
      throw error;
    }
  }

  /** What an inode refers to. */
  at(index: number): { content: number; size: number } {
    const content = this.#first + index;
    const size = this.#sizes[index];
    if (size === undefined || !this.spans.some(({ first, last }) => first <= content && content <= last))
      throw new FsError("EINVAL", { syscall: "writeMany", reason: "a staged content that another file has taken" });
    return { content, size };
  }

  /** In parts that the collector can free in one step; one after the other, since nothing else takes row numbers in between. */
  #reserve(count: number, into: Reservation[]): void {
    const { limits, reservations } = this.#volume;
    for (let left = count; left > 0; left -= limits.gcStepRows)
      into.push(reservations.reserve(Math.min(left, limits.gcStepRows)));
  }

  /** The spans that are left when these rows are taken. */
  without(taken: ReadonlySet<number>): RowSpan[] {
    const left: RowSpan[] = [];
    for (const { first, last } of this.spans) {
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
    this.#volume.reservations.free(this.spans);
    this.spans = [];
  }
}
