/** Reads and writes the table of MCP sessions, in the workspace's database. The first session creates the table. */
export interface SessionRow {
  id: string;
  /** The principal that opened the session; no other principal can find it. */
  principal: string;
  /** Identifies the principals that share one session limit: a token, and the tokens that derive from it. */
  holder: string;
  /** Time of its last request, at a resolution of `SEEN_EVERY_MS`. */
  seenMs: number;
  /** Paths; a directory's path covers everything below it. */
  subscriptions: string[];
  /**
   * The log cursor from which the next stream reports changes: that of the first subscription made while no stream was open. Null:
   * no such subscription.
   */
  since: string | null;
}

type Columns = {
  id: string;
  principal: string;
  holder: string;
  seen_ms: number;
  subscriptions: string;
  since: string | null;
};

export function createSessionTable(sql: SqlStorage): void {
  sql.exec(
    "CREATE TABLE IF NOT EXISTS mcp_session (id TEXT PRIMARY KEY, principal TEXT NOT NULL, holder TEXT NOT NULL, " +
      "seen_ms INTEGER NOT NULL, subscriptions TEXT NOT NULL, since TEXT) STRICT, WITHOUT ROWID",
  );
}

export function hasSessionTable(sql: SqlStorage): boolean {
  return sql.exec("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'mcp_session'").toArray().length > 0;
}

export function selectSession(sql: SqlStorage, id: string): SessionRow | null {
  const [row] = sql.exec<Columns>("SELECT * FROM mcp_session WHERE id = ?", id);
  return row === undefined ? null : toSession(row);
}

/** Least recently used first. */
export function selectSessions(sql: SqlStorage): SessionRow[] {
  return [...sql.exec<Columns>("SELECT * FROM mcp_session ORDER BY seen_ms")].map(toSession);
}

export function saveSession(
  sql: SqlStorage,
  { id, principal, holder, seenMs, subscriptions, since }: SessionRow,
): void {
  const values = [id, principal, holder, seenMs, JSON.stringify(subscriptions), since];
  sql.exec("INSERT OR REPLACE INTO mcp_session VALUES (?, ?, ?, ?, ?, ?)", ...values);
}

export function deleteSession(sql: SqlStorage, id: string): void {
  sql.exec("DELETE FROM mcp_session WHERE id = ?", id);
}

function toSession({ seen_ms: seenMs, subscriptions, ...row }: Columns): SessionRow {
  return { ...row, seenMs, subscriptions: JSON.parse(subscriptions) as string[] };
}
