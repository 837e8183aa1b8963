/** SQL of what entries of the log have touched: inodes and directories, and foreign changes in a tree. */
import type { Database } from "../db/database.ts";
import { S_IFDIR, S_IFMT } from "../tree/inode.ts";

/** Selects what the entries with `after < rev <= through` touched: their inodes, and all their directories. */
export function selectTouched(
  db: Database,
  after: number,
  through: number,
): { subjects: number[]; directories: number[] } {
  const numbers = (sql: string) => db.rows(sql, after, through).map((row) => row[0] as number);
  const subjects = numbers("SELECT DISTINCT ino FROM ws_log WHERE rev > ? AND rev <= ?");
  const directories = numbers(
    `SELECT parent FROM ws_log WHERE rev > ?1 AND rev <= ?2
     UNION SELECT from_parent FROM ws_log WHERE rev > ?1 AND rev <= ?2 AND from_parent IS NOT NULL
     UNION SELECT h.parent FROM ws_log l JOIN ws_hardlink h ON h.ino = l.ino WHERE l.rev > ?1 AND l.rev <= ?2`,
  );
  return { subjects, directories: [...directories, ...selectOtherNames(db, after, subjects)] };
}

/**
 * A file with several names changes at all of them, and `ws_hardlink` drops a file with a single name left. So this finds, for
 * existing inodes that lost a name since `after`, all current names and those since then. There is no index for it, and directories
 * are read whole; but it takes a hard link that was changed and then removed.
 */
function selectOtherNames(db: Database, after: number, inos: readonly number[]): number[] {
  const outlived = db.rows(
    `SELECT ino FROM ws_inode WHERE nlink > 0 AND mode & 61440 <> 16384 AND ino IN (
       SELECT ino FROM ws_log WHERE rev > ?1 AND op = 'remove' UNION SELECT replaced FROM ws_log WHERE rev > ?1 AND replaced IS NOT NULL
     ) AND ino IN (SELECT value FROM json_each(?2))`,
    after,
    JSON.stringify(inos),
  );
  if (outlived.length === 0) return [];
  const list = JSON.stringify(outlived.map((row) => row[0]));
  return db
    .rows(
      `SELECT parent FROM ws_dirent WHERE ino IN (SELECT value FROM json_each(?1))
       UNION SELECT parent FROM ws_log WHERE rev > ?2 AND ino IN (SELECT value FROM json_each(?1))
       UNION SELECT from_parent FROM ws_log WHERE rev > ?2 AND from_parent IS NOT NULL AND ino IN (SELECT value FROM json_each(?1))`,
      list,
      after,
    )
    .map((row) => row[0] as number);
}

/** Something in a tree that entries other than the chosen ones have changed since a revision. */
export interface ForeignChange {
  /** Relative to the head of the tree, with a leading slash; empty for the head itself. */
  readonly relative: string;
  readonly head: number;
  readonly ino: number;
  readonly rev: number;
}

/**
 * What these trees contain that the chosen entries did not make: files that another entry has touched since, and directories that
 * another entry created. One statement for all trees.
 */
export function selectForeign(
  db: Database,
  heads: readonly (readonly [ino: number, since: number])[],
  chosen: readonly number[],
  limit: number,
): ForeignChange[] {
  return db
    .rows(
      `WITH RECURSIVE own(rev) AS MATERIALIZED (SELECT value FROM json_each(?2)),
       tree(head, since, ino, relative) AS (
         SELECT value->>0, value->>1, value->>0, '' FROM json_each(?1)
         UNION ALL
         SELECT t.head, t.since, d.ino, t.relative || '/' || d.name FROM tree t CROSS JOIN ws_dirent d ON d.parent = t.ino
       )
       SELECT t.relative, t.head, i.ino, i.rev FROM tree t CROSS JOIN ws_inode i ON i.ino = t.ino
       WHERE CASE WHEN (i.mode & ${S_IFMT}) = ${S_IFDIR} THEN i.ino > t.since AND i.ino NOT IN own
             ELSE i.rev > t.since AND i.rev NOT IN own END
       LIMIT ?3`,
      JSON.stringify(heads),
      JSON.stringify(chosen),
      limit,
    )
    .map((row) => ({
      relative: row[0] as string,
      head: row[1] as number,
      ino: row[2] as number,
      rev: row[3] as number,
    }));
}

export interface RemovedName {
  readonly ino: number;
  readonly parent: number;
  /** The path at that time. */
  readonly path: string;
}

/** Names that entries later than `after` removed from a directory and its subdirectories: newest first. */
export function selectRemovedIn(db: Database, directory: number, after: number, limit: number): RemovedName[] {
  return db
    .rows(
      `WITH folders(ino) AS MATERIALIZED (SELECT ?1 UNION SELECT ino FROM ws_dirent WHERE parent = ?1 AND type = 2
         UNION SELECT ino FROM ws_log WHERE rev > ?2 AND parent = ?1 AND op = 'remove' AND type = 2)
       SELECT ino, parent, path FROM ws_log WHERE rev > ?2 AND op = 'remove' AND parent IN folders ORDER BY rev DESC LIMIT ?3`,
      directory,
      after,
      limit,
    )
    .map((row) => ({ ino: row[0] as number, parent: row[1] as number, path: row[2] as string }));
}
