/**
 * The path filter of one walk. A walk knows names and types and may have read no inodes; the filter needs only these. Besides
 * filtering the walk, it predicts which directories are worth reading ahead: by the rules known so far, and uncounted.
 */
import { type Inode, S_IFDIR, S_IFREG } from "../tree/inode.ts";
import type { ReadView } from "../volume/views.ts";
import type { WalkEntry } from "../walk/walk.ts";
import { type GateOptions, PathFilter } from "./path-filter.ts";

/** The fields of a walk entry that a filter uses. */
export type FilterEntry = Pick<WalkEntry, "name" | "relative" | "depth" | "isDirectory" | "ino">;

const SOME_DIRECTORY: Inode = {
  ino: 0,
  mode: S_IFDIR,
  nlink: 1,
  size: 0,
  content: 0,
  target: null,
  mtime: 0,
  ctime: 0,
  birthtime: 0,
  rev: 0,
  contentRev: 0,
  parent: 0,
};
const SOME_FILE: Inode = { ...SOME_DIRECTORY, mode: S_IFREG };

export class WalkFilter {
  readonly #gate: PathFilter;
  readonly #seen = new SeenDirectory();
  /** Directories whose rules are known. */
  #depth = 1;
  #guessed = 0;

  /** `start`: where the walk starts, a path without symlinks. */
  constructor(volume: ReadView, start: string, options: GateOptions) {
    this.#gate = new PathFilter(volume, start, options);
  }

  get ignored(): number {
    return this.#gate.ignored - this.#guessed;
  }

  accepts(entry: FilterEntry): boolean {
    return this.#gate.accepts(this.#seen.show(entry, entry.isDirectory ? SOME_DIRECTORY : SOME_FILE));
  }

  /** Call when the walk enters an accepted directory. */
  enter(entry: FilterEntry): void {
    this.#gate.enter(this.#seen.show(entry, { ...SOME_DIRECTORY, ino: entry.ino }));
    this.#depth = entry.depth + 1;
  }

  /** An estimate: directories not read yet get the rules of the nearest known one. */
  readonly mayEnter = (relative: string, depth: number): boolean => {
    const before = this.#gate.ignored;
    const name = relative.slice(relative.lastIndexOf("/") + 1);
    const entry = { name, relative, depth: Math.min(depth, this.#depth), isDirectory: true, ino: 0 };
    const admitted = this.accepts(entry);
    this.#guessed += this.#gate.ignored - before;
    return admitted;
  };
}

/**
 * Applies ignore files to `glob` and `find` with `ignore: true`. It is off by default: `glob` is Node's and `find` is find(1)'s,
 * which have no ignore files, and code that relies on them must not lose files silently. `grep`, which follows ripgrep, has the
 * opposite default. Hidden names are up to the pattern, not this filter.
 */
export function createIgnoreFilter(volume: ReadView, start: string): WalkFilter {
  return new WalkFilter(volume, start, { ignore: true, hidden: true, overrides: null, cwd: start, types: null });
}

/** A reusable entry for the filter. Its path is built only if a rule needs it. */
class SeenDirectory implements WalkEntry {
  entry: FilterEntry = { name: "", relative: "", depth: 1, isDirectory: true, ino: 0 };
  inode: Inode = SOME_DIRECTORY;

  show(entry: FilterEntry, inode: Inode): this {
    this.entry = entry;
    this.inode = inode;
    return this;
  }

  get name(): string {
    return this.entry.name;
  }

  get relative(): string {
    return this.entry.relative;
  }

  get depth(): number {
    return this.entry.depth;
  }

  get isDirectory(): boolean {
    return this.entry.isDirectory;
  }

  get ino(): number {
    return this.entry.ino;
  }
}
