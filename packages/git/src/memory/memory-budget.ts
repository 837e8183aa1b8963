/**
 * What the engine holds, in bytes, by the word of those who hold it: caches, windows, buffers, tables. One accountant for one
 * repository; who would go over the limit first makes the caches give back, then is refused.
 */
import { GitError } from "../errors.ts";

/** Frees what it can of `bytes`, at once, and says how much. */
export type EvictBytes = (bytes: number) => number;

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

  /** The most there ever was. */
  get peak(): number {
    return this.#peak;
  }

  get free(): number {
    return this.limit - this.#live;
  }

  /** A cache that may be asked to shrink; disposing the result takes it off the list. */
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
    for (const giveBack of this.#caches) {
      if (wanted <= 0) return;
      wanted -= giveBack(wanted);
    }
  }
}
