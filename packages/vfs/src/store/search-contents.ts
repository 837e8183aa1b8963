/** SQL of a search over `ws_content`: the bytes of many files at once. */
import type { Database } from "../db/database.ts";

/** A row larger than twice the wanted size plus this is not worth reading whole; slicing one is slower than reading it. */
const SPARE_BYTES = 4096;
const ROWS = `SELECT c.id, CASE WHEN length(c.bytes) <= 2 * w.value + ${SPARE_BYTES} THEN c.bytes ELSE substr(c.bytes, 1, w.value) END
  FROM json_each(?) w JOIN ws_content c ON c.id = CAST(w.key AS INTEGER)`;

/** Rows by id, without missing ones. `wanted`: how many bytes of each; slightly more may be returned, so it bounds the memory. */
export function selectRows(db: Database, wanted: ReadonlyMap<number, number>): Map<number, Uint8Array> {
  const found = new Map<number, Uint8Array>();
  if (wanted.size === 0) return found;
  for (const row of db.rows(ROWS, toJson(wanted))) found.set(row[0] as number, new Uint8Array(row[1] as ArrayBuffer));
  return found;
}

/** In the order of ids, so that pages are read in order. Faster than building an object first. */
function toJson(wanted: ReadonlyMap<number, number>): string {
  let json = "";
  for (const id of Float64Array.from(wanted.keys()).sort())
    json += `${json === "" ? "{" : ","}"${id}":${wanted.get(id)}`;
  return `${json}}`;
}
