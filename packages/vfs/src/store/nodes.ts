/** SQL of `ws_node`, the trees that locate the bytes of large contents. */
import type { Extent } from "../content/extent.ts";
import type { Database } from "../db/database.ts";
import { type BulkInsert, forSlices, insertRows } from "./bulk.ts";

/** A child node, and where it begins. */
export type Child = readonly [at: number, id: number];

export type TreeNode =
  | { readonly id: number; readonly level: 0; readonly entries: readonly Extent[] }
  | { readonly id: number; readonly level: number; readonly entries: readonly Child[] };

/** `origin`: for a root, the version that it was made from, 0 for none; null below a root. */
export type NewNode = TreeNode & { readonly origin: number | null };

/** A root. `unowned`: it stays without an owner as long as it connects three others or more. */
export interface TreeVersion {
  readonly id: number;
  readonly origin: number;
  readonly unowned: boolean;
}

export function selectNode(db: Database, id: number): TreeNode | null {
  const row = db.row("SELECT level, entries FROM ws_node WHERE id = ?", id);
  return row === undefined ? null : { id, level: row[0] as number, entries: JSON.parse(row[1] as string) };
}

const INSERT: BulkInsert = { head: "INSERT INTO ws_node (id, level, entries, origin)", columns: 4 };

export function insertNodes(db: Database, nodes: readonly NewNode[]): void {
  insertRows(
    db,
    INSERT,
    nodes.map(({ id, level, entries, origin }) => [id, level, JSON.stringify(entries), origin]),
  );
}

export function deleteNodes(db: Database, ids: readonly number[]): void {
  forSlices(db, "DELETE FROM ws_node WHERE id IN (SELECT value FROM json_each(?))", ids);
}

const VERSION = "SELECT id, origin, unowned FROM ws_node";

export function selectVersion(db: Database, id: number): TreeVersion | null {
  const row = db.row(`${VERSION} WHERE id = ? AND origin IS NOT NULL`, id);
  return row === undefined ? null : versionAt(row);
}

/** The version it was made from and those made from it, at most `limit`. */
export function selectNeighbours(db: Database, { id, origin }: TreeVersion, limit: number): TreeVersion[] {
  // `origin > 0` is the condition of the index.
  return db
    .rows(`${VERSION} WHERE id = ?1 UNION ALL ${VERSION} WHERE origin = ?2 AND origin > 0 LIMIT ?3`, origin, id, limit)
    .map(versionAt);
}

export function setOrigin(db: Database, id: number, origin: number): void {
  db.run("UPDATE ws_node SET origin = ? WHERE id = ?", origin, id);
}

export function setUnowned(db: Database, id: number): void {
  db.run("UPDATE ws_node SET unowned = 1 WHERE id = ?", id);
}

/** The version that is being freed: everything from `position` on is gone. */
export interface Freeing {
  readonly root: number;
  readonly position: number;
}

export function selectFreeing(db: Database): Freeing | null {
  const row = db.row("SELECT value FROM ws_meta WHERE key = 'freeing'");
  return row === undefined ? null : (JSON.parse(row[0] as string) as Freeing);
}

export function keepFreeing(db: Database, freeing: Freeing | null): void {
  if (freeing === null) db.run("DELETE FROM ws_meta WHERE key = 'freeing'");
  else db.run("INSERT OR REPLACE INTO ws_meta (key, value) VALUES ('freeing', ?)", JSON.stringify(freeing));
}

export function selectUnowned(db: Database): TreeVersion[] {
  return db.rows(`${VERSION} WHERE unowned = 1`).map(versionAt);
}

/** Every root, for `fsck`. */
export function selectVersions(db: Database): TreeVersion[] {
  return db.rows(`${VERSION} WHERE origin IS NOT NULL ORDER BY id`).map(versionAt);
}

function versionAt(row: SqlStorageValue[]): TreeVersion {
  return { id: row[0] as number, origin: row[1] as number, unowned: row[2] !== null };
}
