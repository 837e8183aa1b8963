/** A byte string searched for in bytes, without decoding: Horspool's skips, which in V8 outrun `indexOf` of typed arrays by far. */

export class Needle {
  readonly bytes: Uint8Array;
  readonly #skips = new Uint8Array(256);

  constructor(bytes: Uint8Array) {
    // A skip is a byte long; the head of a longer needle finds it as well, and the rest is compared.
    this.bytes = bytes;
    const reach = Math.min(bytes.length, 255);
    this.#skips.fill(reach);
    for (let i = 0; i < reach - 1; i++) this.#skips[bytes[i] as number] = reach - 1 - i;
  }

  /** Where it first is in `[from, to)`; -1 when it is not. */
  find(text: Uint8Array, from: number, to: number): number {
    const { bytes } = this;
    const skips = this.#skips;
    const length = bytes.length;
    if (length === 0) return from;
    const reach = Math.min(length, 255);
    const last = bytes[reach - 1] as number;
    const stop = to - (length - reach);
    let i = from + reach - 1;
    while (i < stop) {
      const byte = text[i] as number;
      if (byte === last) {
        const start = i - reach + 1;
        let k = 0;
        while (k < length && text[start + k] === bytes[k]) k++;
        if (k === length) return start;
      }
      i += skips[byte] as number;
    }
    return -1;
  }
}
