/**
 * Walks everything under a directory, one entry at a time, names in byte order. The entries of an entered directory come right
 * after it or, in path order, after the names that sort before its slash. Symlinks are not followed. The walker is its own entry,
 * so that none is allocated. Directories not in memory are read many at a time. No recursion: depth has no limit.
 *
 *     for (let step = walker.step(); step !== "end"; step = walker.step()) {
 *       if (step === "pause") await yieldToRequests();
 *       else if (walker.isDirectory && …) walker.enter();
 *     }
 */

import { FsError } from "../api/errors.ts";
import type { EntryDetail } from "../cache/metadata-cache.ts";
import { type Inode, ROOT_INO, TYPE_CODES, type TypeCode } from "../tree/inode.ts";
import type { ReadView } from "../volume/views.ts";
import { DirectoryFrame, type PendingDirectory } from "./directory-frame.ts";
import { directoriesAhead } from "./read-ahead.ts";

export interface WalkerOptions<State> {
  maxDepth?: number | undefined;
  /** Names and types are enough, unless inodes are requested. */
  what: EntryDetail;
  order?: "names" | "paths";
  /** More entries than this is EFBIG. */
  limit: number;
  /** For a walk that need not stop at each entry: the indexes to stop at, of a directory or of a page of it. */
  pick?: ((level: DirectoryFrame<State>) => readonly number[] | null) | undefined;
  /** Which directories are worth reading ahead, for a walk that will not enter all. A wrong answer costs only time. */
  mayEnter?: ((relative: string, depth: number) => boolean) | undefined;
}

/** Directories read with one statement: few at first, for a walk that ends soon. */
const FIRST_AHEAD = 16;
const MAX_AHEAD = 512;
/** The cost of an entry from the database, in entries from memory. */
const READ_WORK = 10;
/** Counted in entries, because a Worker's clock stands still: this many take some ten milliseconds. */
const WORK_BETWEEN_PAUSES = 50_000;
const SLASH = 0x2f;

export class Walker<State = undefined> {
  name = "";
  ino = 0;
  type: TypeCode = TYPE_CODES.file;
  /** Entries of the directories begun so far. */
  seen = 0;
  readonly #volume: ReadView;
  readonly #options: WalkerOptions<State>;
  readonly #maxDepth: number;
  readonly #byPath: boolean;
  readonly #levels: DirectoryFrame<State>[] = [];
  #level: DirectoryFrame<State> | undefined;
  /** Index of the entry in its level. */
  #index = 0;
  #ahead = FIRST_AHEAD;
  readonly #readBefore: number;
  #nextPause = WORK_BETWEEN_PAUSES;
  #stamp: string;

