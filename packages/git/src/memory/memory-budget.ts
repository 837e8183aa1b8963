/**
 * Counts the bytes that the engine holds, as charged by their owners: caches, windows, buffers, tables. One budget per
 * repository; a charge over the limit first evicts caches, then fails.
 */
import { GitError } from "../errors.ts";

/** Frees up to `bytes` at once, and returns how much. */
type EvictBytes = (bytes: number) => number;

export class MemoryBudget {
  readonly limit: number;
  #live = 0;
  #peak = 0;
  readonly #caches = new Set<EvictBytes>();

  constructor(limit: number) {
    this.limit = limit;
  }

  get live(): number {
    return this.#live;
  }

  /** Peak usage. */
  get peak(): number {
    return this.#peak;
  }

  get free(): number {
    return this.limit - this.#live;
  }

  /** Registers a cache that can shrink; disposing the result unregisters it. */
  register(cache: EvictBytes): Disposable {
    this.#caches.add(cache);
    return { [Symbol.dispose]: () => this.#caches.delete(cache) };
  }

  charge(bytes: number, what: string): void {
    if (this.#live + bytes > this.limit) this.#reclaim(this.#live + bytes - this.limit);
    if (this.#live + bytes > this.limit)
      throw new GitError("ETOOBIG", `${what} needs ${bytes} bytes more than the memory limit of ${this.limit} leaves`);
    this.#live += bytes;
    if (this.#live > this.#peak) this.#peak = this.#live;
  }

  release(bytes: number): void {
    this.#live -= bytes;
  }

  /** Charged until disposed. */
  lease(bytes: number, what: string): Disposable {
    this.charge(bytes, what);
    let retained = true;
    return {
      [Symbol.dispose]: () => {
        if (retained) this.release(bytes);
        retained = false;
      },
    };
  }

  #reclaim(bytes: number): void {
    let wanted = bytes;
    for (const evict of this.#caches) {
      if (wanted <= 0) return;
      wanted -= evict(wanted);
    }
  }
}
