/**
 * Directories and inodes in memory, so that metadata costs no statement. It holds only what the database holds: it changes after a
 * commit (`Mutation`) and is dropped when an enclosing transaction rolls back. Cache eviction removes the least recently used
 * directories when an estimate of the bytes exceeds the limit. A directory may be known in part (see `loadComplete`); one with very
 * many entries is never cached whole.
 */

import type { Limits } from "../api/limits.ts";
import { CHAIN_MAX } from "../store/inodes.ts";
import { type Inode, isDirectory, ROOT_INO } from "../tree/inode.ts";
import type { KnownDirectory, NameLookup } from "../tree/resolve.ts";
import type { NamedInode, Tree } from "../tree/tree.ts";
import { type CachedDirectory, type Listing, listEntries } from "./cached-directory.ts";
import { Directories } from "./directories.ts";
import { disagreementsOf } from "./disagreements.ts";
import { PathCache } from "./path-cache.ts";
import { listInodes, readAllNames, readInodes, readNames } from "./read-directories.ts";

/** Measured on V8's heap: 205 for an inode in its map; rounded up. */
const INODE_BYTES = 260;
/** Misses in one directory before the whole directory is read. */
const MISSES_BEFORE_LOAD = 2;
/** Inodes per statement. */
const INODES_AT_ONCE = 4096;

/** What a caller needs of a directory. Names and types alone read half the rows. */
export type EntryDetail = "names" | "inodes";

/**
 * The cache interface of the verbs; a restricted view (`policy/restricted-cache.ts`) implements it for the entries that it shows.
 */
export type MetadataView = { [Member in keyof MetadataCache]: MetadataCache[Member] };

export class MetadataCache implements NameLookup {
  readonly paths = new PathCache();
  /** Directory entries read from the database so far. */
  entriesRead = 0;
  readonly #tree: Tree;
  readonly #limits: Limits;
  readonly #inodes = new Map<number, Inode>();
  readonly #directories = new Directories();

  constructor(tree: Tree, limits: Limits) {
    this.#tree = tree;
    this.#limits = limits;
  }

  get bytes(): number {
    return this.#directories.bytes + this.#inodes.size * INODE_BYTES;
  }

  cachedDirectory(text: string): KnownDirectory | undefined {
    return this.paths.directoryAt(text);
  }

  rememberDirectory(text: string, directory: KnownDirectory): void {
    this.paths.rememberDirectory(text, directory);
  }

  drop(): void {
    this.paths.forget("all");
    this.#inodes.clear();
    this.#directories.drop();
  }

  inode(ino: number): Inode | null {
    const known = this.#inodes.get(ino);
    if (known !== undefined) return known;
    const found = this.#tree.inode(ino);
    if (found !== null) this.#inodes.set(ino, found);
    return found;
  }

  /** Returns an inode only if it is in memory. */
  known(ino: number): Inode | undefined {
    return this.#inodes.get(ino);
  }

