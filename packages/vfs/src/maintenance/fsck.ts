/**
 * `fsck`: checks every invariant of the schema, in SQL where possible. Reports problems; `repair` fixes and reports what can be
 * fixed without a guess (counts, types, links, leaks).
 */

import { optionsOf } from "../api/options.ts";
import type { Database } from "../db/database.ts";
import { PURGED, S_IFDIR, S_IFLNK, S_IFMT } from "../tree/inode.ts";
import type { VolumeStore } from "../volume/views.ts";
import { checkTrees } from "./check-trees.ts";
import { convertLayouts } from "./convert-layouts.ts";
import { finishFreeing } from "./free-trees.ts";

export interface FsckProblem {
  check: string;
  /** The inode, content, revision or name concerned. */
  subject: string;
  repaired: boolean;
}

export interface FsckReport {
  ok: boolean;
  problems: FsckProblem[];
  /** There are more of a kind than are listed. */
  truncated: boolean;
}

interface FsckCheck {
  name: string;
  /** One column: the subject. */
  sql: string;
  /** Runs once when the check found something and the caller wants repair. */
  repair?: string;
}

const MAX_PER_CHECK = 100;
const TYPE_OF_MODE = `CASE i.mode & ${S_IFMT} WHEN ${S_IFDIR} THEN 2 WHEN ${S_IFLNK} THEN 3 ELSE 1 END`;
const IS_DIR = (table: string) => `(${table}.mode & ${S_IFMT}) = ${S_IFDIR}`;
/** The last entry that touched an inode, from which the collector finds it. */
const IN_LOG =
  "EXISTS (SELECT 1 FROM ws_log l WHERE l.rev = i.rev AND i.ino IN (l.ino, l.parent, l.from_parent, l.replaced))";

/** The owners of contents: inodes, and states that the log can restore. */
const OWNERS = `SELECT content FROM ws_inode WHERE content NOT IN (0, ${PURGED})
  UNION ALL SELECT old_content FROM ws_log WHERE old_content IS NOT NULL AND old_content NOT IN (0, ${PURGED})
  UNION ALL SELECT content FROM ws_garbage`;

const UNOWNED = `n.origin IS NOT NULL AND -n.id NOT IN (${OWNERS}) AND (n.unowned IS NULL
  OR (n.origin > 0) + (SELECT count(*) FROM ws_node c WHERE c.origin = n.id AND c.origin > 0) < 3)`;

