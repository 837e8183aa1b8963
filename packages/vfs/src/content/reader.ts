/** Reads the bytes of one content, whole or in part, with as few statements as its rows allow. Holds a layout, never bytes. */
import type { Database } from "../db/database.ts";
import { FsError } from "../errors.ts";
import { PURGED } from "../inode.ts";
import { eachContent, selectContent, selectContentRange, selectLayout } from "../store/contents.ts";
import { freeBuffer } from "./free-buffer.ts";
import { HOLE, type Piece, piecesOf, type Run, sliceRuns } from "./layout.ts";

/** Which bytes: the first `size` of content `content`. */
export interface ContentRef {
  readonly content: number;
  readonly size: number;
}

export class ContentReader {
  readonly #db: Database;
  readonly #ref: ContentRef;
  #runs: readonly Run[] | undefined;

  constructor(db: Database, ref: ContentRef) {
    this.#db = db;
    this.#ref = ref;
  }

  get size(): number {
    return this.#ref.size;
  }

  /** The pieces, for whoever builds another content from this one. A single row is one run. */
  runs(): readonly Run[] {
    const { content, size } = this.#ref;
    if (content === 0) return [];
    if (content > 0) return [[content, 0, size, 1]];
    if (this.#runs === undefined) {
      const layout = selectLayout(this.#db, -content);
      if (layout === null) throw lost(content);
      this.#runs = layout.runs;
    }
    return this.#runs;
  }

  /** Bytes `[start, end)`, cut at the end of the content. */
  read(start = 0, end = this.#ref.size): Uint8Array {
    const { content, size } = this.#ref;
    const to = Math.min(end, size);
    if (start >= to) return new Uint8Array(0);
    if (content === PURGED)
      throw new FsError("EGONE", { syscall: "read", reason: "what the file held at this moment was purged" });
    if (content > 0) {
      if (start === 0 && to === size) return prefix(present(selectContent(this.#db, content), content), size);
      return present(selectContentRange(this.#db, content, start, to - start), content);
    }
    return readRuns(this.#db, this.runs(), start, to);
  }

  /** As `read`, to the beginning of `into`; how many bytes there were. Rows go there one by one, without a copy of all of them. */
  readInto(into: Uint8Array, start: number, end = this.#ref.size): number {
    const to = Math.min(end, this.#ref.size);
    if (this.#ref.content < 0 && start < to) {
      copyRuns(this.#db, this.runs(), start, to, into);
      return to - start;
    }
    const bytes = this.read(start, to);
    into.set(bytes);
    freeBuffer(bytes);
    return bytes.length;
  }
}

export function readRuns(db: Database, runs: readonly Run[], start: number, end: number): Uint8Array {
  const [only, more] = sliceRuns(runs, start, end);
  // All of it in one row, as with a page of a large file: the row's own bytes, not a copy.
  if (only !== undefined && more === undefined && only[3] === 1 && only[0] !== HOLE)
    return readPart(db, only[0], only[1], only[2]);
  const bytes = new Uint8Array(end - start);
  copyRuns(db, runs, start, end, bytes);
  return bytes;
}

/** What is as long as a row of a large file is such a row, and taken as it is: cut by the statement it would be copied once more. */
function readPart(db: Database, row: number, offset: number, length: number): Uint8Array {
  if (offset > 0 || length < WHOLE_ROW) return present(selectContentRange(db, row, offset, length), row);
  const bytes = present(selectContent(db, row), row);
  return bytes.length === length ? bytes : bytes.slice(0, length);
}

const WHOLE_ROW = 96 * 1024;

function copyRuns(db: Database, runs: readonly Run[], start: number, end: number, into: Uint8Array): void {
  let at = 0;
  let batch: Piece[] = [];
  const flush = () => {
    at = readPieces(db, batch, into, at);
    batch = [];
  };
  for (const piece of piecesOf(runs, start, end)) {
    batch.push(piece);
    if (batch.length === PIECES_PER_READ) flush();
  }
  flush();
}

/** Eight rows of 128 KiB are a megabyte. */
const PIECES_PER_READ = 8;

function readPieces(db: Database, pieces: readonly Piece[], into: Uint8Array, start: number): number {
  const only = pieces[0];
  if (only === undefined) return start;
  if (pieces.length === 1 && only.row !== HOLE) {
    const part = readPart(db, only.row, only.offset, only.length);
    into.set(part, start);
    freeBuffer(part);
    return start + only.length;
  }
  const places = new Map<number, { readonly piece: Piece; readonly at: number }[]>();
  let at = start;
  for (const piece of pieces) {
    // What is in a hole is zeros, whatever was in the buffer before.
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
    freeBuffer(bytes);
    places.delete(id);
  });
  for (const id of places.keys()) throw lost(id);
  return at;
}

function prefix(bytes: Uint8Array, size: number): Uint8Array {
  return bytes.length === size ? bytes : bytes.subarray(0, size);
}

function present(bytes: Uint8Array | null, content: number): Uint8Array {
  if (bytes === null) throw lost(content);
  return bytes;
}

function lost(content: number): FsError {
  return new FsError("EIO", { syscall: "read", reason: `content ${content} is missing; run fsck()` });
}
