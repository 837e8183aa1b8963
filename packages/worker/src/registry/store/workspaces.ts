/** Reads and writes the registry's only table: the list of workspaces. */
import type { WorkspaceInfo } from "../../api/workspaces.ts";

export function createTable(sql: SqlStorage): void {
  sql.exec(
    "CREATE TABLE IF NOT EXISTS workspaces (name TEXT PRIMARY KEY, created_ms INTEGER NOT NULL, git TEXT) STRICT, WITHOUT ROWID",
  );
}

/** False if it already exists. */
export function insertWorkspace(sql: SqlStorage, name: string, createdMs: number, git: string | null): boolean {
  return (
    sql.exec("INSERT INTO workspaces VALUES (?, ?, ?) ON CONFLICT DO NOTHING", name, createdMs, git).rowsWritten > 0
  );
}

export function deleteWorkspace(sql: SqlStorage, name: string): boolean {
  return sql.exec("DELETE FROM workspaces WHERE name = ?", name).rowsWritten > 0;
}

/** In order of names, after a given one. */
export function selectWorkspaces(sql: SqlStorage, after: string, limit: number): WorkspaceInfo[] {
  const query = "SELECT name, created_ms, git FROM workspaces WHERE name > ? ORDER BY name LIMIT ?";
  return [...sql.exec<Row>(query, after, limit)].map(toWorkspaceInfo);
}

export function selectWorkspace(sql: SqlStorage, name: string): WorkspaceInfo | null {
  const [row] = sql.exec<Row>("SELECT name, created_ms, git FROM workspaces WHERE name = ?", name);
  return row === undefined ? null : toWorkspaceInfo(row);
}

type Row = { name: string; created_ms: number; git: string | null };

function toWorkspaceInfo({ name, created_ms, git }: Row): WorkspaceInfo {
  return { name, createdAt: created_ms, ...(git === null ? {} : { from: { git } }) };
}
