/**
 * Reads many directories from the database with one statement. Returns complete directories only; one that a limit cut is left out.
 */

import { LISTED_MAX } from "../store/listings.ts";
import { typeCode } from "../tree/inode.ts";
import type { DirentRow, NamedInode, Tree } from "../tree/tree.ts";
import { type Listing, makeListing } from "./cached-directory.ts";

/** Names by directory; directories that do not fit one statement are left out. */
export function readNames(tree: Tree, directories: readonly number[]): Map<number, Listing> {
  const { rows, cut } = tree.listedOf(directories, LISTED_MAX);
  const byParent = Map.groupBy(rows, ([parent]) => parent);
  const whole = readWhole(directories, cut);
  return new Map(whole.map((ino) => [ino, listRows(byParent.get(ino) ?? [])]));
}

/** The same with inodes, at most `limit` of them. */
export function readInodes(
  tree: Tree,
  directories: readonly number[],
  limit: number,
): Map<number, readonly NamedInode[]> {
  const { rows, cut } = tree.entriesOfMany(directories, limit);
  const byParent = Map.groupBy(rows, ({ parent }) => parent);
  const whole = readWhole(directories, cut);
  return new Map(whole.map((ino) => [ino, byParent.get(ino) ?? []]));
}

/** All names of one directory, or null when there are more than `limit`. */
export function readAllNames(tree: Tree, directory: number, limit: number): Listing | null {
  const rows: DirentRow[] = [];
  for (;;) {
    const page = tree.dirents(directory, rows.at(-1)?.[1] ?? "", LISTED_MAX);
    for (const row of page) rows.push(row);
    if (rows.length > limit) return null;
    if (page.length < LISTED_MAX) return listRows(rows);
  }
}

function readWhole(directories: readonly number[], cut: number | undefined): readonly number[] {
  return cut === undefined ? directories : directories.slice(0, directories.indexOf(cut));
}

export function listRows(rows: readonly DirentRow[]): Listing {
  return makeListing(
    rows.map(([, name]) => name),
    rows.map(([, , ino]) => ino),
    rows.map(([, , , type]) => type),
  );
}

export function listInodes(entries: readonly NamedInode[]): Listing {
  return makeListing(
    entries.map(({ name }) => name),
    entries.map(({ inode }) => inode.ino),
    entries.map(({ inode }) => typeCode(inode)),
  );
}
