/** SQL of the durable state of a sync: one row of `ws_meta`, as JSON. */
import type { Database } from "../db/database.ts";

export function selectSyncState(db: Database): string | null {
  const row = db.row("SELECT value FROM ws_meta WHERE key = 'sync'");
  return row === undefined ? null : (row[0] as string);
}

export function putSyncState(db: Database, value: string): void {
  db.run("INSERT OR REPLACE INTO ws_meta (key, value) VALUES ('sync', ?)", value);
}
