/**
 * Buffers bytes of unknown number with at most one row in memory: the rest goes to invisible rows in reserved blocks. A commit
 * makes them a content. A spool frees its rows if it is disposed of before `finish`; afterwards the owner of the result does.
 */

import { insertContents } from "../store/contents.ts";
import { allocate, copyBytes, freeBytes, type OwnedBytes } from "../store/owned-bytes.ts";
import type { VolumeStore } from "../volume/views.ts";
import { joinRuns, type Run } from "./layout.ts";
import type { Reservation } from "./reservations.ts";

/** Rows reserved at a time: 8 MiB. */
const BLOCK_ROWS = 64;

/** Written rows that no file has yet. Disposing frees those that were not committed. */
export interface SpooledRows extends Disposable {
  readonly kind: "rows";
  readonly runs: Run[];
  readonly size: number;
  readonly blocks: readonly Reservation[];
}

/** The result: bytes that fit one row, or rows. */
export type PreparedContent = { readonly kind: "bytes"; readonly bytes: Uint8Array } | SpooledRows;

export class Spool implements Disposable {
  readonly #volume: VolumeStore;
  readonly #pending: OwnedBytes[] = [];
  #pendingBytes = 0;
  #written = 0;
  #runs: Run[] = [];
  #blocks: Reservation[] = [];
  #next = 0;

  constructor(volume: VolumeStore) {
    this.#volume = volume;
  }

  get size(): number {
    return this.#written + this.#pendingBytes;
  }

  /** The caller may reuse its bytes after this returns. */
  push(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    // Whole rows need no copy once the stream has written some.
    const whole = this.#written > 0 && this.#pendingBytes === 0 ? bytes.length - (bytes.length % this.#rowSize) : 0;
    if (whole > 0) this.#write(bytes.subarray(0, whole));
    if (whole === bytes.length) return;
    this.#pending.push(copyBytes(bytes.subarray(whole)));
    this.#pendingBytes += bytes.length - whole;
    if (this.#pendingBytes > this.#volume.limits.rowBytes) this.#writeRows(false);
  }

  finish(): PreparedContent {
    return this.#written === 0 ? { kind: "bytes", bytes: this.#joinPending() } : this.finishRows();
  }

  /** As `finish`, with rows even for few bytes. */
  finishRows(): SpooledRows {
    this.#writeRows(true);
    const { reservations } = this.#volume;
    const blocks = this.#blocks;
    this.#blocks = [];
    const free = () => reservations.free(blocks);
    return { kind: "rows", runs: this.#runs, size: this.#written, blocks, [Symbol.dispose]: free };
  }

  [Symbol.dispose](): void {
    this.#volume.reservations.free(this.#blocks);
    this.#blocks = [];
  }

  get #rowSize(): number {
    return this.#volume.limits.chunkBytes;
  }

  /** Writes whole rows of the pending bytes, and with `all` the rest as a shorter row. */
  #writeRows(all: boolean): void {
    const bytes = this.#joinPending();
    const end = all ? bytes.length : bytes.length - (bytes.length % this.#rowSize);
    this.#write(bytes.subarray(0, end));
    const parts = this.#pending.splice(0);
    this.#pendingBytes = bytes.length - end;
    if (this.#pendingBytes > 0) this.#pending.push(copyBytes(bytes.subarray(end)));
    // SQLite has its own copy now.
    for (const part of parts) freeBytes(part);
    freeBytes(bytes);
  }

  #write(bytes: Uint8Array): void {
    const rows: [number, Uint8Array][] = [];
    const blocks: Reservation[] = [];
    this.#volume.reservations.expectIntact(this.#blocks);
    this.#volume.reserveSpace(bytes.length);
    let runs = this.#runs;
    for (let at = 0; at < bytes.length; at += this.#rowSize) {
      const row = bytes.subarray(at, at + this.#rowSize);
      const block = this.#blockWithRoom();
      const id = this.#next++;
      rows.push([id, row]);
      blocks.push(block);
      runs = joinRuns(runs, [[id, 0, row.length, 1]]);
    }
    // No savepoint, which would copy every page that SQLite spills: disposing of the spool removes what a failure leaves.
    if (rows.length > 0) insertContents(this.#volume.db, rows);
    for (const block of blocks) block.written++;
    this.#runs = runs;
    this.#written += bytes.length;
  }

  #blockWithRoom(): Reservation {
    const last = this.#blocks.at(-1);
    if (last !== undefined && this.#next <= last.last) return last;
    const block = this.#volume.reservations.reserve(BLOCK_ROWS);
    this.#blocks.push(block);
    this.#next = block.first;
    return block;
  }

  #joinPending(): OwnedBytes {
    const [only, more] = this.#pending;
    if (only !== undefined && more === undefined) return only;
    const joined = allocate(this.#pendingBytes);
    let at = 0;
    for (const part of this.#pending) {
      joined.set(part, at);
      at += part.length;
    }
    return joined;
  }
}