const CHECKS: FsckCheck[] = [
  {
    name: "the root is a directory",
    sql: `SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM ws_inode i WHERE i.ino = 1 AND ${IS_DIR("i")})`,
  },
  {
    name: "a name points at an inode",
    sql: "SELECT d.parent || '/' || d.name FROM ws_dirent d LEFT JOIN ws_inode i ON i.ino = d.ino WHERE i.ino IS NULL",
    repair: "DELETE FROM ws_dirent WHERE ino NOT IN (SELECT ino FROM ws_inode)",
  },
  {
    name: "a name is in a directory",
    sql: `SELECT d.parent || '/' || d.name FROM ws_dirent d LEFT JOIN ws_inode i ON i.ino = d.parent WHERE i.ino IS NULL OR NOT ${IS_DIR("i")}`,
  },
  {
    name: "a name knows its type",
    sql: `SELECT d.parent || '/' || d.name FROM ws_dirent d JOIN ws_inode i ON i.ino = d.ino WHERE d.type != ${TYPE_OF_MODE}`,
    repair: `UPDATE ws_dirent SET type = (SELECT ${TYPE_OF_MODE} FROM ws_inode i WHERE i.ino = ws_dirent.ino)`,
  },
  {
    name: "a directory knows where it is",
    sql: `SELECT i.ino FROM ws_inode i JOIN ws_dirent d ON d.ino = i.ino WHERE ${IS_DIR("i")} AND i.parent != d.parent`,
    repair: `UPDATE ws_inode SET parent = (SELECT d.parent FROM ws_dirent d WHERE d.ino = ws_inode.ino) WHERE ${IS_DIR("ws_inode")} AND ino IN (SELECT ino FROM ws_dirent)`,
  },
  {
    name: "a directory has one name, or none when removed",
    sql: `SELECT i.ino FROM ws_inode i LEFT JOIN ws_dirent d ON d.ino = i.ino WHERE ${IS_DIR("i")} AND i.ino != 1
          GROUP BY i.ino HAVING count(d.ino) != (i.parent != 0)`,
  },
  {
    name: "a directory counts its sub-directories",
    sql: `SELECT i.ino FROM ws_inode i LEFT JOIN ws_dirent d ON d.parent = i.ino AND d.type = 2 WHERE ${IS_DIR("i")} AND i.nlink > 0
          GROUP BY i.ino HAVING i.nlink != 2 + count(d.ino)`,
    repair: `UPDATE ws_inode SET nlink = 2 + (SELECT count(*) FROM ws_dirent d WHERE d.parent = ws_inode.ino AND d.type = 2) WHERE ${IS_DIR("ws_inode")} AND nlink > 0`,
  },
  {
    name: "a file counts its names",
    sql: `SELECT i.ino FROM ws_inode i LEFT JOIN ws_dirent d ON d.ino = i.ino WHERE NOT ${IS_DIR("i")} GROUP BY i.ino HAVING i.nlink != count(d.ino)`,
    repair: `UPDATE ws_inode SET nlink = (SELECT count(*) FROM ws_dirent d WHERE d.ino = ws_inode.ino) WHERE NOT ${IS_DIR("ws_inode")}`,
  },
  {
    name: "a file with several names has them listed",
    sql: `SELECT i.ino FROM ws_inode i WHERE NOT ${IS_DIR("i")} AND i.nlink > 1
          AND (SELECT count(*) FROM ws_hardlink h JOIN ws_dirent d ON d.parent = h.parent AND d.name = h.name AND d.ino = h.ino WHERE h.ino = i.ino) != i.nlink`,
    repair: `INSERT OR IGNORE INTO ws_hardlink SELECT d.ino, d.parent, d.name FROM ws_dirent d JOIN ws_inode i ON i.ino = d.ino WHERE i.nlink > 1 AND d.type != 2`,
  },
  {
    name: "a listed name is one of several",
    sql: "SELECT h.ino || ': ' || h.parent || '/' || h.name FROM ws_hardlink h LEFT JOIN ws_dirent d ON d.parent = h.parent AND d.name = h.name AND d.ino = h.ino LEFT JOIN ws_inode i ON i.ino = h.ino WHERE d.ino IS NULL OR i.nlink < 2",
    repair:
      "DELETE FROM ws_hardlink WHERE NOT EXISTS (SELECT 1 FROM ws_dirent d JOIN ws_inode i ON i.ino = d.ino WHERE d.parent = ws_hardlink.parent AND d.name = ws_hardlink.name AND d.ino = ws_hardlink.ino AND i.nlink > 1)",
  },
  {
    name: "an inode without a name is in the log or waits to be collected",
    sql: `SELECT i.ino FROM ws_inode i WHERE i.nlink = 0 AND i.ino NOT IN (SELECT ino FROM ws_orphan) AND NOT ${IN_LOG}`,
    repair: `INSERT OR IGNORE INTO ws_orphan SELECT i.ino FROM ws_inode i WHERE i.nlink = 0 AND NOT ${IN_LOG}`,
  },
  {
    name: "an empty file has no content, any other has",
    sql: `SELECT i.ino FROM ws_inode i WHERE i.mode & ${S_IFMT} NOT IN (${S_IFDIR}, ${S_IFLNK}) AND (i.size = 0) != (i.content = 0)`,
  },
  {
    name: "a content has the bytes its owner claims",
    sql: `SELECT o.content FROM (SELECT content, size FROM ws_inode WHERE content > 0
            UNION ALL SELECT old_content, old_size FROM ws_log WHERE old_content > 0) o
          LEFT JOIN ws_content c ON c.id = o.content WHERE o.content != ${PURGED} AND (c.id IS NULL OR length(c.bytes) < o.size)`,
  },
  {
    name: "a tree that something refers to exists",
    sql: `SELECT o.content FROM (${OWNERS}) o LEFT JOIN ws_node n ON n.id = -o.content AND n.origin IS NOT NULL
          WHERE o.content < 0 AND n.id IS NULL`,
  },
  {
    name: "a tree has an owner, or connects three others",
    sql: `SELECT n.id FROM ws_node n WHERE ${UNOWNED}`,
    repair: `INSERT OR IGNORE INTO ws_garbage SELECT -n.id FROM ws_node n WHERE ${UNOWNED}`,
  },
  {
    name: "a tree was made from one that exists",
    sql: "SELECT n.id FROM ws_node n LEFT JOIN ws_node o ON o.id = n.origin AND o.origin IS NOT NULL WHERE n.origin > 0 AND o.id IS NULL",
  },
  {
    name: "revisions follow one another",
    sql: "SELECT rev FROM (SELECT rev, lag(rev) OVER (ORDER BY rev) AS before FROM ws_log) WHERE before IS NOT NULL AND rev != before + 1",
  },
  {
    name: "an entry's links point back",
    sql: "SELECT rev FROM ws_log WHERE prev >= rev OR prev_parent >= rev OR prev_from >= rev OR prev_replaced >= rev OR group_rev > rev",
  },
  {
    name: "an inode's revisions are in the past",
    sql: "SELECT ino FROM ws_inode WHERE rev > (SELECT max(rev) FROM (SELECT rev FROM ws_log UNION ALL SELECT value->>'rev' FROM ws_meta WHERE key = 'head')) OR content_rev > rev OR ino > rev",
  },
  {
    name: "a directory can be reached or was removed",
    sql: `WITH RECURSIVE reach(ino) AS (SELECT ino FROM ws_inode WHERE parent = 0 AND (mode & ${S_IFMT}) = ${S_IFDIR}
            UNION SELECT d.ino FROM reach CROSS JOIN ws_dirent d ON d.parent = reach.ino WHERE d.type = 2)
          SELECT i.ino FROM ws_inode i WHERE ${IS_DIR("i")} AND i.ino NOT IN (SELECT ino FROM reach)`,
  },
];

