/**
 * Directories and inodes in memory, so that metadata costs no statement. It holds only what the database holds: it changes after
 * a commit (`Mutation`), and is dropped when an enclosing transaction is taken back. Bounded by an estimate of its bytes; a
 * directory may be known in part (`complete` says), and one with very many entries is never held whole.
 */
import type { Database } from "../db/database.ts";
import { type Inode, isDirectory, ROOT_INO } from "../inode.ts";
import type { Limits } from "../limits.ts";
import type { KnownDirectory, View } from "../resolve.ts";
import {
  CHAIN_MAX,
  type NamedInode,
  selectChain,
  selectEntries,
  selectEntriesOf,
  selectInode,
} from "../store/inodes.ts";
import { PathMemory } from "./path-memory.ts";

export interface CachedDirectory {
  /** 0: known to be missing. */
  readonly entries: Map<string, number>;
  complete: boolean;
  /** Entries stand in byte order of names. */
  sorted: boolean;
  misses: number;
  /** Tried, and too large to hold. */
  tooLarge: boolean;
  used: number;
}

/** Measured on V8's heap: 92 bytes for a map entry with a name of 25 letters, 205 for an inode in its map; rounded up. */
const ENTRY_BYTES = 90;
const INODE_BYTES = 260;
/** Misses in one directory before it is read whole. */
const MISSES_BEFORE_LOAD = 2;

export class MetadataCache implements View {
  readonly paths = new PathMemory();
  readonly #db: Database;
  readonly #limits: Limits;
  readonly #inodes = new Map<number, Inode>();
  readonly #directories = new Map<number, CachedDirectory>();
  #entryCount = 0;
  #nameUnits = 0;
  #tick = 0;

  constructor(db: Database, limits: Limits) {
    this.#db = db;
    this.#limits = limits;
  }

  get bytes(): number {
    return this.#entryCount * ENTRY_BYTES + this.#nameUnits + this.#inodes.size * INODE_BYTES;
  }

  directoryAt(text: string): KnownDirectory | undefined {
    return this.paths.directoryAt(text);
  }

  rememberDirectory(text: string, directory: KnownDirectory): void {
    this.paths.rememberDirectory(text, directory);
  }

  drop(): void {
    this.paths.forget("all");
    this.#inodes.clear();
    this.#directories.clear();
    this.#entryCount = 0;
    this.#nameUnits = 0;
  }

