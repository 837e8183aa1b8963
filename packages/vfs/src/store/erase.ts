/**
 * SQL of erasing: bytes are overwritten in place, by a value of the same length, before their row is deleted or changed. This takes
 * two commits: SQLite does not write a page that is freed by the transaction that changed it, so bytes that are overwritten and
 * deleted in one transaction stay in the file.
 */
import type { Database } from "../db/database.ts";
import { forSlices } from "./bulk.ts";

/** While set, everything queued in `ws_garbage` is overwritten before it is deleted. Survives the end of the object. */
export function setErasing(db: Database): void {
  db.run("INSERT OR REPLACE INTO ws_meta (key, value) VALUES ('erase', '1')");
}

export function isErasing(db: Database): boolean {
  return db.row("SELECT 1 FROM ws_meta WHERE key = 'erase'") !== undefined;
}

export function clearErasing(db: Database): void {
  db.run("DELETE FROM ws_meta WHERE key = 'erase'");
}

export function overwriteContents(db: Database, ids: readonly number[]): void {
  forSlices(
    db,
    "UPDATE ws_content SET bytes = zeroblob(length(bytes)) WHERE id IN (SELECT value FROM json_each(?))",
    ids,
  );
}

/** Queued rows in order, after `after`. */
export function selectQueued(db: Database, after: number, limit: number): number[] {
  return db
    .rows("SELECT content FROM ws_garbage WHERE content > ? ORDER BY content LIMIT ?", after, limit)
    .map((row) => row[0] as number);
}

export function resizeZeros(db: Database, ids: readonly number[], bytes: number): void {
  forSlices(db, "UPDATE ws_content SET bytes = zeroblob(?2) WHERE id IN (SELECT value FROM json_each(?1))", ids, [
    bytes,
  ]);
}

/** Overwrites the bytes of a row beyond its only owner's part. */
export function overwriteTails(db: Database, parts: readonly (readonly [content: number, size: number])[]): void {
  forSlices(
    db,
    `UPDATE ws_content SET bytes = CAST(substr(bytes, 1, p.size) || zeroblob(length(bytes) - p.size) AS BLOB)
     FROM (SELECT value->>0 AS id, value->>1 AS size FROM json_each(?)) p
     WHERE ws_content.id = p.id AND length(bytes) > p.size`,
    parts,
  );
}

export function cutTails(db: Database, parts: readonly (readonly [content: number, size: number])[]): void {
  forSlices(
    db,
    `UPDATE ws_content SET bytes = substr(bytes, 1, p.size)
     FROM (SELECT value->>0 AS id, value->>1 AS size FROM json_each(?)) p
     WHERE ws_content.id = p.id AND length(bytes) > p.size`,
    parts,
  );
}

/** Overwrites symlink targets with digits of the same length; returns how many links had one. */
export function overwriteTargets(db: Database, inos: readonly number[]): number {
  return db.written(
    `UPDATE ws_inode SET target = substr(hex(zeroblob(length(CAST(target AS BLOB)))), 1, length(CAST(target AS BLOB)))
     WHERE target <> '' AND ino IN (SELECT value FROM json_each(?))`,
    JSON.stringify(inos),
  );
}

/** Changes the length of overwritten targets. */
export function resizeTargets(db: Database, inos: readonly number[], bytes: number): void {
  forSlices(
    db,
    "UPDATE ws_inode SET target = substr(hex(zeroblob(?2)), 1, ?2) WHERE target <> '' AND ino IN (SELECT value FROM json_each(?1))",
    inos,
    [bytes],
  );
}

export function clearTargets(db: Database, inos: readonly number[]): void {
  forSlices(db, "UPDATE ws_inode SET target = '' WHERE target <> '' AND ino IN (SELECT value FROM json_each(?))", inos);
}

/** Inserts rows of zeros: they use free pages before the file grows. */
export function insertZeros(db: Database, first: number, rows: number, bytes: number): void {
  db.run(
    "WITH RECURSIVE n(id) AS (SELECT ?1 UNION ALL SELECT id + 1 FROM n WHERE id < ?1 + ?2 - 1) INSERT INTO ws_content (id, bytes) SELECT id, zeroblob(?3) FROM n",
    first,
    rows,
    bytes,
  );
}

/**
 * Appends rows to the tables that only grow at their end, and deletes them: the last page of each may be a reused free page with
 * old bytes. `rev`: of the last change; no inode has a higher number.
 */
export function coverEnds(db: Database, rev: number, rows: number): void {
  db.run(
    `${NUMBERS} INSERT INTO ws_log (rev, time, op, type, ino, parent, path, prev, retained_bytes) SELECT id, 0, '', 0, 0, 0, '', 0, 0 FROM n`,
    rev,
    rows,
  );
  db.run("DELETE FROM ws_log WHERE rev > ?", rev);
  db.run(`${NUMBERS} ${INSERT_INODES} SELECT id, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL FROM n`, rev, rows);
  db.run("DELETE FROM ws_inode WHERE ino > ?", rev);
}

/** Appends large rows until the first page of each table is full of numbers of other pages, and deletes them. */
export function coverRoots(db: Database, rev: number, rows: number, bytes: number): void {
  const target = "substr(hex(zeroblob(?3)), 1, ?3)";
  db.run(`${NUMBERS} ${INSERT_INODES} SELECT id, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, ${target} FROM n`, rev, rows, bytes);
  db.run("DELETE FROM ws_inode WHERE ino > ?", rev);
  const last = (db.row("SELECT max(id) FROM ws_search_block")?.[0] as number | null | undefined) ?? 0;
  db.run(`${NUMBERS} INSERT INTO ws_search_block (id, bits) SELECT id, zeroblob(?3) FROM n`, last, rows, bytes);
  db.run("DELETE FROM ws_search_block WHERE id > ?", last);
}

/** The numbers after ?1, ?2 of them. */
const NUMBERS = "WITH RECURSIVE n(id) AS (SELECT ?1 + 1 UNION ALL SELECT id + 1 FROM n WHERE id < ?1 + ?2)";
const INSERT_INODES =
  "INSERT INTO ws_inode (ino, mode, nlink, size, content, mtime, ctime, birthtime, rev, content_rev, parent, target)";

/** Files that were changed since they were created, as far as the log reaches. */
export function selectRewritten(db: Database, inos: readonly number[]): number[] {
  return db
    .rows(
      "SELECT DISTINCT ino FROM ws_log WHERE op = 'write' AND old_size > 0 AND ino IN (SELECT value FROM json_each(?))",
      JSON.stringify(inos),
    )
    .map((row) => row[0] as number);
}
