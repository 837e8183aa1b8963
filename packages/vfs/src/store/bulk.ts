/**
 * Many rows in few statements. A statement costs about the same whatever it does, so few rows go as bound values (at most 100),
 * many as one JSON text that SQLite unfolds.
 */
import type { Database, SqlValue } from "../db/database.ts";

const MAX_PARAMETERS = 100;
const ROWS_PER_JSON = 1000;
/** Production refuses values over 2 MB; a UTF-16 unit is at most 3 bytes. */
const MAX_JSON_UNITS = 500_000;

export interface BulkInsert {
  /** `INSERT … INTO table (columns)` */
  readonly head: string;
  readonly columns: number;
  /** `ON CONFLICT …`, or nothing. */
  readonly tail?: string;
}

export type BulkRow = readonly (string | number | null)[];

const texts = new WeakMap<BulkInsert, Map<number, string>>();

export function insertRows(db: Database, insert: BulkInsert, rows: readonly BulkRow[]): void {
  if (rows.length === 0) return;
  if (rows.length === 1) return db.run(valuesText(insert, 1), ...(rows[0] as SqlValue[]));
  if (rows.length * insert.columns <= MAX_PARAMETERS)
    return db.run(valuesText(insert, rows.length), ...(rows.flat() as SqlValue[]));
  forSlices(db, valuesText(insert, 0), rows);
}

/** Runs `sql`, which takes one JSON array, on the values in slices of bounded number and size. */
export function forSlices(db: Database, sql: string, values: readonly unknown[]): void {
  for (let i = 0; i < values.length; i += ROWS_PER_JSON) runSlice(db, sql, values.slice(i, i + ROWS_PER_JSON));
}

function runSlice(db: Database, sql: string, values: readonly unknown[]): void {
  const json = JSON.stringify(values);
  if (json.length <= MAX_JSON_UNITS || values.length === 1) return db.run(sql, json);
  const half = values.length >> 1;
  runSlice(db, sql, values.slice(0, half));
  runSlice(db, sql, values.slice(half));
}

/** With 0 rows: the JSON form. */
function valuesText(insert: BulkInsert, rows: number): string {
  let byCount = texts.get(insert);
  if (byCount === undefined) texts.set(insert, (byCount = new Map()));
  let text = byCount.get(rows);
  if (text === undefined) {
    const tail = insert.tail === undefined ? "" : ` ${insert.tail}`;
    text =
      rows === 0
        ? `${insert.head} ${jsonSource(insert.columns)}${tail}`
        : `${insert.head} VALUES ${tuples(rows, insert.columns)}${tail}`;
    byCount.set(rows, text);
  }
  return text;
}

function tuples(rows: number, columns: number): string {
  const tuple = `(${Array(columns).fill("?").join(",")})`;
  return Array(rows).fill(tuple).join(",");
}

function jsonSource(columns: number): string {
  const picks = Array.from({ length: columns }, (_, i) => `value->>${i}`).join(",");
  // WHERE true: without it SQLite reads a following ON as a join's.
  return `SELECT ${picks} FROM json_each(?) WHERE true`;
}
