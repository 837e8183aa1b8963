/**
 * Tests every byte of a text, four at a time: in JavaScript that is three times as fast as a loop over bytes, and faster than
 * `indexOf` of a typed array. Create one per text, which is cheap, but not one per line.
 */

const LF = 0x0a;
const LOW = 0x7f7f7f7f;
/** Rounds after which a sum of single bits might overflow its byte. */
const MAX_ROUNDS = 255;
const NONE = new Int32Array(0);

export class ByteScan {
  readonly #bytes: Uint8Array;
  readonly #words: Int32Array;
  /** The offset of the first whole word: memory is read in words only where it is aligned. */
  readonly #first: number;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#first = -bytes.byteOffset & 3;
    const whole = (bytes.length - this.#first) >> 2;
    this.#words = whole <= 0 ? NONE : new Int32Array(bytes.buffer, bytes.byteOffset + this.#first, whole);
  }

  /** The number of lines that end in `[from, to)`. */
  countLines(from: number, to: number): number {
    const bytes = this.#bytes;
    const words = this.#words;
    const first = this.#first;
    let count = 0;
    let at = from;
    for (; at < to && (at < first || ((at - first) & 3) !== 0); at++) if (bytes[at] === LF) count++;
    const stop = (to - first) >> 2;
    let word = (at - first) >> 2;
    while (word < stop) {
      const pause = Math.min(stop, word + MAX_ROUNDS);
      let sums = 0;
      for (; word < pause; word++) {
        const zeros = (words[word] as number) ^ 0x0a0a0a0a;
        // 1 in every byte that is zero, and nothing in the others.
        sums = (sums + (~(((zeros & LOW) + LOW) | zeros | LOW) >>> 7)) | 0;
      }
      count += (sums & 255) + ((sums >>> 8) & 255) + ((sums >>> 16) & 255) + (sums >>> 24);
      at = first + word * 4;
    }
    for (; at < to; at++) if (bytes[at] === LF) count++;
    return count;
  }

  /** Whether there is a NUL byte before `to`. */
  hasNul(to: number): boolean {
    const bytes = this.#bytes;
    const words = this.#words;
    const first = Math.min(this.#first, to);
    for (let at = 0; at < first; at++) if (bytes[at] === 0) return true;
    const stop = (to - first) >> 2;
    let word = 0;
    for (; word + 7 < stop; word += 8) {
      const a = zeroIn(words[word] as number) | zeroIn(words[word + 1] as number);
      const b = zeroIn(words[word + 2] as number) | zeroIn(words[word + 3] as number);
      const c = zeroIn(words[word + 4] as number) | zeroIn(words[word + 5] as number);
      const d = zeroIn(words[word + 6] as number) | zeroIn(words[word + 7] as number);
      if ((a | b | c | d) & 0x80808080) return true;
    }
    for (let at = first + word * 4; at < to; at++) if (bytes[at] === 0) return true;
    return false;
  }

  /** Whether no byte has its high bit. */
  isAscii(): boolean {
    const bytes = this.#bytes;
    const words = this.#words;
    const first = Math.min(this.#first, bytes.length);
    let all = 0;
    for (let at = 0; at < first; at++) all |= bytes[at] as number;
    const pairs = words.length & ~1;
    for (let word = 0; word < pairs; word += 2) all |= (words[word] as number) | (words[word + 1] as number);
    for (let at = first + pairs * 4; at < bytes.length; at++) all |= bytes[at] as number;
    return (all & 0x80808080) === 0;
  }
}

/** The highest bit of some byte is set when one of the four is zero; other bits mean nothing. */
function zeroIn(word: number): number {
  return (word - 0x01010101) & ~word;
}
