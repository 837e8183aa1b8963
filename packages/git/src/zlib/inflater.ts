/**
 * Inflates a zlib stream into the caller's buffers, reports how much input it used, and is resumable: when input or output room
 * ends, it rolls back the current symbol and returns. The runtime's zlib does neither (it allocates for every call, and that
 * garbage exceeds an object's memory when it reads a pack), so this is our own. A complete stream of known size is first tried with
 * the handle below the runtime's calls (native-inflate.ts).
 */
import { adler32 } from "./adler32.ts";
import {
  buildTable,
  CODE_LENGTH_SYMBOLS,
  DISTANCE_SYMBOLS,
  END,
  INVALID,
  LENGTH,
  LINK,
  LITERAL_SYMBOLS,
  tableRoom,
} from "./huffman-table.ts";
import { inflateNatively } from "./native-inflate.ts";

/** zlib's message for the error; git prints it in brackets. */
export class InflateError extends Error {
  override readonly name = "InflateError";
}

type InflateStatus = "done" | "input" | "output";

/**
 * Minimum input for every call to make progress, unless it is the end of the input. The largest unit that is rolled back is the
 * header of a block.
 */
export const MIN_INPUT = 1024;
/** Minimum room for every call to make progress on the fast path. */
export const MIN_ROOM = 274;

/** Bytes of output: below this, a runtime call costs more than our own code. */
const NATIVE_FROM = 256;

const WIDTH = 9;
const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

const HEADER = 0;
const BLOCK = 1;
const STORED = 2;
const CODES = 3;
const CHECK = 4;
const DONE = 5;

const fixedLiterals = new Int32Array(tableRoom(WIDTH));
const fixedDistances = new Int32Array(tableRoom(WIDTH));
{
  const lengths = new Uint8Array(288 + 32).fill(8, 0, 144).fill(9, 144, 256).fill(7, 256, 280).fill(8, 280, 288);
  lengths.fill(5, 288);
  buildTable(fixedLiterals, WIDTH, lengths, 0, 288, LITERAL_SYMBOLS, false);
  buildTable(fixedDistances, WIDTH, lengths, 288, 320, DISTANCE_SYMBOLS, false);
}
const FIXED_LITERAL_WIDTH = 9;
const FIXED_DISTANCE_WIDTH = 5;
const lengthCodes = new Int32Array(tableRoom(7));
const lengths = new Uint8Array(320);
const NOTHING = new Uint8Array(0);

export class Inflater {
  /** Where the last call stopped. */
  inputAt = 0;
  outputAt = 0;

  readonly #ownLiterals = new Int32Array(tableRoom(WIDTH));
  readonly #ownDistances = new Int32Array(tableRoom(WIDTH));
  #literals = fixedLiterals;
  #distances = fixedDistances;
  #literalWidth = FIXED_LITERAL_WIDTH;
  #distanceWidth = FIXED_DISTANCE_WIDTH;
  #state = HEADER;
  #last = false;
  #expected = 0;
  #stored = 0;
  #adler = 1;
  /** Position of the next bit from the beginning of `input`; between calls from `inputAt`. */
  #bit = 0;
  #input: Uint8Array = NOTHING;
  #view: DataView = new DataView(NOTHING.buffer);
  /** The bit after the input. */
  #end = 0;

  /** `expected`: the inflated size, if known and the first call has room for all of it. */
  reset(expected = 0): this {
    this.#state = HEADER;
    this.#expected = expected;
    this.#last = false;
    this.#adler = 1;
    this.#bit = 0;
    return this;
  }

