/** SQL of `ws_tool_*`. Rows do not leave this file. */
import type { AgentMessage, AuditEntry, AuditRecord, Proposal, ReadVersion } from "@workspace/protocol";
import type { VolumeStore } from "@workspace/vfs";

type Db = VolumeStore["db"];

const DISABLED = "tools.disabled";
/** A row holds at most 2 MB in production. */
const PART_BYTES = 1024 * 1024;

export function selectDisabled(db: Db): string[] {
  const row = db.row("SELECT value FROM ws_meta WHERE key = ?", DISABLED);
  return row === undefined ? [] : (JSON.parse(row[0] as string) as string[]);
}

export function saveDisabled(db: Db, names: readonly string[]): void {
  if (names.length === 0) db.run("DELETE FROM ws_meta WHERE key = ?", DISABLED);
  else db.run("INSERT OR REPLACE INTO ws_meta (key, value) VALUES (?, ?)", DISABLED, JSON.stringify(names));
}

export function selectSeen(db: Db, actor: string, path: string): ReadVersion | undefined {
  const row = db.row("SELECT version, content_version FROM ws_tool_read WHERE actor = ? AND path = ?", actor, path);
  return row === undefined ? undefined : { version: row[0] as string, contentVersion: row[1] as string };
}

export interface SeenRow {
  readonly actor: string;
  readonly path: string;
  /** Null: removed. */
  readonly seen: ReadVersion | null;
}

/** Writes all of them in a statement or two. */
export function saveSeen(db: Db, rows: readonly SeenRow[]): void {
  const retained = rows.flatMap(({ actor, path, seen }) =>
    seen === null ? [] : [[actor, path, seen.version, seen.contentVersion]],
  );
  const gone = rows.filter(({ seen }) => seen === null).map(({ actor, path }) => [actor, path]);
  if (retained.length > 0)
    db.run(
      "INSERT OR REPLACE INTO ws_tool_read (actor, path, version, content_version) SELECT value->>0, value->>1, value->>2, value->>3 FROM json_each(?)",
      JSON.stringify(retained),
    );
  if (gone.length > 0)
    db.run(
      "DELETE FROM ws_tool_read WHERE (actor, path) IN (SELECT value->>0, value->>1 FROM json_each(?))",
      JSON.stringify(gone),
    );
}

/** Retains this many, the latest versions first: `<epoch>.<revision in base 36>`, longer is later. */
export function trimSeen(db: Db, keep: number): void {
  const count = db.row("SELECT count(*) FROM ws_tool_read")?.[0] as number;
  if (count <= keep) return;
  db.run(
    "DELETE FROM ws_tool_read WHERE (actor, path) IN (SELECT actor, path FROM ws_tool_read ORDER BY length(version), substr(version, instr(version, '.') + 1) LIMIT ?)",
    count - keep,
  );
}

/** The row before the content: its `base` is the file's mode, in octal. */
const MODE_PART = -1;
/** Its `base` is the time of queueing, in milliseconds. */
const TIME_PART = -2;

export function selectProposals(db: Db, actor: string): Proposal[] {
  const found: { path: string; base: string | null; parts: Uint8Array[] | null; mode?: number; timeMs?: number }[] = [];
  let before: { mode?: number; timeMs?: number } = {};
  for (const row of db.rows(
    "SELECT path, part, bytes, base FROM ws_tool_proposal WHERE actor = ? ORDER BY path, part",
    actor,
  )) {
    const [path, part, bytes, base] = row as [string, number, ArrayBuffer | null, string | null];
    if (part === MODE_PART) before.mode = Number.parseInt(base as string, 8);
    else if (part === TIME_PART) before.timeMs = Number(base);
    else if (part === 0) {
      const parts = bytes === null ? null : [new Uint8Array(bytes)];
      found.push({ path, base, parts, ...before });
      before = {};
    } else found.at(-1)?.parts?.push(new Uint8Array(bytes as ArrayBuffer));
  }
  return found.map(({ parts, ...rest }) => ({ ...rest, content: parts === null ? null : joined(parts) }));
}

export function replaceProposal(db: Db, actor: string, { path, content, base, mode, timeMs }: Proposal): void {
  deleteProposal(db, actor, path);
  const insert = "INSERT INTO ws_tool_proposal (actor, path, part, bytes, base) VALUES (?, ?, ?, ?, ?)";
  if (content === null) {
    db.run(insert, actor, path, 0, null, base);
    return;
  }
  if (timeMs !== undefined) db.run(insert, actor, path, TIME_PART, null, String(Math.round(timeMs)));
  if (mode !== undefined) db.run(insert, actor, path, MODE_PART, null, mode.toString(8));
  for (let part = 0; part === 0 || part * PART_BYTES < content.length; part++) {
    const bytes = content.slice(part * PART_BYTES, (part + 1) * PART_BYTES);
    db.run(insert, actor, path, part, bytes, base);
  }
}

export function deleteProposal(db: Db, actor: string, path: string): void {
  db.run("DELETE FROM ws_tool_proposal WHERE actor = ? AND path = ?", actor, path);
}

export function deleteProposals(db: Db, actor: string): void {
  db.run("DELETE FROM ws_tool_proposal WHERE actor = ?", actor);
}

