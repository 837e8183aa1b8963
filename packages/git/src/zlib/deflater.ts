/**
 * Deflates as zlib does, byte for byte, into reused buffers: git's binary patches show zlib's output. The runtime's zlib differs
 * between platforms, and allocates a quarter of a megabyte for every call.
 */
import { adler32 } from "./adler32.ts";
import { DeflateBlock } from "./deflate-block.ts";

const HASH_SIZE = 32768;
const MASK = 32767;
const MIN_MATCH = 3;
const MAX_MATCH = 258;
const MAX_DISTANCE = 32768 - (MAX_MATCH + MIN_MATCH + 1);
/** A match of three at this distance costs more than it saves. */
const TOO_FAR = 4096;

/** Per level: when to search less, when to accept at once, when a match is good enough, how many candidates to try. */
const LEVELS: readonly (readonly [good: number, lazy: number, nice: number, chain: number])[] = [
  [0, 0, 0, 0],
  [4, 4, 8, 4],
  [4, 5, 16, 8],
  [4, 6, 32, 32],
  [4, 4, 16, 16],
  [8, 16, 32, 32],
  [8, 16, 128, 128],
  [8, 32, 128, 256],
  [32, 128, 258, 1024],
  [32, 258, 258, 4096],
];

export class Deflater {
  readonly #block = new DeflateBlock();
  /**
   * The last position of every hash, and for every position the previous one; positions continue from call to call, so that nothing
   * is cleared.
   */
  readonly #head = new Int32Array(HASH_SIZE);
  readonly #before = new Int32Array(HASH_SIZE);
  #base = 1;
  #input: Uint8Array = new Uint8Array(0);
  #matchAt = 0;
  #good = 0;
  #lazy = 0;
  #nice = 0;
  #chain = 0;

  /** `level` 1 to 9. */
  deflate(input: Uint8Array, level: number): Uint8Array {
    [this.#good, this.#lazy, this.#nice, this.#chain] = LEVELS[level] as (typeof LEVELS)[number];
    if (this.#base + input.length > 0x7ffffff0) this.#forget();
    this.#input = input;
    const { out } = this.#block;
    this.#block.reset();
    out.put(0x78, 8);
    out.put(level < 2 ? 0x01 : level < 6 ? 0x5e : level === 6 ? 0x9c : 0xda, 8);
    if (level < 4) this.#quickly();
    else this.#thoroughly();
    this.#base += input.length;
    const check = adler32(1, input, 0, input.length);
    out.room(4);
    out.bytes.set([check >>> 24, check >>> 16, check >>> 8, check], out.at);
    return out.bytes.slice(0, out.at + 4);
  }

  #forget(): void {
    this.#head.fill(0);
    this.#before.fill(0);
    this.#base = 1;
  }

  /** Inserts the string at `at` under its hash, and returns its previous position; below `#base`: none. */
  #insert(at: number): number {
    const input = this.#input;
    const hash = (((input[at] as number) << 10) ^ ((input[at + 1] as number) << 5) ^ (input[at + 2] as number)) & MASK;
    const last = this.#head[hash] as number;
    this.#before[(this.#base + at) & MASK] = last;
    this.#head[hash] = this.#base + at;
    return last;
  }

  /** Levels 1 to 3: greedy, takes the first match. */
  #quickly(): void {
    const input = this.#input;
    const end = input.length;
    const block = this.#block;
    let start = 0;
    let at = 0;
    while (at < end) {
      let length = 0;
      if (end - at >= MIN_MATCH) {
        const last = this.#insert(at) - this.#base;
        if (last > 0 && at - last <= MAX_DISTANCE) length = this.#longest(at, last, MIN_MATCH - 1);
      }
      let full: boolean;
      if (length >= MIN_MATCH) {
        full = block.match(at - this.#matchAt, length);
        if (length <= this.#lazy && end - at - length >= MIN_MATCH)
          for (let i = 1; i < length; i++) this.#insert(at + i);
        at += length;
      } else full = block.literal(input[at++] as number);
      if (!full) continue;
      block.flush(input, start, at, false);
      start = at;
    }
    block.flush(input, start, end, true);
  }

  /** Levels 4 to 9: lazy, takes a match if the next position has no better one. */
  #thoroughly(): void {
    const input = this.#input;
    const end = input.length;
    const block = this.#block;
    let start = 0;
    let at = 0;
    let length = MIN_MATCH - 1;
    let pending = false;
    while (at < end) {
      const last = end - at >= MIN_MATCH ? this.#insert(at) - this.#base : 0;
      const before = length;
      const beforeAt = this.#matchAt;
      length = MIN_MATCH - 1;
      if (last > 0 && before < this.#lazy && at - last <= MAX_DISTANCE) {
        length = this.#longest(at, last, before);
        if (length === MIN_MATCH && at - this.#matchAt > TOO_FAR) length = MIN_MATCH - 1;
      }
      if (before >= MIN_MATCH && length <= before) {
        const full = block.match(at - 1 - beforeAt, before);
        for (let i = before - 2; i > 0; i--) if (++at <= end - MIN_MATCH) this.#insert(at);
        at++;
        pending = false;
        length = MIN_MATCH - 1;
        if (!full) continue;
        block.flush(input, start, at, false);
        start = at;
      } else if (pending) {
        if (block.literal(input[at - 1] as number)) {
          block.flush(input, start, at, false);
          start = at;
        }
        at++;
      } else {
        pending = true;
        at++;
      }
    }
    if (pending) block.literal(input[end - 1] as number);
    block.flush(input, start, end, true);
  }

  /** The length of the longest match at `at` that is longer than `min`; its position is in `#matchAt`. */
  #longest(at: number, first: number, min: number): number {
    const input = this.#input;
    const before = this.#before;
    const base = this.#base;
    const ahead = input.length - at;
    const limit = Math.max(0, at - MAX_DISTANCE);
    const nice = Math.min(this.#nice, ahead);
    const stop = at + Math.min(MAX_MATCH, ahead);
    let chain = min >= this.#good ? this.#chain >> 2 : this.#chain;
    let best = min;
    let match = first;
    do {
      if (
        input[match + best] !== input[at + best] ||
        input[match + best - 1] !== input[at + best - 1] ||
        input[match] !== input[at] ||
        input[match + 1] !== input[at + 1]
      )
        continue;
      let to = at + 2;
      let from = match + 2;
      while (to < stop && input[to] === input[from]) {
        to++;
        from++;
      }
      if (to - at <= best) continue;
      best = to - at;
      this.#matchAt = match;
      if (best >= nice) break;
    } while ((match = (before[(base + match) & MASK] as number) - base) > limit && --chain > 0);
    return Math.min(best, ahead);
  }
}
