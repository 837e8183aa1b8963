/**
 * SHA-256 of a file that goes by in pieces, made as they pass, so that nobody reads it a second time. A piece that comes early is
 * made up for from the file itself: pieces in flight are few.
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

  /** Null until all has passed. */
  get hex(): string | null {
    return this.#hex;
  }

  /** `read`: bytes of the file from a position on, for what went by before this piece. */
  add(offset: number, piece: Uint8Array, read: (position: number, length: number) => Uint8Array): void {
    const end = offset + piece.length;
    while (this.#at < Math.min(end, this.#size)) {
      const next =
        this.#at >= offset ? piece.subarray(this.#at - offset) : read(this.#at, Math.min(STEP, offset - this.#at));
      // Shorter than it was: whoever reads it finds out.
      if (next.length === 0) return;
      this.#digest.update(next);
      this.#at += next.length;
    }
    if (this.#at === this.#size) this.#hex ??= this.#digest.digest("hex");
  }
}

const STEP = 1024 * 1024;
