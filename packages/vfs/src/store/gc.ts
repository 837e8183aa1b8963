/** SQL of the collector: what can be freed with an entry of the log, and the queues of what is to be freed. */
import type { Database } from "../db/database.ts";
import { forSlices } from "./bulk.ts";

export interface Expired {
  readonly rev: number;
  readonly time: number;
  readonly held: number;
  /** Every inode that the entry touched: its subject, its directories, and the inode it replaced. */
  readonly touched: readonly number[];
  readonly oldContent: number | null;
}

export function selectOldestLog(db: Database, limit: number): Expired[] {
  return db
    .rows(
      "SELECT rev, time, retained_bytes, old_content, ino, parent, from_parent, replaced FROM ws_log ORDER BY rev LIMIT ?",
      limit,
    )
    .map(([rev, time, held, oldContent, ...touched]) => ({
      rev: rev as number,
      time: time as number,
      held: held as number,
      oldContent: oldContent as number | null,
      touched: touched.filter((ino) => ino !== null) as number[],
    }));
}

export function deleteLogThrough(db: Database, rev: number): void {
  db.run("DELETE FROM ws_log WHERE rev <= ?", rev);
}

/** Removes one owner: true while others remain. */
export function releaseReference(db: Database, content: number): boolean {
  if (db.written("UPDATE ws_content_ref SET extra_refs = extra_refs - 1 WHERE content = ?", content) === 0)
    return false;
  db.run("DELETE FROM ws_content_ref WHERE content = ? AND extra_refs = 0", content);
  return true;
}

export function selectShared(db: Database, contents: readonly number[]): number[] {
  return db
    .rows(
      "SELECT content FROM ws_content_ref WHERE content IN (SELECT value FROM json_each(?))",
      JSON.stringify(contents),
    )
    .map((row) => row[0] as number);
}

/** Whether anything is queued to be freed. */
export function hasQueued(db: Database): boolean {
  return db.row("SELECT 1 WHERE EXISTS (SELECT 1 FROM ws_garbage) OR EXISTS (SELECT 1 FROM ws_orphan)") !== undefined;
}

export function addGarbage(db: Database, contents: readonly number[]): void {
  forSlices(db, "INSERT OR IGNORE INTO ws_garbage (content) SELECT value FROM json_each(?)", contents);
}

export function selectGarbage(db: Database, limit: number): number[] {
  return db.rows("SELECT content FROM ws_garbage ORDER BY content LIMIT ?", limit).map((row) => row[0] as number);
}

export function deleteGarbage(db: Database, contents: readonly number[]): void {
  forSlices(db, "DELETE FROM ws_garbage WHERE content IN (SELECT value FROM json_each(?))", contents);
}

export function addOrphans(db: Database, inos: readonly number[]): void {
  forSlices(db, "INSERT OR IGNORE INTO ws_orphan (ino) SELECT value FROM json_each(?)", inos);
}

export function selectOrphans(db: Database, limit: number): number[] {
  return db.rows("SELECT ino FROM ws_orphan ORDER BY ino LIMIT ?", limit).map((row) => row[0] as number);
}

export function deleteOrphans(db: Database, inos: readonly number[]): void {
  forSlices(db, "DELETE FROM ws_orphan WHERE ino IN (SELECT value FROM json_each(?))", inos);
}

export function deleteInodes(db: Database, inos: readonly number[]): void {
  forSlices(db, "DELETE FROM ws_inode WHERE ino IN (SELECT value FROM json_each(?))", inos);
}

export function deleteContents(db: Database, ids: readonly number[]): void {
  forSlices(db, "DELETE FROM ws_content WHERE id IN (SELECT value FROM json_each(?))", ids);
}

export function selectSpools(db: Database): { first: number; last: number }[] {
  return db
    .rows("SELECT first, last FROM ws_spool")
    .map((row) => ({ first: row[0] as number, last: row[1] as number }));
}
