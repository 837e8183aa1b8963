/**
 * Creates a delta of one content on another, identical to git's: binary patches print it, where it must be the same. Blocks of
 * sixteen bytes of the source are indexed by a Rabin fingerprint; the target is scanned for the longest match.
 */

const WINDOW = 16;
const SHIFT = 23;
/** The polynomial of the fingerprint, degree 31. */
const POLYNOMIAL = 0xab59b4d1;
/** A bucket longer than this is thinned out. */
const BUCKET = 64;
/** A match this long ends the search; it is also about the maximum length of one copy. */
const ENOUGH = 4096;

/** Contribution of a byte shifted out at the top. */
const TOP = new Int32Array(256);
/** Contribution of the window's oldest byte to the fingerprint. */
const OLDEST = new Int32Array(256);
for (let bit = 1, value = POLYNOMIAL | 0; bit < 256; bit <<= 1) {
  for (let i = 0; i < bit; i++) TOP[bit + i] = (TOP[i] as number) ^ value;
  value <<= 1;
  if (value < 0) value ^= POLYNOMIAL;
}
for (let byte = 0; byte < 256; byte++) {
  let value = byte;
  for (let i = 1; i < WINDOW; i++) value = (value << 8) ^ (TOP[value >>> SHIFT] as number);
  OLDEST[byte] = value;
}

/** Blocks of a source: `starts[bucket]` to `starts[bucket + 1]` are rows of `values` and `ends`. */
interface DeltaIndex {
  readonly source: Uint8Array;
  readonly mask: number;
  readonly starts: Int32Array;
  readonly values: Int32Array;
  /** End of each block: matches are searched from its last byte. */
  readonly ends: Int32Array;
}

/** Null: it would be longer than `max`, or the input is empty. */
export function createDelta(source: Uint8Array, target: Uint8Array, max = 0): Uint8Array | null {
  const index = indexSource(source);
  return index === null ? null : deltaOn(index, target, max);
}

export function indexSource(source: Uint8Array): DeltaIndex | null {
  if (source.length === 0) return null;
  const blocks = Math.floor((source.length - 1) / WINDOW);
  let bits = 4;
  while (1 << bits < Math.floor(blocks / 4) && bits < 30) bits++;
  const size = 1 << bits;
  const mask = size - 1;
  const head = new Int32Array(size).fill(-1);
  const count = new Int32Array(size);
  const next = new Int32Array(blocks);
  const value = new Int32Array(blocks);
  const end = new Int32Array(blocks);
  let created = 0;
  let last = -1;
  for (let block = blocks - 1; block >= 0; block--) {
    const at = block * WINDOW;
    let print = 0;
    for (let i = 1; i <= WINDOW; i++)
      print = ((print << 8) | (source[at + i] as number)) ^ (TOP[print >>> SHIFT] as number);
    if (print === last) {
      // Keeps the first of a run of equal blocks.
      end[created - 1] = at + WINDOW;
      continue;
    }
    last = print;
    const bucket = print & mask;
    value[created] = print;
    end[created] = at + WINDOW;
    next[created] = head[bucket] as number;
    head[bucket] = created++;
    (count[bucket] as number)++;
  }
  for (let bucket = 0; bucket < size; bucket++)
    if ((count[bucket] as number) > BUCKET) thin(head[bucket] as number, count[bucket] as number, next);
  return pack(source, mask, head, next, value, end, created);
}

/** Keeps about sixty entries of a bucket, evenly spaced. */
function thin(head: number, count: number, next: Int32Array): void {
  let entry = head;
  let surplus = 0;
  while (entry >= 0) {
    surplus += count - BUCKET;
    let after = next[entry] as number;
    if (surplus > 0) {
      while (surplus > 0 && after >= 0) {
        after = next[after] as number;
        surplus -= BUCKET;
      }
      next[entry] = after;
    }
    entry = after;
  }
}

