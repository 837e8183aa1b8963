/** SQL of `ws_log` and `ws_epoch`. */

import type { ChangeOp } from "../api/file-system.ts";
import type { Database } from "../db/database.ts";
import { type BulkInsert, insertRows } from "./bulk.ts";

/** One change as stored. Absent fields are not bound at all: binding a value costs as much as the work of a short statement. */
export interface LogEntry {
  rev: number;
  /** First revision of the transaction, if different. */
  tx?: number;
  time: number;
  op: ChangeOp;
  type: number;
  ino: number;
  parent: number;
  path: string;
  prev: number;
  retainedBytes: number;
  prevParent?: number;
  parentMtime?: number;
  oldContent?: number;
  oldSize?: number;
  oldMode?: number;
  oldMtime?: number;
  oldContentRev?: number;
  fromParent?: number;
  fromPath?: string;
  prevFrom?: number;
  fromMtime?: number;
  replaced?: number;
  prevReplaced?: number;
  oldCtime?: number;
  parentCtime?: number;
  fromCtime?: number;
  replacedCtime?: number;
  actor?: string;
  callId?: string;
}

const COLUMNS: [field: keyof LogEntry, column: string][] = [
  ["rev", "rev"],
  ["time", "time"],
  ["op", "op"],
  ["type", "type"],
  ["ino", "ino"],
  ["parent", "parent"],
  ["path", "path"],
  ["prev", "prev"],
  ["retainedBytes", "retained_bytes"],
  ["tx", "group_rev"],
  ["prevParent", "prev_parent"],
  ["parentMtime", "parent_mtime"],
  ["oldContent", "old_content"],
  ["oldSize", "old_size"],
  ["oldMode", "old_mode"],
  ["oldMtime", "old_mtime"],
  ["oldContentRev", "old_content_rev"],
  ["fromParent", "from_parent"],
  ["fromPath", "from_path"],
  ["prevFrom", "prev_from"],
  ["fromMtime", "from_mtime"],
  ["replaced", "replaced"],
  ["prevReplaced", "prev_replaced"],
  ["oldCtime", "old_ctime"],
  ["parentCtime", "parent_ctime"],
  ["fromCtime", "from_ctime"],
  ["replacedCtime", "replaced_ctime"],
  ["actor", "actor"],
  ["callId", "call_id"],
];

interface LogInsert extends BulkInsert {
  readonly fields: readonly (keyof LogEntry)[];
  /** SQL texts by number of bound rows. */
  readonly guarded: string[];
}

const bits = new Map<string, number>(COLUMNS.map(([field], i) => [field, 1 << i]));
/** By the set of bound columns, as bits: a dozen kinds of entry, each with its own statement. */
const inserts = new Map<number, LogInsert>();

/** The last revision of the log, and the epoch that wrote last. */
export interface ExpectedHead {
  rev: number;
  token: string | null;
}

const IS_HEAD = `ifnull((SELECT max(rev) FROM ws_log), (SELECT value->>'rev' FROM ws_meta WHERE key = 'head')) IS ?
  AND (SELECT token FROM ws_epoch ORDER BY first_rev DESC LIMIT 1) IS ?`;

export function isLogHead(db: Database, { rev, token }: ExpectedHead): boolean {
  return db.row(`SELECT 1 WHERE ${IS_HEAD}`, rev, token) !== undefined;
}

/**
 * With `after`, returns false and writes nothing when the log does not end there. Costs no extra statement unless there are many
 * entries.
 */
export function insertLog(db: Database, entries: readonly LogEntry[], after?: ExpectedHead): boolean {
  let bound = 0;
  // An entry has a third of the fields: iterates over those it has, not over all possible ones.
  for (const entry of entries)
    for (const field in entry) if (entry[field as keyof LogEntry] !== undefined) bound |= bits.get(field) ?? 0;
  let insert = inserts.get(bound);
  if (insert === undefined) {
    const present = COLUMNS.filter((_, i) => (bound & (1 << i)) !== 0);
    const head = `INSERT INTO ws_log (${present.map(([, column]) => column).join(",")})`;
    inserts.set(
      bound,
      (insert = { head, columns: present.length, fields: present.map(([field]) => field), guarded: [] }),
    );
  }
  const { fields } = insert;
  const rows = entries.map((entry) => fields.map((field) => entry[field] ?? null));
  if (after !== undefined && rows.length < MANY_ROWS) {
    const bound = rows.length * fields.length <= MAX_BOUND;
    const values = bound ? rows.flat() : [JSON.stringify(rows)];
    return db.written(guardedText(insert, bound ? rows.length : 0), ...values, after.rev, after.token) > 0;
  }
  if (after !== undefined && !isLogHead(db, after)) return false;
  insertRows(db, insert, rows);
  return true;
}

/** With this many rows an extra statement does not matter. */
const MANY_ROWS = 50;
/** Bound values per statement, less the two of the condition. */
const MAX_BOUND = 98;

