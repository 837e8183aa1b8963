/**
 * SQL of the conversion of `ws_layout`, the old format: for every version of a large content a list of its runs; versions made from
 * one another are a family. A converted list stays until its whole family is converted.
 */
import type { Run } from "../content/layout.ts";
import type { Database } from "../db/database.ts";

export interface OldLayout {
  readonly id: number;
  readonly family: number;
  readonly runs: readonly Run[];
}

/** The progress of the conversion: this list of this family. */
export interface Converted {
  readonly family: number;
  readonly last: number;
}

export function selectConverted(db: Database): Converted | null {
  const row = db.row("SELECT value FROM ws_meta WHERE key = 'converted'");
  return row === undefined ? null : (JSON.parse(row[0] as string) as Converted);
}

export function keepConverted(db: Database, converted: Converted): void {
  db.run("INSERT OR REPLACE INTO ws_meta (key, value) VALUES ('converted', ?)", JSON.stringify(converted));
}

export function hasOldLayouts(db: Database): boolean {
  return db.row("SELECT 1 FROM ws_layout LIMIT 1") !== undefined;
}

/** The next list of a family. */
export function selectOldLayout(db: Database, family: number, after: number): OldLayout | null {
  const id = selectListAfter(db, family, after);
  const runs = id === null ? null : selectRuns(db, id);
  return id === null || runs === null ? null : { id, family, runs };
}

export function selectRuns(db: Database, id: number): Run[] | null {
  const row = db.row("SELECT runs FROM ws_layout WHERE id = ?", id);
  return row === undefined ? null : (JSON.parse(row[0] as string) as Run[]);
}

export function selectListAfter(db: Database, family: number, after: number): number | null {
  const row = db.row("SELECT id FROM ws_layout WHERE family = ? AND id > ? ORDER BY id LIMIT 1", family, after);
  return (row?.[0] as number | undefined) ?? null;
}

export function selectNextFamily(db: Database, after: number): number | null {
  const row = db.row("SELECT family FROM ws_layout WHERE family > ? ORDER BY family LIMIT 1", after);
  return (row?.[0] as number | undefined) ?? null;
}

export function deleteOldLayouts(db: Database, family: number, limit: number): number {
  const some = "SELECT id FROM ws_layout WHERE family = ? LIMIT ?";
  return db.written(`DELETE FROM ws_layout WHERE id IN (${some})`, family, limit);
}
