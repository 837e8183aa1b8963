/** SQL of the collector: what can go when an entry of the log goes, and the queues in which it waits. */
import type { Database } from "../db/database.ts";
import { forSlices } from "./bulk.ts";

export interface Expired {
  readonly rev: number;
  readonly op: string;
  readonly ino: number;
  readonly replaced: number | null;
  readonly oldContent: number | null;
}

export function selectOldestLog(db: Database, limit: number): Expired[] {
  return db.rows("SELECT rev, op, ino, replaced, old_content FROM ws_log ORDER BY rev LIMIT ?", limit).map((row) => ({
    rev: row[0] as number,
    op: row[1] as string,
    ino: row[2] as number,
    replaced: row[3] as number | null,
    oldContent: row[4] as number | null,
  }));
}

export function deleteLogThrough(db: Database, rev: number): void {
  db.run("DELETE FROM ws_log WHERE rev <= ?", rev);
}

/** One owner less: true while others remain. */
export function dropShare(db: Database, content: number): boolean {
  if (db.written("UPDATE ws_shared SET extra = extra - 1 WHERE content = ?", content) === 0) return false;
  db.run("DELETE FROM ws_shared WHERE content = ? AND extra = 0", content);
  return true;
}

export function selectShared(db: Database, contents: readonly number[]): number[] {
  return db
    .rows("SELECT content FROM ws_shared WHERE content IN (SELECT value FROM json_each(?))", JSON.stringify(contents))
    .map((row) => row[0] as number);
}

export function addGarbage(db: Database, content: number): void {
  db.run("INSERT OR IGNORE INTO ws_garbage (content) VALUES (?)", content);
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

export function existingContents(db: Database, ids: readonly number[], limit: number): number[] {
  return db
    .rows("SELECT id FROM ws_content WHERE id IN (SELECT value FROM json_each(?)) LIMIT ?", JSON.stringify(ids), limit)
    .map((row) => row[0] as number);
}

export function selectFamily(db: Database, family: number): { id: number; runs: string }[] {
  return db
    .rows("SELECT id, runs FROM ws_layout WHERE family = ?", family)
    .map((row) => ({ id: row[0] as number, runs: row[1] as string }));
}

export function deleteLayout(db: Database, id: number): void {
  db.run("DELETE FROM ws_layout WHERE id = ?", id);
}

export function selectSpools(db: Database): { first: number; last: number }[] {
  return db
    .rows("SELECT first, last FROM ws_spool")
    .map((row) => ({ first: row[0] as number, last: row[1] as number }));
}
