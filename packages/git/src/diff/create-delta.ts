/**
 * One content as instructions on another, the same ones git makes: blocks of sixteen bytes of the base are found again by a rolling
 * hash (Rabin's, over an irreducible polynomial of degree 31), and the longest match is copied.
 */

const WINDOW = 16;
const SHIFT = 23;
const POLYNOMIAL = 0xab59b4d1;
/** Of many equal blocks so many are kept, spread evenly. */
const MAX_BUCKET = 64;
/** A match of this length is good enough. */
const LONG = 4096;
const MAX_COPY = 0x10000;

/** What the eight bits that a shift pushes out come back as. */
const REDUCED = powers(31);
/** What the oldest byte of the window stands for. */
const OLDEST = powers(8 * (WINDOW - 1));

/** Null: longer than `most`. */
export function createDelta(base: Uint8Array, target: Uint8Array, most = Number.POSITIVE_INFINITY): Uint8Array | null {
  if (base.length === 0 || target.length === 0) return null;
  const index = indexBlocks(base);
  const out = new DeltaWriter();
  out.size(base.length);
  out.size(target.length);
  let hash = 0;
  let at = 0;
  for (; at < WINDOW && at < target.length; at++) {
    out.literal(target[at] as number);
    hash = rolled(hash, target[at] as number);
  }
  let offset = 0;
  let length = 0;
  while (at < target.length) {
    if (length < LONG) {
      hash = rolled((hash ^ (OLDEST[target[at - WINDOW] as number] as number)) >>> 0, target[at] as number);
      const found = longest(index, base, target, at, hash, length);
      if (found !== null) ({ offset, length } = found);
    }
    if (length < 4) {
      out.literal(target[at++] as number);
      length = 0;
      continue;
    }
    while (out.pending > 0 && offset > 0 && base[offset - 1] === target[at - 1]) {
      out.takeBack();
      length++;
      offset--;
      at--;
    }
    out.endLiterals();
    const copied = Math.min(length, MAX_COPY);
    out.copy(offset, copied);
    at += copied;
    offset += copied;
    length -= copied;
    if (length < LONG) {
      hash = 0;
      for (let i = at - WINDOW; i < at; i++) hash = rolled(hash, target[i] as number);
    }
    if (out.length > most) return null;
  }
  out.endLiterals();
  return out.length > most ? null : out.bytes();
}

function rolled(hash: number, byte: number): number {
  return (((hash << 8) | byte) ^ (REDUCED[hash >>> SHIFT] as number)) >>> 0;
}

/** i · x^exponent modulo the polynomial, for every byte i; for exponent 31 the bit that a 32-bit shift keeps is cleared with it. */
function powers(exponent: number): Uint32Array {
  const times = (value: number) => {
    const shifted = (value << 1) >>> 0;
    return shifted & 0x80000000 ? (shifted ^ POLYNOMIAL) >>> 0 : shifted;
  };
  const single = new Uint32Array(8);
  let value = 1;
  for (let i = 0; i < exponent; i++) value = times(value);
  for (let bit = 0; bit < 8; bit++) {
    single[bit] = value;
    value = times(value);
  }
  if (exponent === 31) single[0] = POLYNOMIAL;
  return Uint32Array.from({ length: 256 }, (_, byte) => {
    let sum = 0;
    for (let bit = 0; bit < 8; bit++) if (byte & (1 << bit)) sum ^= single[bit] as number;
    return sum >>> 0;
  });
}

interface BlockIndex {
  readonly mask: number;
  /** Per bucket: ends of blocks in the base, ascending, and their hashes. */
  readonly buckets: readonly (readonly { end: number; hash: number }[] | undefined)[];
}

function indexBlocks(base: Uint8Array): BlockIndex {
  const blocks = Math.floor((base.length - 1) / WINDOW);
  let bits = 4;
  while (2 ** bits < Math.floor(blocks / 4)) bits++;
  const mask = 2 ** bits - 1;
  const buckets: ({ end: number; hash: number }[] | undefined)[] = new Array(2 ** bits);
  let previous: { end: number; hash: number } | null = null;
  for (let start = (blocks - 1) * WINDOW; start >= 0; start -= WINDOW) {
    let hash = 0;
    for (let i = 1; i <= WINDOW; i++) hash = rolled(hash, base[start + i] as number);
    if (previous !== null && previous.hash === hash) {
      // Of equal blocks in a row the first is enough.
      previous.end = start + WINDOW;
      continue;
    }
    previous = { end: start + WINDOW, hash };
    const bucket = buckets[hash & mask];
    if (bucket) bucket.push(previous);
    else buckets[hash & mask] = [previous];
  }
  return { mask, buckets: buckets.map((bucket) => bucket && thinned(bucket.reverse())) };
}

function thinned<T>(bucket: T[]): T[] {
  const surplus = bucket.length - MAX_BUCKET;
  if (surplus <= 0) return bucket;
  const kept: T[] = [];
  let owed = 0;
  for (let i = 0; i < bucket.length; i++) {
    kept.push(bucket[i] as T);
    owed += surplus;
    while (owed > 0) {
      i++;
      owed -= MAX_BUCKET;
    }
  }
  return kept;
}

function longest(
  index: BlockIndex,
  base: Uint8Array,
  target: Uint8Array,
  at: number,
  hash: number,
  atLeast: number,
): { offset: number; length: number } | null {
  let best: { offset: number; length: number } | null = null;
  let length = atLeast;
  for (const block of index.buckets[hash & index.mask] ?? []) {
    if (block.hash !== hash) continue;
    const room = Math.min(base.length - block.end, target.length - at);
    if (room <= length) break;
    let matched = 0;
    while (matched < room && base[block.end + matched] === target[at + matched]) matched++;
    if (matched <= length) continue;
    length = matched;
    best = { offset: block.end, length };
    if (length >= LONG) break;
  }
  return best;
}

const MAX_LITERALS = 0x7f;

class DeltaWriter {
  #out: number[] = [];
  /** Literals since the last instruction, and where their count stands. */
  pending = 0;
  #countAt = -1;

  get length(): number {
    return this.#out.length;
  }

  size(value: number): void {
    let rest = value;
    while (rest >= 128) {
      this.#out.push((rest % 128) | 128);
      rest = Math.floor(rest / 128);
    }
    this.#out.push(rest);
  }

  literal(byte: number): void {
    if (this.pending === 0) this.#countAt = this.#out.push(0) - 1;
    this.#out.push(byte);
    if (++this.pending === MAX_LITERALS) this.endLiterals();
  }

  takeBack(): void {
    this.#out.pop();
    if (--this.pending === 0) this.#out.pop();
  }

  endLiterals(): void {
    if (this.pending > 0) this.#out[this.#countAt] = this.pending;
    this.pending = 0;
  }

  copy(offset: number, length: number): void {
    const at = this.#out.push(0) - 1;
    let code = 0x80;
    for (let i = 0; i < 4; i++) {
      const byte = (offset >>> (8 * i)) & 255;
      if (byte === 0) continue;
      this.#out.push(byte);
      code |= 1 << i;
    }
    for (let i = 0; i < 2; i++) {
      const byte = (length >>> (8 * i)) & 255;
      if (byte === 0) continue;
      this.#out.push(byte);
      code |= 0x10 << i;
    }
    this.#out[at] = code;
  }

  bytes(): Uint8Array {
    return Uint8Array.from(this.#out);
  }
}
