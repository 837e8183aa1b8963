/**
 * Migrates the tables to the code's version in one transaction: at the first verb or, if there are no tables, at the first write.
 * Forward only: a database that newer code has migrated is rejected before anything is read.
 */
import { migrations } from "@workspace/migrations";
import { FsError } from "../api/errors.ts";
import type { Database } from "./database.ts";

/** `applied`: the result of `appliedTags`. */
export function migrate(db: Database, applied: readonly string[], now: number): void {
  const known = migrations.map((migration) => migration.tag);
  const unknownTag = applied.find((tag, i) => tag !== known[i]);
  if (unknownTag !== undefined) {
    throw new FsError("EVERSION", {
      syscall: "open",
      path: "/",
      reason: `the workspace's database has migration "${unknownTag}", which this version of the code (up to "${known.at(-1)}") does not know; deploy newer code`,
    });
  }
  if (applied.length === known.length) return;
  db.transaction(() => {
    if (applied.length === 0) {
      db.run(
        "CREATE TABLE IF NOT EXISTS ws_migrations (id INTEGER PRIMARY KEY, tag TEXT NOT NULL, applied INTEGER NOT NULL)",
      );
    }
    migrations.slice(applied.length).forEach((migration, i) => {
      for (const statement of migration.statements) db.run(statement);
      db.run("INSERT INTO ws_migrations (id, tag, applied) VALUES (?, ?, ?)", applied.length + i, migration.tag, now);
    });
  });
}

/** Empty for a database without writes. */
export function appliedTags(db: Database): string[] {
  if (db.row("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'ws_migrations'") === undefined) return [];
  return db.rows("SELECT tag FROM ws_migrations ORDER BY id").map((row) => String(row[0]));
}