  /** Returns many inodes; reads those not in memory with few statements. Null where there is none. */
  inodesOf(inos: readonly number[]): (Inode | null)[] {
    const all = inos.map((ino) => this.#inodes.get(ino) ?? null);
    if (!all.includes(null)) return all;
    const missing = inos.filter((_, at) => all[at] === null);
    const found = new Map<number, Inode>();
    for (let at = 0; at < missing.length; at += INODES_AT_ONCE) {
      for (const inode of this.#tree.inodes(missing.slice(at, at + INODES_AT_ONCE))) found.set(inode.ino, inode);
    }
    // Caching more than fits would only evict entries in use.
    const fits = this.bytes + found.size * INODE_BYTES <= this.#limits.cacheBytes;
    if (fits) for (const [ino, inode] of found) this.#inodes.set(ino, inode);
    return all.map((inode, at) => inode ?? found.get(inos[at] as number) ?? null);
  }

  /** Looks up an entry of a directory. A database read also fetches the names in `ahead`, from index `at` on. */
  lookup(directory: number, name: string, ahead: readonly string[] = [name], at = 0): Inode | null {
    let known = this.#directories.get(directory);
    if (known !== undefined) {
      this.#directories.use(known);
      const ino = known.entries.get(name);
      if (ino === 0 || (ino === undefined && known.complete)) return null;
      const inode = ino === undefined ? undefined : this.#inodes.get(ino);
      if (inode !== undefined) return inode;
      if (ino !== undefined && !known.namesOnly) return this.inode(ino);
      if (++known.misses >= MISSES_BEFORE_LOAD && !known.tooLarge) {
        known = this.loadComplete(directory);
        if (known !== undefined) {
          const loaded = known.entries.get(name);
          return loaded === undefined ? null : this.inode(loaded);
        }
      }
    }
    return this.#fetchChain(directory, ahead, at);
  }

  /** The directory with all its entries and their inodes, or undefined when it has too many to cache. */
  loadComplete(directory: number): CachedDirectory | undefined {
    const known = this.#directories.get(directory);
    if (known?.complete && !known.namesOnly) {
      this.#directories.use(known);
      return known;
    }
    if (known?.tooLarge) return undefined;
    const limit = this.#limits.cachedDirectoryEntries;
    const entries = this.#tree.entries(directory, "", limit + 1);
    if (entries.length > limit) {
      this.#directories.open(directory).tooLarge = true;
      return undefined;
    }
    return this.#fill(directory, entries);
  }

  /** The entries of a directory for a walk, without their inodes, or undefined when there are too many to cache. */
  listing(directory: number): Listing | undefined {
    const known = this.#directories.get(directory);
    if (known?.tooLarge) return undefined;
    if (!known?.complete) return this.#loadNames(directory);
    this.#directories.use(known);
    return known.listing ?? this.#list(known) ?? this.#loadNames(directory);
  }

  /** Whether listing a directory (with its inodes, if wanted) needs a read. False for one too large to cache. */
  isMissing(directory: number, what: EntryDetail): boolean {
    const known = this.#directories.get(directory);
    if (known === undefined) return true;
    return !known.tooLarge && (!known.complete || (what === "inodes" && known.namesOnly));
  }

  /** Reads many directories with one statement; leaves out those beyond its limit. */
  prefetch(directories: readonly number[], what: EntryDetail): void {
    const missing = directories.filter((ino) => this.isMissing(ino, what));
    if (missing.length < 2) return;
    if (what === "names") {
      for (const [ino, listing] of readNames(this.#tree, missing)) this.#fillNames(ino, listing);
    } else {
      const found = readInodes(this.#tree, missing, this.#limits.cachedDirectoryEntries);
      for (const [ino, entries] of found) this.#fill(ino, entries);
    }
  }

  /** Entries of a complete directory in byte order. */
  sortedEntries(directory: CachedDirectory, compare: (a: string, b: string) => number): Map<string, number> {
    this.#directories.sort(directory, compare);
    return directory.entries;
  }

  /** Inodes and names that differ from the database. Any entry is a defect. */
  findStaleEntries(): string[] {
    return disagreementsOf(this.#tree, this.#inodes, this.#directories.all());
  }

  // The methods below are called only after a commit.

  putInode(inode: Inode): void {
    if (inode.nlink === 0 || (isDirectory(inode) && inode.parent === 0 && inode.ino !== ROOT_INO)) {
      this.#inodes.delete(inode.ino);
      this.#forget(inode.ino);
      return;
    }
    this.#inodes.set(inode.ino, inode);
  }

  /** Call for a new directory before its entries are put: it is known to be complete, and stays so as they are put. */
  putNewDirectory(ino: number): void {
    if (this.#directories.get(ino) === undefined) this.#directories.open(ino).complete = true;
  }

  putEntry(directory: number, name: string, ino: number): void {
    const known = this.#directories.get(directory);
    if (known === undefined) {
      if (ino === 0) return;
      this.#directories.set(this.#directories.open(directory), name, ino);
      return;
    }
    if (known.complete && ino === 0) this.#directories.unset(known, name);
    else {
      if (!known.entries.has(name)) known.sorted = false;
      this.#directories.set(known, name, ino);
    }
    if (known.entries.size > this.#limits.cachedDirectoryEntries) this.#shrink(known);
  }

  /** Cache eviction: drops the least recently used directories until a quarter of the limit is free; the last one used stays. */
  evict(): void {
    if (this.bytes <= this.#limits.cacheBytes) return;
    for (const ino of this.#directories.leastUsedFirst().slice(0, -1)) {
      this.#forget(ino);
      if (this.bytes <= this.#limits.cacheBytes * 0.75) return;
    }
    this.#inodes.clear();
  }

  #fetchChain(directory: number, names: readonly string[], at: number): Inode | null {
    const ahead: string[] = [];
    for (let i = at; i < names.length && ahead.length < CHAIN_MAX && names[i] !== ".."; i++)
      ahead.push(names[i] as string);
    const found = this.#tree.walkNames(directory, ahead);
    let parent = directory;
    for (let i = 0; i < ahead.length; i++) {
      const inode = found[i];
      const into = this.#directories.open(parent);
      if (!into.entries.has(ahead[i] as string)) into.sorted = false;
      this.#directories.set(into, ahead[i] as string, inode?.ino ?? 0);
      if (inode === undefined) break;
      // If a mutation has put a newer inode here, it is committed, and the database has the same.
      this.#inodes.set(inode.ino, inode);
      parent = inode.ino;
      if (!isDirectory(inode)) break;
    }
    const known = this.#directories.open(directory);
    if (known.entries.size > this.#limits.cachedDirectoryEntries) this.#shrink(known);
    this.evict();
    return found[0] ?? null;
  }

  /** Null when an inode that provides a type is not in memory. */
  #list(directory: CachedDirectory): Listing | null {
    const listing = listEntries(directory.entries, this.#inodes);
    if (listing !== null) this.#directories.fill(directory, listing);
    return listing;
  }

  #loadNames(directory: number): Listing | undefined {
    const listing = readAllNames(this.#tree, directory, this.#limits.cachedDirectoryEntries);
    if (listing !== null) return this.#fillNames(directory, listing);
    this.#directories.open(directory).tooLarge = true;
    return undefined;
  }

  #fill(ino: number, entries: readonly NamedInode[]): CachedDirectory {
    const directory = this.#directories.open(ino);
    this.#forgetInodes(directory);
    for (const { inode } of entries) this.#inodes.set(inode.ino, inode);
    this.#directories.fill(directory, listInodes(entries));
    this.entriesRead += entries.length;
    directory.namesOnly = false;
    this.evict();
    return directory;
  }

  /** Inodes already in memory stay: the names that led to them are the same. */
  #fillNames(ino: number, listing: Listing): Listing {
    const directory = this.#directories.open(ino);
    this.#directories.fill(directory, listing);
    this.entriesRead += listing.names.length;
    directory.namesOnly = true;
    this.evict();
    return listing;
  }

  /** Keeps the latest entries of a directory that has outgrown the limit. */
  #shrink(directory: CachedDirectory): void {
    directory.complete = false;
    directory.tooLarge = true;
    const surplus = directory.entries.size - this.#limits.cachedDirectoryEntries / 2;
    let i = 0;
    for (const [name, ino] of directory.entries) {
      if (i++ >= surplus) break;
      this.#directories.unset(directory, name);
      this.#inodes.delete(ino);
    }
  }

  #forget(ino: number): void {
    const directory = this.#directories.get(ino);
    if (directory === undefined) return;
    this.#forgetInodes(directory);
    this.#directories.delete(ino);
  }

  #forgetInodes({ entries }: CachedDirectory): void {
    for (const child of entries.values()) this.#inodes.delete(child);
  }
}
