/**
 * Looks at every entry that is synced, by paths from the root, where it works meanwhile (`chdir`): a short path is looked up twice as
 * fast. It never awaits, so nobody else sees the working directory change. A command that swaps a directory for a link while this
 * goes on can make a look go astray; so names are read only in directories that are held open, and what is told of an entry comes
 * from a second look through such a directory, or, of a file, is compared with the very file that is read.
 */
import { lstatSync, readlinkSync, type Stats } from "node:fs";
import { type EntryKind, PRIVATE_DIRECTORY, type Skipped, SYNC_LIMITS } from "@workspace/protocol";
import type { Pins } from "../jail/pins.ts";
import type { Listing } from "./listings.ts";
import { type Known, kindOf, sameLooks } from "./manifest.ts";
import { splitPath, type Tree } from "./tree.ts";

export interface Changed {
  path: string;
  type: EntryKind;
  stat: Stats;
  target: string | null;
  known: Known | undefined;
}

export interface Walked {
  entries: number;
  bytes: number;
  seen: number;
  changed: Changed[];
  skipped: Skipped[];
  /** Directories, with a slash, that could not be listed: what is known below them is not gone. */
  unread: string[];
  /** Entries below each name at the top, to say where a runaway tree is. */
  largest: { path: string; entries: number };
}

const REPLACEMENT = "\ufffd";

export interface WalkOptions {
  /** Of the scan. */
  number: number;
  maxEntries: number;
  /** The disk's time before it began. */
  now: number;
}

export function walkTree(tree: Tree, options: WalkOptions): Walked {
  process.chdir(tree.root.path);
  try {
    using pins = tree.pins();
    return new Walk(tree, pins, options).run();
  } finally {
    process.chdir("/");
  }
}

