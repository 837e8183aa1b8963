/** The generated SQL is what the schema says: a change of one without the other fails here. */
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { expect, it } from "vitest";
import { generateMigrations } from "../../scripts/generate-migrations.mjs";
import { root } from "./imports.ts";

it("migrations/sql holds every change of db/schema.ts", () => {
  const folder = mkdtempSync(join(tmpdir(), "migrations-"));
  try {
    cpSync(join(root, "migrations/sql"), join(folder, "sql"), { recursive: true });
    const config = join(folder, "drizzle.config.json");
    writeFileSync(
      config,
      JSON.stringify({
        dialect: "sqlite",
        schema: join(root, "packages/vfs/src/db/schema.ts"),
        out: relative(root, join(folder, "sql")),
      }),
    );
    expect(generateMigrations("--config", config)).toContain("No schema changes");
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it("migrations/index.ts is made from migrations/sql", () => {
  execFileSync(process.execPath, [join(root, "scripts/bundle-migrations.mjs"), "--check"], { cwd: root });
});
