/** Everything under a directory with its inodes, parents before children, names in byte order. Symlinks are not followed. */
import type { Inode } from "../tree/inode.ts";
import type { ReadView } from "../volume/views.ts";
import { Walker } from "./walker.ts";

/** Valid until the walk continues: the next entry reuses it. */
export interface WalkEntry {
  readonly name: string;
  /** Path relative to the start of the walk, without a leading slash. */
  readonly relative: string;
  readonly ino: number;
  readonly isDirectory: boolean;
  readonly inode: Inode;
  /** 1 for direct entries. */
  readonly depth: number;
}

export interface WalkOptions {
  maxDepth?: number | undefined;
  /** More entries than this is EFBIG. */
  limit: number;
}

export function* walk(volume: ReadView, start: Inode, { maxDepth, limit }: WalkOptions): Generator<WalkEntry> {
  const walker = new Walker(volume, start, { what: "inodes", maxDepth, limit });
  while (walker.next()) {
    yield walker;
    if (walker.isDirectory) walker.enter();
  }
}
