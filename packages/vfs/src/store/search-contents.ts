/** SQL of a search over `ws_content`: the bytes of many files at once, each cut to what is the file's own. */
import type { Database } from "../db/database.ts";

/** `parts`: rows and how many bytes of each. A row that is gone is not in the answer. */
export function selectPrefixes(
  db: Database,
  parts: readonly (readonly [id: number, size: number])[],
): Map<number, Uint8Array> {
  const found = new Map<number, Uint8Array>();
  const rows = db.rows(
    `SELECT c.id, iif(length(c.bytes) = p.value->>1, c.bytes, substr(c.bytes, 1, p.value->>1))
     FROM json_each(?) p JOIN ws_content c ON c.id = p.value->>0`,
    JSON.stringify(parts),
  );
  for (const row of rows) found.set(row[0] as number, new Uint8Array(row[1] as ArrayBuffer));
  return found;
}
