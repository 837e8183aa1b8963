/**
 * Contents stored before their files have names, for callers that learn the bytes first. The rows are invisible and recorded in
 * `ws_spool` like those of a stream, so that garbage collection finds and frees what a crash leaves. A mutation that assigns some
 * of them to files removes those from the record, in the same transaction.
 */
import { FsError } from "../api/errors.ts";
import type { DetachedContents } from "../api/file-system.ts";
import { insertContents } from "../store/contents.ts";
import type { VolumeStore } from "../volume/views.ts";
import type { Reservation } from "./reservations.ts";

export type RowSpan = readonly [first: number, last: number];

export class DetachedRows implements DetachedContents {
  readonly #volume: VolumeStore;
  #first = 0;
  readonly #sizes: Uint32Array;
  /** Rows that no file has claimed. */
  spans: readonly Reservation[];

  /** Each content is one row. */
  constructor(volume: VolumeStore, contents: readonly Uint8Array[]) {
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
      // Writes the whole record before the contents: SQLite writes a page twice if it has to spill it in between.
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

  /** The content reference for an inode. */
  at(index: number): { content: number; size: number } {
    const content = this.#first + index;
    const size = this.#sizes[index];
    if (size === undefined || !this.spans.some(({ first, last }) => first <= content && content <= last))
      throw new FsError("EINVAL", { syscall: "writeMany", reason: "a staged content that another file has taken" });
    return { content, size };
  }

  /**
   * Reserves in parts that the collector can free in one step. They are consecutive, since nothing else takes row numbers in
   * between.
   */
  #reserve(count: number, into: Reservation[]): void {
    const { limits, reservations } = this.#volume;
    for (let left = count; left > 0; left -= limits.gcStepRows)
      into.push(reservations.reserve(Math.min(left, limits.gcStepRows)));
  }

  /** The spans that remain when these rows are claimed. */
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
