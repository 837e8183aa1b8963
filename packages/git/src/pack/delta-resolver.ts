/**
 * The second pass: resolves deltas whose base was not in memory when they arrived. From every base with pending deltas it walks
 * their tree depth first, without recursion; a base that was overwritten in the arena is rebuilt from the file.
 */
import type { GitError } from "../errors.ts";
import { oidFromBytes } from "../object/oid.ts";
import { InflateError, Inflater, MIN_ROOM } from "../zlib/inflater.ts";
import { applyInstructions, deltaSizes } from "./delta.ts";
import type { DeltaChainContext } from "./delta-chain-stream.ts";
import { resolveLarge } from "./large-resolver.ts";
import { badObject, type PackParser } from "./pack-parser.ts";
import type { PageBuffer } from "./page-buffer.ts";

/** Outcome of applying a delta, instead of a size. */
const TOO_LARGE = -1;
const BASE_LEFT = -2;

export class DeltaResolver {
  readonly #ctx: DeltaChainContext;
  readonly #intake: PackParser;
  readonly #file: PageBuffer;
  readonly #inflater = new Inflater();
  readonly #progress: () => void;
  /** Deltas with a base or a result too large for the arena. */
  #large: number[] = [];
  /** Rows before it are done. */
  #next = 0;

  constructor(ctx: DeltaChainContext, intake: PackParser, file: PageBuffer, progress: () => void) {
    this.#ctx = ctx;
    this.#intake = intake;
    this.#file = file;
    this.#progress = progress;
  }

  /** Resolves everything that depends on known objects; called again after rows are added. */
  async resolveAll(): Promise<void> {
    const { table, byName } = this.#intake;
    const from = this.#next;
    this.#next = table.count;
    if (byName.size > 0) for (let row = from; row < table.count; row++) if (table.type[row] !== 0) this.#named(row);
    for (let row = from; row < table.count; row++)
      if (table.type[row] !== 0 && table.firstWaiting[row] !== -1) await this.#resolveOn(row);
    while (this.#large.length > 0) {
      const rows = this.#large;
      this.#large = [];
      await resolveLarge(this.#ctx, this.#intake, this.#file, rows, (row) => this.#named(row));
    }
  }

  /** Deltas that wait for an object with this id now wait for this row. */
  #named(row: number): void {
    const { table, byName } = this.#intake;
    if (byName.size === 0) return;
    const name = oidFromBytes(table.names, row * 20);
    for (const waiting of byName.get(name) ?? []) {
      table.base[waiting] = row;
      table.wait(waiting, row);
    }
    byName.delete(name);
  }

