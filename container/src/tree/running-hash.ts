/**
 * The SHA-256 of a file that is transferred in pieces, computed during the transfer to save a second read. If a piece arrives
 * early, it reads the bytes before it from the file; only a few pieces are in flight.
 */
import { createHash } from "node:crypto";

export class RunningHash {
  readonly #digest = createHash("sha256");
  readonly #size: number;
  #at = 0;
  #hex: string | null = null;

  constructor(size: number) {
    this.#size = size;
  }

  /** Null until all bytes have passed. */
  get hex(): string | null {
    return this.#hex;
  }

  /** `read`: reads the file from a position, for bytes before this piece that have not passed yet. */
  add(offset: number, piece: Uint8Array, read: (position: number, length: number) => Uint8Array): void {
    const end = offset + piece.length;
    while (this.#at < Math.min(end, this.#size)) {
      const next =
        this.#at >= offset ? piece.subarray(this.#at - offset) : read(this.#at, Math.min(STEP, offset - this.#at));
      // The file has shrunk: its reader reports that.
      if (next.length === 0) return;
      this.#digest.update(next);
      this.#at += next.length;
    }
    if (this.#at === this.#size) this.#hex ??= this.#digest.digest("hex");
  }
}

const STEP = 1024 * 1024;
