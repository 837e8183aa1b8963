/**
 * Codes of a deflate block as a lookup table: the next bits of the stream are the index, an entry has the code's length and
 * meaning. Codes longer than the first table's width lead to a second one.
 * An entry: bits 0–3 the code's length, 4–7 how many extra bits follow, 8–23 a value, above that one flag; no flag: a literal.
 */

export const LENGTH = 1 << 24;
export const END = 1 << 25;
export const LINK = 1 << 26;
export const INVALID = 1 << 27;

/** The meaning of each symbol, without the length of its code. */
const LENGTH_BASE = [
  3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258,
];
const LENGTH_EXTRA = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
const DISTANCE_BASE = [
  1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145,
  8193, 12289, 16385, 24577,
];

export const LITERAL_SYMBOLS = Int32Array.from({ length: 288 }, (_, symbol) => {
  if (symbol < 256) return symbol << 8;
  if (symbol === 256) return END;
  const at = symbol - 257;
  return at < 29 ? LENGTH | ((LENGTH_BASE[at] as number) << 8) | ((LENGTH_EXTRA[at] as number) << 4) : INVALID;
});

export const DISTANCE_SYMBOLS = Int32Array.from({ length: 32 }, (_, symbol) => {
  if (symbol >= 30) return INVALID;
  return ((DISTANCE_BASE[symbol] as number) << 8) | ((symbol < 2 ? 0 : (symbol >> 1) - 1) << 4);
});

export const CODE_LENGTH_SYMBOLS = Int32Array.from({ length: 19 }, (_, symbol) => symbol << 8);

const count = new Int32Array(16);
const next = new Int32Array(16);
const sorted = new Int32Array(320);

/** Room for any code: the first table, and second ones of at most 64 entries for at most every second symbol. */
export const tableRoom = (width: number) => (1 << width) + 64 * 160;

/**
 * Fills `table` for the code whose lengths are `lengths[from, to)`, and returns the number of index bits of its first part, at
 * most `widest`; -1: the code is incomplete. As in zlib, an empty code is accepted (using it is the error), and with `alone` a
 * single code of one bit.
 */
export function buildTable(
  table: Int32Array,
  widest: number,
  lengths: Uint8Array,
  from: number,
  to: number,
  symbols: Int32Array,
  alone: boolean,
): number {
  for (let i = 0; i < 16; i++) count[i] = 0;
  for (let i = from; i < to; i++) (count[lengths[i] as number] as number)++;
  let longest = 15;
  while (longest > 0 && count[longest] === 0) longest--;
  let left = 1;
  let position = 0;
  for (let length = 1; length <= longest; length++) {
    left = (left << 1) - (count[length] as number);
    if (left < 0) return -1;
    next[length] = position;
    position += count[length] as number;
  }
  if (left > 0) {
    if (longest > 0 && !(alone && longest === 1)) return -1;
    // Missing parts of the code are an error on use.
    table[0] = table[1] = INVALID | 1;
  }
  for (let i = from; i < to; i++) {
    const length = lengths[i] as number;
    if (length > 0) sorted[(next[length] as number)++] = i - from;
  }
  const width = Math.max(1, Math.min(widest, longest));
  let code = 0;
  let at = 0;
  // Codes are written once, at the table size where each is one entry, and the table is doubled for the next length.
  for (let length = 1; length <= width; length++) {
    for (let i = count[length] as number; i > 0; i--) {
      table[code] = (symbols[sorted[at++] as number] as number) | length;
      code = increment(code, length);
    }
    if (length < width) table.copyWithin(1 << length, 0, 1 << length);
  }
  if (longest > width) fillSecond(table, width, longest, code, at, symbols);
  return width;
}

/** Codes longer than `width`: one table for each common prefix. */
function fillSecond(
  table: Int32Array,
  width: number,
  longest: number,
  first: number,
  from: number,
  symbols: Int32Array,
): void {
  const deeper = longest - width;
  let free = 1 << width;
  let prefix = -1;
  let start = 0;
  let code = first;
  let at = from;
  for (let length = width + 1; length <= longest; length++) {
    for (let i = count[length] as number; i > 0; i--) {
      const head = code & ((1 << width) - 1);
      if (head !== prefix) {
        prefix = head;
        start = free;
        free += 1 << deeper;
        table[head] = LINK | (start << 8) | (deeper << 4) | width;
      }
      const entry = (symbols[sorted[at++] as number] as number) | (length - width);
      for (let to = code >> width; to < 1 << deeper; to += 1 << (length - width)) table[start + to] = entry;
      code = increment(code, length);
    }
  }
}

/** The next code, bits in stream order: the first is the lowest. */
function increment(code: number, length: number): number {
  let bit = 1 << (length - 1);
  while ((code & bit) !== 0) bit >>= 1;
  return bit === 0 ? 0 : (code & (bit - 1)) | bit;
}