  /**
   * Inflates `input[from, to)` to `output[at, end)`; earlier output, from which matches may copy, begins at `start`. After "input"
   * continue with input from `inputAt` and more after it; after "output" with room after `outputAt`, or with the output moved to
   * the front, keeping its last 32 KiB. After "done" `inputAt` is the byte after the stream.
   */
  inflate(
    input: Uint8Array,
    from: number,
    to: number,
    output: Uint8Array,
    at: number,
    end: number,
    start: number,
  ): InflateStatus {
    if (this.#expected >= NATIVE_FROM && this.#natively(input, from, to, output, at, end)) return "done";
    if (input !== this.#input) {
      this.#input = input;
      this.#view = new DataView(input.buffer, input.byteOffset, input.byteLength);
    }
    this.#bit += from * 8;
    this.#end = to * 8;
    this.outputAt = at;
    let checked = at;
    let status: InflateStatus | null = null;
    while (status === null) {
      if (this.#state === CODES) status = this.#codes(output, end, start);
      else if (this.#state === BLOCK) status = this.#block();
      else if (this.#state === STORED) status = this.#copyStored(output, end);
      else if (this.#state === HEADER) status = this.#header();
      else if (this.#state === CHECK) {
        this.#adler = adler32(this.#adler, output, checked, this.outputAt);
        checked = this.outputAt;
        status = this.#check();
      } else status = "done";
    }
    if (checked < this.outputAt) this.#adler = adler32(this.#adler, output, checked, this.outputAt);
    this.inputAt = this.#bit >>> 3;
    this.#bit &= 7;
    return status;
  }

  /** Tried once, at the beginning. */
  #natively(input: Uint8Array, from: number, to: number, output: Uint8Array, at: number, end: number): boolean {
    const size = this.#expected;
    this.#expected = 0;
    if (end - at <= size) return false;
    const used = inflateNatively(input, from, to, output, at, size);
    if (used < 0) return false;
    this.inputAt = from + used;
    this.outputAt = at + size;
    this.#state = DONE;
    return true;
  }

  #header(): InflateStatus | null {
    if (this.#end - this.#bit < 16) return "input";
    const method = this.#take(8);
    const flags = this.#take(8);
    if (((method << 8) | flags) % 31 !== 0) throw new InflateError("incorrect header check");
    if ((method & 15) !== 8) throw new InflateError("unknown compression method");
    if (method >> 4 > 7) throw new InflateError("invalid window size");
    if ((flags & 0x20) !== 0) throw new InflateError("a dictionary is needed");
    this.#state = BLOCK;
    return null;
  }

  #block(): InflateStatus | null {
    if (this.#last) {
      this.#bit = (this.#bit + 7) & ~7;
      this.#state = CHECK;
      return null;
    }
    const begin = this.#bit;
    const head = this.#take(3);
    if (head >= 0 && this.#begin(head >> 1)) {
      this.#last = (head & 1) === 1;
      return null;
    }
    this.#bit = begin;
    return "input";
  }

  /** False: the input ended within the block's header. */
  #begin(type: number): boolean {
    if (type === 1) {
      this.#literals = fixedLiterals;
      this.#distances = fixedDistances;
      this.#literalWidth = FIXED_LITERAL_WIDTH;
      this.#distanceWidth = FIXED_DISTANCE_WIDTH;
      this.#state = CODES;
      return true;
    }
    if (type === 2) return this.#readCodes();
    if (type === 3) throw new InflateError("invalid block type");
    this.#bit = (this.#bit + 7) & ~7;
    const length = this.#take(16);
    const complement = this.#take(16);
    if (length < 0 || complement < 0) return false;
    if (length !== (complement ^ 0xffff)) throw new InflateError("invalid stored block lengths");
    this.#stored = length;
    this.#state = STORED;
    return true;
  }

  #readCodes(): boolean {
    const counts = this.#take(14);
    if (counts < 0) return false;
    const literals = (counts & 31) + 257;
    const distances = ((counts >> 5) & 31) + 1;
    const codes = (counts >> 10) + 4;
    if (literals > 286 || distances > 30) throw new InflateError("too many length or distance symbols");
    for (let i = 0; i < 19; i++) lengths[i] = 0;
    for (let i = 0; i < codes; i++) {
      const length = this.#take(3);
      if (length < 0) return false;
      lengths[ORDER[i] as number] = length;
    }
    const width = buildTable(lengthCodes, 7, lengths, 0, 19, CODE_LENGTH_SYMBOLS, false);
    if (width < 0) throw new InflateError("invalid code lengths set");
    if (!this.#readLengths(literals + distances, (1 << width) - 1)) return false;
    if (lengths[256] === 0) throw new InflateError("invalid code -- missing end-of-block");
    this.#literalWidth = buildTable(this.#ownLiterals, WIDTH, lengths, 0, literals, LITERAL_SYMBOLS, true);
    if (this.#literalWidth < 0) throw new InflateError("invalid literal/lengths set");
    const end = literals + distances;
    this.#distanceWidth = buildTable(this.#ownDistances, WIDTH, lengths, literals, end, DISTANCE_SYMBOLS, true);
    if (this.#distanceWidth < 0) throw new InflateError("invalid distances set");
    this.#literals = this.#ownLiterals;
    this.#distances = this.#ownDistances;
    this.#state = CODES;
    return true;
  }

  #readLengths(total: number, mask: number): boolean {
    let bit = this.#bit;
    for (let i = 0; i < total; ) {
      const next = this.#peek(bit);
      const entry = lengthCodes[next & mask] as number;
      const symbol = (entry >> 8) & 0xffff;
      const extra = symbol < 16 ? 0 : symbol === 16 ? 2 : symbol === 17 ? 3 : 7;
      bit += (entry & 15) + extra;
      if (bit > this.#end) return false;
      if (symbol < 16) {
        lengths[i++] = symbol;
        continue;
      }
      const more = (next >> (entry & 15)) & ((1 << extra) - 1);
      const times = more + (symbol === 18 ? 11 : 3);
      if ((symbol === 16 && i === 0) || i + times > total) throw new InflateError("invalid bit length repeat");
      const value = symbol === 16 ? (lengths[i - 1] as number) : 0;
      for (const stop = i + times; i < stop; i++) lengths[i] = value;
    }
    this.#bit = bit;
    return true;
  }

  /** The next `count` bits, or -1 if the input ends before them. */
  #take(count: number): number {
    const begin = this.#bit;
    if (begin + count > this.#end) return -1;
    this.#bit = begin + count;
    return this.#peek(begin) & ((1 << count) - 1);
  }

  /** At least 25 bits from `bit` on; those past the end are zero, or those of adjacent bytes. */
  #peek(bit: number): number {
    const at = bit >> 3;
    if (at + 4 <= this.#view.byteLength) return this.#view.getInt32(at, true) >>> (bit & 7);
    const input = this.#input;
    const whole = (input[at] ?? 0) | ((input[at + 1] ?? 0) << 8) | ((input[at + 2] ?? 0) << 16);
    return whole >>> (bit & 7);
  }

  #copyStored(output: Uint8Array, end: number): InflateStatus | null {
    const from = this.#bit >> 3;
    const to = this.#end >> 3;
    const count = Math.min(this.#stored, to - from, end - this.outputAt);
    output.set(this.#input.subarray(from, from + count), this.outputAt);
    this.#bit += count * 8;
    this.outputAt += count;
    this.#stored -= count;
    if (this.#stored > 0) return from + count === to ? "input" : "output";
    this.#state = BLOCK;
    return null;
  }

  #check(): InflateStatus | null {
    if (this.#end - this.#bit < 32) return "input";
    if (this.#view.getUint32(this.#bit >> 3) !== this.#adler) throw new InflateError("incorrect data check");
    this.#bit += 32;
    this.#state = DONE;
    return null;
  }

  /**
   * Decodes the symbols of a block, by far the most of the work: fast while input and room suffice, then carefully. Every lookup
   * reads 32 bits at its position, which is cheaper than keeping a bit buffer and checking its fill.
   */
  #codes(output: Uint8Array, end: number, start: number): InflateStatus | null {
    const view = this.#view;
    const literals = this.#literals;
    const distances = this.#distances;
    const literalWidth = this.#literalWidth;
    const distanceWidth = this.#distanceWidth;
    const literalMask = (1 << literalWidth) - 1;
    const distanceMask = (1 << distanceWidth) - 1;
    let bit = this.#bit;
    let at = this.outputAt;
    const safeBit = this.#end - 128;
    const safeOutput = end - 264;
    while (bit <= safeBit && at <= safeOutput) {
      let next = view.getInt32(bit >> 3, true) >>> (bit & 7);
      let entry = literals[next & literalMask] as number;
      if (entry < LENGTH) {
        // At most nine of 25 bits are used: the rest contains another code.
        output[at++] = entry >> 8;
        bit += entry & 15;
        next >>>= entry & 15;
        entry = literals[next & literalMask] as number;
        if (entry < LENGTH) {
          output[at++] = entry >> 8;
          bit += entry & 15;
          continue;
        }
        next = view.getInt32(bit >> 3, true) >>> (bit & 7);
      }
      if (entry >= LINK) {
        if (entry >= INVALID) throw new InflateError("invalid literal/length code");
        bit += literalWidth;
        next >>>= literalWidth;
        entry = literals[((entry >> 8) & 0xffff) + (next & ((1 << ((entry >> 4) & 15)) - 1))] as number;
        if (entry < LENGTH) {
          output[at++] = entry >> 8;
          bit += entry & 15;
          continue;
        }
      }
      bit += entry & 15;
      if (entry >= END) {
        if (entry >= INVALID) throw new InflateError("invalid literal/length code");
        this.#state = BLOCK;
        break;
      }
      let extra = (entry >> 4) & 15;
      const length = ((entry >> 8) & 0xffff) + ((next >> (entry & 15)) & ((1 << extra) - 1));
      bit += extra;
      next = view.getInt32(bit >> 3, true) >>> (bit & 7);
      entry = distances[next & distanceMask] as number;
      if (entry >= LINK) {
        if (entry >= INVALID) throw new InflateError("invalid distance code");
        bit += distanceWidth;
        next >>>= distanceWidth;
        entry = distances[((entry >> 8) & 0xffff) + (next & ((1 << ((entry >> 4) & 15)) - 1))] as number;
        if (entry >= INVALID) throw new InflateError("invalid distance code");
        bit += entry & 15;
        next = view.getInt32(bit >> 3, true) >>> (bit & 7);
      } else {
        bit += entry & 15;
        next >>>= entry & 15;
      }
      extra = (entry >> 4) & 15;
      let source = at - (entry >> 8) - (next & ((1 << extra) - 1));
      bit += extra;
      if (source < start) throw new InflateError("invalid distance too far back");
      const stop = at + length;
      do {
        output[at] = output[source] as number;
        output[at + 1] = output[source + 1] as number;
        output[at + 2] = output[source + 2] as number;
        at += 3;
        source += 3;
      } while (at < stop);
      at = stop;
    }
    this.#bit = bit;
    this.outputAt = at;
    return this.#state === BLOCK ? null : this.#carefully(output, end, start);
  }

  /** One symbol at a time, rolled back if it cannot be completed. */
  #carefully(output: Uint8Array, end: number, start: number): InflateStatus | null {
    for (;;) {
      const begin = this.#bit;
      const status = this.#step(output, end, start);
      if (status !== null) {
        this.#bit = begin;
        return status;
      }
      if (this.#state === BLOCK) return null;
      if (this.#end - this.#bit >= 512 && end - this.outputAt >= MIN_ROOM) return null;
    }
  }

  #step(output: Uint8Array, end: number, start: number): InflateStatus | null {
    const entry = this.#lookUp(this.#literals, this.#literalWidth);
    if (entry < 0) return "input";
    if (entry >= INVALID) throw new InflateError("invalid literal/length code");
    if (entry >= END) {
      this.#state = BLOCK;
      return null;
    }
    if (entry < LENGTH) {
      if (this.outputAt >= end) return "output";
      output[this.outputAt++] = entry >> 8;
      return null;
    }
    const more = this.#take((entry >> 4) & 15);
    if (more < 0) return "input";
    const length = ((entry >> 8) & 0xffff) + more;
    const distance = this.#lookUp(this.#distances, this.#distanceWidth);
    if (distance < 0) return "input";
    if (distance >= INVALID) throw new InflateError("invalid distance code");
    const further = this.#take((distance >> 4) & 15);
    if (further < 0) return "input";
    let source = this.outputAt - (distance >> 8) - further;
    if (source < start) throw new InflateError("invalid distance too far back");
    if (this.outputAt + length > end) return "output";
    for (let i = 0; i < length; i++) output[this.outputAt++] = output[source++] as number;
    return null;
  }

  #lookUp(table: Int32Array, width: number): number {
    const next = this.#peek(this.#bit);
    let entry = table[next & ((1 << width) - 1)] as number;
    let length = entry & 15;
    if (entry >= LINK && entry < INVALID) {
      entry = table[((entry >> 8) & 0xffff) + ((next >>> width) & ((1 << ((entry >> 4) & 15)) - 1))] as number;
      length = width + (entry & 15);
    }
    if (this.#bit + length > this.#end) return -1;
    this.#bit += length;
    return entry;
  }
}
