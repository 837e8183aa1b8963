/**
 * Writes the files of a commit as its pack arrives: every object is inflated then for hashing, and a checkout would have to read
 * and inflate it again. A pack begins with its newest commit and that commit's tree, each directory before its contents; objects of
 * other commits follow as far as they differ. So it awaits what the newest commit and the wanted one name: a blob that came before
 * its tree, or is too large, is read from the pack by the checkout. Contents are staged without names: a pack is untrusted until
 * all of it is verified, and unclaimed contents are freed.
 */
import type { DetachedContentStore, DetachedContents } from "@workspace/vfs";
import { OidTable } from "../hash/oid-table.ts";
import type { MemoryBudget } from "../memory/memory-budget.ts";
import { modeType } from "../object/file-mode.ts";
import { LINK_KINDS, visitLinks } from "../object/link-names.ts";
import type { Oid } from "../object/oid.ts";
import { typeOfCode } from "../pack/entry-header.ts";
import type { NamedObjects, PackObserver } from "../pack/pack-observer.ts";

/** Approximate overhead of a content: many small ones are staged as often as few large ones. */
const OVERHEAD = 256;
/** Bytes of an awaited id with its slot in the table of ids; charged for `AWAITED_STEP` ids at a time. */
const AWAITED_BYTES = 20 + 1 + 16 + 4;
const AWAITED_STEP = 1024;
/** Maximum share of the memory budget. */
const SHARE = 1 / 24;

/** A file, executable or not, in the mode of a tree's entry. */
const REGULAR = 0o100000;

export interface EarlyFile {
  readonly contents: DetachedContents;
  readonly index: number;
  /** They arrive in this order. */
  readonly number: number;
}

interface StagedBatch {
  readonly contents: DetachedContents;
  /** The number of the first. */
  readonly start: number;
}

export class BlobPrewriter implements PackObserver, Disposable {
  readonly #staging: DetachedContentStore;
  readonly #memory: MemoryBudget;
  readonly #largest: number;
  readonly #awaited = new OidTable();
  /** By row of the awaited ids: the number of its content, or -1. */
  #numbers = new Int32Array(0);
  /** Rows of the pack's table whose contents are to be staged, and their total bytes. */
  #pending: number[] = [];
  #bytes = 0;
  readonly #staged: StagedBatch[] = [];
  #count = 0;
  #hasNewest = false;

  /** `tip`: the commit, or a tag of it. */
  constructor(staging: DetachedContentStore, memory: MemoryBudget, tip: Oid) {
    this.#staging = staging;
    this.#memory = memory;
    this.#largest = staging.detachedBytes();
    if (this.#hasRoom()) this.#awaited.flags[this.#awaited.add(tip)] = LINK_KINDS.commit;
  }

  onObject({ table, arena }: NamedObjects, row: number): void {
    const type = typeOfCode(table.type[row] as number);
    const awaited = this.#awaited.findBytes(table.names, row * 20);
    const isNewest = type === "commit" && !this.#hasNewest;
    if (isNewest) this.#hasNewest = true;
    if (awaited < 0 && !isNewest) return;
    const as = isNewest ? LINK_KINDS.commit : (this.#awaited.flags[awaited] as number);
    const size = table.size[row] as number;
    const at = arena.at(table.place[row] as number);
    if (type === "blob" && as === LINK_KINDS.blob) {
      if (size === 0 || size > this.#largest) return;
      this.#pending.push(row);
      this.#bytes += size + OVERHEAD;
      return;
    }
    if (type === undefined || (as !== LINK_KINDS[type] && type !== "tag")) return;
    const isOfHistory = type === "commit";
    visitLinks(type, arena.bytes, at, at + size, (bytes, nameAt, kind, mode) => {
      const isWanted = kind !== LINK_KINDS.blob || modeType(mode) === REGULAR;
      if (isWanted && !(isOfHistory && kind === LINK_KINDS.commit)) this.#await(bytes, nameAt, kind);
    });
  }

  flush({ table, arena }: NamedObjects, all: boolean): Promise<void> | null {
    if (this.#pending.length === 0) return null;
    if (!all && this.#bytes < arena.capacity / 4) return null;
    const rows = this.#pending.filter((row) => arena.holds(table.place[row] as number));
    this.#pending = [];
    this.#bytes = 0;
    return this.#stage(table.names, rows, (row) => {
      const at = arena.at(table.place[row] as number);
      return arena.bytes.subarray(at, at + (table.size[row] as number));
    });
  }

  /** Null: it must be read from the pack. */
  find(oid: Oid): EarlyFile | null {
    const awaited = this.#awaited.find(oid);
    const number = awaited < 0 ? -1 : (this.#numbers[awaited] as number);
    if (number < 0) return null;
    let low = 0;
    for (let high = this.#staged.length - 1; low < high; ) {
      const middle = (low + high + 1) >>> 1;
      if ((this.#staged[middle]?.start as number) <= number) low = middle;
      else high = middle - 1;
    }
    const { contents, start } = this.#staged[low] as StagedBatch;
    return { contents, index: number - start, number };
  }

  [Symbol.dispose](): void {
    for (const { contents } of this.#staged.splice(0)) contents[Symbol.dispose]();
    this.#memory.release(this.#numbers.length * AWAITED_BYTES);
    this.#numbers = new Int32Array(0);
  }

  async #stage(names: Uint8Array, rows: readonly number[], bodyOf: (row: number) => Uint8Array): Promise<void> {
    if (rows.length === 0) return;
    this.#staged.push({ contents: await this.#staging.stage(rows.map(bodyOf)), start: this.#count });
    for (const row of rows) this.#numbers[this.#awaited.findBytes(names, row * 20)] = this.#count++;
  }

  #await(name: Uint8Array, at: number, as: number): void {
    if (!this.#hasRoom()) return;
    this.#awaited.flags[this.#awaited.addBytes(name, at)] = as;
  }

  #hasRoom(): boolean {
    const { length } = this.#numbers;
    if (this.#awaited.count < length) return true;
    const bytes = AWAITED_STEP * AWAITED_BYTES;
    if (length * AWAITED_BYTES + bytes > this.#memory.limit * SHARE || bytes > this.#memory.free) return false;
    this.#memory.charge(bytes, "the names of files that are awaited");
    const numbers = new Int32Array(length + AWAITED_STEP).fill(-1, length);
    numbers.set(this.#numbers);
    this.#numbers = numbers;
    return true;
  }
}
