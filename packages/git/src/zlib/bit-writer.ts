/** Writes bits, lowest first as deflate requires, into a growing reusable buffer. */
export class BitWriter {
  bytes = new Uint8Array(64 * 1024);
  at = 0;
  #hold = 0;
  #count = 0;

  reset(): void {
    this.at = 0;
    this.#hold = 0;
    this.#count = 0;
  }

  /** Ensures room for this many more bytes, and some. */
  room(count: number): void {
    if (this.at + count + 8 <= this.bytes.length) return;
    const wider = new Uint8Array(Math.max(this.bytes.length * 2, this.at + count + 8));
    wider.set(this.bytes.subarray(0, this.at));
    this.bytes = wider;
  }

  /** At most sixteen bits; there must be room. */
  put(value: number, length: number): void {
    let hold = this.#hold | (value << this.#count);
    let count = this.#count + length;
    if (count >= 16) {
      this.bytes[this.at] = hold;
      this.bytes[this.at + 1] = hold >>> 8;
      this.at += 2;
      // A shift by 32 must leave nothing.
      hold = this.#count === 0 ? value >>> 16 : value >>> (16 - this.#count);
      count -= 16;
    }
    this.#hold = hold;
    this.#count = count;
  }

  /** Pads to the next whole byte. */
  align(): void {
    if (this.#count > 0) this.bytes[this.at++] = this.#hold;
    if (this.#count > 8) this.bytes[this.at++] = this.#hold >>> 8;
    this.#hold = 0;
    this.#count = 0;
  }
}
