/**
 * SHA-1 in plain JavaScript: for the many small objects of a repository a call into the runtime costs more than the hash.
 * An instance is reusable (`reset`) and writes its digest into a given buffer, so that hashing creates no garbage.
 */

const W = new Int32Array(80);

export class Sha1 {
  #h0 = 0;
  #h1 = 0;
  #h2 = 0;
  #h3 = 0;
  #h4 = 0;
  readonly #block = new Uint8Array(64);
  #buffered = 0;
  #length = 0;

  constructor() {
    this.reset();
  }

  reset(): this {
    this.#h0 = 0x67452301;
    this.#h1 = 0xefcdab89 | 0;
    this.#h2 = 0x98badcfe | 0;
    this.#h3 = 0x10325476;
    this.#h4 = 0xc3d2e1f0 | 0;
    this.#buffered = 0;
    this.#length = 0;
    return this;
  }

  update(bytes: Uint8Array, from = 0, to = bytes.length): this {
    let at = from;
    this.#length += to - from;
    if (this.#buffered > 0) {
      const take = Math.min(64 - this.#buffered, to - at);
      for (let i = 0; i < take; i++) this.#block[this.#buffered + i] = bytes[at + i] as number;
      this.#buffered += take;
      at += take;
      if (this.#buffered < 64) return this;
      this.#compress(this.#block, 0, 64);
      this.#buffered = 0;
    }
    const whole = at + ((to - at) & ~63);
    if (at < whole) this.#compress(bytes, at, whole);
    for (let i = whole; i < to; i++) this.#block[this.#buffered++] = bytes[i] as number;
    return this;
  }

  /** Writes twenty bytes at `at`. The instance must be reset before its next use. */
  digestInto(into: Uint8Array, at: number): void {
    const bits = this.#length * 8;
    const block = this.#block;
    block[this.#buffered++] = 0x80;
    if (this.#buffered > 56) {
      block.fill(0, this.#buffered);
      this.#compress(block, 0, 64);
      this.#buffered = 0;
    }
    block.fill(0, this.#buffered, 56);
    putWord(block, 56, Math.floor(bits / 2 ** 32));
    putWord(block, 60, bits | 0);
    this.#compress(block, 0, 64);
    putWord(into, at, this.#h0);
    putWord(into, at + 4, this.#h1);
    putWord(into, at + 8, this.#h2);
    putWord(into, at + 12, this.#h3);
    putWord(into, at + 16, this.#h4);
  }

  digest(): Uint8Array {
    const bytes = new Uint8Array(20);
    this.digestInto(bytes, 0);
    return bytes;
  }

  /** Whole blocks. Five rounds a step, so that the five words change roles instead of places. */
  #compress(bytes: Uint8Array, from: number, to: number): void {
    const w = W;
    let h0 = this.#h0;
    let h1 = this.#h1;
    let h2 = this.#h2;
    let h3 = this.#h3;
    let h4 = this.#h4;
    for (let at = from; at < to; at += 64) {
      for (let i = 0, j = at; i < 16; i++, j += 4)
        w[i] =
          ((bytes[j] as number) << 24) |
          ((bytes[j + 1] as number) << 16) |
          ((bytes[j + 2] as number) << 8) |
          (bytes[j + 3] as number);
      for (let i = 16; i < 80; i++) {
        const x = (w[i - 3] as number) ^ (w[i - 8] as number) ^ (w[i - 14] as number) ^ (w[i - 16] as number);
        w[i] = (x << 1) | (x >>> 31);
      }
      let a = h0;
      let b = h1;
      let c = h2;
      let d = h3;
      let e = h4;
      let i = 0;
      for (; i < 20; i += 5) {
        e = (e + ((a << 5) | (a >>> 27)) + (d ^ (b & (c ^ d))) + 0x5a827999 + (w[i] as number)) | 0;
        b = (b << 30) | (b >>> 2);
        d = (d + ((e << 5) | (e >>> 27)) + (c ^ (a & (b ^ c))) + 0x5a827999 + (w[i + 1] as number)) | 0;
        a = (a << 30) | (a >>> 2);
        c = (c + ((d << 5) | (d >>> 27)) + (b ^ (e & (a ^ b))) + 0x5a827999 + (w[i + 2] as number)) | 0;
        e = (e << 30) | (e >>> 2);
        b = (b + ((c << 5) | (c >>> 27)) + (a ^ (d & (e ^ a))) + 0x5a827999 + (w[i + 3] as number)) | 0;
        d = (d << 30) | (d >>> 2);
        a = (a + ((b << 5) | (b >>> 27)) + (e ^ (c & (d ^ e))) + 0x5a827999 + (w[i + 4] as number)) | 0;
        c = (c << 30) | (c >>> 2);
      }
      for (; i < 40; i += 5) {
        e = (e + ((a << 5) | (a >>> 27)) + (b ^ c ^ d) + 0x6ed9eba1 + (w[i] as number)) | 0;
        b = (b << 30) | (b >>> 2);
        d = (d + ((e << 5) | (e >>> 27)) + (a ^ b ^ c) + 0x6ed9eba1 + (w[i + 1] as number)) | 0;
        a = (a << 30) | (a >>> 2);
        c = (c + ((d << 5) | (d >>> 27)) + (e ^ a ^ b) + 0x6ed9eba1 + (w[i + 2] as number)) | 0;
        e = (e << 30) | (e >>> 2);
        b = (b + ((c << 5) | (c >>> 27)) + (d ^ e ^ a) + 0x6ed9eba1 + (w[i + 3] as number)) | 0;
        d = (d << 30) | (d >>> 2);
        a = (a + ((b << 5) | (b >>> 27)) + (c ^ d ^ e) + 0x6ed9eba1 + (w[i + 4] as number)) | 0;
        c = (c << 30) | (c >>> 2);
      }
      for (; i < 60; i += 5) {
        e = (e + ((a << 5) | (a >>> 27)) + ((b & c) | (d & (b | c))) - 0x70e44324 + (w[i] as number)) | 0;
        b = (b << 30) | (b >>> 2);
        d = (d + ((e << 5) | (e >>> 27)) + ((a & b) | (c & (a | b))) - 0x70e44324 + (w[i + 1] as number)) | 0;
        a = (a << 30) | (a >>> 2);
        c = (c + ((d << 5) | (d >>> 27)) + ((e & a) | (b & (e | a))) - 0x70e44324 + (w[i + 2] as number)) | 0;
        e = (e << 30) | (e >>> 2);
        b = (b + ((c << 5) | (c >>> 27)) + ((d & e) | (a & (d | e))) - 0x70e44324 + (w[i + 3] as number)) | 0;
        d = (d << 30) | (d >>> 2);
        a = (a + ((b << 5) | (b >>> 27)) + ((c & d) | (e & (c | d))) - 0x70e44324 + (w[i + 4] as number)) | 0;
        c = (c << 30) | (c >>> 2);
      }
      for (; i < 80; i += 5) {
        e = (e + ((a << 5) | (a >>> 27)) + (b ^ c ^ d) - 0x359d3e2a + (w[i] as number)) | 0;
        b = (b << 30) | (b >>> 2);
        d = (d + ((e << 5) | (e >>> 27)) + (a ^ b ^ c) - 0x359d3e2a + (w[i + 1] as number)) | 0;
        a = (a << 30) | (a >>> 2);
        c = (c + ((d << 5) | (d >>> 27)) + (e ^ a ^ b) - 0x359d3e2a + (w[i + 2] as number)) | 0;
        e = (e << 30) | (e >>> 2);
        b = (b + ((c << 5) | (c >>> 27)) + (d ^ e ^ a) - 0x359d3e2a + (w[i + 3] as number)) | 0;
        d = (d << 30) | (d >>> 2);
        a = (a + ((b << 5) | (b >>> 27)) + (c ^ d ^ e) - 0x359d3e2a + (w[i + 4] as number)) | 0;
        c = (c << 30) | (c >>> 2);
      }
      h0 = (h0 + a) | 0;
      h1 = (h1 + b) | 0;
      h2 = (h2 + c) | 0;
      h3 = (h3 + d) | 0;
      h4 = (h4 + e) | 0;
    }
    this.#h0 = h0;
    this.#h1 = h1;
    this.#h2 = h2;
    this.#h3 = h3;
    this.#h4 = h4;
  }
}

function putWord(into: Uint8Array, at: number, word: number): void {
  into[at] = word >>> 24;
  into[at + 1] = word >>> 16;
  into[at + 2] = word >>> 8;
  into[at + 3] = word;
}