  constructor(volume: ReadView, start: Inode, options: WalkerOptions<State>) {
    this.#volume = volume;
    this.#options = options;
    this.#maxDepth = options.maxDepth ?? Number.POSITIVE_INFINITY;
    this.#byPath = options.order === "paths";
    this.#readBefore = volume.cache.entriesRead;
    this.#stamp = volume.revisions.stamp;
    if (this.#maxDepth > 0) this.#begin(new DirectoryFrame<State>(start.ino, "", null));
  }

  get isDirectory(): boolean {
    return this.type === TYPE_CODES.dir;
  }

  /** 1 for direct entries of the start. */
  get depth(): number {
    return this.#levels.length;
  }

  /** The directory of the entry. */
  get level(): DirectoryFrame<State> {
    return this.#level as DirectoryFrame<State>;
  }

  /** Path relative to the start of the walk, without a leading slash. */
  get relative(): string {
    return this.level.prefix + this.name;
  }

  get inode(): Inode {
    const { inodes } = this.level;
    const inode = inodes === null ? this.#volume.cache.inode(this.ino) : inodes[this.#index];
    if (inode) return inode;
    throw new FsError("EIO", { syscall: "scandir", path: this.relative, reason: "its inode is missing; run fsck()" });
  }

  /** Moves to the next entry. A walk over a very large tree returns "pause" periodically, so that other requests can run. */
  step(): "entry" | "pause" | "end" {
    for (let level = this.#level; level !== undefined; level = this.#level) {
      const { wanted, listing } = level;
      const index = level.next();
      if (wanted !== null && !(this.#byPath && sortsBeforeSlash(level, index, wanted.name))) {
        level.wanted = wanted.before;
        this.#open(level, wanted);
        if (this.#isPauseDue()) return "pause";
      } else if (index >= 0) {
        level.at++;
        this.#index = index;
        this.name = listing.names[index] as string;
        this.ino = listing.inos[index] as number;
        this.type = listing.types[index] as TypeCode;
        return "entry";
      } else if (level.more) {
        level.turnPage(this.#volume.ensureOpen(), this.#options.what);
        this.#survey(level);
        if (this.#isPauseDue()) return "pause";
      } else {
        this.#levels.pop();
        this.#level = this.#levels.at(-1);
      }
    }
    return "end";
  }

  /** For a walk that cannot wait: returns whether there was another entry. */
  next(): boolean {
    let step = this.step();
    while (step === "pause") step = this.step();
    return step === "entry";
  }

  /** Enters the current directory; false if the walk must not go that deep. Afterwards it is in memory, if it fits. */
  enter(): boolean {
    if (this.#levels.length >= this.#maxDepth) return false;
    const { level } = this;
    level.wanted = { name: this.name, ino: this.ino, before: level.wanted };
    if (!this.#byPath) this.#readAhead(this.ino);
    return true;
  }

  #begin(level: DirectoryFrame<State>): void {
    level.read(this.#volume, this.#options.what);
    this.#levels.push(level);
    this.#level = level;
    this.#survey(level);
  }

  /** Counts the entries that were read, and finds those to stop at. */
  #survey(level: DirectoryFrame<State>): void {
    const { limit, pick } = this.#options;
    this.seen += level.listing.names.length;
    if (this.seen > limit) throw tooMany(limit);
    if (pick !== undefined) level.picked = pick(level);
  }

  #isPauseDue(): boolean {
    const work = this.seen + READ_WORK * (this.#volume.cache.entriesRead - this.#readBefore);
    if (work < this.#nextPause) return false;
    this.#nextPause = work + WORK_BETWEEN_PAUSES;
    return true;
  }

  #open(level: DirectoryFrame<State>, { name, ino }: PendingDirectory): void {
    this.#volume.ensureOpen();
    if (!this.#isStillThere(level, name, ino)) return;
    this.#readAhead(ino);
    this.#begin(new DirectoryFrame(ino, name, level));
  }

  #readAhead(ino: number): void {
    const { what, mayEnter } = this.#options;
    const { cache } = this.#volume;
    if (!cache.isMissing(ino, what)) return;
    const requested = { what, mayEnter, maxDepth: this.#maxDepth };
    cache.prefetch([ino, ...directoriesAhead(cache, this.#levels, this.#ahead, requested)], what);
    this.#ahead = Math.min(this.#ahead * 4, MAX_AHEAD);
  }

  /** Other requests may have written since the walk last yielded: a moved or removed directory is left, with everything in it. */
  #isStillThere(level: DirectoryFrame<State>, name: string, ino: number): boolean {
    const { stamp } = this.#volume.revisions;
    if (stamp !== this.#stamp) {
      this.#stamp = stamp;
      for (const held of this.#levels) held.stale = true;
      const gone = this.#levels.findIndex((held) => !this.#isAt(held.above, held.name, held.ino));
      if (gone >= 0) {
        this.#levels.length = gone;
        this.#level = this.#levels.at(-1);
        return false;
      }
    }
    return !level.stale || this.#isAt(level, name, ino);
  }

  #isAt(above: DirectoryFrame<State> | null, name: string, ino: number): boolean {
    const { cache } = this.#volume;
    if (above !== null) return cache.lookup(above.ino, name)?.ino === ino;
    const start = cache.inode(ino);
    return start !== null && (ino === ROOT_INO || start.parent !== 0);
  }
}

/** Whether the next name sorts before what is in a directory, though after the directory itself: "a-b" before "a/". */
function sortsBeforeSlash({ listing, more }: DirectoryFrame<unknown>, index: number, directory: string): boolean {
  if (index < 0) return more;
  const name = listing.names[index] as string;
  return name.length > directory.length && name.charCodeAt(directory.length) < SLASH && name.startsWith(directory);
}

function tooMany(limit: number): FsError {
  return new FsError("EFBIG", { syscall: "scandir", reason: `more than ${limit} entries; narrow the search` });
}
