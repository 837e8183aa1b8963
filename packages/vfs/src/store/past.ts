/** SQL of the log read backwards: whole entries, by revision, by filter, or along the links from one entry to the one before it. */
import type { Database, SqlValue } from "../db/database.ts";
import type { ChangeOp } from "../filesystem.ts";
import { S_IFDIR, S_IFMT } from "../inode.ts";

/** An entry with everything that is needed to take it back. */
export interface PastEntry {
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

const COLUMNS: readonly (readonly [field: keyof PastEntry, column: string])[] = [
  ["rev", "rev"],
  ["tx", "tx"],
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
const NAMES = COLUMNS.map(([, column]) => column);
const columnsOf = (table: string) => NAMES.map((name) => `${table}.${name}`).join(",");

function entryAt(row: SqlStorageValue[], at: number): PastEntry {
  const entry: Record<string, SqlStorageValue> = {};
  for (let i = 0; i < COLUMNS.length; i++) entry[(COLUMNS[i] as [string, string])[0]] = row[at + i] as SqlStorageValue;
  entry.tx ??= entry.rev as number;
  return entry as unknown as PastEntry;
}

/**
 * The entries later than `rev` that touched each inode, newest first: from the entry that touched it last, by the link that
 * belongs to the part the inode played in it.
 */
export function selectChains(
  db: Database,
  starts: readonly (readonly [ino: number, rev: number])[],
  rev: number,
): Map<number, PastEntry[]> {
  const rows = db.rows(
    `WITH RECURSIVE chain(subject, ${NAMES.join(",")}) AS (
       SELECT s.value->>0, ${columnsOf("l")} FROM json_each(?1) s CROSS JOIN ws_log l ON l.rev = s.value->>1 WHERE l.rev > ?2
       UNION ALL
       SELECT c.subject, ${columnsOf("l")} FROM chain c CROSS JOIN ws_log l ON l.rev = CASE
         WHEN c.ino = c.subject THEN c.prev
         WHEN c.parent = c.subject AND c.prev_parent IS NOT NULL THEN c.prev_parent
         WHEN c.from_parent = c.subject THEN c.prev_from
         ELSE c.prev_replaced END
       WHERE l.rev > ?2
     ) SELECT subject, ${NAMES.join(",")} FROM chain`,
    JSON.stringify(starts),
    rev,
  );
  const chains = new Map<number, PastEntry[]>();
  for (const row of rows) {
    const subject = row[0] as number;
    const chain = chains.get(subject);
    if (chain === undefined) chains.set(subject, [entryAt(row, 1)]);
    else chain.push(entryAt(row, 1));
  }
  return chains;
}

/** The newest entries, at most `limit`, with `after < rev <= through`. */
export function selectEntriesBack(db: Database, after: number, through: number, limit: number): PastEntry[] {
  return db
    .rows(
      `SELECT ${columnsOf("l")} FROM ws_log l WHERE l.rev > ? AND l.rev <= ? ORDER BY l.rev DESC LIMIT ?`,
      after,
      through,
      limit,
    )
    .map((row) => entryAt(row, 0));
}

/** Which entries somebody asks for; what is given must all hold. */
export interface EntryFilter {
  /** Later than this. */
  readonly after: number;
  readonly through: number;
  readonly actor?: string | undefined;
  readonly callId?: string | undefined;
  /** At or under it, by the paths at the time. "/" is everything. */
  readonly path?: string | undefined;
  /** First revision of the transaction. */
  readonly group?: number | undefined;
}

export function selectMatching(db: Database, filter: EntryFilter, limit: number): PastEntry[] {
  const [where, values] = conditionOf(filter);
  return db
    .rows(`SELECT ${columnsOf("l")} FROM ws_log l WHERE ${where} ORDER BY l.rev DESC LIMIT ?`, ...values, limit)
    .map((row) => entryAt(row, 0));
}

/**
 * The entries that match, and every one since the oldest of them that has to do with what they touched: newest first, with
 * whether it matched. One statement, whatever their number.
 */
export function selectRelated(
  db: Database,
  filter: EntryFilter,
  limit: number,
): { entry: PastEntry; matched: boolean }[] {
  const [where, values] = conditionOf(filter);
  return db
    .rows(
      `WITH chosen AS MATERIALIZED (SELECT l.rev, l.ino, l.parent, l.from_parent, l.replaced FROM ws_log l WHERE ${where}),
            subjects(ino) AS MATERIALIZED (SELECT ino FROM chosen UNION SELECT parent FROM chosen
              UNION SELECT from_parent FROM chosen WHERE from_parent IS NOT NULL
              UNION SELECT replaced FROM chosen WHERE replaced IS NOT NULL)
       SELECT l.rev IN (SELECT rev FROM chosen), ${columnsOf("l")} FROM ws_log l
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
  if (callId !== undefined) add("l.call_id = ?", callId);
  if (group !== undefined) add("(l.rev = ? OR l.tx = ?)", group, group);
  if (path !== undefined && path !== "/") {
    // Not LIKE: its patterns are limited to 50 bytes, and a path may hold its wildcards. "0" is what follows "/".
    const under = (column: string) => `(${column} = ? OR (${column} > ? AND ${column} < ?))`;
    const bounds = [path, `${path}/`, `${path}0`];
    add(`(${under("l.path")} OR ${under("l.from_path")})`, ...bounds, ...bounds);
  }
  return [parts.join(" AND "), values];
}

/** How many directories each of these directories holds now. */
export function countSubdirectories(db: Database, parents: readonly number[]): Map<number, number> {
  if (parents.length === 0) return new Map();
  return new Map(
    db
      .rows(
        "SELECT d.parent, count(*) FROM json_each(?) p CROSS JOIN ws_dirent d ON d.parent = p.value WHERE d.type = 2 GROUP BY d.parent",
        JSON.stringify(parents),
      )
      .map((row) => [row[0] as number, row[1] as number]),
  );
}

/** What entries with `after < rev <= through` touched: their subjects, and every directory in which they took place. */
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
 * A file with several names changes at all of them, and `ws_hardlink` forgets one that has a single name left. So for those of the
 * inodes that lost a name since `after` and are still there: wherever they are now, or were since. Nothing has an index for
 * that, and directories are read whole; but it takes a hard link that was changed and then removed.
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

/** Something in a tree that others than the chosen entries have changed since a revision. */
export interface Foreign {
  /** From the head of the tree, with a leading slash; empty for the head itself. */
  readonly relative: string;
  readonly head: number;
  readonly ino: number;
  readonly rev: number;
}

/**
 * What would go with these trees though it is not the chosen entries' own: files that another entry has touched since, and
 * directories that another entry made. One statement for all trees.
 */
export function selectForeign(
  db: Database,
  heads: readonly (readonly [ino: number, since: number])[],
  chosen: readonly number[],
  limit: number,
): Foreign[] {
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

/** Who made an entry. */
export function selectEntry(db: Database, rev: number): PastEntry | null {
  const row = db.row(`SELECT ${columnsOf("l")} FROM ws_log l WHERE l.rev = ?`, rev);
  return row === undefined ? null : entryAt(row, 0);
}

/** What file a name last lost before a revision, and at which. */
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
