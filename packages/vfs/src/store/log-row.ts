/** A full entry of the log, for history: every column, in one order for all statements. */
import type { ChangeOp } from "../api/file-system.ts";

/** An entry with everything needed to revert it. */
export interface LogRow {
  readonly rev: number;
  readonly tx: number;
  readonly time: number;
  readonly op: ChangeOp;
  readonly type: number;
  readonly ino: number;
  readonly parent: number;
  readonly path: string;
  readonly fromParent: number | null;
  readonly fromPath: string | null;
  readonly prev: number;
  /** Null where its directory was not touched. */
  readonly prevParent: number | null;
  readonly prevFrom: number | null;
  readonly prevReplaced: number | null;
  readonly replaced: number | null;
  readonly oldContent: number | null;
  readonly oldSize: number | null;
  readonly oldMode: number | null;
  readonly oldMtime: number | null;
  readonly oldContentRev: number | null;
  readonly parentMtime: number | null;
  readonly fromMtime: number | null;
  readonly oldCtime: number | null;
  readonly parentCtime: number | null;
  readonly fromCtime: number | null;
  readonly replacedCtime: number | null;
  readonly actor: string | null;
  readonly callId: string | null;
}

const COLUMNS: readonly (readonly [field: keyof LogRow, column: string])[] = [
  ["rev", "rev"],
  ["tx", "group_rev"],
  ["time", "time"],
  ["op", "op"],
  ["type", "type"],
  ["ino", "ino"],
  ["parent", "parent"],
  ["path", "path"],
  ["fromParent", "from_parent"],
  ["fromPath", "from_path"],
  ["prev", "prev"],
  ["prevParent", "prev_parent"],
  ["prevFrom", "prev_from"],
  ["prevReplaced", "prev_replaced"],
  ["replaced", "replaced"],
  ["oldContent", "old_content"],
  ["oldSize", "old_size"],
  ["oldMode", "old_mode"],
  ["oldMtime", "old_mtime"],
  ["oldContentRev", "old_content_rev"],
  ["parentMtime", "parent_mtime"],
  ["fromMtime", "from_mtime"],
  ["oldCtime", "old_ctime"],
  ["parentCtime", "parent_ctime"],
  ["fromCtime", "from_ctime"],
  ["replacedCtime", "replaced_ctime"],
  ["actor", "actor"],
  ["callId", "call_id"],
];
export const ENTRY_COLUMNS: readonly string[] = COLUMNS.map(([, column]) => column);
export const logColumns = (table: string) => ENTRY_COLUMNS.map((name) => `${table}.${name}`).join(",");

/** Reads an entry whose columns begin at `at` of a row. */
export function entryAt(row: SqlStorageValue[], at: number): LogRow {
  const entry: Record<string, SqlStorageValue> = {};
  for (let i = 0; i < COLUMNS.length; i++) entry[(COLUMNS[i] as [string, string])[0]] = row[at + i] as SqlStorageValue;
  entry.tx ??= entry.rev as number;
  return entry as unknown as LogRow;
}
