/** Reads and writes the usage meter's only row: its counts as JSON. A workspace that never changed has no such table. */
import type { CallUsage, VerbUsage } from "../usage-meter.ts";

export interface MeterRow {
  sinceMs: number;
  costs: VerbUsage[];
  recent: CallUsage[];
}

type Sql = Pick<SqlStorage, "exec">;

export function selectMeter(sql: Sql): MeterRow | null {
  const [table] = sql.exec("SELECT name FROM sqlite_master WHERE type = 'table' AND name = 'http_meter'");
  if (table === undefined) return null;
  const [row] = sql.exec<{ counted: string }>("SELECT counted FROM http_meter");
  return row === undefined ? null : (JSON.parse(row.counted) as MeterRow);
}

export function saveMeter(sql: Sql, row: MeterRow): void {
  sql.exec(
    "CREATE TABLE IF NOT EXISTS http_meter (id INTEGER PRIMARY KEY CHECK (id = 1), counted TEXT NOT NULL) STRICT",
  );
  sql.exec("INSERT OR REPLACE INTO http_meter VALUES (1, ?)", JSON.stringify(row));
}
