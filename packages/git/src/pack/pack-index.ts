/**
 * `.idx`, versions 1 and 2: where in the pack an object is. A small one is held whole; of a large one the fan-out is, and the
 * part of a first byte (a 256th) is read when it is asked for, into a bounded cache.
 */
import type { FileSystem } from "@workspace/vfs";
import { GitError } from "../errors.ts";
import { compareOidBytes, putOid } from "../hash/oid-words.ts";
import type { ByteCache } from "../memory/byte-cache.ts";
import type { MemoryAccountant } from "../memory/memory-accountant.ts";
import { type Oid, oidFromBytes } from "../oid.ts";

/** An index up to this is read whole. */
const WHOLE = 2 * 1024 * 1024;
const FAN_OUT = 1024;

/** Names and places of the objects `first` and on, `count` of them. */
export interface IndexPart {
  readonly first: number;
  readonly count: number;
  readonly names: Uint8Array;
  readonly stride: number;
  readonly offsets: Uint8Array;
}

export type IndexPartCache = ByteCache<number, IndexPart>;

let indexes = 0;
const wanted = new Uint8Array(20);

export class PackIndex {
  readonly path: string;
  readonly count: number;
  /** Bytes it keeps for as long as it lives. */
  readonly held: number;
  readonly #fs: FileSystem;
  readonly #version: 1 | 2;
  readonly #fan: Uint8Array;
  readonly #whole: Uint8Array | null;
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
    const least = fanAt + FAN_OUT + this.count * (this.#version === 2 ? 28 : 24) + 40;
    if (size < least || (this.#version === 1 && size !== least)) throw this.#corrupt("has wrong size");
    this.held = whole ? head.length : FAN_OUT;
  }

  /** Where it is in the pack; -1: not in this one; null: the part it would be in must be loaded, see `load`. */
  find(oid: Oid): number | null {
    const part = this.#held(Number.parseInt(oid.slice(0, 2), 16));
    if (part === null) return null;
    putOid(oid, wanted, 0);
    const at = search(part, wanted);
    return at < part.count && compareOidBytes(part.names, at * part.stride, wanted, 0) === 0
      ? this.offsetOf(part, at)
      : -1;
  }

  /** The part with all names that begin with this byte, in memory. */
  async load(byte: number): Promise<IndexPart> {
    const held = this.#held(byte);
    if (held !== null) return held;
    const first = byte === 0 ? 0 : word(this.#fan, 4 * byte - 4);
    const count = word(this.#fan, 4 * byte) - first;
    const part = this.#version === 2 ? await this.#partOfTwo(first, count) : await this.#partOfOne(first, count);
    this.#parts.set(this.#id * 256 + byte, part, part.names.length + part.offsets.length);
    return part;
  }

  /** Full names with this prefix of hexadecimal digits, at least two, in order, at most `most`. */
  async withPrefix(prefix: string, most: number): Promise<Oid[]> {
    const part = await this.load(Number.parseInt(prefix.slice(0, 2), 16));
    putOid(prefix.padEnd(40, "0") as Oid, wanted, 0);
    const found: Oid[] = [];
    for (let at = search(part, wanted); at < part.count && found.length < most; at++) {
      const oid = oidFromBytes(part.names, at * part.stride);
      if (!oid.startsWith(prefix)) break;
      found.push(oid);
    }
    return found;
  }

  /** Every object, by name. */
  async *entries(): AsyncGenerator<{ oid: Oid; offset: number }> {
    for (let byte = 0; byte < 256; byte++) {
      const first = byte === 0 ? 0 : word(this.#fan, 4 * byte - 4);
      if (word(this.#fan, 4 * byte) === first) continue;
      const part = await this.load(byte);
      for (let at = 0; at < part.count; at++)
        yield { oid: oidFromBytes(part.names, at * part.stride), offset: await this.far(this.offsetOf(part, at)) };
    }
  }

  /** Where every entry begins, in the order of the pack; eight bytes an object. */
  async offsets(): Promise<Float64Array> {
    const offsets = new Float64Array(this.count);
    let at = 0;
    for (let byte = 0; byte < 256; byte++) {
      const part = await this.load(byte);
      for (let i = 0; i < part.count; i++) {
        const offset = this.offsetOf(part, i);
        offsets[at++] = offset >= 0 ? offset : await this.far(offset);
      }
    }
    return offsets.sort();
  }

  /** `offsetOf` of a pack beyond 2 GiB may say "look in the table of large ones": -2 less its row there. */
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

  #held(byte: number): IndexPart | null {
    if (this.#whole === null) return this.#parts.get(this.#id * 256 + byte) ?? null;
    const first = byte === 0 ? 0 : word(this.#fan, 4 * byte - 4);
    return this.#partOfWhole(first, word(this.#fan, 4 * byte) - first);
  }

  #partOfWhole(first: number, count: number): IndexPart {
    const whole = this.#whole as Uint8Array;
    if (this.#version === 1) {
      const at = FAN_OUT + first * 24;
      return { first, count, names: whole.subarray(at + 4), stride: 24, offsets: whole.subarray(at) };
    }
    const names = 8 + FAN_OUT;
    const offsets = names + this.count * 24;
    return {
      first,
      count,
      names: whole.subarray(names + first * 20),
      stride: 20,
      offsets: whole.subarray(offsets + first * 4),
    };
  }

  async #partOfTwo(first: number, count: number): Promise<IndexPart> {
    const at = 8 + FAN_OUT;
    const names = await this.#range(at + first * 20, count * 20);
    const offsets = await this.#range(at + this.count * 24 + first * 4, count * 4);
    return { first, count, names, stride: 20, offsets };
  }

  async #partOfOne(first: number, count: number): Promise<IndexPart> {
    const rows = await this.#range(FAN_OUT + first * 24, count * 24);
    return { first, count, names: rows.subarray(4), stride: 24, offsets: rows };
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
  memory: MemoryAccountant,
  parts: IndexPartCache,
): Promise<PackIndex> {
  // A quarter of the budget is for indexes held whole, whatever their number.
  const whole = size <= WHOLE && memory.live + size < memory.limit / 4;
  const head = whole ? await fs.readFile(path) : await fs.readRange(path, 0, 8 + FAN_OUT);
  const index = new PackIndex(fs, path, whole ? head.length : size, head, whole, parts);
  memory.charge(index.held, "the index of a pack");
  return index;
}

/** The first whose name is not before `name`. */
function search(part: IndexPart, name: Uint8Array): number {
  let low = 0;
  let high = part.count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareOidBytes(part.names, middle * part.stride, name, 0) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
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
