/** SQL of a search over `ws_content`: the bytes of many files at once. */
import type { Database } from "../db/database.ts";

/** Rows up to a length; longer ones, which have grown far beyond the file that is asked for, and those that are gone, are left out. */
export function selectRowsUpTo(db: Database, ids: readonly number[], length: number): Map<number, Uint8Array> {
  const found = new Map<number, Uint8Array>();
  const rows = db.rows(
    "SELECT id, bytes FROM ws_content WHERE id IN (SELECT value FROM json_each(?)) AND length(bytes) <= ?",
    JSON.stringify(ids),
    length,
  );
  for (const row of rows) found.set(row[0] as number, new Uint8Array(row[1] as ArrayBuffer));
  return found;
}
