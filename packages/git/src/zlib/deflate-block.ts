/** Collects the symbols of a deflate block and writes them in the shortest of the three encodings. */
import { BitWriter } from "./bit-writer.ts";
import { HuffmanCode, reverseBits } from "./huffman-code.ts";

/** Maximum number of symbols of a block. */
const MAX = 16383;
const END = 256;
const LENGTH_EXTRA = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
const DISTANCE_EXTRA = Array.from({ length: 30 }, (_, symbol) => (symbol < 2 ? 0 : (symbol >> 1) - 1));
const REPEAT_EXTRA = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 3, 7];
const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/** For a length minus three and a distance minus one: its symbol, and the symbol's base value. */
const lengthSymbol = new Uint8Array(256);
const lengthBase = new Uint16Array(29);
const distanceSymbol = new Uint8Array(32768);
const distanceBase = new Uint16Array(30);
{
  let length = 0;
  for (let symbol = 0; symbol < 28; symbol++) {
    lengthBase[symbol] = length;
    for (let i = 0; i < 1 << (LENGTH_EXTRA[symbol] as number); i++) lengthSymbol[length++] = symbol;
  }
  // The longest has a symbol of its own.
  lengthSymbol[255] = 28;
  lengthBase[28] = 255;
  let distance = 0;
  for (let symbol = 0; symbol < 30; symbol++) {
    distanceBase[symbol] = distance;
    for (let i = 0; i < 1 << (DISTANCE_EXTRA[symbol] as number); i++) distanceSymbol[distance++] = symbol;
  }
}

const fixedLengths = new Uint8Array(288).fill(8, 0, 144).fill(9, 144, 256).fill(7, 256, 280).fill(8, 280, 288);
const fixedCodes = Uint16Array.from({ length: 288 }, (_, symbol) => {
  const code =
    symbol < 144
      ? 0x30 + symbol
      : symbol < 256
        ? 0x190 + symbol - 144
        : symbol < 280
          ? symbol - 256
          : 0xc0 + symbol - 280;
  return reverseBits(code, fixedLengths[symbol] as number);
});
const fixedDistanceLengths = new Uint8Array(30).fill(5);
const fixedDistanceCodes = Uint16Array.from({ length: 30 }, (_, symbol) => reverseBits(symbol, 5));

