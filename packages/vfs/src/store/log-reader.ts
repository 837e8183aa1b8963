/** SQL of the log read backwards: whole entries, by revision, by filter, or along the links to previous entries. */
import type { Database, SqlValue } from "../db/database.ts";
import { ENTRY_COLUMNS, entryAt, type LogRow, logColumns } from "./log-row.ts";

/**
 * The entries later than `rev` that touched each inode, newest first: from the last entry that touched it, along the link for the
 * inode's role in it.
 */
export function selectInodeLog(
  db: Database,
  starts: readonly (readonly [ino: number, rev: number])[],
  rev: number,
): Map<number, LogRow[]> {
  const rows = db.rows(
    `WITH RECURSIVE chain(subject, ${ENTRY_COLUMNS.join(",")}) AS (
       SELECT s.value->>0, ${logColumns("l")} FROM json_each(?1) s CROSS JOIN ws_log l ON l.rev = s.value->>1 WHERE l.rev > ?2
       UNION ALL
       SELECT c.subject, ${logColumns("l")} FROM chain c CROSS JOIN ws_log l ON l.rev = CASE
         WHEN c.ino = c.subject THEN c.prev
         WHEN c.parent = c.subject AND c.prev_parent IS NOT NULL THEN c.prev_parent
         WHEN c.from_parent = c.subject THEN c.prev_from
         ELSE c.prev_replaced END
       WHERE l.rev > ?2
     ) SELECT subject, ${ENTRY_COLUMNS.join(",")} FROM chain`,
    JSON.stringify(starts),
    rev,
  );
  const chains = new Map<number, LogRow[]>();
  for (const row of rows) {
    const subject = row[0] as number;
    const chain = chains.get(subject);
    if (chain === undefined) chains.set(subject, [entryAt(row, 1)]);
    else chain.push(entryAt(row, 1));
  }
  return chains;
}

/** The newest entries, at most `limit`, with `after < rev <= through`. */
export function selectEntriesBack(db: Database, after: number, through: number, limit: number): LogRow[] {
  return db
    .rows(
      `SELECT ${logColumns("l")} FROM ws_log l WHERE l.rev > ? AND l.rev <= ? ORDER BY l.rev DESC LIMIT ?`,
      after,
      through,
      limit,
    )
    .map((row) => entryAt(row, 0));
}

/** Selects entries; all given conditions must hold. */
export interface EntryFilter {
  /** Later than this revision. */
  readonly after: number;
  readonly through: number;
  readonly actor?: string | undefined;
  /** Made by this call, alone or with others. */
  readonly callId?: string | undefined;
  /** At or under it, by the paths at that time. "/" is everything. */
  readonly path?: string | undefined;
  /** First revision of the transaction. */
  readonly group?: number | undefined;
}

export function selectMatching(db: Database, filter: EntryFilter, limit: number): LogRow[] {
  const [where, values] = conditionOf(filter);
  return db
    .rows(`SELECT ${logColumns("l")} FROM ws_log l WHERE ${where} ORDER BY l.rev DESC LIMIT ?`, ...values, limit)
    .map((row) => entryAt(row, 0));
}

/**
 * The revisions of the call that made this transaction, as long as no other call's lie between: the group that the log shows. Null
 * for a transaction without a call, or one that is no longer in the log. Each bound is one step past the run, along the key.
 */
export function selectRun(db: Database, group: number): { after: number; through: number } | null {
  const other = "(l.call_id IS NOT g.call_id OR l.actor IS NOT g.actor)";
  const [row] = db.rows(
    `SELECT (SELECT l.rev FROM ws_log l WHERE l.rev < g.rev AND ${other} ORDER BY l.rev DESC LIMIT 1),
            (SELECT l.rev FROM ws_log l WHERE l.rev > g.rev AND ${other} ORDER BY l.rev LIMIT 1)
     FROM ws_log g WHERE g.rev = ? AND g.call_id IS NOT NULL`,
    group,
  );
  if (row === undefined) return null;
  const [before, next] = row as [number | null, number | null];
  return { after: before ?? 0, through: next === null ? Number.MAX_SAFE_INTEGER : next - 1 };
}

/**
 * The matching entries, and every entry since the oldest of them that concerns what they touched: newest first, with whether it
 * matched. One statement, whatever their number.
 */
export function selectRelated(db: Database, filter: EntryFilter, limit: number): { entry: LogRow; matched: boolean }[] {
  const [where, values] = conditionOf(filter);
  return db
    .rows(
      `WITH chosen AS MATERIALIZED (SELECT l.rev, l.ino, l.parent, l.from_parent, l.replaced FROM ws_log l WHERE ${where}),
            subjects(ino) AS MATERIALIZED (SELECT ino FROM chosen UNION SELECT parent FROM chosen
              UNION SELECT from_parent FROM chosen WHERE from_parent IS NOT NULL
              UNION SELECT replaced FROM chosen WHERE replaced IS NOT NULL)
       SELECT l.rev IN (SELECT rev FROM chosen), ${logColumns("l")} FROM ws_log l
       WHERE l.rev >= (SELECT min(rev) FROM chosen)
         AND (l.ino IN subjects OR l.parent IN subjects OR l.from_parent IN subjects OR l.replaced IN subjects)
       ORDER BY l.rev DESC LIMIT ?`,
      ...values,
      limit,
    )
    .map((row) => ({ entry: entryAt(row, 1), matched: row[0] === 1 }));
}

function conditionOf({ after, through, actor, callId, path, group }: EntryFilter): [string, SqlValue[]] {
  const parts = ["l.rev > ?", "l.rev <= ?"];
  const values: SqlValue[] = [after, through];
  const add = (part: string, ...more: SqlValue[]) => {
    parts.push(part);
    values.push(...more);
  };
  if (actor !== undefined) add("l.actor = ?", actor);
  // Changes made while several commands ran name them all, separated by commas; a filter for one of them includes these.
  if (callId?.includes(",")) add("l.call_id = ?", callId);
  else if (callId !== undefined)
    add(
      "(l.call_id = ? OR (instr(l.call_id, ',') > 0 AND instr(',' || l.call_id || ',', ?) > 0))",
      callId,
      `,${callId},`,
    );
  if (group !== undefined) add("(l.rev = ? OR l.group_rev = ?)", group, group);
  if (path !== undefined && path !== "/") {
    // Not LIKE: its patterns are limited to 50 bytes, and a path may contain its wildcards. "0" is the character after "/".
    const under = (column: string) => `(${column} = ? OR (${column} > ? AND ${column} < ?))`;
    const bounds = [path, `${path}/`, `${path}0`];
    add(`(${under("l.path")} OR ${under("l.from_path")})`, ...bounds, ...bounds);
  }
  return [parts.join(" AND "), values];
}

/** Who made an entry. */
export function selectEntry(db: Database, rev: number): LogRow | null {
  const row = db.row(`SELECT ${logColumns("l")} FROM ws_log l WHERE l.rev = ?`, rev);
  return row === undefined ? null : entryAt(row, 0);
}

/** The file that last lost this name before a revision, and the revision of that. */
export function selectRemovedAt(
  db: Database,
  parent: number,
  path: string,
  before: number,
): { ino: number; rev: number } | null {
  const row = db.row(
    "SELECT ino, rev FROM ws_log WHERE rev < ? AND op = 'remove' AND parent = ? AND path = ? AND type = 1 ORDER BY rev DESC LIMIT 1",
    before,
    parent,
    path,
  );
  return row === undefined ? null : { ino: row[0] as number, rev: row[1] as number };
}