function pack(
  source: Uint8Array,
  mask: number,
  head: Int32Array,
  next: Int32Array,
  value: Int32Array,
  end: Int32Array,
  created: number,
): DeltaIndex {
  const starts = new Int32Array(mask + 2);
  const values = new Int32Array(created);
  const ends = new Int32Array(created);
  let at = 0;
  for (let bucket = 0; bucket <= mask; bucket++) {
    starts[bucket] = at;
    for (let entry = head[bucket] as number; entry >= 0; entry = next[entry] as number) {
      values[at] = value[entry] as number;
      ends[at++] = end[entry] as number;
    }
  }
  starts[mask + 1] = at;
  return { source, mask, starts, values, ends };
}

export function deltaOn(index: DeltaIndex, target: Uint8Array, max = 0): Uint8Array | null {
  if (target.length === 0) return null;
  const { source, mask, starts, values, ends } = index;
  let out = new Uint8Array(Math.max(8192, max === 0 ? 0 : max + 64));
  let to = putSize(out, 0, source.length);
  to = putSize(out, to, target.length);
  // The first byte of an insertion is its length, written once it is known.
  to++;
  let inserted = 0;
  let print = 0;
  let at = 0;
  for (; inserted < WINDOW && at < target.length; inserted++, at++) {
    out[to++] = target[at] as number;
    print = ((print << 8) | (target[at] as number)) ^ (TOP[print >>> SHIFT] as number);
  }
  let matched = 0;
  let from = 0;
  while (at < target.length) {
    if (matched < ENOUGH) {
      print ^= OLDEST[target[at - WINDOW] as number] as number;
      print = ((print << 8) | (target[at] as number)) ^ (TOP[print >>> SHIFT] as number);
      const bucket = print & mask;
      for (let entry = starts[bucket] as number; entry < (starts[bucket + 1] as number); entry++) {
        if (values[entry] !== print) continue;
        const start = ends[entry] as number;
        let length = Math.min(source.length - start, target.length - at);
        if (length <= matched) break;
        let same = 0;
        while (same < length && source[start + same] === target[at + same]) same++;
        length = same;
        if (matched < length) {
          matched = length;
          from = start;
          if (matched >= ENOUGH) break;
        }
      }
    }
    if (matched < 4) {
      if (inserted === 0) to++;
      out[to++] = target[at++] as number;
      inserted++;
      if (inserted === 0x7f) {
        out[to - inserted - 1] = inserted;
        inserted = 0;
      }
      matched = 0;
    } else {
      if (inserted > 0) {
        // Extends the match backward into inserted bytes.
        while (from > 0 && source[from - 1] === target[at - 1]) {
          matched++;
          from--;
          at--;
          to--;
          if (--inserted > 0) continue;
          to--;
          inserted--;
          break;
        }
        if (inserted >= 0) out[to - inserted - 1] = inserted;
        inserted = 0;
      }
      const rest = Math.max(0, matched - 0x10000);
      matched -= rest;
      to = putCopy(out, to, from, matched);
      at += matched;
      from += matched;
      matched = rest;
      if (from > 0xffffffff) matched = 0;
      if (matched < ENOUGH) {
        print = 0;
        for (let i = -WINDOW; i < 0; i++)
          print = ((print << 8) | (target[at + i] as number)) ^ (TOP[print >>> SHIFT] as number);
      }
    }
    if (max > 0 && to > max) return null;
    if (to + 256 > out.length) out = longer(out);
  }
  if (inserted > 0) out[to - inserted - 1] = inserted;
  return max > 0 && to > max ? null : out.slice(0, to);
}

function putSize(out: Uint8Array, at: number, size: number): number {
  let rest = size;
  let to = at;
  while (rest >= 128) {
    out[to++] = (rest % 128) | 128;
    rest = Math.floor(rest / 128);
  }
  out[to++] = rest;
  return to;
}

function putCopy(out: Uint8Array, at: number, offset: number, length: number): number {
  let op = 0x80;
  let to = at + 1;
  for (let i = 0; i < 4; i++) {
    const byte = (offset >>> (8 * i)) & 255;
    if (byte === 0) continue;
    out[to++] = byte;
    op |= 1 << i;
  }
  for (let i = 0; i < 2; i++) {
    const byte = (length >>> (8 * i)) & 255;
    if (byte === 0) continue;
    out[to++] = byte;
    op |= 16 << i;
  }
  out[at] = op;
  return to;
}

function longer(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const wider = new Uint8Array(bytes.length * 2);
  wider.set(bytes);
  return wider;
}
