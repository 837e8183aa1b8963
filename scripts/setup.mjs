// Installs what package-lock.json names, if this checkout has not done so yet. Plain Node 20, no dependencies:
// it is the first thing that `npm start` and `npm test` run on a fresh clone. npm calls it with `--installed` after every install
// (postinstall in package.json): then there is nothing left to do.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

export function setUp() {
  if (isInstalled(root)) return;
  console.error("Installing dependencies (once)…");
  try {
    install(root);
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
}

/**
 * Installs a nested project: a folder with its own package.json and lock file, for one suite or script that needs it. Its packages
 * run no install scripts.
 */
export function installProject(folder) {
  if (!isInstalled(folder)) install(folder, "--ignore-scripts");
}

function install(folder, ...flags) {
  const { status } = spawnSync("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error", ...flags], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
    shell: process.platform === "win32",
  });
  if (status !== 0) throw new Error(`npm ci failed in ${folder}. Fix the cause above and run the command again.`);
  markInstalled(folder);
}

const stampOf = (folder) => join(folder, "node_modules/.workspace-setup");

function isInstalled(folder) {
  return existsSync(stampOf(folder)) && readFileSync(stampOf(folder), "utf8") === lockHash(folder);
}

function markInstalled(folder) {
  writeFileSync(stampOf(folder), lockHash(folder));
}

function lockHash(folder) {
  return createHash("sha256")
    .update(readFileSync(join(folder, "package-lock.json")))
    .digest("hex");
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  if (process.argv.includes("--installed")) markInstalled(root);
  else setUp();
}
