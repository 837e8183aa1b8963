/**
 * `.idx`, versions 1 and 2: maps object ids to pack offsets. A small index is held whole; for a large one the fan-out is, and
 * the part of a first byte (a 256th) is loaded on demand into a bounded cache.
 */
import type { FileSystem } from "@workspace/vfs";
import { GitError } from "../errors.ts";
import type { ByteCache } from "../memory/byte-cache.ts";
import type { MemoryBudget } from "../memory/memory-budget.ts";
import { type Oid, oidFromBytes } from "../object/oid.ts";

/** An index up to this size is read whole. */
const WHOLE = 2 * 1024 * 1024;
const FAN_OUT = 1024;

/** Ids and offsets of objects: those from `low` up to `high` begin with the requested byte. */
interface IndexPart extends Columns {
  readonly low: number;
  readonly high: number;
}

interface Columns {
  readonly names: Uint8Array;
  /** Distance between two ids. */
  readonly stride: number;
  readonly offsets: Uint8Array;
}

export type IndexPartCache = ByteCache<number, IndexPart>;

let indexes = 0;
/** Number of interpolation steps before bisection: ids chosen to cluster must not cost more than a bisection. */
const GUESSES = 4;

export class PackIndex {
  readonly path: string;
  readonly count: number;
  /** Bytes it retains for its lifetime. */
  readonly held: number;
  readonly #fs: FileSystem;
  readonly #version: 1 | 2;
  readonly #fan: Uint8Array;
  readonly #whole: Uint8Array | null;
  /** Of all objects, when it is held whole. */
  readonly #columns: Columns | null;
  readonly #parts: IndexPartCache;
  readonly #id = ++indexes;

