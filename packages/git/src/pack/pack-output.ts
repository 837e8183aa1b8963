/** Output of a pack being written: buffered into pieces, hashed, counted. */
import { createStreamingHash } from "../hash/streaming-hash.ts";

const PIECE = 64 * 1024;

export class PackOutput {
  /** Offset of the next byte in the pack. */
  position = 0;
  readonly #hash = createStreamingHash();
  #piece = new Uint8Array(PIECE);
  #at = 0;
  #ready: Uint8Array[] = [];

  put(bytes: Uint8Array): void {
    this.position += bytes.length;
    for (let from = 0; from < bytes.length; ) {
      const count = Math.min(bytes.length - from, PIECE - this.#at);
      this.#piece.set(bytes.subarray(from, from + count), this.#at);
      this.#at += count;
      from += count;
      if (this.#at === PIECE) this.#turn();
    }
  }

  /** Pieces that are ready; the caller owns them. */
  take(): Uint8Array[] {
    const ready = this.#ready;
    this.#ready = [];
    return ready;
  }

  /** The rest, with the checksum. */
  finish(): Uint8Array[] {
    this.#turn();
    const checksum = this.#hash.digest();
    return [...this.take(), checksum.slice()];
  }

  #turn(): void {
    if (this.#at === 0) return;
    const piece = this.#piece.subarray(0, this.#at);
    this.#hash.update(piece);
    this.#ready.push(piece);
    this.#piece = new Uint8Array(PIECE);
    this.#at = 0;
  }
}
