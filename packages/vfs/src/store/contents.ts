/**
 * SQL of `ws_content`, `ws_layout`, `ws_shared` and `ws_spool`. A content row only grows at its end; a reader takes the prefix
 * that is its own.
 */

import type { Run } from "../content/layout.ts";
import type { Database } from "../db/database.ts";
import { type BulkInsert, insertRows } from "./bulk.ts";

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

export function selectContent(db: Database, id: number): Uint8Array | null {
  const row = db.row("SELECT bytes FROM ws_content WHERE id = ?", id);
  return row === undefined ? null : new Uint8Array(row[0] as ArrayBuffer);
}

export function selectContentRange(db: Database, id: number, offset: number, length: number): Uint8Array | null {
  const row = db.row("SELECT substr(bytes, ?, ?) FROM ws_content WHERE id = ?", offset + 1, length, id);
  return row === undefined ? null : new Uint8Array(row[0] as ArrayBuffer);
}

export function selectContents(db: Database, ids: readonly number[]): Map<number, Uint8Array> {
  const found = new Map<number, Uint8Array>();
  eachContent(db, ids, (id, bytes) => found.set(id, bytes));
  return found;
}

/** Each of these rows that is there, one after the other: who copies one and frees it holds no second. */
export function eachContent(db: Database, ids: readonly number[], take: (id: number, bytes: Uint8Array) => void): void {
  const [first] = ids;
  if (first === undefined) return;
  // As a stream writes them.
  const rows = ids.every((id, i) => id === first + i)
    ? db.eachRow("SELECT id, bytes FROM ws_content WHERE id BETWEEN ? AND ?", first, first + ids.length - 1)
    : db.eachRow("SELECT id, bytes FROM ws_content WHERE id IN (SELECT value FROM json_each(?))", JSON.stringify(ids));
  for (const row of rows) take(row[0] as number, new Uint8Array(row[1] as ArrayBuffer));
}

export function deleteContentSpan(db: Database, first: number, last: number): void {
  db.run("DELETE FROM ws_content WHERE id BETWEEN ? AND ?", first, last);
}

/** Adds to a row if it ends where the caller's part of it ends; false when somebody else has grown it since. */
export function growContent(db: Database, id: number, length: number, bytes: Uint8Array): boolean {
  return (
    db.written(
      "UPDATE ws_content SET bytes = CAST(bytes || ? AS BLOB) WHERE id = ? AND length(bytes) = ?",
      bytes,
      id,
      length,
    ) > 0
  );
}

export function contentLength(db: Database, id: number): number | null {
  const row = db.row("SELECT length(bytes) FROM ws_content WHERE id = ?", id);
  return row === undefined ? null : (row[0] as number);
}

export interface LayoutRow {
  readonly id: number;
  readonly family: number;
  readonly runs: readonly Run[];
}

export function selectLayout(db: Database, id: number): LayoutRow | null {
  const row = db.row("SELECT family, runs FROM ws_layout WHERE id = ?", id);
  return row === undefined ? null : { id, family: row[0] as number, runs: JSON.parse(row[1] as string) as Run[] };
}

export function insertLayout(db: Database, { id, family, runs }: LayoutRow): void {
  db.run("INSERT INTO ws_layout (id, family, runs) VALUES (?, ?, ?)", id, family, JSON.stringify(runs));
}

const ADD_SHARE: BulkInsert = {
  head: "INSERT INTO ws_shared (content, extra)",
  columns: 2,
  tail: "ON CONFLICT (content) DO UPDATE SET extra = extra + excluded.extra",
};

export function addShares(db: Database, extra: ReadonlyMap<number, number>): void {
  insertRows(db, ADD_SHARE, [...extra]);
}

export function maxContentId(db: Database): number {
  // Rows that were reserved but not written yet must not be handed out twice.
  const row = db.row(
    "SELECT max(ifnull((SELECT max(id) FROM ws_content), 0), ifnull((SELECT max(last) FROM ws_spool), 0), ifnull((SELECT max(id) FROM ws_layout), 0))",
  );
  return (row?.[0] as number | undefined) ?? 0;
}

export function reserveSpool(db: Database, first: number, last: number, epoch: string): void {
  db.run("INSERT INTO ws_spool (first, last, epoch) VALUES (?, ?, ?)", first, last, epoch);
}

/** Returns how many of them there were: a rollback may have taken some. */
export function releaseSpools(db: Database, firsts: readonly number[]): number {
  return db.written("DELETE FROM ws_spool WHERE first IN (SELECT value FROM json_each(?))", JSON.stringify(firsts));
}

export function selectSpoolFirsts(db: Database): number[] {
  return db.rows("SELECT first FROM ws_spool").map((row) => row[0] as number);
}