export async function fsck(volume: VolumeStore, options?: { repair?: boolean }): Promise<FsckReport> {
  const { repair = false } = optionsOf<{ repair: boolean }>("fsck", options);
  const { db, reservations } = volume.ensureOpen();
  reservations.free([]);
  // The checks do not support the old format, nor a half-freed tree.
  while (db.transaction(() => convertLayouts(volume)));
  db.transaction(() => finishFreeing(db, volume.limits.gcStepRows));
  const problems: FsckProblem[] = [];
  let truncated = false;
  const report = (check: string, subjects: readonly unknown[], repaired: boolean) => {
    truncated ||= subjects.length > MAX_PER_CHECK;
    for (const subject of subjects.slice(0, MAX_PER_CHECK))
      problems.push({ check, subject: String(subject), repaired });
  };
  db.transaction(() => {
    for (const { name, sql, repair: statement } of CHECKS) {
      const subjects = db.rows(`${sql} LIMIT ${MAX_PER_CHECK + 1}`).map((row) => row[0]);
      const repaired = repair && subjects.length > 0 && statement !== undefined;
      if (repaired) db.run(statement);
      report(name, subjects, repaired);
    }
    report("a reserved block has a writer, or is of an earlier incarnation", leakedBlocks(volume), false);
    for (const { check, subjects } of checkRows(db)) report(check, subjects, false);
    report("memory agrees with the database", volume.cache.findStaleEntries(), false);
  });
  if (repair && problems.length > 0) volume.invalidateCaches();
  return { ok: problems.length === 0, problems, truncated };
}

/** Blocks of this incarnation without a writer: the writer failed to free them. The collector would. */
function leakedBlocks({ db, epochToken, reservations }: VolumeStore): unknown[] {
  return db
    .rows("SELECT first FROM ws_spool WHERE epoch = ?", epochToken)
    .map((row) => row[0])
    .filter((first) => !reservations.has(first as number));
}

/**
 * Checks that need the expanded trees: every row of theirs exists and is long enough, and each row has the right number of owners.
 */
function checkRows(db: Database): { check: string; subjects: unknown[] }[] {
  const lengths = new Map(
    db.rows("SELECT id, length(bytes) FROM ws_content").map((row) => [row[0] as number, row[1] as number]),
  );
  const owners = new Map<number, number>();
  const own = (content: number) => owners.set(content, (owners.get(content) ?? 0) + 1);
  for (const [content] of db.rows(OWNERS)) own(content as number);
  const { short, stray } = checkTrees(db, lengths, own);
  const spools = db.rows("SELECT first, last FROM ws_spool");
  const spooled = (id: number) => spools.some(([first, last]) => id >= (first as number) && id <= (last as number));
  const extra = new Map(
    db.rows("SELECT content, extra_refs FROM ws_content_ref").map((row) => [row[0] as number, row[1] as number]),
  );
  const leaked = [...lengths.keys()].filter((id) => !owners.has(id) && !spooled(id));
  const miscounted = [...owners]
    .filter(([content, count]) => count !== 1 + (extra.get(content) ?? 0))
    .map(([content, count]) => `${content}: ${count} owners`);
  const unowned = [...extra.keys()].filter((content) => !owners.has(content));
  return [
    { check: "a tree's rows hold its bytes", subjects: short },
    { check: "a node is part of a tree", subjects: stray },
    { check: "a content row has an owner", subjects: leaked },
    { check: "a content has as many owners as are counted", subjects: [...miscounted, ...unowned] },
  ];
}
