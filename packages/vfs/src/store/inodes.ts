/** SQL of `ws_inode`, `ws_dirent` and `ws_hardlink`. Rows never leave this module, only `Inode`s. */

import type { Database } from "../db/database.ts";
import type { Inode } from "../tree/inode.ts";
import type { NamedInode } from "../tree/tree.ts";
import { type BulkInsert, type BulkRow, forSlices, insertRows } from "./bulk.ts";

const COLUMNS = [
  "ino",
  "mode",
  "nlink",
  "size",
  "content",
  "target",
  "mtime",
  "ctime",
  "birthtime",
  "rev",
  "content_rev",
  "parent",
];
const inodeColumns = (table: string) => COLUMNS.map((column) => `${table}.${column}`).join(",");
type Row = SqlStorageValue[];

export function selectInode(db: Database, ino: number): Inode | null {
  const row = db.row(`SELECT ${inodeColumns("i")} FROM ws_inode i WHERE i.ino = ?`, ino);
  return row === undefined ? null : inodeAt(row, 0);
}

export function selectInodes(db: Database, inos: readonly number[]): Inode[] {
  const sql = `SELECT ${inodeColumns("i")} FROM ws_inode i WHERE i.ino IN (SELECT value FROM json_each(?))`;
  return db.rows(sql, JSON.stringify(inos)).map((row) => inodeAt(row, 0));
}

/** These directories and all their ancestors. */
export function selectAncestors(db: Database, directories: readonly number[]): Inode[] {
  if (directories.length === 0) return [];
  const sql = `WITH RECURSIVE up(ino) AS (SELECT value FROM json_each(?)
      UNION SELECT i.parent FROM up CROSS JOIN ws_inode i ON i.ino = up.ino WHERE i.parent != 0)
    SELECT ${inodeColumns("i")} FROM up CROSS JOIN ws_inode i ON i.ino = up.ino`;
  return db.rows(sql, JSON.stringify(directories)).map((row) => inodeAt(row, 0));
}

/** Resolves `names` below `parent`, each in the one before, as far as they exist; one statement, two rows read per name. */
export function selectChain(db: Database, parent: number, names: readonly string[]): Inode[] {
  const row = db.row(chainText(names.length), parent, ...names);
  const found: Inode[] = [];
  for (let i = 0; row !== undefined && i < names.length; i++) {
    const at = i * COLUMNS.length;
    if (row[at] === null) break;
    found.push(inodeAt(row, at));
  }
  return found;
}

/** SQLite joins at most 64 tables; eight names are sixteen. */
export const CHAIN_MAX = 8;
const chainTexts: string[] = [];

function chainText(length: number): string {
  return (chainTexts[length] ??= [
    `SELECT ${Array.from({ length }, (_, i) => inodeColumns(`i${i}`)).join(",")} FROM (SELECT 1)`,
    ...Array.from({ length }, (_, i) => {
      const parent = i === 0 ? "?1" : `i${i - 1}.ino`;
      return `LEFT JOIN ws_dirent d${i} ON d${i}.parent = ${parent} AND d${i}.name = ?${i + 2} LEFT JOIN ws_inode i${i} ON i${i}.ino = d${i}.ino`;
    }),
  ].join(" "));
}

/** Entries of one directory in byte order of names, after `after`. */
export function selectEntries(db: Database, parent: number, after: string, limit: number): NamedInode[] {
  return db
    .rows(
      `SELECT d.name, ${inodeColumns("i")} FROM ws_dirent d JOIN ws_inode i ON i.ino = d.ino WHERE d.parent = ? AND d.name > ? ORDER BY d.name LIMIT ?`,
      parent,
      after,
      limit,
    )
    .map((row) => ({ parent, name: row[0] as string, inode: inodeAt(row, 1) }));
}

/** Entries of several directories, in their order and by name, at most `limit` in all. */
export function selectEntriesOf(db: Database, parents: readonly number[], limit: number): NamedInode[] {
  return db
    .rows(
      // A cross join runs from left to right, which gives the order; an ORDER BY would sort once more.
      `SELECT d.parent, d.name, ${inodeColumns("i")} FROM json_each(?) p CROSS JOIN ws_dirent d ON d.parent = p.value CROSS JOIN ws_inode i ON i.ino = d.ino LIMIT ?`,
      JSON.stringify(parents),
      limit,
    )
    .map((row) => ({ parent: row[0] as number, name: row[1] as string, inode: inodeAt(row, 2) }));
}

