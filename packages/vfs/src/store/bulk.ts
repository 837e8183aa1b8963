/**
 * Writes many rows in few statements. A statement costs about the same whatever it does, so few rows are bound as values (at most
 * 100), many as one JSON text that SQLite expands. A value that all rows share (a time, a mode, an actor) is bound once: extracting
 * it from the text for each row costs as much as inserting it.
 */
import type { Database, SqlValue } from "../db/database.ts";

const MAX_PARAMETERS = 100;
const ROWS_PER_JSON = 1000;
/** From this many rows on it pays to look for shared values: each set of columns is a statement to prepare. */
const MANY = 50;
/** Production rejects values over 2 MB; a UTF-16 unit is at most 3 bytes. */
const MAX_JSON_UNITS = 500_000;

export interface BulkInsert {
  /** `INSERT … INTO table (columns)` */
  readonly head: string;
  readonly columns: number;
  /** `ON CONFLICT …`, or nothing. */
  readonly tail?: string;
}

export type BulkRow = readonly (string | number | null)[];

const texts = new WeakMap<BulkInsert, Map<string, string>>();

export function insertRows(db: Database, insert: BulkInsert, rows: readonly BulkRow[]): void {
  if (rows.length === 0) return;
  if (rows.length === 1) return db.run(valuesText(insert, 1), ...(rows[0] as SqlValue[]));
  if (rows.length * insert.columns <= MAX_PARAMETERS)
    return db.run(valuesText(insert, rows.length), ...(rows.flat() as SqlValue[]));
  const { same, differing } = splitColumns(rows.length < MANY ? [] : rows, insert.columns);
  const given = same.map((column) => rows[0]?.[column] as SqlValue);
  const rest = same.length === 0 ? rows : rows.map((row) => differing.map((column) => row[column]));
  forSlices(db, jsonText(insert, differing), rest, given);
}

/** Which columns have one value in all rows, and which differ: at least one of the latter, so that rows can be counted. */
function splitColumns(rows: readonly BulkRow[], columns: number): { same: number[]; differing: number[] } {
  const same: number[] = [];
  const differing: number[] = [];
  for (let column = 0; column < columns; column++) {
    const value = rows[0]?.[column];
    const isSame = value !== undefined && rows.every((row) => row[column] === value);
    (isSame ? same : differing).push(column);
  }
  if (differing.length === 0) differing.push(same.pop() as number);
  return { same, differing };
}

/** Runs `sql` on the values as JSON arrays of bounded number and size: its first parameter, before the `given` ones. */
export function forSlices(
  db: Database,
  sql: string,
  values: readonly unknown[],
  given: readonly SqlValue[] = [],
): void {
  for (let i = 0; i < values.length; i += ROWS_PER_JSON) runSlice(db, sql, values.slice(i, i + ROWS_PER_JSON), given);
}

function runSlice(db: Database, sql: string, values: readonly unknown[], given: readonly SqlValue[]): void {
  const json = JSON.stringify(values);
  if (json.length <= MAX_JSON_UNITS || values.length === 1) return db.run(sql, json, ...given);
  const half = values.length >> 1;
  runSlice(db, sql, values.slice(0, half), given);
  runSlice(db, sql, values.slice(half), given);
}

function valuesText(insert: BulkInsert, rows: number): string {
  return cachedText(insert, `${rows}`, () => `VALUES ${tuples(rows, insert.columns)}`);
}

/** `differing`: the columns in each row of the JSON, in order; the others are bound after it. */
function jsonText(insert: BulkInsert, differing: readonly number[]): string {
  return cachedText(insert, `json ${differing}`, () => {
    let bound = 1;
    const picks = Array.from({ length: insert.columns }, (_, column) => {
      const at = differing.indexOf(column);
      return at < 0 ? `?${++bound}` : `value->>${at}`;
    });
    // WHERE true: without it SQLite reads a following ON as a join's.
    return `SELECT ${picks} FROM json_each(?1) WHERE true`;
  });
}

function cachedText(insert: BulkInsert, key: string, source: () => string): string {
  let byKey = texts.get(insert);
  if (byKey === undefined) texts.set(insert, (byKey = new Map()));
  let text = byKey.get(key);
  if (text === undefined) {
    text = `${insert.head} ${source()}${insert.tail === undefined ? "" : ` ${insert.tail}`}`;
    byKey.set(key, text);
  }
  return text;
}

function tuples(rows: number, columns: number): string {
  const tuple = `(${Array(columns).fill("?").join(",")})`;
  return Array(rows).fill(tuple).join(",");
}
