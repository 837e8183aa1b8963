/**
 * The source of names and inodes: the current tables (`store/present-tree.ts`), or a past state (`history/past/past-tree.ts`).
 * Everything that reads a tree (caches, walks, listings, stats) reads through this interface, so a view of the past uses the same
 * code.
 */

import type { Inode, TypeCode } from "./inode.ts";

export interface NamedInode {
  readonly parent: number;
  readonly name: string;
  readonly inode: Inode;
}

/** An entry of a directory without its inode. */
export type DirentRow = readonly [parent: number, name: string, ino: number, type: TypeCode];

/** Entries of several directories, in their order and by name. */
export interface RowPage<Row> {
  readonly rows: readonly Row[];
  /** The first incomplete directory, if a limit was reached. */
  readonly cut: number | undefined;
}

export interface Tree {
  inode(ino: number): Inode | null;
  /** Those that exist, in any order. */
  inodes(inos: readonly number[]): Inode[];
  /** Resolves `names` below `parent`, each in the one before, as far as they exist. */
  walkNames(parent: number, names: readonly string[]): Inode[];
  /** Entries of one directory in byte order of names, after `after`. */
  entries(parent: number, after: string, limit: number): NamedInode[];
  entriesOfMany(parents: readonly number[], limit: number): RowPage<NamedInode>;
  /** Names and types without inodes, at most `LISTED_MAX`. */
  dirents(parent: number, after: string, limit: number): DirentRow[];
  listedOf(parents: readonly number[], limit: number): RowPage<DirentRow>;
  /** Number of names of a file with several that can be reached from the root. */
  reachableLinks(inode: Inode): number;
}

/** The tree that `now` returns, evaluated with every call. */
export function lazyTree(now: () => Tree): Tree {
  return {
    inode: (ino) => now().inode(ino),
    inodes: (inos) => now().inodes(inos),
    walkNames: (parent, names) => now().walkNames(parent, names),
    entries: (parent, after, limit) => now().entries(parent, after, limit),
    entriesOfMany: (parents, limit) => now().entriesOfMany(parents, limit),
    dirents: (parent, after, limit) => now().dirents(parent, after, limit),
    listedOf: (parents, limit) => now().listedOf(parents, limit),
    reachableLinks: (inode) => now().reachableLinks(inode),
  };
}
