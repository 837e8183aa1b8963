/**
 * Collects small pieces of output in blocks. A file can have millions of matching lines: an array for each piece of each of them
 * would take longer to make, and to free, than the search. Fails with EFBIG at its limit.
 */
import { FsError } from "../../api/errors.ts";

const encoder = new TextEncoder();
/** Most files have few matching lines: blocks begin small, and each is twice as large as the one before. */
const FIRST_BLOCK = 512;
const MAX_BLOCK = 64 * 1024;
/** For one file. A long line with many matches is printed once for each of them by `--vimgrep`. */
const MAX_BYTES = 64 * 1024 * 1024;
/** Bytes that a UTF-16 unit takes in UTF-8. */
const MAX_UNIT_BYTES = 3;

export class LineBuffer {
  #blocks: Uint8Array[] = [];
  #block = new Uint8Array(0);
  #used = 0;
  #closedBytes = 0;

  text(text: string): void {
    this.#reserve(text.length * MAX_UNIT_BYTES);
    this.#used += encoder.encodeInto(text, this.#block.subarray(this.#used)).written;
  }

  /** Copies the bytes. */
  bytes(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#block.set(bytes, this.#used);
    this.#used += bytes.length;
  }

  /** Returns everything collected, and empties the buffer. */
  take(): Uint8Array[] {
    this.#close();
    const blocks = this.#blocks;
    this.#blocks = [];
    this.#closedBytes = 0;
    return blocks;
  }

  #reserve(size: number): void {
    if (this.#used + size <= this.#block.length) return;
    this.#close();
    if (this.#closedBytes + size > MAX_BYTES) throw new FsError("EFBIG", { syscall: "grep" });
    this.#block = new Uint8Array(Math.max(size, Math.min(MAX_BLOCK, FIRST_BLOCK * 2 ** this.#blocks.length)));
  }

  #close(): void {
    this.#closedBytes += this.#used;
    if (this.#used > 0) this.#blocks.push(this.#block.subarray(0, this.#used));
    this.#block = new Uint8Array(0);
    this.#used = 0;
  }
}