  inode(ino: number): Inode | null {
    const known = this.#inodes.get(ino);
    if (known !== undefined) return known;
    const found = selectInode(this.#db, ino);
    if (found !== null) this.#inodes.set(ino, found);
    return found;
  }

  /** An entry of a directory. The names `ahead` from `at` on are fetched along when it has to ask the database. */
  lookup(directory: number, name: string, ahead: readonly string[] = [name], at = 0): Inode | null {
    let known = this.#directories.get(directory);
    if (known !== undefined) {
      known.used = ++this.#tick;
      const ino = known.entries.get(name);
      if (ino !== undefined) return ino === 0 ? null : this.inode(ino);
      if (known.complete) return null;
      if (++known.misses >= MISSES_BEFORE_LOAD && !known.tooLarge) {
        known = this.complete(directory);
        if (known !== undefined) {
          const loaded = known.entries.get(name);
          return loaded === undefined ? null : this.inode(loaded);
        }
      }
    }
    return this.#fetchChain(directory, ahead, at);
  }

  /** The directory with all its entries, or undefined when it has too many to hold. */
  complete(directory: number): CachedDirectory | undefined {
    const known = this.#directories.get(directory);
    if (known?.complete) {
      known.used = ++this.#tick;
      return known;
    }
    if (known?.tooLarge) return undefined;
    const limit = this.#limits.cachedDirectoryEntries;
    const entries = selectEntries(this.#db, directory, "", limit + 1);
    if (entries.length > limit) {
      this.#directory(directory).tooLarge = true;
      return undefined;
    }
    return this.#fill(directory, entries);
  }

  /** Reads many directories at once; those that do not fit the limit are left for later. */
  prefetch(directories: readonly number[]): void {
    const missing = directories.filter((ino) => {
      const known = this.#directories.get(ino);
      return known === undefined || !(known.complete || known.tooLarge);
    });
    if (missing.length < 2) return;
    const limit = this.#limits.cachedDirectoryEntries;
    const entries = selectEntriesOf(this.#db, missing, limit);
    const byParent = new Map<number, NamedInode[]>();
    for (const entry of entries) {
      const list = byParent.get(entry.parent);
      if (list === undefined) byParent.set(entry.parent, [entry]);
      else list.push(entry);
    }
    // With the limit reached, the last directory seen may be cut and those after it were not read.
    const cutAt = entries.length < limit ? missing.length : missing.indexOf((entries.at(-1) as NamedInode).parent);
    for (const ino of missing.slice(0, cutAt)) this.#fill(ino, byParent.get(ino) ?? []);
  }

  /** Entries of a complete directory in byte order. */
  sortedEntries(directory: CachedDirectory, compare: (a: string, b: string) => number): Map<string, number> {
    if (!directory.sorted) {
      const present = [...directory.entries].filter(([, ino]) => ino !== 0).sort(([a], [b]) => compare(a, b));
      for (const name of directory.entries.keys()) this.#nameUnits -= name.length;
      this.#entryCount -= directory.entries.size;
      directory.entries.clear();
      for (const [name, ino] of present) this.#set(directory, name, ino);
      directory.sorted = true;
    }
    return directory.entries;
  }

  /** Inodes and names that are not what the database has; none, or there is a defect. */
  disagreements(select: (ino: number) => Inode | null): string[] {
    const wrong: string[] = [];
    for (const inode of this.#inodes.values()) {
      if (JSON.stringify(select(inode.ino)) !== JSON.stringify(inode)) wrong.push(`inode ${inode.ino}`);
    }
    for (const [parent, { entries, complete }] of this.#directories) {
      const stored = new Map(
        selectEntries(this.#db, parent, "", Number.MAX_SAFE_INTEGER).map((entry) => [entry.name, entry.inode.ino]),
      );
      for (const [name, ino] of entries) if ((stored.get(name) ?? 0) !== ino) wrong.push(`name ${parent}/${name}`);
      if (complete)
        for (const name of stored.keys()) if (!entries.has(name)) wrong.push(`missing name ${parent}/${name}`);
    }
    return wrong;
  }

  // What follows is called after a commit only.

  putInode(inode: Inode): void {
    if (inode.nlink === 0 || (isDirectory(inode) && inode.parent === 0 && inode.ino !== ROOT_INO)) {
      this.#inodes.delete(inode.ino);
      this.#forget(inode.ino);
      return;
    }
    this.#inodes.set(inode.ino, inode);
    // A directory that was just made is known whole.
    if (inode.rev === inode.ino && isDirectory(inode) && !this.#directories.has(inode.ino))
      this.#directory(inode.ino).complete = true;
  }

  putEntry(directory: number, name: string, ino: number): void {
    const known = this.#directories.get(directory);
    if (known === undefined) {
      if (ino === 0) return;
      this.#set(this.#directory(directory), name, ino);
      return;
    }
    if (known.complete && ino === 0) this.#unset(known, name);
    else {
      if (!known.entries.has(name)) known.sorted = false;
      this.#set(known, name, ino);
    }
    if (known.entries.size > this.#limits.cachedDirectoryEntries) this.#tooLarge(known);
  }

  /** Makes room: the least recently used directories go, a quarter at a time. */
  trim(): void {
    if (this.bytes <= this.#limits.cacheBytes) return;
    const oldestFirst = [...this.#directories].sort(([, a], [, b]) => a.used - b.used);
    for (const [ino] of oldestFirst) {
      this.#forget(ino);
      if (this.bytes <= this.#limits.cacheBytes * 0.75) return;
    }
    this.#inodes.clear();
  }

  #fetchChain(directory: number, names: readonly string[], at: number): Inode | null {
    const ahead: string[] = [];
    for (let i = at; i < names.length && ahead.length < CHAIN_MAX && names[i] !== ".."; i++)
      ahead.push(names[i] as string);
    const found = selectChain(this.#db, directory, ahead);
    let parent = directory;
    for (let i = 0; i < ahead.length; i++) {
      const inode = found[i];
      const into = this.#directory(parent);
      this.#set(into, ahead[i] as string, inode?.ino ?? 0);
      into.sorted = false;
      if (inode === undefined) break;
      // What a mutation has put here since is newer only if it is committed, and then the database says the same.
      this.#inodes.set(inode.ino, inode);
      parent = inode.ino;
      if (!isDirectory(inode)) break;
    }
    const known = this.#directory(directory);
    if (known.entries.size > this.#limits.cachedDirectoryEntries) this.#tooLarge(known);
    this.trim();
    return found[0] ?? null;
  }

  #fill(ino: number, entries: readonly NamedInode[]): CachedDirectory {
    this.#forgetEntries(ino);
    const directory = this.#directory(ino);
    for (const { name, inode } of entries) {
      this.#set(directory, name, inode.ino);
      this.#inodes.set(inode.ino, inode);
    }
    directory.complete = true;
    directory.sorted = true;
    this.trim();
    return directory;
  }

  #directory(ino: number): CachedDirectory {
    let directory = this.#directories.get(ino);
    if (directory === undefined) {
      directory = { entries: new Map(), complete: false, sorted: true, misses: 0, tooLarge: false, used: 0 };
      this.#directories.set(ino, directory);
    }
    directory.used = ++this.#tick;
    return directory;
  }

  #set(directory: CachedDirectory, name: string, ino: number): void {
    if (!directory.entries.has(name)) {
      this.#entryCount++;
      this.#nameUnits += name.length;
    }
    directory.entries.set(name, ino);
  }

  #unset(directory: CachedDirectory, name: string): void {
    if (!directory.entries.delete(name)) return;
    this.#entryCount--;
    this.#nameUnits -= name.length;
  }

  /** Keeps the latest entries of a directory that has outgrown the limit. */
  #tooLarge(directory: CachedDirectory): void {
    directory.complete = false;
    directory.tooLarge = true;
    const surplus = directory.entries.size - this.#limits.cachedDirectoryEntries / 2;
    let i = 0;
    for (const [name, ino] of directory.entries) {
      if (i++ >= surplus) break;
      this.#unset(directory, name);
      this.#inodes.delete(ino);
    }
  }

  #forgetEntries(ino: number): void {
    const directory = this.#directories.get(ino);
    if (directory === undefined) return;
    for (const [name, child] of directory.entries) {
      this.#nameUnits -= name.length;
      this.#entryCount--;
      this.#inodes.delete(child);
    }
    directory.entries.clear();
  }

  #forget(ino: number): void {
    this.#forgetEntries(ino);
    this.#directories.delete(ino);
  }
}
