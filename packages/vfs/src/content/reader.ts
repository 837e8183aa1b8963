/** Reads the bytes of one content, whole or in part, with as few statements as its rows allow. Holds a layout, never bytes. */
import type { Database } from "../db/database.ts";
import { FsError } from "../errors.ts";
import { PURGED } from "../inode.ts";
import {
  selectContent,
  selectContentRange,
  selectContentSpan,
  selectContents,
  selectLayout,
} from "../store/contents.ts";
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
}

export function readRuns(db: Database, runs: readonly Run[], start: number, end: number): Uint8Array {
  const [only, more] = sliceRuns(runs, start, end);
  // All of it in one row, as with a page of a large file: the row's own bytes, not a copy.
  if (only !== undefined && more === undefined && only[3] === 1 && only[0] !== HOLE)
    return present(selectContentRange(db, only[0], only[1], only[2]), only[0]);
  const bytes = new Uint8Array(end - start);
  let at = 0;
  let batch: Piece[] = [];
  const flush = () => {
    at = readPieces(db, batch, bytes, at);
    batch = [];
  };
  for (const piece of piecesOf(runs, start, end)) {
    batch.push(piece);
    if (batch.length === PIECES_PER_READ) flush();
  }
  flush();
  return bytes;
}

/** Eight rows of 128 KiB are a megabyte. */
const PIECES_PER_READ = 8;

function readPieces(db: Database, pieces: readonly Piece[], into: Uint8Array, start: number): number {
  const only = pieces[0];
  if (only === undefined) return start;
  if (pieces.length === 1 && only.row !== HOLE) {
    const part = present(selectContentRange(db, only.row, only.offset, only.length), only.row);
    into.set(part, start);
    freeBuffer(part);
    return start + only.length;
  }
  const ids = pieces.filter((piece) => piece.row !== HOLE).map((piece) => piece.row);
  const consecutive = ids.every((id, i) => id === (ids[0] as number) + i);
  const rows =
    ids.length === 0
      ? new Map<number, Uint8Array>()
      : consecutive
        ? selectContentSpan(db, ids[0] as number, ids.at(-1) as number)
        : selectContents(db, ids);
  let at = start;
  for (const { row, offset, length } of pieces) {
    if (row !== HOLE) into.set(present(rows.get(row) ?? null, row).subarray(offset, offset + length), at);
    at += length;
  }
  for (const bytes of rows.values()) freeBuffer(bytes);
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