/** Marks a row whose `input` is a list of records, and whose `id` is that of the last of them. */
const BATCH = "batch";
/** A record as written: time, actor, call, tool, outcome, code, duration, arguments. */
export type AuditFields = [number, string, string, string, string, string, number, string];

export function auditFields(record: AuditRecord): AuditFields {
  const { timeMs, actor, callId, tool, outcome, code, durationMs, input } = record;
  return [Math.round(timeMs), actor, callId, tool, outcome, code, Math.round(durationMs), input];
}

/** In order. Records of one turn share a row: rows determine the cost, in time and in billing. */
export function insertAudits(db: Db, records: readonly AuditFields[]): void {
  const [first] = records as [AuditFields];
  // JSON escapes half a surrogate pair; a column would lose it.
  const row: readonly (string | number)[] =
    records.length === 1 ? first.map(wellFormed) : [first[0], "", "", "", BATCH, "", 0, JSON.stringify(records)];
  db.run(
    "INSERT INTO ws_tool_audit (id, time, actor, call_id, tool, outcome, code, duration, input) VALUES ((SELECT coalesce(max(id), 0) FROM ws_tool_audit) + ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    records.length,
    ...row,
  );
}

function wellFormed<T>(value: T): T | string {
  return typeof value === "string" ? value.toWellFormed() : value;
}

export function trimAudit(db: Db, keep: number): void {
  db.run("DELETE FROM ws_tool_audit WHERE id <= (SELECT max(id) FROM ws_tool_audit) - ?", keep);
}

/** Rows read at a time: each may hold many records. */
const AUDIT_ROWS = 20;

/** Newest first. */
export function selectAudit(db: Db, before: number, limit: number): AuditEntry[] {
  const found: AuditEntry[] = [];
  const columns = "SELECT id, time, actor, call_id, tool, outcome, code, duration, input FROM ws_tool_audit";
  // The row that contains `before`, if there is one.
  for (const row of db.rows(`${columns} WHERE id >= ? ORDER BY id LIMIT 1`, before)) found.push(...entriesIn(row));
  let below = before;
  while (found.filter(({ id }) => id < before).length < limit) {
    const rows = db.rows(`${columns} WHERE id < ? ORDER BY id DESC LIMIT ?`, below, Math.min(limit, AUDIT_ROWS));
    for (const row of rows) found.push(...entriesIn(row));
    const last = rows.at(-1);
    if (last === undefined) break;
    below = last[0] as number;
  }
  return found.filter(({ id }) => id < before).slice(0, limit);
}

function entriesIn([last, ...fields]: readonly unknown[]): AuditEntry[] {
  const row = fields as AuditFields;
  const all = row[4] === BATCH ? (JSON.parse(row[7]) as AuditFields[]) : [row];
  return all
    .map((record) => record.map(wellFormed) as AuditFields)
    .map(([timeMs, actor, callId, tool, outcome, code, durationMs, input], i) => ({
      id: (last as number) - all.length + 1 + i,
      ...{ timeMs, actor, callId, tool, outcome: outcome as AuditEntry["outcome"], code, durationMs, input },
    }))
    .reverse();
}

export function selectAgentCount(db: Db, parent: string): number {
  return (db.row("SELECT count FROM ws_tool_agent WHERE parent = ?", parent)?.[0] as number | undefined) ?? 0;
}

export function saveAgentCount(db: Db, parent: string, count: number): void {
  db.run("INSERT OR REPLACE INTO ws_tool_agent (parent, count) VALUES (?, ?)", parent, count);
}

/** Deletes entries older than `since`, and counts the rest of this pair, or of this sender. */
export function countSent(db: Db, pair: string, since: number): number {
  db.run("DELETE FROM ws_tool_rate WHERE time <= ?", since);
  return (db.row("SELECT count(*) FROM ws_tool_rate WHERE pair = ?", pair)?.[0] as number | undefined) ?? 0;
}

export function countMessages(db: Db, recipient: string): number {
  return (
    (db.row("SELECT count(*) FROM ws_tool_message WHERE recipient = ?", recipient)?.[0] as number | undefined) ?? 0
  );
}

/** `counted`: the keys of its rate limit, the pair and the sender. */
export function insertMessage(db: Db, counted: readonly string[], { from, to, text, timeMs }: AgentMessage): void {
  for (const name of counted) db.run("INSERT INTO ws_tool_rate (pair, time) VALUES (?, ?)", name, Math.round(timeMs));
  const sql = "INSERT INTO ws_tool_message (recipient, sender, text, time) VALUES (?, ?, ?, ?)";
  db.run(sql, to, from, text, Math.round(timeMs));
}

export function takeMessages(db: Db, recipient: string): AgentMessage[] {
  const rows = db.rows("SELECT sender, text, time FROM ws_tool_message WHERE recipient = ? ORDER BY id", recipient);
  if (rows.length > 0) db.run("DELETE FROM ws_tool_message WHERE recipient = ?", recipient);
  return rows.map((row) => ({
    from: row[0] as string,
    to: recipient,
    text: row[1] as string,
    timeMs: row[2] as number,
  }));
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
