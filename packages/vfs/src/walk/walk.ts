/**
 * Everything under a directory, parents before children, names in byte order. Links are not followed. Sub-directories that are
 * not in memory are read many at a time, so that a cold tree costs few statements. One loop, no recursion: depth has no limit.
 */
import { FsError } from "../errors.ts";
import { type Inode, isDirectory } from "../inode.ts";
import type { Volume } from "../volume.ts";
import { heldEntries, type NamedEntry, pagedEntries } from "./entries.ts";

export interface Walked {
  readonly name: string;
  /** Path from where the walk began, without a leading slash. */
  readonly relative: string;
  readonly inode: Inode;
  /** 1 for what is directly in it. */
  readonly depth: number;
}

export interface WalkOptions {
  maxDepth?: number;
  /** Whether to go into a directory; asked once for each. */
  enter?: (entry: Walked) => boolean;
  /** More entries than this is EFBIG. */
  limit: number;
}

interface Level {
  readonly prefix: string;
  readonly next: () => NamedEntry | undefined;
}

export function* walk(volume: Volume, start: Inode, options: WalkOptions): Generator<Walked> {
  const maxDepth = options.maxDepth ?? Number.POSITIVE_INFINITY;
  if (maxDepth < 1) return;
  const levels: Level[] = [open(volume, start.ino, "")];
  let seen = 0;
  for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
    const next = level.next();
    if (next === undefined) {
      levels.pop();
      continue;
    }
    if (++seen > options.limit) {
      throw new FsError("EFBIG", {
        syscall: "scandir",
        reason: `more than ${options.limit} entries; narrow the search`,
      });
    }
    const [name, inode] = next;
    const entry = { name, relative: level.prefix + name, inode, depth: levels.length };
    yield entry;
    if (isDirectory(inode) && levels.length < maxDepth && (options.enter === undefined || options.enter(entry))) {
      levels.push(open(volume, inode.ino, `${entry.relative}/`));
    }
  }
}

/** How many sub-directories are read ahead at once. */
const AHEAD = 200;

function open(volume: Volume, ino: number, prefix: string): Level {
  const held = heldEntries(volume, ino);
  if (held === null) {
    const pages = pagedEntries(volume, ino);
    return { prefix, next: () => pages.next().value as NamedEntry | undefined };
  }
  const subdirectories: number[] = [];
  for (const [, inode] of held) {
    if (isDirectory(inode) && subdirectories.push(inode.ino) === AHEAD) break;
  }
  if (subdirectories.length > 1) volume.cache.prefetch(subdirectories);
  let at = 0;
  return { prefix, next: () => held[at++] };
}
