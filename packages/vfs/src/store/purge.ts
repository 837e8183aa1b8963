/** SQL of purging: which inodes a path has had, and the contents of their past states. */
import type { Database } from "../db/database.ts";
import { PURGED, S_IFMT, S_IFREG } from "../tree/inode.ts";

/** `?1`: the path, "/" for everything. Not LIKE: its patterns are limited to 50 bytes. "0" is the character after "/". */
const under = (column: string) => `(?1 = '/' OR ${column} = ?1 OR (${column} > ?1 || '/' AND ${column} < ?1 || '0'))`;
/** What entries at or under the path removed, up to `?2`, and everything in removed trees. */
const GONE = `gone(ino) AS (
    SELECT i.ino FROM (SELECT ino FROM ws_log WHERE op = 'remove' AND rev <= ?2 AND ${under("path")}
      UNION SELECT replaced FROM ws_log WHERE replaced IS NOT NULL AND rev <= ?2 AND ${under("path")}) l
    CROSS JOIN ws_inode i ON i.ino = l.ino WHERE i.nlink = 0
    UNION SELECT d.ino FROM gone CROSS JOIN ws_dirent d ON d.parent = gone.ino)`;

/** Bytes of past states at and under a path: replaced contents, and files that were removed. */
export function sumHistory(db: Database, path: string, rev: number): number {
  const replaced = db.row(
    `SELECT ifnull(sum(old_size), 0) FROM ws_log
     WHERE old_content IS NOT NULL AND old_content NOT IN (0, ${PURGED}) AND rev <= ?2 AND ${under("path")}`,
    path,
    rev,
  );
  const removed = db.row(
    `WITH RECURSIVE ${GONE} SELECT ifnull(sum(i.size), 0) FROM gone CROSS JOIN ws_inode i ON i.ino = gone.ino
     WHERE (i.mode & ${S_IFMT}) = ${S_IFREG} AND i.content != ${PURGED}`,
    path,
    rev,
  );
  return ((replaced?.[0] as number | undefined) ?? 0) + ((removed?.[0] as number | undefined) ?? 0);
}

/** Every inode that was ever at or under a path, as far as the log reaches, including removed trees. */
export function selectEverAt(db: Database, path: string, rev: number): number[] {
  return db
    .rows(
      `WITH RECURSIVE ${GONE} SELECT ino FROM gone
       UNION SELECT ino FROM ws_log WHERE rev <= ?2 AND (${under("path")} OR ${under("from_path")})
       UNION SELECT replaced FROM ws_log WHERE replaced IS NOT NULL AND rev <= ?2 AND ${under("path")}`,
      path,
      rev,
    )
    .map((row) => row[0] as number);
}

/** Contents of past states of these inodes, one for each state with its own content. */
export function selectPastContents(db: Database, inos: string): number[] {
  return db
    .rows(
      `SELECT old_content FROM ws_log WHERE op = 'write' AND old_content IS NOT NULL AND old_content NOT IN (0, ${PURGED})
       AND ino IN (SELECT value FROM json_each(?))`,
      inos,
    )
    .map((row) => row[0] as number);
}

/** Marks every past state of these inodes that had bytes; returns how many. */
export function purgeStates(db: Database, inos: string): number {
  return db.written(
    `UPDATE ws_log SET old_content = ${PURGED} WHERE op = 'write' AND old_size > 0 AND old_content IS NOT ${PURGED}
     AND ino IN (SELECT value FROM json_each(?))`,
    inos,
  );
}

/** Removes the bytes of files without a name, or in a removed tree; returns how many had some. */
export function purgeInodes(db: Database, inos: readonly number[]): number {
  return db.written(
    `UPDATE ws_inode SET content = ${PURGED} WHERE ino IN (SELECT value FROM json_each(?)) AND content NOT IN (0, ${PURGED})`,
    JSON.stringify(inos),
  );
}

/** Inodes that have one of these contents now. */
export function selectContentOwners(db: Database, contents: readonly number[]): number[] {
  return db
    .rows(
      "SELECT ino FROM ws_inode WHERE nlink > 0 AND content IN (SELECT value FROM json_each(?)) LIMIT 1000",
      JSON.stringify(contents),
    )
    .map((row) => row[0] as number);
}
