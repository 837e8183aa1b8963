/**
 * Reads the bytes of one content, whole or in part, with as few statements as its rows allow. Caches nodes of its tree, never
 * bytes.
 */

import { FsError } from "../api/errors.ts";
import type { Database } from "../db/database.ts";
import { eachContent, selectContent, selectContentRange } from "../store/contents.ts";
import { allocate, copyBytes, freeBytes, type OwnedBytes } from "../store/owned-bytes.ts";
import { PURGED } from "../tree/inode.ts";
import { extentsOf, piecesOfExtent } from "./extent.ts";
import { HOLE, type RowSlice, type Run } from "./layout.ts";
import { Nodes, type Stretch, stretchesOf } from "./tree.ts";

/** Which bytes: the first `size` of content `content`. */
export interface ContentRef {
  readonly content: number;
  readonly size: number;
}

export class ContentReader {
  readonly #db: Database;
  readonly #ref: ContentRef;
  readonly #nodes: Nodes;

  constructor(db: Database, ref: ContentRef) {
    this.#db = db;
    this.#ref = ref;
    this.#nodes = new Nodes(db);
  }

  get size(): number {
    return this.#ref.size;
  }

  /** Bytes `[start, end)`, cut at the end of the content. */
  read(start = 0, end = this.#ref.size): Uint8Array {
    const to = Math.min(end, this.#ref.size);
    if (start >= to) return new Uint8Array(0);
    const { content } = this.#ref;
    if (content < 0) return readStretches(this.#db, () => this.#nodes.stretches(-content, start, to), to - start);
    const row = this.#readRow(start, to);
    return row.length > to - start ? row.subarray(0, to - start) : row;
  }

  /**
   * As `read`, into the beginning of `into`; returns the number of bytes. Copies row by row, without an intermediate copy of all.
   */
  readInto(into: Uint8Array, start: number, end = this.#ref.size): number {
    const to = Math.min(end, this.#ref.size);
    if (start >= to) return 0;
    if (this.#ref.content < 0) {
      copyStretches(this.#db, this.#nodes.stretches(-this.#ref.content, start, to), into);
      return to - start;
    }
    const row = this.#readRow(start, to);
    const count = Math.min(row.length, to - start);
    into.set(row.subarray(0, count));
    freeBytes(row);
    return count;
  }

  /** Reads a one-row content from `start` on. The row may extend past `end`: it grows, and each version has a prefix of it. */
  #readRow(start: number, end: number): OwnedBytes {
    const { content, size } = this.#ref;
    if (content === PURGED)
      throw new FsError("EGONE", { syscall: "read", reason: "what the file held at this moment was purged" });
    const whole = start === 0 && end === size;
    const row = whole ? selectContent(this.#db, content) : selectContentRange(this.#db, content, start, end - start);
    return present(row, content);
  }
}

/** Bytes `[start, end)` of spooled runs. */
export function readRuns(db: Database, runs: readonly Run[], start: number, end: number): OwnedBytes {
  return readStretches(db, () => stretchesOf(extentsOf(runs, 0), start, end), end - start);
}

function readStretches(db: Database, stretches: () => Iterable<Stretch>, length: number): OwnedBytes {
  const [only] = stretchPieces(stretches());
  // All of it in one row, as with a page of a large file: the row's own bytes, not a copy.
  if (only?.length === length && only.row !== HOLE) return readPart(db, only.row, only.offset, length);
  const bytes = allocate(length);
  copyStretches(db, stretches(), bytes);
  return bytes;
}

function* stretchPieces(stretches: Iterable<Stretch>): Generator<RowSlice> {
  for (const { extent, from, to } of stretches) yield* piecesOfExtent(extent, from, to);
}

/**
 * A part as long as a row of a large file is such a row, and is used as it is: slicing it in the statement would copy it once more.
 */
function readPart(db: Database, row: number, offset: number, length: number): OwnedBytes {
  if (offset > 0 || length < WHOLE_ROW) return present(selectContentRange(db, row, offset, length), row);
  const bytes = present(selectContent(db, row), row);
  return bytes.length === length ? bytes : copyBytes(bytes.subarray(0, length));
}

const WHOLE_ROW = 96 * 1024;

function copyStretches(db: Database, stretches: Iterable<Stretch>, into: Uint8Array): void {
  let at = 0;
  let batch: RowSlice[] = [];
  let bytes = 0;
  const flush = () => {
    at = readPieces(db, batch, into, at);
    batch = [];
    bytes = 0;
  };
  for (const piece of stretchPieces(stretches)) {
    batch.push(piece);
    bytes += piece.length;
    if (bytes >= BYTES_PER_READ || batch.length === PIECES_PER_READ) flush();
  }
  flush();
}

/** Eight rows of 128 KiB. Rows come one by one: for small pieces, the text that lists their rows is the bound. */
const BYTES_PER_READ = 1024 * 1024;
const PIECES_PER_READ = 256;

function readPieces(db: Database, pieces: readonly RowSlice[], into: Uint8Array, start: number): number {
  const only = pieces[0];
  if (only === undefined) return start;
  if (pieces.length === 1 && only.row !== HOLE) {
    const part = readPart(db, only.row, only.offset, only.length);
    into.set(part, start);
    freeBytes(part);
    return start + only.length;
  }
  const places = new Map<number, { readonly piece: RowSlice; readonly at: number }[]>();
  let at = start;
  for (const piece of pieces) {
    // A hole reads as zeros, whatever the buffer held before.
    if (piece.row === HOLE) into.fill(0, at, at + piece.length);
    else if (!places.get(piece.row)?.push({ piece, at })) places.set(piece.row, [{ piece, at }]);
    at += piece.length;
  }
  eachContent(db, [...places.keys()], (id, bytes) => {
    for (const { piece, at: to } of places.get(id) ?? []) {
      const part = bytes.subarray(piece.offset, piece.offset + piece.length);
      into.set(part, to);
      if (part.length < piece.length) into.fill(0, to + part.length, to + piece.length);
    }
    freeBytes(bytes);
    places.delete(id);
  });
  for (const id of places.keys()) throw lost(id);
  return at;
}

function present(bytes: OwnedBytes | null, content: number): OwnedBytes {
  if (bytes === null) throw lost(content);
  return bytes;
}

function lost(content: number): FsError {
  return new FsError("EIO", { syscall: "read", reason: `content ${content} is missing; run fsck()` });
}
