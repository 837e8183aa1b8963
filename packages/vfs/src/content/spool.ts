/**
 * Takes bytes of unknown number and keeps at most a row of them in memory: beyond that they go to rows that nobody can see yet,
 * in blocks recorded in `ws_spool`, so that a crash leaves garbage that can be found. Committing makes them a content.
 */
import { FsError } from "../errors.ts";
import { deleteContentSpan, insertContents, releaseSpools, reserveSpool } from "../store/contents.ts";
import type { Volume } from "../volume.ts";
import { freeBuffer } from "./free-buffer.ts";
import { joinRuns, type Run } from "./layout.ts";

/** Rows reserved at a time: 8 MiB. */
const BLOCK_ROWS = 64;

/** What came of it: bytes that fit one row, or rows that are already written. */
export type Spooled =
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  | { readonly kind: "rows"; readonly runs: Run[]; readonly size: number; readonly spools: number[] };

export class Spool {
  readonly #volume: Volume;
  readonly #pending: Uint8Array[] = [];
  #pendingBytes = 0;
  #written = 0;
  #runs: Run[] = [];
  #spools: number[] = [];
  #next = 0;
  #end = 0;

  constructor(volume: Volume) {
    this.#volume = volume;
  }

  get size(): number {
    return this.#written + this.#pendingBytes;
  }

  push(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    // Whole rows of a stream that has some already need no copy.
    const whole = this.#written > 0 && this.#pendingBytes === 0 ? bytes.length - (bytes.length % this.#rowSize) : 0;
    if (whole > 0) this.#write(bytes.subarray(0, whole));
    if (whole === bytes.length) return;
    // A copy: the producer may reuse its buffer after this returns.
    this.#pending.push(bytes.slice(whole));
    this.#pendingBytes += bytes.length - whole;
    if (this.#pendingBytes > this.#volume.limits.rowBytes) this.#writeRows(false);
  }

  finish(as: "smallest" | "rows" = "smallest"): Spooled {
    if (this.#written === 0 && as === "smallest")
      return { kind: "bytes", bytes: concat(this.#pending, this.#pendingBytes) };
    this.#writeRows(true);
    return { kind: "rows", runs: this.#runs, size: this.#written, spools: this.#spools };
  }

  /** Forgets what was taken, and frees the rows that were written. */
  discard(): void {
    const { db, liveSpools } = this.#volume.open();
    const live = this.#spools.filter((first) => liveSpools.has(first));
    db.atomically(() => {
      for (const first of live) deleteContentSpan(db, first, first + BLOCK_ROWS - 1);
      if (live.length > 0) releaseSpools(db, live);
    });
    for (const first of live) liveSpools.delete(first);
    this.#spools = [];
    this.#runs = [];
  }

  get #rowSize(): number {
    return this.#volume.limits.chunkBytes;
  }

  /** Whole rows of what is pending, and with `all` the rest as a shorter one. */
  #writeRows(all: boolean): void {
    const bytes = concat(this.#pending, this.#pendingBytes);
    const end = all ? bytes.length : bytes.length - (bytes.length % this.#rowSize);
    this.#write(bytes.subarray(0, end));
    const parts = this.#pending.splice(0);
    this.#pendingBytes = bytes.length - end;
    if (this.#pendingBytes > 0) this.#pending.push(bytes.slice(end));
    // SQLite has its own copy now.
    for (const part of parts) freeBuffer(part);
    freeBuffer(bytes);
  }

  #write(bytes: Uint8Array): void {
    const rows: [number, Uint8Array][] = [];
    this.#checkAlive();
    this.#volume.ensureRoom(bytes.length);
    let runs = this.#runs;
    for (let at = 0; at < bytes.length; at += this.#rowSize) {
      const row = bytes.subarray(at, at + this.#rowSize);
      const id = this.#nextRow();
      rows.push([id, row]);
      runs = joinRuns(runs, [[id, 0, row.length, 1]]);
    }
    const { db } = this.#volume;
    // Without a savepoint, which would copy every page that SQLite puts aside: what a failure leaves is taken away.
    try {
      if (rows.length > 0) insertContents(db, rows);
    } catch (error) {
      for (const [id] of rows) deleteContentSpan(db, id, id);
      throw error;
    }
    this.#runs = runs;
    this.#written += bytes.length;
  }

  /** A rollback may have taken the reservation; its row numbers then belong to others. */
  #checkAlive(): void {
    const { liveSpools } = this.#volume.open();
    if (this.#spools.every((first) => liveSpools.has(first))) return;
    throw new FsError("EIO", {
      syscall: "write",
      reason: "an enclosing transaction took back the bytes written so far",
    });
  }

  #nextRow(): number {
    if (this.#next === this.#end) {
      this.#next = this.#volume.takeContentIds(BLOCK_ROWS);
      this.#end = this.#next + BLOCK_ROWS;
      reserveSpool(this.#volume.db, this.#next, this.#end - 1, this.#volume.epochToken);
      this.#spools.push(this.#next);
      this.#volume.liveSpools.add(this.#next);
    }
    return this.#next++;
  }
}

function concat(parts: readonly Uint8Array[], length: number): Uint8Array {
  const only = parts[0];
  if (parts.length === 1 && only !== undefined) return only;
  const joined = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}