export function hasEntries(db: Database, parent: number): boolean {
  return db.row("SELECT 1 FROM ws_dirent WHERE parent = ? LIMIT 1", parent) !== undefined;
}

const PUT_INODE: BulkInsert = {
  head: `INSERT OR REPLACE INTO ws_inode (${COLUMNS.join(",")})`,
  columns: COLUMNS.length,
};

export function putInodes(db: Database, inodes: readonly Inode[]): void {
  insertRows(db, PUT_INODE, inodes.map(rowOf));
}

const PUT_DIRENT: BulkInsert = { head: "INSERT OR REPLACE INTO ws_dirent (parent, name, ino, type)", columns: 4 };

export function putDirents(db: Database, rows: readonly BulkRow[]): void {
  insertRows(db, PUT_DIRENT, rows);
}

export function deleteDirents(db: Database, keys: readonly (readonly [parent: number, name: string])[]): void {
  const only = keys[0];
  if (keys.length === 1 && only !== undefined)
    return db.run("DELETE FROM ws_dirent WHERE parent = ? AND name = ?", only[0], only[1]);
  forSlices(db, "DELETE FROM ws_dirent WHERE (parent, name) IN (SELECT value->>0, value->>1 FROM json_each(?))", keys);
}

/** Moving a name writes one row; delete and insert would write two. */
export function moveDirent(db: Database, from: readonly [number, string], to: readonly [number, string]): void {
  db.run(
    "UPDATE OR REPLACE ws_dirent SET parent = ?, name = ? WHERE parent = ? AND name = ?",
    to[0],
    to[1],
    from[0],
    from[1],
  );
}

const PUT_HARDLINK: BulkInsert = { head: "INSERT OR IGNORE INTO ws_hardlink (ino, parent, name)", columns: 3 };

export function putHardlinks(db: Database, rows: readonly BulkRow[]): void {
  insertRows(db, PUT_HARDLINK, rows);
}

export function deleteHardlinks(db: Database, rows: readonly BulkRow[]): void {
  forSlices(
    db,
    "DELETE FROM ws_hardlink WHERE (ino, parent, name) IN (SELECT value->>0, value->>1, value->>2 FROM json_each(?))",
    rows,
  );
}

export function clearHardlinks(db: Database, inos: readonly number[]): void {
  forSlices(db, "DELETE FROM ws_hardlink WHERE ino IN (SELECT value FROM json_each(?))", inos);
}

/** All names of a file that has several, wherever they are. */
export function selectHardlinks(db: Database, ino: number): { parent: number; name: string }[] {
  return db
    .rows("SELECT parent, name FROM ws_hardlink WHERE ino = ?", ino)
    .map((row) => ({ parent: row[0] as number, name: row[1] as string }));
}

/** The name of a directory in its parent. */
export function selectNameOf(db: Database, parent: number, ino: number): string | null {
  const row = db.row("SELECT name FROM ws_dirent WHERE parent = ? AND ino = ? LIMIT 1", parent, ino);
  return row === undefined ? null : (row[0] as string);
}

/** Names of a file that can be reached from the root, without those in removed trees. */
export function countReachableLinks(db: Database, ino: number): number {
  const row = db.row(
    `WITH RECURSIVE up(dir) AS (
       SELECT parent FROM ws_hardlink WHERE ino = ?
       UNION ALL SELECT i.parent FROM up JOIN ws_inode i ON i.ino = up.dir WHERE up.dir > 1
     ) SELECT count(*) FROM up WHERE dir = 1`,
    ino,
  );
  return row === undefined ? 0 : (row[0] as number);
}

function inodeAt(row: Row, at: number): Inode {
  return {
    ino: row[at] as number,
    mode: row[at + 1] as number,
    nlink: row[at + 2] as number,
    size: row[at + 3] as number,
    content: row[at + 4] as number,
    target: row[at + 5] as string | null,
    mtime: row[at + 6] as number,
    ctime: row[at + 7] as number,
    birthtime: row[at + 8] as number,
    rev: row[at + 9] as number,
    contentRev: row[at + 10] as number,
    parent: row[at + 11] as number,
  };
}

function rowOf(i: Inode): BulkRow {
  return [
    i.ino,
    i.mode,
    i.nlink,
    i.size,
    i.content,
    i.target,
    i.mtime,
    i.ctime,
    i.birthtime,
    i.rev,
    i.contentRev,
    i.parent,
  ];
}
