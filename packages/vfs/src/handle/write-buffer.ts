/**
 * The uncommitted writes of a handle: edits in order, adjacent ones merged. Little of it stays in memory; beyond a limit the bytes
 * go to spooled rows. Only reads through the handle see it.
 */

import { dataLength, type Edit, type EditData, sizeAfter } from "../content/apply-edits.ts";
import { type ContentReader, readRuns } from "../content/reader.ts";
import type { Reservation } from "../content/reservations.ts";
import { Spool } from "../content/spool.ts";
import { copyBytes } from "../store/owned-bytes.ts";
import type { Inode } from "../tree/inode.ts";
import type { ReadView } from "../volume/views.ts";

/** Maximum number of edits before they are merged into one. */
const MAX_EDITS = 4096;

export class WriteBuffer {
  readonly #volume: ReadView;
  /** Earlier edits, on which these apply. */
  readonly #below: WriteBuffer | null;
  #reader: { version: string; content: number; size: number; reader: ContentReader } | null = null;
  #edits: Edit[] = [];
  #bytes = 0;
  #closed = false;

  constructor(volume: ReadView, below: WriteBuffer | null = null) {
    this.#volume = volume;
    this.#below = below;
  }

  get empty(): boolean {
    return this.#edits.length === 0;
  }

  get full(): boolean {
    return this.#edits.length >= MAX_EDITS;
  }

