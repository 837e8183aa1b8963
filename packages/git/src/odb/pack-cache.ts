/**
 * What is open of a repository's packs, from one command to the next: their indexes, pages of them and objects that were read. A
 * command that takes it up looks again at what packs there are; one that was replaced is opened anew, by inode and version of
 * its file. Between commands only a part is kept, so that an idle object holds little.
 */
import type { FileSystem } from "@workspace/vfs";
import type { GitLimits } from "../limits.ts";
import { MemoryBudget } from "../memory/memory-budget.ts";
import type { GitObject } from "../object-database.ts";
import type { Oid } from "../oid.ts";
import { createPackCaches, type PackCaches, PackStore, type PackStoreContext } from "./pack-store.ts";

/** What each cache keeps between commands, and the most that indexes may take. */
const CACHED_PAGES = 2 * 1024 * 1024;
const CACHED_BASES = 2 * 1024 * 1024;
const CACHED_PARTS = 512 * 1024;
const CACHED_INDEXES = 4 * 1024 * 1024;

export class PackCache {
  readonly limits: GitLimits;
  readonly memory: MemoryBudget;
  readonly caches: PackCaches;
  readonly #stores = new Map<string, PackStore>();
  readonly #context: PackStoreContext;
  #fs: FileSystem | null = null;
  #elsewhere: ((oid: Oid) => Promise<GitObject | null>) | null = null;

  constructor(limits: GitLimits) {
    this.limits = limits;
    this.memory = new MemoryBudget(limits.memory);
    this.caches = createPackCaches(this.memory);
    // Packs live longer than the file system of the command that opened them, which may be stopped: they ask for today's.
    const fs = new Proxy({} as FileSystem, { get: (_, name) => this.#current()[name as keyof FileSystem] });
    const readExternalBase = async (oid: Oid) => this.#elsewhere?.(oid) ?? null;
    this.#context = { fs, limits, memory: this.memory, caches: this.caches, readExternalBase };
  }

  /** For the command that begins, or opens the repository once more. */
  attach(fs: FileSystem): this {
    this.#fs = fs;
    for (const store of this.#stores.values()) store.markStale();
    return this;
  }

  /** Where a base is looked for that a pack lacks. */
  set readExternalBase(read: (oid: Oid) => Promise<GitObject | null>) {
    this.#elsewhere = read;
  }

  store(directory: string): PackStore {
    const store = this.#stores.get(directory) ?? new PackStore(this.#context, directory);
    this.#stores.set(directory, store);
    return store;
  }

  /** After the command. False: there is nothing here worth keeping, or more than may be kept. */
  detach(): boolean {
    this.#fs = null;
    this.#elsewhere = null;
    const { pages, bases, parts } = this.caches;
    pages.shrink(CACHED_PAGES);
    bases.shrink(CACHED_BASES);
    parts.shrink(CACHED_PARTS);
    let indexes = 0;
    for (const store of this.#stores.values()) indexes += store.held;
    if (indexes > CACHED_INDEXES) return false;
    // Whoever failed in the middle may not have given back all it had charged.
    return this.memory.live === indexes + pages.bytes + bases.bytes + parts.bytes;
  }

  get bytes(): number {
    return this.memory.live;
  }

  #current(): FileSystem {
    if (this.#fs === null) throw new Error("the command that had these packs has ended");
    return this.#fs;
  }
}