  constructor(fs: FileSystem, path: string, size: number, head: Uint8Array, whole: boolean, parts: IndexPartCache) {
    this.#fs = fs;
    this.path = path;
    this.#parts = parts;
    this.#version = word(head, 0) === 0xff744f63 ? 2 : 1;
    if (this.#version === 2 && word(head, 4) !== 2) throw this.#corrupt("is not version 2");
    const fanAt = this.#version === 2 ? 8 : 0;
    this.#fan = whole ? head.subarray(fanAt, fanAt + FAN_OUT) : head.slice(fanAt, fanAt + FAN_OUT);
    this.#whole = whole ? head : null;
    if (this.#fan.length !== FAN_OUT) throw this.#corrupt("is too small");
    for (let byte = 1; byte < 256; byte++)
      if (word(this.#fan, 4 * byte) < word(this.#fan, 4 * byte - 4)) throw this.#corrupt("is non-monotonic");
    this.count = word(this.#fan, 4 * 255);
    const min = fanAt + FAN_OUT + this.count * (this.#version === 2 ? 28 : 24) + 40;
    if (size < min || (this.#version === 1 && size !== min)) throw this.#corrupt("has wrong size");
    this.held = whole ? head.length : FAN_OUT;
    this.#columns = whole ? this.#columnsOf(head.subarray(fanAt + FAN_OUT)) : null;
  }

  /** Offset in the pack; -1: not in this one; null: its part must be loaded, see `load`. */
  find(oid: Oid): number | null {
    const part = this.#retainedBytes(Number.parseInt(oid.slice(0, 2), 16));
    if (part === null) return null;
    const at = search(part, oid);
    return at < part.high && compareName(part.names, at * part.stride, oid) === 0 ? this.offsetOf(part, at) : -1;
  }

  /** Loads the part with all ids that begin with this byte. */
  async load(byte: number): Promise<IndexPart> {
    const retained = this.#retainedBytes(byte);
    if (retained !== null) return retained;
    const first = byte === 0 ? 0 : word(this.#fan, 4 * byte - 4);
    const count = word(this.#fan, 4 * byte) - first;
    const part = this.#version === 2 ? await this.#partOfTwo(first, count) : await this.#partOfOne(first, count);
    this.#parts.set(this.#id * 256 + byte, part, part.names.length + part.offsets.length);
    return part;
  }

  /** Full ids with this prefix of hexadecimal digits, at least two, in order, at most `max`. */
  async withPrefix(prefix: string, max: number): Promise<Oid[]> {
    const part = await this.load(Number.parseInt(prefix.slice(0, 2), 16));
    const found: Oid[] = [];
    for (let at = search(part, prefix.padEnd(40, "0")); at < part.high && found.length < max; at++) {
      const oid = oidFromBytes(part.names, at * part.stride);
      if (!oid.startsWith(prefix)) break;
      found.push(oid);
    }
    return found;
  }

  /** Every object, in order of ids. */
  async *entries(): AsyncGenerator<{ oid: Oid; offset: number }> {
    for (let byte = 0; byte < 256; byte++) {
      const first = byte === 0 ? 0 : word(this.#fan, 4 * byte - 4);
      if (word(this.#fan, 4 * byte) === first) continue;
      const part = await this.load(byte);
      for (let at = part.low; at < part.high; at++)
        yield { oid: oidFromBytes(part.names, at * part.stride), offset: await this.far(this.offsetOf(part, at)) };
    }
  }

  /** The start of every entry, in pack order; eight bytes an object. */
  async offsets(): Promise<Float64Array> {
    const offsets = new Float64Array(this.count);
    let at = 0;
    for (let byte = 0; byte < 256; byte++) {
      const part = await this.load(byte);
      for (let i = part.low; i < part.high; i++) {
        const offset = this.offsetOf(part, i);
        offsets[at++] = offset >= 0 ? offset : await this.far(offset);
      }
    }
    return offsets.sort();
  }

  /** For a pack beyond 2 GiB `offsetOf` may refer to the table of large offsets: -2 minus its row there. */
  async far(offset: number): Promise<number> {
    if (offset >= -1) return offset;
    const at = 8 + FAN_OUT + this.count * 28 + (-2 - offset) * 8;
    const bytes = this.#whole?.subarray(at, at + 8) ?? (await this.#fs.readRange(this.path, at, 8));
    if (bytes.length !== 8) throw this.#corrupt("has wrong size");
    return word(bytes, 0) * 2 ** 32 + word(bytes, 4);
  }

  offsetOf(part: IndexPart, at: number): number {
    const offset = word(part.offsets, at * (this.#version === 2 ? 4 : part.stride));
    return this.#version === 2 && offset >= 2 ** 31 ? -2 - (offset - 2 ** 31) : offset;
  }

  #retainedBytes(byte: number): IndexPart | null {
    if (this.#whole === null) return this.#parts.get(this.#id * 256 + byte) ?? null;
    const low = byte === 0 ? 0 : word(this.#fan, 4 * byte - 4);
    const { names, stride, offsets } = this.#columns as Columns;
    return { low, high: word(this.#fan, 4 * byte), names, stride, offsets };
  }

  #columnsOf(rows: Uint8Array): Columns {
    if (this.#version === 1) return { names: rows.subarray(4), stride: 24, offsets: rows };
    return { names: rows, stride: 20, offsets: rows.subarray(this.count * 24) };
  }

  async #partOfTwo(first: number, count: number): Promise<IndexPart> {
    const at = 8 + FAN_OUT;
    const names = await this.#range(at + first * 20, count * 20);
    const offsets = await this.#range(at + this.count * 24 + first * 4, count * 4);
    return { low: 0, high: count, names, stride: 20, offsets };
  }

  async #partOfOne(first: number, count: number): Promise<IndexPart> {
    const rows = await this.#range(FAN_OUT + first * 24, count * 24);
    return { low: 0, high: count, names: rows.subarray(4), stride: 24, offsets: rows };
  }

  async #range(start: number, length: number): Promise<Uint8Array> {
    const bytes = length === 0 ? new Uint8Array(0) : await this.#fs.readRange(this.path, start, length);
    if (bytes.length !== length) throw this.#corrupt("has wrong size");
    return bytes;
  }

  #corrupt(reason: string): GitError {
    return new GitError("ECORRUPT", `index file ${this.path} ${reason}`, { prefix: "error" });
  }
}

export async function openPackIndex(
  fs: FileSystem,
  path: string,
  size: number,
  memory: MemoryBudget,
  parts: IndexPartCache,
): Promise<PackIndex> {
  // A quarter of the budget is for indexes held whole, whatever their number.
  const whole = size <= WHOLE && memory.live + size < memory.limit / 4;
  const head = whole ? await fs.readFile(path) : await fs.readRange(path, 0, 8 + FAN_OUT);
  const index = new PackIndex(fs, path, whole ? head.length : size, head, whole, parts);
  memory.charge(index.held, "the index of a pack");
  return index;
}

/** The first entry whose id is not before `name`. Hashes are uniform, so interpolation is close; bisection does the rest. */
function search({ low: start, high: end, names, stride }: IndexPart, name: string): number {
  const value = nameWord(name, 0);
  let [low, high] = [start, end];
  // All ids here have the first byte of `name`.
  let below = value - (value % 0x1000000);
  let above = below + 0x1000000;
  for (let guess = 0; low < high; guess++) {
    const share = guess < GUESSES && below < above ? (value - below) / (above - below) : 0.5;
    const middle = Math.min(high - 1, low + Math.trunc((high - low) * share));
    const found = word(names, middle * stride);
    const isBefore = found === value ? compareName(names, middle * stride, name) < 0 : found < value;
    if (isBefore) {
      low = middle + 1;
      below = found;
    } else {
      high = middle;
      above = found;
    }
  }
  return low;
}

/** Compares words: a lookup may run before the JIT warms up, when a loop over forty digits would dominate. */
function compareName(names: Uint8Array, at: number, name: string): number {
  for (let i = 0; i < 5; i++) {
    const difference = word(names, at + 4 * i) - nameWord(name, i);
    if (difference !== 0) return difference;
  }
  return 0;
}

function nameWord(name: string, i: number): number {
  return Number.parseInt(name.slice(8 * i, 8 * i + 8), 16);
}

function word(bytes: Uint8Array, at: number): number {
  return (
    (((bytes[at] as number) << 24) |
      ((bytes[at + 1] as number) << 16) |
      ((bytes[at + 2] as number) << 8) |
      (bytes[at + 3] as number)) >>>
    0
  );
}
