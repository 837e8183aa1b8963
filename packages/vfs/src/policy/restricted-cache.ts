/**
 * The metadata of a volume without the entries that a policy hides. It holds no metadata but filters the volume's cache, so it is
 * never stale. It caches only the paths of directories, until one moves. Resolved paths are cached apart from the volume: an
 * unrestricted principal may have followed a hidden link.
 */
import type { PathRules } from "@workspace/glob";
import { type CachedDirectory, emptyDirectory, type Listing, makeListing } from "../cache/cached-directory.ts";
import type { EntryDetail, MetadataView } from "../cache/metadata-cache.ts";
import { PathCache } from "../cache/path-cache.ts";
import { type Inode, isDirectory, ROOT_INO } from "../tree/inode.ts";
import { compareNames, joinPath } from "../tree/path.ts";
import type { KnownDirectory } from "../tree/resolve.ts";
import type { ReadView } from "../volume/views.ts";
import { allListed } from "../walk/listed.ts";

/** Maximum number of cached directory paths. */
const MAX_DIRECTORIES = 100_000;

export class RestrictedCache implements MetadataView {
  readonly #volume: ReadView;
  readonly #rules: PathRules;
  readonly #memory = new PathCache();
  #generation = -1;
  #moves = -1;
  readonly #directories = new Map<number, string>();
  #listings = new WeakMap<Listing, Listing>();

  constructor(volume: ReadView, rules: PathRules) {
    this.#volume = volume;
    this.#rules = rules;
  }

  get #all(): MetadataView {
    return this.#volume.cache;
  }

  get paths(): PathCache {
    const { generation } = this.#all.paths;
    if (generation !== this.#generation) this.#memory.forget("all");
    this.#generation = generation;
    return this.#memory;
  }

  cachedDirectory(text: string): KnownDirectory | undefined {
    return this.paths.directoryAt(text);
  }

  rememberDirectory(text: string, directory: KnownDirectory): void {
    this.paths.rememberDirectory(text, directory);
  }

  lookup(directory: number, name: string, ahead?: readonly string[], at?: number): Inode | null {
    const path = this.pathOf(directory);
    if (path === null || !this.isShown(path, name)) return null;
    const found = this.#all.lookup(directory, name, ahead, at);
    if (found !== null && isDirectory(found)) this.#remember(found.ino, joinPath(path, name));
    return found;
  }

  listing(directory: number): Listing | undefined {
    const path = this.pathOf(directory);
    if (path === null) return NO_ENTRIES;
    const all = this.#all.listing(directory);
    if (all === undefined) return undefined;
    let shown = this.#listings.get(all);
    if (shown === undefined) this.#listings.set(all, (shown = this.#filter(path, all)));
    return shown;
  }

  loadComplete(directory: number): CachedDirectory | undefined {
    const path = this.pathOf(directory);
    if (path === null) return { ...emptyDirectory(), complete: true };
    const all = this.#all.loadComplete(directory);
    if (all === undefined) return undefined;
    const entries = new Map<string, number>();
    for (const [name, ino] of this.#all.sortedEntries(all, compareNames))
      if (ino !== 0 && this.isShown(path, name)) entries.set(name, ino);
    return { ...all, entries, sorted: true, listing: null };
  }

  /** `loadComplete` returns them in order. */
  sortedEntries({ entries }: CachedDirectory): Map<string, number> {
    return entries;
  }

  /** Whether an entry of the directory at a path is visible. */
  isShown(directory: string, name: string): boolean {
    const seen = this.#rules.visibility(joinPath(directory, name));
    return seen === "visible" || seen === "above";
  }

  /** Null: the directory is in a removed tree. */
  pathOf(ino: number): string | null {
    if (this.#moves !== this.#all.paths.moves) {
      this.#moves = this.#all.paths.moves;
      this.#directories.clear();
      this.#listings = new WeakMap();
    }
    if (ino === ROOT_INO) return "/";
    const known = this.#directories.get(ino);
    if (known !== undefined) return known;
    const parent = this.#all.inode(ino)?.parent ?? 0;
    const above = parent === 0 ? null : this.pathOf(parent);
    if (above === null) return null;
    const name = allListed(this.#volume.tree, parent).find(([, , child]) => child === ino)?.[1];
    if (name === undefined) return null;
    this.#remember(ino, joinPath(above, name));
    return joinPath(above, name);
  }

  #remember(ino: number, path: string): void {
    if (this.#directories.size >= MAX_DIRECTORIES) this.#directories.clear();
    this.#directories.set(ino, path);
  }

  #filter(path: string, all: Listing): Listing {
    const { names, inos, types } = all;
    const isShown = (_: unknown, at: number) => this.isShown(path, names[at] as string);
    const shown = names.every(isShown)
      ? all
      : makeListing(names.filter(isShown), inos.filter(isShown), types.filter(isShown));
    for (const at of shown.directories)
      this.#remember(shown.inos[at] as number, joinPath(path, shown.names[at] as string));
    return shown;
  }

  // An inode is looked up by number only after a name has led to it.

  inode(ino: number): Inode | null {
    return this.#all.inode(ino);
  }

  known(ino: number): Inode | undefined {
    return this.#all.known(ino);
  }

  inodesOf(inos: readonly number[]): (Inode | null)[] {
    return this.#all.inodesOf(inos);
  }

  isMissing(directory: number, what: EntryDetail): boolean {
    return this.#all.isMissing(directory, what);
  }

  prefetch(directories: readonly number[], what: EntryDetail): void {
    this.#all.prefetch(directories, what);
  }

  get entriesRead(): number {
    return this.#all.entriesRead;
  }

  set entriesRead(count: number) {
    this.#all.entriesRead = count;
  }

  get bytes(): number {
    return this.#all.bytes;
  }

  findStaleEntries(): string[] {
    return this.#all.findStaleEntries();
  }

  drop(): void {
    this.#all.drop();
  }

  evict(): void {
    this.#all.evict();
  }

  putInode(inode: Inode): void {
    this.#all.putInode(inode);
  }

  putNewDirectory(ino: number): void {
    this.#all.putNewDirectory(ino);
  }

  putEntry(directory: number, name: string, ino: number): void {
    this.#all.putEntry(directory, name, ino);
  }
}

const NO_ENTRIES = makeListing([], [], []);