class Walk {
  readonly #tree: Tree;
  readonly #pins: Pins;
  readonly #options: WalkOptions;
  readonly #walked: Walked = {
    entries: 0,
    bytes: 0,
    seen: 0,
    changed: [],
    skipped: [],
    unread: [],
    largest: { path: "", entries: 0 },
  };

  constructor(tree: Tree, pins: Pins, options: WalkOptions) {
    this.#tree = tree;
    this.#pins = pins;
    this.#options = options;
  }

  run(): Walked {
    this.#visit("", lstatSync("."), 0);
    return this.#walked;
  }

  get #isOver(): boolean {
    return this.#walked.entries > this.#options.maxEntries;
  }

  #visit(prefix: string, stat: Stats, depth: number): void {
    const walked = this.#walked;
    const listing = this.#tree.listings.find(prefix, stat) ?? this.#read(prefix);
    if (listing === null) return;
    for (const path of listing.unfit) skip(walked, path, "the name is not UTF-8");
    const directories: [string, Stats][] = [];
    for (const path of listing.paths) {
      if (this.#isOver) return;
      const found = this.#stat(path, prefix);
      if (found === "astray") return;
      if (found !== undefined && this.#look(path, found)) directories.push([path, found]);
    }
    for (const [path, found] of directories) {
      if (this.#isOver) return;
      const before = walked.entries;
      if (depth + 2 > SYNC_LIMITS.depth) skip(walked, path, `deeper than ${SYNC_LIMITS.depth} directories`);
      else this.#visit(`${path}/`, found, depth + 1);
      if (depth === 0 && walked.entries - before > walked.largest.entries)
        walked.largest = { path, entries: walked.entries - before };
    }
  }

  #read(prefix: string): Listing | null {
    const path = prefix.slice(0, -1);
    try {
      const directory = this.#pins.find(path);
      if (directory !== null) return this.#tree.listings.read(prefix, directory, this.#options.now);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === undefined) throw error;
      if (code !== "ENOENT") skip(this.#walked, path, "the directory cannot be read");
    }
    // Gone or swapped since it was listed: the next scan sees what is there then, and until it does nothing below is gone.
    this.#walked.unread.push(prefix);
    return null;
  }

  /** `astray`: the directory is none any more, or may not be entered. */
  #stat(path: string, prefix: string): Stats | undefined | "astray" {
    try {
      return lstatSync(path, { throwIfNoEntry: false });
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === undefined || !["ENOTDIR", "ELOOP", "EACCES", "EPERM"].includes(code)) throw error;
      if (code[1] !== "N") skip(this.#walked, prefix.slice(0, -1), "the directory cannot be read");
      this.#walked.unread.push(prefix);
      return "astray";
    }
  }

  /** Returns whether it is a directory to go into. */
  #look(path: string, stat: Stats): boolean {
    const tree = this.#tree;
    const walked = this.#walked;
    const type = kindOf(stat.mode);
    const known = tree.manifest.get(path);
    if (type === null) {
      if (!tree.policy.staysHere(path, false)) skip(walked, path, "neither file, directory nor symlink");
      return false;
    }
    // What was agreed on is synced; asking the rules about each would take as long as looking.
    if (known === undefined || known.type !== type) {
      if (tree.policy.staysHere(path, type === "dir")) {
        if (path !== PRIVATE_DIRECTORY) skip(walked, path, "container-only by policy");
        return false;
      }
      const unfit = unfitness(path, stat, tree);
      if (unfit !== null) {
        skip(walked, path, unfit);
        return false;
      }
    }
    walked.entries++;
    if (type === "file") walked.bytes += stat.size;
    if (known !== undefined && known.type === type) {
      if (known.seen !== this.#options.number) walked.seen++;
      known.seen = this.#options.number;
      if (type === "dir" ? known.mode === stat.mode : !known.racy && sameLooks(known, stat)) return type === "dir";
    }
    if (type === "file" && isUnreadable(stat)) {
      skip(walked, path, "the daemon may not read it");
      return false;
    }
    if (type === "file") {
      walked.changed.push({ path, type, stat, target: null, known });
      return false;
    }
    return this.#lookAgain(path, type, known);
  }

  /** A directory or a symlink, through its own directory: what is told of it is all there is, so it has to be the tree's. */
  #lookAgain(path: string, type: "dir" | "symlink", known: Known | undefined): boolean {
    const [directory, name] = splitPath(path);
    const parent = this.#pins.find(directory);
    const stat = parent === null ? undefined : lstatSync(parent.at(name), { throwIfNoEntry: false });
    // Not what it was a moment ago: the next scan sees what it is.
    if (parent === null || stat === undefined || kindOf(stat.mode) !== type) {
      if (type === "dir") this.#walked.unread.push(`${path}/`);
      return false;
    }
    const target = type === "symlink" ? readTarget(parent.at(name)) : null;
    if (type === "symlink" && target === null) return false;
    if (target?.includes(REPLACEMENT)) {
      skip(this.#walked, path, "the link's target is not UTF-8");
      return false;
    }
    this.#walked.changed.push({ path, type, stat, target, known });
    return type === "dir";
  }
}

/** Root reads everything; a daemon that is a plain process is bound by modes as its commands are. */
function isUnreadable({ mode, uid }: Stats): boolean {
  const user = process.getuid?.() ?? 0;
  return user !== 0 && uid === user && (mode & 0o400) === 0;
}

/** Null when it is no link any more: the next scan sees what it is. */
function readTarget(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}

function unfitness(path: string, stat: Stats, { owner }: Tree): string | null {
  if (Buffer.byteLength(path) > SYNC_LIMITS.pathBytes - 256) return "the path is too long";
  if (owner !== null && stat.uid !== owner.uid) return "it belongs to another user";
  return null;
}

export function skip(walked: Pick<Walked, "skipped">, path: string, reason: string): void {
  const { skipped } = walked;
  if (skipped.length < SYNC_LIMITS.reportItems) skipped.push({ path, reason });
  else {
    const more = Number(skipped[SYNC_LIMITS.reportItems]?.path ?? 0) + 1;
    skipped[SYNC_LIMITS.reportItems] = { path: String(more), reason: "more paths were skipped" };
  }
}
