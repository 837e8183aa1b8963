/**
 * LRU cache bounded by bytes, which are charged to the `MemoryBudget`. Cache eviction removes the least recently used entries
 * first; a Map holds that order.
 */
import type { MemoryBudget } from "./memory-budget.ts";

/** Approximate size of a Map entry and its object. */
const OVERHEAD = 96;

export class ByteCache<Key, Value> {
  readonly #memory: MemoryBudget;
  readonly #limit: number;
  readonly #name: string;
  readonly #entries = new Map<Key, { readonly value: Value; readonly bytes: number }>();
  readonly #dropped: (value: Value) => void;
  #bytes = 0;

  /** `dropped` is called for each evicted value; a caller may still be about to use it. */
  constructor(memory: MemoryBudget, limit: number, name: string, dropped: (value: Value) => void = () => {}) {
    this.#memory = memory;
    this.#limit = limit;
    this.#name = name;
    this.#dropped = dropped;
    memory.register((bytes) => this.#evict(bytes));
  }

  get bytes(): number {
    return this.#bytes;
  }

  get(key: Key): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  /** Too large for the cache. */
  set(key: Key, value: Value, size: number): void {
    const bytes = size + OVERHEAD;
    if (bytes > this.#limit / 2) return;
    this.delete(key);
    if (this.#bytes + bytes > this.#limit) this.#evict(this.#bytes + bytes - this.#limit);
    if (bytes > this.#memory.free && this.#evict(bytes - this.#memory.free) === 0) return;
    this.#memory.charge(bytes, this.#name);
    this.#entries.set(key, { value, bytes });
    this.#bytes += bytes;
  }

  delete(key: Key): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#bytes -= entry.bytes;
    this.#memory.release(entry.bytes);
    this.#dropped(entry.value);
  }

  /** Evicts down to this many bytes, the least recently used first. */
  shrink(bytes: number): void {
    if (this.#bytes > bytes) this.#evict(this.#bytes - bytes);
  }

  #evict(bytes: number): number {
    let freed = 0;
    for (const [key, entry] of this.#entries) {
      if (freed >= bytes) break;
      freed += entry.bytes;
      this.delete(key);
    }
    return freed;
  }
}
