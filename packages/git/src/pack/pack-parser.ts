/**
 * The first pass over an incoming pack: inflates every entry, hashes whole objects, and resolves a delta at once if its base is
 * still in the arena; the others wait for the second pass. Synchronous between two pieces of input.
 */
import { crc32 } from "@workspace/archive";
import { GitError } from "../errors.ts";
import { objectHeader } from "../hash/hash-object.ts";
import { hashInPlace } from "../hash/object-hasher.ts";
import { Sha1 } from "../hash/sha1.ts";
import { freeBuffer } from "../memory/free-buffer.ts";
import type { MemoryBudget } from "../memory/memory-budget.ts";
import { type Oid, oidFromBytes } from "../object/oid.ts";
import type { ObjectType } from "../odb/object-database.ts";
import { InflateError, Inflater, MIN_ROOM } from "../zlib/inflater.ts";
import { Arena } from "./arena.ts";
import { applyInstructions, deltaSizes } from "./delta.ts";
import { entryHeader, OFS_DELTA, parseEntryHeader, REF_DELTA, typeOfCode } from "./entry-header.ts";
import { ObjectTable, tooManyObjects } from "./object-table.ts";
import type { PackObserver } from "./pack-observer.ts";
import type { PackWork } from "./pack-work.ts";
import { PendingDeltas } from "./pending-deltas.ts";

/** Bytes of the stream buffered between two writes, and written at once: whole rows of a large file of a workspace. */
const ROW = 128 * 1024;
const WRITE = 7 * ROW;
export const WINDOW = 8 * ROW;
/** The inflater's window for content that is not held: the match distance and some more. */
const STREAM_ROOM = 96 * 1024;
const REACH = 32 * 1024;
const HEADER = 12;
const MAX_OBJECT = 2 ** 32 - 1;

interface IntakeOptions {
  readonly memory: MemoryBudget;
  /** Maximum object count in the pack's header; checked before anything is read. */
  readonly maxObjects: number;
  readonly watch?: PackObserver | undefined;
  readonly work: PackWork;
}

export class PackParser {
  readonly window = new Uint8Array(WINDOW);
  filled = 0;
  /** Bytes before it are consumed. */
  at = 0;
  /** Offset of the window in the pack. */
  position = 0;
  total = -1;
  /** Number of deltas, and how many of them are resolved. */
  deltas = 0;
  resolved = 0;
  /** At the end of the pack. */
  checksum: Uint8Array = new Uint8Array(20);
  table!: ObjectTable;
  arena!: Arena;
  store!: PendingDeltas;
  /** `consume` stopped to yield to other requests, and must be called again. */
  isPaused = false;
  readonly work: PackWork;
  /** REF_DELTAs by the id of their base. */
  readonly byName = new Map<Oid, number[]>();

  readonly #options: IntakeOptions;
  readonly #inflater = new Inflater();
  readonly #stream = new Uint8Array(STREAM_ROOM);
  readonly #sha1 = new Sha1();
  #inEntry = false;
  #code = 0;
  #size = 0;
  #row = 0;
  #base = -1;
  #crcFrom = 0;
  /** Start of the entry in the window; below 0: it began before the window. */
  #entryAt = 0;
  #produced = 0;
  #out: Uint8Array = this.#stream;
  #outStart = 0;
  #outAt = 0;
  #outEnd = 0;
  /** The entry is too large to be held: it is only hashed in passing. */
  #passing = false;
  #isFreed = false;

  constructor(options: IntakeOptions) {
    this.#options = options;
    this.work = options.work;
    options.memory.charge(WINDOW + STREAM_ROOM, "the window on a pack");
  }

  [Symbol.dispose](): void {
    this.freeBuffers();
    if (this.total >= 0) this.table[Symbol.dispose]();
  }

