/**
 * Cache of a repository's open packs between commands: their indexes, pages and objects. A command that uses it rescans the list
 * of packs; a replaced pack is reopened, detected by inode and version of its file. Between commands only a part is retained, so
 * that an idle object uses little memory.
 */
import type { FileSystem } from "@workspace/vfs";
import type { GitLimits } from "../limits.ts";
import { MemoryBudget } from "../memory/memory-budget.ts";
import type { Oid } from "../object/oid.ts";
import type { GitObject } from "./object-database.ts";
import { createPackCaches, type PackCaches, PackStore, type PackStoreContext } from "./pack-store.ts";

/** What each cache retains between commands, and the maximum for indexes. */
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
    // Packs outlive the file system of the command that opened them, which may be closed: they use the current one.
    const fs = new Proxy({} as FileSystem, { get: (_, name) => this.#current()[name as keyof FileSystem] });
    const readExternalBase = async (oid: Oid) => this.#elsewhere?.(oid) ?? null;
    this.#context = { fs, limits, memory: this.memory, caches: this.caches, readExternalBase };
  }

  /** Called when a command begins, or opens the repository again. */
  attach(fs: FileSystem): this {
    this.#fs = fs;
    for (const store of this.#stores.values()) store.markStale();
    return this;
  }

  /** Where to search a base that a pack lacks. */
  set readExternalBase(read: (oid: Oid) => Promise<GitObject | null>) {
    this.#elsewhere = read;
  }

  store(directory: string): PackStore {
    const store = this.#stores.get(directory) ?? new PackStore(this.#context, directory);
    this.#stores.set(directory, store);
    return store;
  }

  /** Called after the command. False: nothing worth retaining, or too much. */
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
    // A command that failed midway may not have released all its charges.
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
