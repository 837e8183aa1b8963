/** SQL of the current names of files and directories, by inode: only files with several names have an index for it. */
import type { Database } from "../db/database.ts";

export interface InodeLocation {
  readonly ino: number;
  readonly parent: number;
  readonly name: string;
}

/** The names of files with one name, which is stored only in its directory: reads every name in the database. */
export function selectNamesOf(db: Database, inos: readonly number[]): InodeLocation[] {
  if (inos.length === 0) return [];
  return db
    .rows("SELECT ino, parent, name FROM ws_dirent WHERE ino IN (SELECT value FROM json_each(?))", JSON.stringify(inos))
    .map((row) => ({ ino: row[0] as number, parent: row[1] as number, name: row[2] as string }));
}

/** Every name of these files: two statements for all, one of which reads every name in the database. */
export function selectAllNames(db: Database, files: readonly { ino: number; nlink: number }[]): InodeLocation[] {
  const several = files.filter(({ nlink }) => nlink > 1).map(({ ino }) => ino);
  const single = files.filter(({ nlink }) => nlink === 1).map(({ ino }) => ino);
  const linked =
    several.length === 0
      ? []
      : db.rows(
          "SELECT ino, parent, name FROM ws_hardlink WHERE ino IN (SELECT value FROM json_each(?))",
          JSON.stringify(several),
        );
  return [
    ...linked.map((row) => ({ ino: row[0] as number, parent: row[1] as number, name: row[2] as string })),
    ...selectNamesOf(db, single),
  ];
}

/** The names that directories have in their parents. */
export function selectDirectoryNames(
  db: Database,
  parents: readonly number[],
  inos: readonly number[],
): InodeLocation[] {
  if (inos.length === 0) return [];
  return db
    .rows(
      `SELECT d.ino, d.parent, d.name FROM json_each(?) p CROSS JOIN ws_dirent d ON d.parent = p.value
       WHERE d.type = 2 AND d.ino IN (SELECT value FROM json_each(?))`,
      JSON.stringify(parents),
      JSON.stringify(inos),
    )
    .map((row) => ({ ino: row[0] as number, parent: row[1] as number, name: row[2] as string }));
}

/** Counts the subdirectories of each of these directories. */
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

/** Returns the directories that have entries of these names, with one key lookup each. */
export function selectNamed(db: Database, parents: readonly number[], names: readonly string[]): InodeLocation[] {
  if (parents.length === 0) return [];
  return db
    .rows(
      `SELECT d.ino, d.parent, d.name FROM json_each(?) p CROSS JOIN json_each(?) n
       CROSS JOIN ws_dirent d ON d.parent = p.value AND d.name = n.value`,
      JSON.stringify(parents),
      JSON.stringify(names),
    )
    .map((row) => ({ ino: row[0] as number, parent: row[1] as number, name: row[2] as string }));
}
