/**
 * Streams the content of an entry through a window as small as deflate's match distance. A piece is valid until the next is
 * requested.
 */
import { GitError } from "../errors.ts";
import { InflateError } from "../zlib/inflater.ts";
import { acquireInflater, returnInflater } from "../zlib/inflater-pool.ts";
import type { ByteSource } from "./byte-source.ts";

const REACH = 32 * 1024;
const ROOM = REACH + 128 * 1024;

export interface StoredEntry {
  /** Where the compressed bytes begin. */
  readonly dataAt: number;
  readonly size: number;
}

export async function* inflateStream(source: ByteSource, { dataAt, size }: StoredEntry): AsyncGenerator<Uint8Array> {
  const room = new Uint8Array(ROOM);
  const inflater = acquireInflater();
  let at = dataAt;
  let out = 0;
  let produced = 0;
  try {
    for (;;) {
      const bytes = source.peek(at) ?? (await source.at(at));
      const input = bytes.length;
      const status = inflater.inflate(bytes, 0, input, room, out, ROOM, 0);
      const created = inflater.outputAt - out;
      at += inflater.inputAt;
      produced += created;
      if (produced > size) throw new InflateError("incorrect length");
      // During this await, the cache may free the page of `bytes`.
      if (created > 0) yield room.subarray(out, out + created);
      out += created;
      if (status === "done") break;
      if (status === "input" && (input === 0 || (created === 0 && inflater.inputAt === 0)))
        throw new InflateError("unexpected end of data");
      if (status === "input") continue;
      room.copyWithin(0, out - REACH, out);
      out = REACH;
    }
    if (produced !== size) throw new InflateError("incorrect length");
  } catch (error) {
    if (!(error instanceof InflateError)) throw error;
    throw new GitError("ECORRUPT", `inflate: data stream error (${error.message})`, { cause: error });
  } finally {
    returnInflater(inflater);
  }
}

/** Copies the pieces, so that the caller owns them. */
export async function* ownedPieces(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) yield new Uint8Array(piece);
}