/** `rows`: bound one by one, or 0 for one JSON text. */
function guardedText({ head, columns, guarded }: LogInsert, rows: number): string {
  return (guarded[rows] ??= `${head} ${rows > 0 ? boundRows(rows, columns) : jsonRows(columns)} WHERE ${IS_HEAD}`);
}

function boundRows(rows: number, columns: number): string {
  const tuple = `(${Array(columns).fill("?").join(",")})`;
  return `SELECT * FROM (VALUES ${Array(rows).fill(tuple).join(",")})`;
}

function jsonRows(columns: number): string {
  return `SELECT ${Array.from({ length: columns }, (_, column) => `value->>${column}`)} FROM json_each(?)`;
}

export interface LogHead {
  rev: number;
  held: number;
}

/** The counters: of the last entry, or as saved when the last entry was trimmed too. */
export function selectLogHead(db: Database): LogHead {
  const row = db.row("SELECT rev, retained_bytes FROM ws_log ORDER BY rev DESC LIMIT 1");
  if (row !== undefined) return { rev: row[0] as number, held: row[1] as number };
  const retained = db.row("SELECT value FROM ws_meta WHERE key = 'head'");
  return retained === undefined ? { rev: 0, held: 0 } : (JSON.parse(retained[0] as string) as LogHead);
}

export function saveLogHead(db: Database, { rev, held }: LogHead): void {
  db.run("INSERT OR REPLACE INTO ws_meta (key, value) VALUES ('head', ?)", JSON.stringify({ rev, held }));
}

/** An entry at the old end of the log. */
export interface TailEntry {
  rev: number;
  time: number;
  /** `retainedBytes` of the previous entry: the bytes retained since then belong to this entry and later ones. */
  retainedBefore: number;
}

export function selectLogTail(db: Database): TailEntry | null {
  const row = db.row(
    `SELECT rev, time, iif(rev = 1, 0, ifnull((SELECT value->>'held' FROM ws_meta WHERE key = 'trimmed' AND value->>'rev' = rev - 1), retained_bytes))
     FROM ws_log ORDER BY rev LIMIT 1`,
  );
  return row === undefined ? null : { rev: row[0] as number, time: row[1] as number, retainedBefore: row[2] as number };
}

/** Saves the counters of the last trimmed entry: what an entry retains follows only from the entry before it. */
export function keepTrimmed(db: Database, { rev, held }: LogHead): void {
  db.run("INSERT OR REPLACE INTO ws_meta (key, value) VALUES ('trimmed', ?)", JSON.stringify({ rev, held }));
}

export interface ChangeRow {
  rev: number;
  tx: number;
  time: number;
  op: ChangeOp;
  type: number;
  ino: number;
  path: string;
  fromPath: string | null;
  actor: string | null;
  callId: string | null;
}

export function selectChanges(db: Database, after: number, through: number, limit: number): ChangeRow[] {
  return db
    .rows(
      "SELECT rev, ifnull(group_rev, rev), time, op, type, ino, path, from_path, actor, call_id FROM ws_log WHERE rev > ? AND rev <= ? ORDER BY rev LIMIT ?",
      after,
      through,
      limit,
    )
    .map((r) => ({
      rev: r[0] as number,
      tx: r[1] as number,
      time: r[2] as number,
      op: r[3] as ChangeOp,
      type: r[4] as number,
      ino: r[5] as number,
      path: r[6] as string,
      fromPath: r[7] as string | null,
      actor: r[8] as string | null,
      callId: r[9] as string | null,
    }));
}

export interface Epoch {
  firstRev: number;
  token: string;
}

/** The last `limit` of them, oldest first. */
export function selectLatestEpochs(db: Database, limit: number): Epoch[] {
  return db
    .rows("SELECT first_rev, token FROM ws_epoch ORDER BY first_rev DESC LIMIT ?", limit)
    .map((row) => ({ firstRev: row[0] as number, token: row[1] as string }))
    .reverse();
}

/** The epoch that contains a revision, and the first revision after it. */
export function selectEpochAt(db: Database, rev: number): (Epoch & { end: number }) | null {
  const row = db.row(
    `SELECT first_rev, token, ifnull((SELECT min(first_rev) FROM ws_epoch WHERE first_rev > ?1), ?1 + 1)
     FROM ws_epoch WHERE first_rev <= ?1 ORDER BY first_rev DESC LIMIT 1`,
    rev,
  );
  return row === undefined ? null : { firstRev: row[0] as number, token: row[1] as string, end: row[2] as number };
}

export function insertEpoch(db: Database, { firstRev, token }: Epoch): void {
  db.run("INSERT OR REPLACE INTO ws_epoch (first_rev, token) VALUES (?, ?)", firstRev, token);
}

export function deleteLogAfter(db: Database, rev: number): void {
  db.run("DELETE FROM ws_log WHERE rev > ?", rev);
}

export function deleteEpoch(db: Database, { firstRev }: Epoch): void {
  db.run("DELETE FROM ws_epoch WHERE first_rev = ?", firstRev);
}
