/**
 * Searches for a few byte strings at once, without decoding. Uses Wu-Manber skips over byte pairs for long strings and for several,
 * Horspool's over single bytes for short ones, and `indexOf` for a string with a byte that is rare in text. Ignores case, if at
 * all, for A–Z only: the caller must know that the text has no other letter that equals one of them.
 */

/** A skip is one byte. */
const MAX_REACH = 255;
/** From this length on, or for several, pairs of bytes are worth their hashing. */
const MIN_FOR_PAIRS = 7;
const PAIRS = 4096;
/**
 * Common bytes of source code and prose. If `indexOf` of another byte stops more often than every so many bytes, it is no longer
 * used.
 */
const COMMON = new TextEncoder().encode(" \n\tetrnsaoicludpmhgfby.,;:()=_'\"/-{}0");
const MIN_APART = 48;
const TRIED = 32;

const SAME = Uint8Array.from({ length: 256 }, (_, byte) => byte);
const FOLDED = SAME.map((byte) => (byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte));

export class LiteralFinder {
  readonly #texts: readonly Uint8Array[];
  readonly #fold: Uint8Array;
  /** Bytes that the skips cover: the length of the shortest string. Longer ones are found by their head. */
  readonly #reach: number;
  readonly #byPairs: boolean;
  /** By the last byte or pair of the reach: how far to advance; 0 where a string may end. */
  readonly #skips: Uint8Array;
  /** As `#skips`, after a possible end that was no match. */
  readonly #skipsOver: Uint8Array;
  /** 1 for the first bytes of the strings. */
  readonly #heads = new Uint8Array(256);
  /** Index of a rare byte in the only string; -1: none. */
  #rareAt: number;
  #stops = 0;
  #passed = 0;

  /** At least one string, none of them empty. To ignore case they must have a–z for A–Z. */
  constructor(texts: readonly Uint8Array[], ignoreCase = false) {
    this.#texts = texts;
    this.#fold = ignoreCase ? FOLDED : SAME;
    this.#reach = Math.min(MAX_REACH, ...texts.map(({ length }) => length));
    this.#byPairs = this.#reach >= 2 && (texts.length > 1 || this.#reach >= MIN_FOR_PAIRS);
    const [only, ...others] = texts as [Uint8Array, ...Uint8Array[]];
    const isRare = (byte: number) => !COMMON.includes(byte);
    this.#rareAt = ignoreCase || this.#byPairs || others.length > 0 ? -1 : only.findIndex(isRare);
    for (const text of texts) for (const byte of this.#casesOf(text[0] as number)) this.#heads[byte] = 1;
    const max = this.#byPairs ? this.#reach - 1 : this.#reach;
    this.#skips = new Uint8Array(this.#byPairs ? PAIRS : 256).fill(max);
    this.#skipsOver = this.#skips.slice();
    this.#fillSkips();
  }

  /** Where the first of them starts in `[from, to)`; -1 when there is none. */
  find(text: Uint8Array, from: number, to: number): number {
    // `indexOf` has no end parameter: within a part of a text it might run far.
    if (this.#rareAt >= 0 && to === text.length) return this.#findRare(text, from, to);
    const before = this.#reach - 1;
    for (let i = from + before; ; ) {
      i = this.#byPairs ? skipByPairs(this.#skips, text, i, to) : skipByBytes(this.#skips, text, i, to);
      if (i >= to) return -1;
      if (this.#heads[text[i - before] as number] === 1 && this.#isAt(text, i - before, to)) return i - before;
      const last = this.#byPairs ? pairHash(text[i - 1] as number, text[i] as number) : (text[i] as number);
      i += this.#skipsOver[last] as number;
    }
  }

  #findRare(text: Uint8Array, from: number, to: number): number {
    const [needle] = this.#texts as [Uint8Array];
    const rare = needle[this.#rareAt] as number;
    for (let at = from + this.#rareAt, found = 0; ; at = found + 1) {
      found = text.indexOf(rare, at);
      const start = found - this.#rareAt;
      this.#stops++;
      this.#passed += (found < 0 ? to : found) - at;
      if (found < 0) return -1;
      if (this.#isAt(text, start, to)) return start;
      if (this.#stops < TRIED || this.#passed >= this.#stops * MIN_APART) continue;
      this.#rareAt = -1;
      return this.find(text, start + 1, to);
    }
  }

  #isAt(text: Uint8Array, start: number, to: number): boolean {
    const fold = this.#fold;
    for (let n = 0; n < this.#texts.length; n++) {
      const needle = this.#texts[n] as Uint8Array;
      const { length } = needle;
      if (start + length > to) continue;
      let k = 0;
      while (k < length && fold[text[start + k] as number] === needle[k]) k++;
      if (k === length) return true;
    }
    return false;
  }

  #fillSkips(): void {
    const last = this.#reach - 1;
    const put = (key: number, skip: number) => {
      this.#skips[key] = Math.min(this.#skips[key] as number, skip);
      if (skip > 0) this.#skipsOver[key] = Math.min(this.#skipsOver[key] as number, skip);
    };
    for (const text of this.#texts) {
      for (let i = this.#byPairs ? 1 : 0; i <= last; i++) {
        for (const byte of this.#casesOf(text[i] as number)) {
          if (!this.#byPairs) put(byte, last - i);
          else for (const before of this.#casesOf(text[i - 1] as number)) put(pairHash(before, byte), last - i);
        }
      }
    }
  }

  /** The bytes of a text that equal one of a needle. */
  #casesOf(byte: number): readonly number[] {
    return this.#fold === FOLDED && byte >= 0x61 && byte <= 0x7a ? [byte, byte - 0x20] : [byte];
  }
}

function pairHash(first: number, second: number): number {
  return ((first << 5) ^ second) & (PAIRS - 1);
}

// Outside the class, so that V8 keeps their compiled code and optimizes each separately.

function skipByPairs(skips: Uint8Array, text: Uint8Array, from: number, to: number): number {
  let i = from;
  let skip = 1;
  while (i < to) {
    skip = skips[(((text[i - 1] as number) << 5) ^ (text[i] as number)) & (PAIRS - 1)] as number;
    if (skip === 0) break;
    i += skip;
  }
  return i;
}

function skipByBytes(skips: Uint8Array, text: Uint8Array, from: number, to: number): number {
  let i = from;
  while (i < to) {
    const skip = skips[text[i] as number] as number;
    if (skip === 0) break;
    i += skip;
  }
  return i;
}