export class DeflateBlock {
  readonly out = new BitWriter();
  /** A literal has distance 0. */
  readonly #distances = new Uint16Array(MAX);
  readonly #values = new Uint8Array(MAX);
  #count = 0;
  readonly #literals = new HuffmanCode({
    symbols: 286,
    extra: LENGTH_EXTRA,
    extraBase: 257,
    longest: 15,
    fixedLengths,
  });
  readonly #matches = new HuffmanCode({
    symbols: 30,
    extra: DISTANCE_EXTRA,
    extraBase: 0,
    longest: 15,
    fixedLengths: fixedDistanceLengths,
  });
  readonly #lengths = new HuffmanCode({
    symbols: 19,
    extra: REPEAT_EXTRA,
    extraBase: 0,
    longest: 7,
    fixedLengths: null,
  });

  reset(): void {
    this.out.reset();
    this.#begin();
  }

  /** True: the block is full. */
  literal(byte: number): boolean {
    this.#distances[this.#count] = 0;
    this.#values[this.#count++] = byte;
    (this.#literals.frequency[byte] as number)++;
    return this.#count === MAX;
  }

  match(distance: number, length: number): boolean {
    this.#distances[this.#count] = distance;
    this.#values[this.#count++] = length - 3;
    (this.#literals.frequency[(lengthSymbol[length - 3] as number) + END + 1] as number)++;
    (this.#matches.frequency[distanceSymbol[distance - 1] as number] as number)++;
    return this.#count === MAX;
  }

  /** Writes the block, whose bytes are `input[from, to)`. */
  flush(input: Uint8Array, from: number, to: number, last: boolean): void {
    this.#literals.build();
    this.#matches.build();
    const highest = this.#buildLengths();
    const bits = this.#literals.bits + this.#matches.bits + this.#lengths.bits + 3 * (highest + 1) + 14;
    const fixedBytes = (this.#literals.fixedBits + this.#matches.fixedBits + 10) >>> 3;
    const ownBytes = (bits + 10) >>> 3;
    const bytes = Math.min(fixedBytes, ownBytes);
    this.out.room(Math.max(bytes, to - from) + 16);
    const mark = last ? 1 : 0;
    if (to - from + 4 <= bytes) this.#store(input, from, to, mark);
    else if (fixedBytes === bytes) {
      this.out.put(2 + mark, 3);
      this.#write(fixedCodes, fixedLengths, fixedDistanceCodes, fixedDistanceLengths);
    } else {
      this.out.put(4 + mark, 3);
      this.#writeCodes(highest);
      this.#write(this.#literals.code, this.#literals.length, this.#matches.code, this.#matches.length);
    }
    this.#begin();
    if (last) this.out.align();
  }

  #begin(): void {
    this.#count = 0;
    this.#literals.frequency.fill(0);
    this.#matches.frequency.fill(0);
    this.#lengths.frequency.fill(0);
    this.#literals.frequency[END] = 1;
  }

  #store(input: Uint8Array, from: number, to: number, mark: number): void {
    const { out } = this;
    out.put(mark, 3);
    out.align();
    out.put(to - from, 16);
    out.put(~(to - from) & 0xffff, 16);
    out.align();
    out.bytes.set(input.subarray(from, to), out.at);
    out.at += to - from;
  }

  #write(codes: Uint16Array, lengths: Uint8Array, distanceCodes: Uint16Array, distanceLengths: Uint8Array): void {
    const { out } = this;
    for (let i = 0; i < this.#count; i++) {
      const distance = this.#distances[i] as number;
      const value = this.#values[i] as number;
      if (distance === 0) {
        out.put(codes[value] as number, lengths[value] as number);
        continue;
      }
      const symbol = lengthSymbol[value] as number;
      out.put(codes[symbol + END + 1] as number, lengths[symbol + END + 1] as number);
      const extra = LENGTH_EXTRA[symbol] as number;
      if (extra > 0) out.put(value - (lengthBase[symbol] as number), extra);
      const far = distanceSymbol[distance - 1] as number;
      out.put(distanceCodes[far] as number, distanceLengths[far] as number);
      const farExtra = DISTANCE_EXTRA[far] as number;
      if (farExtra > 0) out.put(distance - 1 - (distanceBase[far] as number), farExtra);
    }
    out.put(codes[END] as number, lengths[END] as number);
  }

  /** The code for the lengths of the codes; the highest place in `ORDER` that is used. */
  #buildLengths(): number {
    this.#scan(this.#literals, (symbol) => (this.#lengths.frequency[symbol] as number)++);
    this.#scan(this.#matches, (symbol) => (this.#lengths.frequency[symbol] as number)++);
    this.#lengths.build();
    let highest = 18;
    while (highest >= 3 && this.#lengths.length[ORDER[highest] as number] === 0) highest--;
    return highest;
  }

  #writeCodes(highest: number): void {
    const { out } = this;
    out.put(this.#literals.max - 256, 5);
    out.put(this.#matches.max, 5);
    out.put(highest - 3, 4);
    for (let i = 0; i <= highest; i++) out.put(this.#lengths.length[ORDER[i] as number] as number, 3);
    const put = (symbol: number, more: number) => {
      out.put(this.#lengths.code[symbol] as number, this.#lengths.length[symbol] as number);
      if (symbol >= 16) out.put(more, REPEAT_EXTRA[symbol] as number);
    };
    this.#scan(this.#literals, put);
    this.#scan(this.#matches, put);
  }

  /** The lengths of a code as symbols: 16 repeats the previous one, 17 and 18 are runs of zeros. */
  #scan({ length, max }: HuffmanCode, each: (symbol: number, more: number) => void): void {
    let before = -1;
    for (let i = 0; i <= max; ) {
      const value = length[i] as number;
      let run = 1;
      const longest = value === 0 ? 138 : value === before ? 6 : 7;
      while (run < longest && i + run <= max && length[i + run] === value) run++;
      i += run;
      if (value === 0) {
        if (run < 3) for (; run > 0; run--) each(0, 0);
        else if (run <= 10) each(17, run - 3);
        else each(18, run - 11);
      } else {
        if (value !== before) {
          each(value, 0);
          run--;
        }
        if (run >= 3) each(16, run - 3);
        else for (; run > 0; run--) each(value, 0);
      }
      before = value;
    }
  }
}
