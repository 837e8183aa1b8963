/** Directories from the database, many with one statement: what they hold in full, and nothing of one that a limit cut. */
import type { Database } from "../db/database.ts";
import { typeCode } from "../inode.ts";
import { type NamedInode, selectEntriesOf } from "../store/inodes.ts";
import { LISTED_MAX, type Listed, selectListed, selectListedOf } from "../store/listings.ts";
import { type Listing, makeListing } from "./cached-directory.ts";

/** Names of directories, by directory; those that do not fit one statement are left out. */
export function readNames(db: Database, directories: readonly number[]): Map<number, Listing> {
  const rows = selectListedOf(db, directories, LISTED_MAX);
  const byParent = Map.groupBy(rows, ([parent]) => parent);
  const whole = readWhole(directories, rows.length < LISTED_MAX ? undefined : rows.at(-1)?.[0]);
  return new Map(whole.map((ino) => [ino, listRows(byParent.get(ino) ?? [])]));
}

/** The same with inodes: at most `limit` of them. */
export function readInodes(
  db: Database,
  directories: readonly number[],
  limit: number,
): Map<number, readonly NamedInode[]> {
  const entries = selectEntriesOf(db, directories, limit);
  const byParent = Map.groupBy(entries, ({ parent }) => parent);
  const whole = readWhole(directories, entries.length < limit ? undefined : entries.at(-1)?.parent);
  return new Map(whole.map((ino) => [ino, byParent.get(ino) ?? []]));
}

/** All names of one directory, or null when there are more than `limit`. */
export function readAllNames(db: Database, directory: number, limit: number): Listing | null {
  const rows: Listed[] = [];
  for (;;) {
    const page = selectListed(db, directory, rows.at(-1)?.[1] ?? "", LISTED_MAX);
    for (const row of page) rows.push(row);
    if (rows.length > limit) return null;
    if (page.length < LISTED_MAX) return listRows(rows);
  }
}

/** With a limit reached, the last directory seen may be cut and those after it were not read. */
function readWhole(directories: readonly number[], cut: number | undefined): readonly number[] {
  return cut === undefined ? directories : directories.slice(0, directories.indexOf(cut));
}

export function listRows(rows: readonly Listed[]): Listing {
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
