// Writes migrations/sql from the schema with drizzle-kit, which is a nested project, and migrations/index.ts from that: `npm run db:generate`.
import { execFileSync } from "node:child_process";
import { fileURLToPath, pathToFileURL } from "node:url";
import { installProject } from "./setup.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const project = `${root}scripts/drizzle-kit`;

/** Runs `drizzle-kit generate` in the root; returns its output. */
export function generateMigrations(...args) {
  installProject(project);
  const program = `${project}/node_modules/drizzle-kit/bin.cjs`;
  return execFileSync(process.execPath, [program, "generate", ...args], { cwd: root, encoding: "utf8" });
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  console.log(generateMigrations("--name", "schema", "--config", "migrations/drizzle.config.ts"));
  execFileSync(process.execPath, [`${root}scripts/bundle-migrations.mjs`], { cwd: root, stdio: "inherit" });
}
