/** Everything under a directory with its inodes, parents before children, names in byte order. Links are not followed. */
import type { Inode } from "../inode.ts";
import type { Volume } from "../volume.ts";
import { Walker } from "./walker.ts";

/** Good until the walk goes on: the next entry takes its place. */
export interface WalkEntry {
  readonly name: string;
  /** Path from where the walk began, without a leading slash. */
  readonly relative: string;
  readonly ino: number;
  readonly isDirectory: boolean;
  readonly inode: Inode;
  /** 1 for what is directly in it. */
  readonly depth: number;
}

export interface WalkOptions {
  maxDepth?: number | undefined;
  /** More entries than this is EFBIG. */
  limit: number;
}

export function* walk(volume: Volume, start: Inode, { maxDepth, limit }: WalkOptions): Generator<WalkEntry> {
  const walker = new Walker(volume, start, { what: "inodes", maxDepth, limit });
  while (walker.next()) {
    yield walker;
    if (walker.isDirectory) walker.enter();
  }
}
