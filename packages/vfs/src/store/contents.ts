/** SQL of `ws_content`, `ws_content_ref` and `ws_spool`. A content row only grows at its end; a reader uses its own prefix. */
import type { Database } from "../db/database.ts";
import { type BulkInsert, insertRows } from "./bulk.ts";
import { type OwnedBytes, ownBuffer } from "./owned-bytes.ts";

export type ContentRow = readonly [id: number, bytes: Uint8Array];

const ROWS_PER_INSERT = 50;
const INSERT = "INSERT OR FAIL INTO ws_content (id, bytes) VALUES ";
const insertText = (rows: number) => INSERT + Array(rows).fill("(?,?)").join(",");
const INSERT_ONE = insertText(1);
const INSERT_FULL = insertText(ROWS_PER_INSERT);

export function insertContents(db: Database, rows: readonly ContentRow[]): void {
  if (rows.length === 1) return db.run(INSERT_ONE, ...(rows[0] as [number, Uint8Array]));
  for (let i = 0; i < rows.length; i += ROWS_PER_INSERT) {
    const slice = rows.slice(i, i + ROWS_PER_INSERT);
    db.run(slice.length === ROWS_PER_INSERT ? INSERT_FULL : insertText(slice.length), ...slice.flat());
  }
}

export function selectContent(db: Database, id: number): OwnedBytes | null {
  const row = db.row("SELECT bytes FROM ws_content WHERE id = ?", id);
  return row === undefined ? null : ownBuffer(row[0] as ArrayBuffer);
}

export function selectContentRange(db: Database, id: number, offset: number, length: number): OwnedBytes | null {
  const row = db.row("SELECT substr(bytes, ?, ?) FROM ws_content WHERE id = ?", offset + 1, length, id);
  return row === undefined ? null : ownBuffer(row[0] as ArrayBuffer);
}

export function selectContents(db: Database, ids: readonly number[]): Map<number, OwnedBytes> {
  const found = new Map<number, OwnedBytes>();
  eachContent(db, ids, (id, bytes) => found.set(id, bytes));
  return found;
}

/** Yields each existing row of these, one at a time: a caller that copies and frees each one never holds two. */
export function eachContent(db: Database, ids: readonly number[], take: (id: number, bytes: OwnedBytes) => void): void {
  const [first] = ids;
  if (first === undefined) return;
  // Consecutive, as a stream writes them.
  const rows = ids.every((id, i) => id === first + i)
    ? db.eachRow("SELECT id, bytes FROM ws_content WHERE id BETWEEN ? AND ?", first, first + ids.length - 1)
    : db.eachRow("SELECT id, bytes FROM ws_content WHERE id IN (SELECT value FROM json_each(?))", JSON.stringify(ids));
  for (const row of rows) take(row[0] as number, ownBuffer(row[1] as ArrayBuffer));
}

export function deleteContentSpan(db: Database, first: number, last: number): void {
  db.run("DELETE FROM ws_content WHERE id BETWEEN ? AND ?", first, last);
}

/** Appends to a row if it ends where the caller's part of it ends; false when another owner has grown it since. */
export function appendToContent(db: Database, id: number, length: number, bytes: Uint8Array): boolean {
  return (
    db.written(
      "UPDATE ws_content SET bytes = CAST(bytes || ? AS BLOB) WHERE id = ? AND length(bytes) = ?",
      bytes,
      id,
      length,
    ) > 0
  );
}

/** The lengths of these rows, without missing ones. */
export function selectLengths(db: Database, ids: readonly number[]): Map<number, number> {
  const sql = "SELECT id, length(bytes) FROM ws_content WHERE id IN (SELECT value FROM json_each(?))";
  return new Map(db.rows(sql, JSON.stringify(ids)).map((row) => [row[0] as number, row[1] as number]));
}

const ADD_SHARE: BulkInsert = {
  head: "INSERT INTO ws_content_ref (content, extra_refs)",
  columns: 2,
  tail: "ON CONFLICT (content) DO UPDATE SET extra_refs = extra_refs + excluded.extra_refs",
};

export function addShares(db: Database, extra: ReadonlyMap<number, number>): void {
  insertRows(db, ADD_SHARE, [...extra]);
}

export function maxContentId(db: Database): number {
  // Rows that were reserved but not written yet must not be allocated twice.
  const row = db.row(
    "SELECT max(ifnull((SELECT max(id) FROM ws_content), 0), ifnull((SELECT max(last) FROM ws_spool), 0), ifnull((SELECT max(id) FROM ws_node), 0), ifnull((SELECT max(id) FROM ws_layout), 0))",
  );
  return (row?.[0] as number | undefined) ?? 0;
}

export function reserveSpool(db: Database, first: number, last: number, epoch: string): void {
  db.run("INSERT INTO ws_spool (first, last, epoch) VALUES (?, ?, ?)", first, last, epoch);
}

/** Returns how many existed: a rollback may have removed some. */
export function releaseSpools(db: Database, firsts: readonly number[]): number {
  return db.written("DELETE FROM ws_spool WHERE first IN (SELECT value FROM json_each(?))", JSON.stringify(firsts));
}

/** Those of these blocks that are on record, by their first row; true when all rows written to it exist. */
export function selectOwnSpools(
  db: Database,
  blocks: readonly { readonly first: number; readonly written: number }[],
): Map<number, boolean> {
  const rows = db.rows(
    `SELECT s.first, (SELECT count(*) FROM ws_content WHERE id BETWEEN s.first AND s.first + (b.value ->> 1) - 1) = b.value ->> 1
     FROM json_each(?) b JOIN ws_spool s ON s.first = b.value ->> 0`,
    JSON.stringify(blocks.map(({ first, written }) => [first, written])),
  );
  return new Map(rows.map((row) => [row[0] as number, row[1] === 1]));
}