  async #resolveOn(root: number): Promise<void> {
    const stack = [root];
    while (!this.#walk(stack)) {
      await this.#intake.work.checkpoint();
      await this.#resolveLater(stack);
    }
    const settling = this.#intake.publish();
    if (settling !== null) await settling;
  }

  /**
   * Walks the delta tree while everything needed is in memory: a promise for each delta would be most of the garbage. True: done.
   */
  #walk(stack: number[]): boolean {
    const { table } = this.#intake;
    for (let base = stack.at(-1); base !== undefined; base = stack.at(-1)) {
      const row = table.firstWaiting[base] as number;
      if (row === -1) {
        stack.pop();
        continue;
      }
      const size = table.size[row] as number;
      if (this.#isLarge(base, size)) {
        this.#release(row, base);
        this.#large.push(row);
        continue;
      }
      if (this.#intake.work.isDue || !this.#isRetained(base) || !this.#inflateStored(row, size)) return false;
      const result = this.#apply(row, base, size);
      if (result === BASE_LEFT) return false;
      this.#flush(stack, row, base, result);
    }
    return true;
  }

  /** Resolves the delta that `#walk` stopped at, reading what it needs from the file. */
  async #resolveLater(stack: number[]): Promise<void> {
    const { table } = this.#intake;
    const base = stack.at(-1) as number;
    const row = table.firstWaiting[base] as number;
    const size = table.size[row] as number;
    await this.#hold(base);
    if (!this.#inflateStored(row, size)) await this.#inflateDelta(row, size);
    this.#flush(stack, row, base, await this.#applyHolding(row, base, size));
  }

  /** `result`: its size, or that it is too large. */
  #flush(stack: number[], row: number, base: number, result: number): void {
    const { table } = this.#intake;
    this.#release(row, base);
    if (result === TOO_LARGE) {
      this.#large.push(row);
      return;
    }
    table.type[row] = table.type[base] as number;
    table.size[row] = result;
    this.#intake.name(row, result);
    this.#intake.resolved++;
    this.#progress();
    this.#named(row);
    if (table.firstWaiting[row] !== -1) stack.push(row);
  }

  /** `row` no longer waits for its base. */
  #release(row: number, base: number): void {
    const { table } = this.#intake;
    table.firstWaiting[base] = table.nextWaiting[row] as number;
  }

  #isLarge(base: number, size: number): boolean {
    const { table, arena, store } = this.#intake;
    return (table.size[base] as number) > arena.largest || size > store.largest;
  }

  #isRetained(row: number): boolean {
    const { table, arena } = this.#intake;
    return arena.holds(table.place[row] as number);
  }

  /** Writes the result of the inflated delta, of `size` bytes, to the arena: returns its size, TOO_LARGE or BASE_LEFT. */
  #apply(row: number, base: number, size: number): number {
    const { table, arena, store } = this.#intake;
    const offset = table.offset[row] as number;
    const { baseSize, resultSize, at } = sizesOf(store.inflated, size, offset);
    if (baseSize !== table.size[base]) throw badObject(offset, "delta does not fit its base");
    if (resultSize > arena.largest) return TOO_LARGE;
    const position = arena.reserve(resultSize);
    if (!this.#isRetained(base)) return BASE_LEFT;
    const { bytes } = arena;
    const baseAt = arena.at(table.place[base] as number);
    try {
      applyInstructions(bytes, baseAt, baseSize, store.inflated, at, size, bytes, arena.at(position), resultSize);
    } catch {
      throw badObject(offset, "failed to apply delta");
    }
    table.place[row] = position;
    this.#spend(resultSize);
    return resultSize;
  }

  #spend(bytes: number): void {
    this.#intake.work.spend(bytes, this.#file.size);
  }

  async #applyHolding(row: number, base: number, size: number): Promise<number> {
    const result = this.#apply(row, base, size);
    if (result !== BASE_LEFT) return result;
    // The base was the oldest object: rebuilt after the gap, it is the newest. The delta must be inflated again, too.
    await this.#hold(base);
    await this.#inflateDelta(row, size);
    return this.#apply(row, base, size);
  }

  /** Ensures that a resolved object is in the arena. */
  async #hold(row: number): Promise<void> {
    const { table, arena } = this.#intake;
    const missing: number[] = [];
    for (let at = row; at >= 0 && !arena.holds(table.place[at] as number); at = table.base[at] as number)
      missing.push(at);
    for (let at = missing.pop(); at !== undefined; at = missing.pop()) {
      const base = table.base[at] as number;
      if (base < 0) {
        const size = table.size[at] as number;
        const place = arena.reserve(size);
        await this.#inflateTo(at, size, arena.bytes, arena.at(place));
        table.place[at] = place;
      } else {
        // The table no longer has the size of a resolved delta: the entry has it.
        const size = await this.#statedSize(table.offset[at] as number);
        await this.#inflateDelta(at, size);
        await this.#applyHolding(at, base, size);
      }
    }
  }

  /** A delta retained from the first pass. */
  #inflateStored(row: number, size: number): boolean {
    const { table, store } = this.#intake;
    const place = -2 - (table.place[row] as number);
    if (place < 0) return false;
    const offset = table.offset[row] as number;
    this.#inflater.reset(size);
    const status = this.#run(offset, store.bytes, place, store.tail, store.inflated, 0, 0, size);
    if (status !== "done" || this.#inflater.outputAt !== size) throw notAsStated(offset);
    return true;
  }

  /** From the file. */
  async #inflateDelta(row: number, size: number): Promise<void> {
    const { store, table } = this.#intake;
    if (size > store.largest) throw notAsStated(table.offset[row] as number);
    await this.#inflateTo(row, size, store.inflated, 0);
  }

  async #statedSize(offset: number): Promise<number> {
    const bytes = this.#file.peek(offset) ?? (await this.#file.at(offset));
    let byte = bytes[0] as number;
    let size = byte & 15;
    for (let i = 1, scale = 16; byte >= 128; i++, scale *= 128) {
      byte = bytes[i] as number;
      size += (byte & 127) * scale;
    }
    return size;
  }

  async #inflateTo(row: number, size: number, into: Uint8Array, to: number): Promise<void> {
    const { table } = this.#intake;
    const offset = table.offset[row] as number;
    let at = offset + (table.header[row] as number);
    let out = to;
    this.#inflater.reset(size);
    let whole = await this.#file.whole(at, this.#endOf(row));
    for (;;) {
      const bytes = whole ?? this.#file.peek(at) ?? (await this.#file.at(at));
      whole = null;
      const status = this.#run(offset, bytes, 0, bytes.length, into, out, to, size);
      out = this.#inflater.outputAt;
      at += this.#inflater.inputAt;
      if (status === "done") break;
      if (status === "output" || bytes.length === 0) throw notAsStated(offset);
    }
    if (out !== to + size) throw notAsStated(offset);
    this.#spend(size);
    await this.#intake.work.checkpoint();
  }

  /** Where the next entry begins. */
  #endOf(row: number): number {
    const { table } = this.#intake;
    return row + 1 < table.count ? (table.offset[row + 1] as number) : this.#file.size - 20;
  }

  #run(
    offset: number,
    bytes: Uint8Array,
    from: number,
    end: number,
    into: Uint8Array,
    out: number,
    to: number,
    size: number,
  ) {
    try {
      return this.#inflater.inflate(bytes, from, end, into, out, to + size + MIN_ROOM, to);
    } catch (error) {
      if (error instanceof InflateError) throw badObject(offset, `inflate: data stream error (${error.message})`);
      throw error;
    }
  }
}

function sizesOf(bytes: Uint8Array, size: number, offset: number) {
  try {
    return deltaSizes(bytes, 0, size);
  } catch {
    throw badObject(offset, "failed to apply delta");
  }
}

function notAsStated(offset: number): GitError {
  return badObject(offset, "inflated data is not of its stated size");
}
