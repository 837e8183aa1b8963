/**
 * Keeps characters whole between chunks: an incomplete UTF-8 character at the end of a chunk waits for the next one. So every event
 * can be decoded by itself, and resuming after any of them loses nothing. Bytes that are not text pass unchanged, at most three of
 * them a chunk later.
 */
import { concatBytes } from "../bytes.ts";

const EMPTY = new Uint8Array(0);

export class Utf8Boundary {
  #held: Uint8Array;

  constructor(held: Uint8Array = EMPTY) {
    this.#held = held;
  }

  get partialChar(): Uint8Array {
    return this.#held;
  }

  /** The bytes that are ready now. */
  push(chunk: Uint8Array): Uint8Array {
    const all = this.#held.length === 0 ? chunk : concatBytes([this.#held, chunk]);
    const cut = all.length - incompleteTail(all);
    this.#held = cut === all.length ? EMPTY : new Uint8Array(all.subarray(cut));
    return cut === all.length ? all : all.subarray(0, cut);
  }

  /** The remaining bytes at the end of the stream. */
  end(): Uint8Array {
    const rest = this.#held;
    this.#held = EMPTY;
    return rest;
  }
}

/** The number of trailing bytes that begin an incomplete character. */
export function incompleteTail(bytes: Uint8Array): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] as number;
    if (byte < 0x80) return 0;
    if (byte < 0xc0) continue;
    const length = byte >= 0xf0 ? (byte > 0xf4 ? 0 : 4) : byte >= 0xe0 ? 3 : byte >= 0xc2 ? 2 : 0;
    return length > back ? back : 0;
  }
  return 0;
}
