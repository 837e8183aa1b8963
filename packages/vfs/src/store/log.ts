/** SQL of `ws_log` and `ws_epoch`. */
import type { Database } from "../db/database.ts";
import type { ChangeOp } from "../filesystem.ts";
import { type BulkInsert, insertRows } from "./bulk.ts";

/** One change, as it is kept. Absent fields are null in the table: see db/schema.ts. */
export interface LogEntry {
  rev: number;
  tx: number;
  time: number;
  op: ChangeOp;
  type: number;
  ino: number;
  parent: number;
  name: string;
  path: string;
  fromParent?: number;
  fromName?: string;
  fromPath?: string;
  prev: number;
  prevParent?: number;
  prevFrom?: number;
  prevReplaced?: number;
  replaced?: number;
  oldContent?: number;
  oldSize?: number;
  oldMode?: number;
  oldMtime?: number;
  oldContentRev?: number;
  parentMtime?: number;
  fromMtime?: number;
  held: number;
  actor?: string;
  callId?: string;
}

const COLUMNS =
  "rev,tx,time,op,type,ino,parent,name,path,from_parent,from_name,from_path,prev,prev_parent,prev_from,prev_replaced,replaced,old_content,old_size,old_mode,old_mtime,old_content_rev,parent_mtime,from_mtime,held,actor,call_id";
const INSERT: BulkInsert = { head: `INSERT INTO ws_log (${COLUMNS})`, columns: COLUMNS.split(",").length };

export function insertLog(db: Database, entries: readonly LogEntry[]): void {
  insertRows(
    db,
    INSERT,
    entries.map((e) => [
      e.rev,
      e.tx,
      e.time,
      e.op,
      e.type,
      e.ino,
      e.parent,
      e.name,
      e.path,
      e.fromParent ?? null,
      e.fromName ?? null,
      e.fromPath ?? null,
      e.prev,
      e.prevParent ?? null,
      e.prevFrom ?? null,
      e.prevReplaced ?? null,
      e.replaced ?? null,
      e.oldContent ?? null,
      e.oldSize ?? null,
      e.oldMode ?? null,
      e.oldMtime ?? null,
      e.oldContentRev ?? null,
      e.parentMtime ?? null,
      e.fromMtime ?? null,
      e.held,
      e.actor ?? null,
      e.callId ?? null,
    ]),
  );
}

export interface LogHead {
  rev: number;
  held: number;
}

/** The counters: of the last entry, or as kept when the last entry was given up too. */
export function selectLogHead(db: Database): LogHead {
  const row = db.row("SELECT rev, held FROM ws_log ORDER BY rev DESC LIMIT 1");
  if (row !== undefined) return { rev: row[0] as number, held: row[1] as number };
  const kept = db.row("SELECT value FROM ws_meta WHERE key = 'head'");
  return kept === undefined ? { rev: 0, held: 0 } : (JSON.parse(kept[0] as string) as LogHead);
}

export function keepLogHead(db: Database, { rev, held }: LogHead): void {
  db.run("INSERT OR REPLACE INTO ws_meta (key, value) VALUES ('head', ?)", JSON.stringify({ rev, held }));
}

export function selectLogTail(db: Database): (LogHead & { time: number }) | null {
  const row = db.row("SELECT rev, held, time FROM ws_log ORDER BY rev LIMIT 1");
  return row === undefined ? null : { rev: row[0] as number, held: row[1] as number, time: row[2] as number };
}

export interface LoggedChange {
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

export function selectChanges(db: Database, after: number, limit: number): LoggedChange[] {
  return db
    .rows(
      "SELECT rev, tx, time, op, type, ino, path, from_path, actor, call_id FROM ws_log WHERE rev > ? ORDER BY rev LIMIT ?",
      after,
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

export function selectEpochs(db: Database): Epoch[] {
  return db
    .rows("SELECT first_rev, token FROM ws_epoch ORDER BY first_rev")
    .map((r) => ({ firstRev: r[0] as number, token: r[1] as string }));
}

export function insertEpoch(db: Database, { firstRev, token }: Epoch): void {
  db.run("INSERT OR REPLACE INTO ws_epoch (first_rev, token) VALUES (?, ?)", firstRev, token);
}

/** Where the entry `rev` took place. */
export function selectLastPlace(db: Database, rev: number): { parent: number; name: string } | null {
  const row = db.row("SELECT parent, name FROM ws_log WHERE rev = ?", rev);
  return row === undefined ? null : { parent: row[0] as number, name: row[1] as string };
}