  sizeAfter(size: number): number {
    return sizeAfter(this.#below?.sizeAfter(size) ?? size, this.#edits);
  }

  write(at: number | "end", bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    const last = this.#edits.at(-1);
    const folded = this.#fold(at, bytes);
    if (!folded) this.#edits.push({ kind: "write", at, data: { bytes: copyBytes(bytes) } });
    this.#bytes += bytes.length;
    if (this.#bytes <= this.#volume.limits.handleBytes) return;
    try {
      this.#spool();
    } catch (error) {
      // A failed write leaves the edits unchanged.
      this.#edits.pop();
      if (folded && last !== undefined) this.#edits.push(last);
      this.#bytes -= bytes.length;
      throw error;
    }
  }

  truncate(length: number): void {
    this.#edits.push({ kind: "truncate", length });
  }

  /** The edits to commit; call `discard` afterwards. Throws when a rollback removed bytes of theirs. */
  get edits(): readonly Edit[] {
    this.#expectIntact();
    return this.#edits;
  }

  /** Moves the edits of another buffer behind these. */
  take(other: WriteBuffer, inode: Inode): void {
    this.#edits.push(...other.#edits);
    this.#bytes += other.#bytes;
    other.#forget();
    if (this.full) this.#merge(inode);
    else if (this.#bytes > this.#volume.limits.handleBytes) this.#spool();
  }

  /** Drops the edits, and frees the rows that no commit has claimed. */
  discard(): void {
    this.#volume.store.reservations.free(this.#blocks());
    this.#forget();
  }

  /** Drops the edits permanently: no rollback restores them. */
  close(): void {
    this.#closed = true;
    this.discard();
  }

  /** Call before a change that counts as committed: a rollback of the enclosing transaction restores these edits. */
  saveForRollback(): void {
    const { reservations, db } = this.#volume.store;
    if (!db.inTransaction) return;
    const saved = { edits: [...this.#edits], bytes: this.#bytes, blocks: this.#blocks() };
    db.onRollback(() => {
      // The handle is gone, so the collector frees the rows.
      if (this.#closed) return;
      reservations.freeLater(this.#blocks().filter((block) => !saved.blocks.includes(block)));
      reservations.restore(saved.blocks);
      this.#edits = saved.edits;
      this.#bytes = saved.bytes;
    });
  }

  #forget(): void {
    this.#edits = [];
    this.#bytes = 0;
  }

  /** Bytes `[start, end)` of the file with these edits applied. */
  read(inode: Inode, start: number, end: number): Uint8Array {
    const to = Math.min(end, this.sizeAfter(inode.size));
    if (this.empty || to <= start) return this.#readBelow(inode, start, Math.max(start, to));
    this.#expectIntact();
    const window = new Uint8Array(to - start);
    window.set(this.#readBelow(inode, start, to));
    let size = this.#below?.sizeAfter(inode.size) ?? inode.size;
    for (const edit of this.#edits) {
      if (edit.kind === "truncate") {
        if (edit.length < to) window.fill(0, Math.max(0, edit.length - start));
        size = edit.length;
        continue;
      }
      const at = edit.at === "end" ? size : edit.at;
      const length = dataLength(edit.data);
      const from = Math.max(start, at);
      const until = Math.min(to, at + length);
      if (from < until) {
        const part =
          "bytes" in edit.data
            ? edit.data.bytes.subarray(from - at, until - at)
            : readRuns(this.#volume.store.db, edit.data.runs, from - at, until - at);
        window.set(part, from - start);
      }
      size = Math.max(size, at + length);
    }
    return window;
  }

  /** As `read`, up to the size of `into`; returns the number of bytes. */
  readInto(into: Uint8Array, inode: Inode, start: number): number {
    if (this.empty && (this.#below?.empty ?? true))
      return this.#readerOf(inode).readInto(into, start, start + into.length);
    const bytes = this.read(inode, start, start + into.length);
    into.set(bytes);
    return bytes.length;
  }

  #readBelow(inode: Inode, start: number, end: number): Uint8Array {
    return this.#below?.read(inode, start, end) ?? this.#readerOf(inode).read(start, end);
  }

  /** The extents of a large file are read once, as long as the file is the same: keyed by version, which no rollback repeats. */
  #readerOf(inode: Inode): ContentReader {
    const version = this.#volume.revisions.format(inode.rev);
    if (
      this.#reader?.version !== version ||
      this.#reader.content !== inode.content ||
      this.#reader.size !== inode.size
    ) {
      const { content, size } = inode;
      this.#reader = { version, content, size, reader: this.#volume.contents.reader(inode) };
    }
    return this.#reader.reader;
  }

  /** A write that starts where the last one ended is merged with it. */
  #fold(at: number | "end", bytes: Uint8Array): boolean {
    const last = this.#edits.at(-1);
    if (last?.kind !== "write" || !("bytes" in last.data)) return false;
    const follows = last.at === "end" ? at === "end" : at === last.at + last.data.bytes.length;
    if (!follows) return false;
    this.#edits[this.#edits.length - 1] = { ...last, data: { bytes: extend(last.data.bytes, bytes) } };
    return true;
  }

  #spool(): void {
    this.#expectIntact();
    for (const [i, edit] of this.#edits.entries()) {
      if (edit.kind !== "write" || !("bytes" in edit.data)) continue;
      const { bytes } = edit.data;
      this.#edits[i] = { ...edit, data: this.#spooled(bytes.length, (at, end) => bytes.subarray(at, end)) };
      this.#bytes -= bytes.length;
    }
  }

  /** Replaces all edits with one write of the whole file. */
  #merge(inode: Inode): void {
    const size = this.sizeAfter(inode.size);
    const merged: Edit[] = [{ kind: "truncate", length: 0 }];
    if (size > 0) {
      const data = this.#spooled(size, (at, end) => this.read(inode, at, end));
      merged.push({ kind: "write", at: 0, data });
    }
    this.discard();
    this.#edits = merged;
  }

  #spooled(size: number, read: (start: number, end: number) => Uint8Array): EditData {
    using spool = new Spool(this.#volume.store.ensureOpen());
    const step = this.#volume.limits.rowBytes;
    for (let at = 0; at < size; at += step) spool.push(read(at, Math.min(at + step, size)));
    return spool.finishRows();
  }

  #blocks(): Reservation[] {
    return this.#edits.flatMap((edit) => (edit.kind === "write" && "blocks" in edit.data ? edit.data.blocks : []));
  }

  #expectIntact(): void {
    const blocks = this.#blocks();
    if (blocks.length > 0) this.#volume.store.reservations.expectIntact(blocks);
  }
}

/** Capacity doubles, so that many small consecutive writes cost no more than one large one. */
function extend(bytes: Uint8Array, more: Uint8Array): Uint8Array {
  const length = bytes.length + more.length;
  let whole =
    bytes.byteOffset === 0 && bytes.buffer.byteLength >= length ? new Uint8Array(bytes.buffer, 0, length) : null;
  if (whole === null) {
    whole = new Uint8Array(new ArrayBuffer(Math.max(length, bytes.length * 2)), 0, length);
    whole.set(bytes);
  }
  whole.set(more, bytes.length);
  return whole;
}