  /** Once every object has its id, only the table is needed. */
  freeBuffers(): void {
    if (this.#isFreed) return;
    this.#isFreed = true;
    const { memory } = this.#options;
    memory.release(WINDOW + STREAM_ROOM);
    freeBuffer(this.window, this.#stream);
    if (this.total < 0) return;
    memory.release(this.arena.capacity + this.store.retainedBytes);
    freeBuffer(this.arena.bytes, this.store.bytes, this.store.inflated);
  }

  get complete(): boolean {
    return this.total >= 0 && !this.#inEntry && this.table.count === this.total;
  }

  /** Consumes the window as far as possible or until `isPaused`. */
  consume(): void {
    this.isPaused = false;
    if (this.total < 0 && !this.#begin()) return;
    while (this.#inEntry || this.table.count < this.total) {
      if (this.#pauses()) return;
      if (!this.#inEntry && !this.#beginEntry()) return;
      if (!this.#inflate()) return;
    }
  }

  #pauses(): boolean {
    this.isPaused = this.work.isDue;
    return this.isPaused;
  }

  /** How many consumed bytes to write now: none while there are few, or all at the end. */
  writable(all: boolean): number {
    if (all) return this.at;
    return this.at < WRITE ? 0 : this.at - (this.at % ROW);
  }

  /** Makes room: the first `count` bytes are consumed and written. */
  slide(count: number): void {
    this.#checksum();
    this.window.copyWithin(0, count, this.filled);
    this.position += count;
    this.filled -= count;
    this.at -= count;
    this.#crcFrom = this.at;
    this.#entryAt -= count;
  }

  #begin(): boolean {
    if (this.filled < HEADER) return false;
    const view = new DataView(this.window.buffer);
    if (view.getUint32(0) !== 0x5041434b) throw new GitError("ECORRUPT", "pack signature mismatch");
    const version = view.getUint32(4);
    if (version !== 2 && version !== 3) throw new GitError("ECORRUPT", `pack version ${version} unsupported`);
    const total = view.getUint32(8);
    const { maxObjects } = this.#options;
    if (total > maxObjects) throw tooManyObjects(total, maxObjects);
    this.#allocate(total);
    this.total = total;
    this.at = HEADER;
    return true;
  }

  /** Two thirds of the budget for everything: the larger the table, the fewer objects are held. */
  #allocate(total: number): void {
    const { memory } = this.#options;
    const table = new ObjectTable(memory, total);
    const rest = Math.max(memory.limit / 8, (memory.limit * 2) / 3 - table.bytes);
    const arena = new Arena(Math.floor(rest * 0.8));
    const store = new PendingDeltas(Math.floor(rest * 0.15));
    memory.charge(arena.capacity + store.retainedBytes, "the buffers for a pack");
    this.table = table;
    this.arena = arena;
    this.store = store;
  }

  #beginEntry(): boolean {
    const begin = this.at;
    const offset = this.position + begin;
    if (!this.#parseHeader(begin, offset)) return false;
    const { code, size, back, nameAt, dataAt } = entryHeader;
    this.work.state(code >= OFS_DELTA ? 0 : size, offset);
    if (size > MAX_OBJECT) throw badObject(offset, `object of ${size} bytes is too large`);
    const { table } = this;
    const row = table.count;
    this.#row = row;
    this.#code = code;
    this.#size = size;
    this.#crcFrom = begin;
    this.#entryAt = begin;
    this.#produced = 0;
    this.#base = -1;
    table.offset[row] = offset;
    table.size[row] = size;
    table.header[row] = dataAt - begin;
    table.crc[row] = 0;
    if (code === OFS_DELTA) {
      const base = back > 0 ? table.rowAt(offset - back) : -1;
      if (base < 0) throw this.#bad("delta base offset is out of bound");
      this.#base = base;
      table.base[row] = base;
    } else if (code === REF_DELTA) this.#waitByName(oidFromBytes(this.window, nameAt), row);
    this.at = dataAt;
    this.#inEntry = true;
    this.#place(code, size);
    this.#inflater.reset(this.#passing ? 0 : size);
    return true;
  }

  #parseHeader(begin: number, offset: number): boolean {
    try {
      return parseEntryHeader(this.window, begin, this.filled);
    } catch (error) {
      throw badObject(offset, (error as Error).message);
    }
  }

  /** Where the entry is inflated to. */
  #place(code: number, size: number): void {
    this.#passing = false;
    if (code === OFS_DELTA || code === REF_DELTA) {
      this.deltas++;
      if (size <= this.store.largest) return this.#into(this.store.inflated, 0, size);
    } else if (size <= this.arena.largest) {
      const place = this.arena.reserve(size);
      this.table.place[this.#row] = place;
      return this.#into(this.arena.bytes, this.arena.at(place), size);
    } else this.#sha1.reset().update(objectHeader(typeOfCode(code) as ObjectType, size));
    this.#passing = true;
    this.#out = this.#stream;
    this.#outStart = this.#outAt = 0;
    this.#outEnd = STREAM_ROOM;
  }

  #into(bytes: Uint8Array, at: number, size: number): void {
    this.#out = bytes;
    this.#outStart = this.#outAt = at;
    this.#outEnd = at + size + MIN_ROOM;
  }

  /** False: more input is needed. */
  #inflate(): boolean {
    for (;;) {
      const status = this.#run();
      const created = this.#inflater.outputAt - this.#outAt;
      this.at = this.#inflater.inputAt;
      this.#produced += created;
      this.work.spend(created, this.position + this.at);
      if (this.#produced > this.#size) throw this.#bad("inflated data is larger than its stated size");
      if (this.#passing) this.#pass();
      this.#outAt = this.#inflater.outputAt;
      if (status === "input") return false;
      if (status === "done") break;
      if (!this.#passing) throw this.#bad("inflated data is larger than its stated size");
      this.#out.copyWithin(0, this.#outAt - REACH, this.#outAt);
      this.#outAt = REACH;
      if (this.#pauses()) return false;
    }
    if (this.#produced !== this.#size) throw this.#bad("inflated data is smaller than its stated size");
    this.#finish();
    return true;
  }

  #run() {
    try {
      return this.#inflater.inflate(
        this.window,
        this.at,
        this.filled,
        this.#out,
        this.#outAt,
        this.#outEnd,
        this.#outStart,
      );
    } catch (error) {
      if (error instanceof InflateError) throw this.#bad(`inflate: data stream error (${error.message})`);
      throw error;
    }
  }

  #pass(): void {
    if (this.#code >= OFS_DELTA && this.#outAt === 0) this.#stateResult(this.#inflater.outputAt);
    if (this.#code < OFS_DELTA) this.#sha1.update(this.#out, this.#outAt, this.#inflater.outputAt);
  }

  /** The result size of the delta, of which this many bytes are inflated. */
  #stateResult(inflated: number): void {
    const { resultSize } = this.#sizes(this.#out, inflated);
    this.work.state(resultSize, this.position + this.at);
  }

  #finish(): void {
    this.#inEntry = false;
    this.#checksum();
    if (this.#code >= OFS_DELTA && !this.#passing) this.#stateResult(this.#size);
    const { table } = this;
    const row = this.#row;
    table.count = row + 1;
    if (this.#code >= OFS_DELTA) {
      if (!this.#passing && this.#base >= 0 && this.#resolve(row)) return;
      const dataAt = this.#entryAt + (table.header[row] as number);
      if (!this.#passing && this.#entryAt >= 0) table.place[row] = this.store.keep(this.window, dataAt, this.at);
      if (this.#base >= 0) table.wait(row, this.#base);
      return;
    }
    table.type[row] = this.#code;
    if (this.#passing) this.#sha1.digestInto(table.names, row * 20);
    else this.name(row, this.#size);
  }

  /** Resolves a delta that has just arrived, if its base is still in the arena. False: it must wait. */
  #resolve(row: number): boolean {
    const { table, arena } = this;
    const base = this.#base;
    if (!arena.holds(table.place[base] as number) || table.type[base] === 0) return false;
    const { baseSize, resultSize, at } = this.#sizes(this.store.inflated, this.#size);
    if (baseSize !== table.size[base]) throw this.#bad("delta does not fit its base");
    if (resultSize > arena.largest) return false;
    const place = arena.reserve(resultSize);
    const basePosition = table.place[base] as number;
    if (!arena.holds(basePosition)) {
      arena.free(place);
      return false;
    }
    const { bytes } = arena;
    this.#apply(arena.at(basePosition), baseSize, at, arena.at(place), resultSize, bytes);
    this.work.spend(resultSize, this.position + this.at);
    table.place[row] = place;
    table.type[row] = table.type[base] as number;
    table.size[row] = resultSize;
    this.name(row, resultSize);
    this.resolved++;
    return true;
  }

  #sizes(bytes: Uint8Array, end: number) {
    try {
      return deltaSizes(bytes, 0, end);
    } catch {
      throw this.#bad("failed to apply delta");
    }
  }

  #apply(baseAt: number, baseSize: number, at: number, to: number, size: number, bytes: Uint8Array): void {
    try {
      applyInstructions(bytes, baseAt, baseSize, this.store.inflated, at, this.#size, bytes, to, size);
    } catch {
      throw this.#bad("failed to apply delta");
    }
  }

  /** Hashes the object in the arena for a row. */
  name(row: number, size: number): void {
    const { table, arena } = this;
    const type = typeOfCode(table.type[row] as number) as ObjectType;
    hashInPlace(type, arena.bytes, arena.at(table.place[row] as number), size, table.names, row * 20);
    this.#options.watch?.onObject(this, row);
  }

  /** Lets observers do their slow work. */
  publish(all = false): Promise<void> | null {
    return this.#options.watch?.flush(this, all) ?? null;
  }

  #waitByName(oid: Oid, row: number): void {
    const waiting = this.byName.get(oid);
    if (waiting !== undefined) waiting.push(row);
    else this.byName.set(oid, [row]);
  }

  /** CRC of the entry's own bytes, header included, as far as they have arrived. */
  #checksum(): void {
    if (this.at === this.#crcFrom || this.total < 0) return;
    const { table } = this;
    table.crc[this.#row] = crc32(this.window, table.crc[this.#row] as number, this.#crcFrom, this.at);
    this.#crcFrom = this.at;
  }

  #bad(reason: string): GitError {
    return badObject(this.table.offset[this.#row] as number, reason);
  }
}

export function badObject(offset: number, reason: string): GitError {
  return new GitError("ECORRUPT", `pack has bad object at offset ${offset}: ${reason}`);
}
