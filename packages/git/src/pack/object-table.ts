/** Metadata of every object of a pack during indexing, as columns: some forty bytes an object, and no garbage. */
import { GitError } from "../errors.ts";
import { freeBuffer } from "../memory/free-buffer.ts";
import type { MemoryBudget } from "../memory/memory-budget.ts";

/** Bytes of one row. */
const ROW = 8 + 4 + 4 + 4 + 4 + 4 + 4 + 20 + 1 + 1;
/** Maximum share of the memory budget. */
const SHARE = 0.7;

/** The error, with a hint how to fetch fewer objects. */
export function tooManyObjects(count: number, max: number): GitError {
  return new GitError("ETOOBIG", `pack has ${count} objects, and there is memory for ${max}`, {
    hint:
      "hint: Ask for fewer: 'git clone --depth=<n>' leaves out older commits,\n" +
      "hint: 'git clone --filter=blob:none' files until they are needed, and\n" +
      "hint: 'git clone --single-branch' other branches.\n",
  });
}

export class ObjectTable {
  count = 0;
  capacity = 0;
  /** Where the entry begins in the pack. */
  offset = new Float64Array(0);
  /** Size of the object, or of the delta until it is resolved. */
  size = new Uint32Array(0);
  /** Position in the arena; -1: none; for an unresolved delta -2 minus its position in the store of deltas. */
  place = new Int32Array(0);
  crc = new Uint32Array(0);
  /** The row of a delta's base; -1: none or unknown. */
  base = new Int32Array(0);
  /** Linked list of deltas that wait for this one: the first, and from each the next. -1: none. */
  firstWaiting = new Int32Array(0);
  nextWaiting = new Int32Array(0);
  names = new Uint8Array(0);
  /** Code of the final type, 0 while unknown. */
  type = new Uint8Array(0);
  /** Length of the entry's header. */
  header = new Uint8Array(0);
  readonly #memory: MemoryBudget;

  constructor(memory: MemoryBudget, count: number) {
    this.#memory = memory;
    this.grow(count);
  }

  /** Allocates this many rows; the missing bases of a thin pack are added to them. */
  grow(capacity: number): void {
    const max = Math.floor((this.#memory.limit * SHARE) / ROW);
    if (capacity > max) throw tooManyObjects(capacity, max);
    const before = this.capacity;
    this.#memory.charge((capacity - before) * ROW, "the table of a pack's objects");
    this.capacity = capacity;
    this.offset = longer(this.offset, new Float64Array(capacity));
    this.size = longer(this.size, new Uint32Array(capacity));
    this.place = longer(this.place, new Int32Array(capacity)).fill(-1, before);
    this.crc = longer(this.crc, new Uint32Array(capacity));
    this.base = longer(this.base, new Int32Array(capacity)).fill(-1, before);
    this.firstWaiting = longer(this.firstWaiting, new Int32Array(capacity)).fill(-1, before);
    this.nextWaiting = longer(this.nextWaiting, new Int32Array(capacity)).fill(-1, before);
    this.names = longer(this.names, new Uint8Array(capacity * 20));
    this.type = longer(this.type, new Uint8Array(capacity));
    this.header = longer(this.header, new Uint8Array(capacity));
  }

  get bytes(): number {
    return this.capacity * ROW;
  }

  /** The row of the entry that begins at `offset`, or -1. */
  rowAt(offset: number): number {
    let low = 0;
    let high = this.count - 1;
    while (low <= high) {
      const middle = (low + high) >>> 1;
      const at = this.offset[middle] as number;
      if (at === offset) return middle;
      if (at < offset) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }

  wait(row: number, base: number): void {
    this.nextWaiting[row] = this.firstWaiting[base] as number;
    this.firstWaiting[base] = row;
  }

  [Symbol.dispose](): void {
    this.#memory.release(this.capacity * ROW);
    freeBuffer(this.offset, this.size, this.place, this.crc, this.base, this.firstWaiting, this.nextWaiting);
    freeBuffer(this.names, this.type, this.header);
  }
}

function longer<Column extends { set(from: Column): void }>(from: Column, to: Column): Column {
  to.set(from);
  return to;
}
