/** The directories of the metadata cache, with a running estimate of their bytes and the order of last use. */
import { type CachedDirectory, emptyDirectory, type Listing } from "./cached-directory.ts";

/** Measured on V8's heap: 101 bytes for a map entry with a name of 25 letters, 44 for its place in a listing of ten. */
const ENTRY_BYTES = 130;

export class Directories {
  readonly #table = new Map<number, CachedDirectory>();
  #entries = 0;
  #nameUnits = 0;
  #tick = 0;

  get bytes(): number {
    return this.#entries * ENTRY_BYTES + this.#nameUnits;
  }

  /** Does not count as a use. */
  get(ino: number): CachedDirectory | undefined {
    return this.#table.get(ino);
  }

  all(): Iterable<[ino: number, directory: CachedDirectory]> {
    return this.#table;
  }

  leastUsedFirst(): number[] {
    return [...this.#table].sort(([, a], [, b]) => a.used - b.used).map(([ino]) => ino);
  }

  use(directory: CachedDirectory): void {
    directory.used = ++this.#tick;
  }

  /** Returns the cached directory, or a new one with no known entries. */
  open(ino: number): CachedDirectory {
    let directory = this.#table.get(ino);
    if (directory === undefined) {
      directory = emptyDirectory();
      this.#table.set(ino, directory);
    }
    this.use(directory);
    return directory;
  }

  set(directory: CachedDirectory, name: string, ino: number): void {
    const before = directory.entries.get(name);
    if (before === ino) return;
    if (before === undefined) {
      this.#entries++;
      this.#nameUnits += name.length;
    }
    directory.entries.set(name, ino);
    directory.listing = null;
  }

  unset(directory: CachedDirectory, name: string): void {
    if (!directory.entries.delete(name)) return;
    directory.listing = null;
    this.#entries--;
    this.#nameUnits -= name.length;
  }

  /** Replaces the entries known so far with the complete listing. */
  fill(directory: CachedDirectory, listing: Listing): void {
    this.clear(directory);
    const { names, inos } = listing;
    for (let i = 0; i < names.length; i++) {
      const name = names[i] as string;
      directory.entries.set(name, inos[i] as number);
      this.#nameUnits += name.length;
    }
    this.#entries += names.length;
    directory.complete = true;
    directory.sorted = true;
    directory.listing = listing;
  }

  sort(directory: CachedDirectory, compare: (a: string, b: string) => number): void {
    if (directory.sorted) return;
    const present = [...directory.entries].filter(([, ino]) => ino !== 0).sort(([a], [b]) => compare(a, b));
    this.clear(directory);
    for (const [name, ino] of present) this.set(directory, name, ino);
    directory.sorted = true;
  }

  clear(directory: CachedDirectory): void {
    for (const name of directory.entries.keys()) this.#nameUnits -= name.length;
    this.#entries -= directory.entries.size;
    directory.entries.clear();
    directory.listing = null;
  }

  delete(ino: number): void {
    const directory = this.#table.get(ino);
    if (directory === undefined) return;
    this.clear(directory);
    this.#table.delete(ino);
  }

  drop(): void {
    this.#table.clear();
    this.#entries = 0;
    this.#nameUnits = 0;
  }
}
