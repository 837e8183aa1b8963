/** SQL of `ws_snapshot`. */
import type { Database } from "../db/database.ts";

export interface SnapshotRow {
  readonly id: string;
  readonly rev: number;
  readonly name: string;
  readonly time: number;
  readonly pinned: boolean;
  readonly actor: string | null;
  readonly callId: string | null;
}

const COLUMNS = "id, rev, name, time, pinned, actor, call_id";

export function insertSnapshot(db: Database, { id, rev, name, time, pinned, actor, callId }: SnapshotRow): void {
  db.run(
    `INSERT INTO ws_snapshot (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)`,
    id,
    rev,
    name,
    time,
    Number(pinned),
    actor,
    callId,
  );
}

export function selectSnapshot(db: Database, id: string): SnapshotRow | null {
  const row = db.row(`SELECT ${COLUMNS} FROM ws_snapshot WHERE id = ?`, id);
  return row === undefined ? null : parseSnapshotRow(row);
}

/** Newest first. */
export function selectSnapshots(db: Database): SnapshotRow[] {
  return db.rows(`SELECT ${COLUMNS} FROM ws_snapshot ORDER BY rev DESC, time DESC, id DESC`).map(parseSnapshotRow);
}

export function countSnapshots(db: Database): number {
  return (db.row("SELECT count(*) FROM ws_snapshot")?.[0] as number | undefined) ?? 0;
}

export function deleteSnapshot(db: Database, id: string): boolean {
  return db.written("DELETE FROM ws_snapshot WHERE id = ?", id) > 0;
}

/** The oldest revision that must be retained, or null. */
export function selectPinnedRev(db: Database): number | null {
  return (db.row("SELECT min(rev) FROM ws_snapshot WHERE pinned = 1")?.[0] as number | null | undefined) ?? null;
}

/** Deletes those that are not pinned and that history no longer reaches. */
export function deleteSnapshotsBefore(db: Database, rev: number): void {
  db.run("DELETE FROM ws_snapshot WHERE rev < ?", rev);
}

function parseSnapshotRow(row: SqlStorageValue[]): SnapshotRow {
  return {
    id: row[0] as string,
    rev: row[1] as number,
    name: row[2] as string,
    time: row[3] as number,
    pinned: row[4] === 1,
    actor: row[5] as string | null,
    callId: row[6] as string | null,
  };
}
