// Installs the packages of package-lock.json, if this checkout has not done so yet. Plain Node 20, no dependencies: `npm start` and
// `npm test` run it first on a fresh clone. npm calls it with `--installed` after every install (postinstall in package.json): then
// it only installs a Node if the user's own is too old. With folders as arguments it installs those nested projects.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { needsBundledNode } from "./project-node.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const nodeProject = join(root, "scripts/node");
const PLATFORM_PACKAGES = Object.keys(
  JSON.parse(readFileSync(join(nodeProject, "package.json"), "utf8")).optionalDependencies,
);
const REMOVE = { recursive: true, force: true };

export function setUp() {
  try {
    if (!isInstalled(root)) {
      console.error("Installing dependencies (once)…");
      install(root);
    }
    installNode();
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
}

/**
 * Installs a nested project: a folder with its own package.json and lock file, for one suite or script. Its packages run no install
 * scripts.
 */
export function installProject(folder) {
  if (!isInstalled(folder)) install(folder, "--ignore-scripts");
}

/** Installs the bundled Node as node_modules/.bin/node, where npm scripts find it first, unless the user's own is new enough. */
function installNode() {
  if (!needsBundledNode()) return;
  installProject(nodeProject);
  const isWindows = process.platform === "win32";
  const link = join(root, "node_modules/.bin", isWindows ? "node.cmd" : "node");
  // Headers for compiling native modules: a third of the package.
  for (const name of PLATFORM_PACKAGES) rmSync(join(nodeProject, "node_modules", name, "include"), REMOVE);
  if (existsSync(link)) return;
  mkdirSync(join(root, "node_modules/.bin"), { recursive: true });
  rmSync(link, { force: true });
  if (isWindows) writeFileSync(link, '@"%~dp0..\\..\\scripts\\node\\node_modules\\.bin\\node.cmd" %*\r\n');
  else symlinkSync("../../scripts/node/node_modules/.bin/node", link);
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

const stampPath = (folder) => join(folder, "node_modules/.workspace-setup");

function isInstalled(folder) {
  return existsSync(stampPath(folder)) && readFileSync(stampPath(folder), "utf8") === lockHash(folder);
}

function markInstalled(folder) {
  writeFileSync(stampPath(folder), lockHash(folder));
}

function lockHash(folder) {
  return createHash("sha256")
    .update(readFileSync(join(folder, "package-lock.json")))
    .digest("hex");
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [first, ...more] = process.argv.slice(2);
  if (first === "--installed") {
    markInstalled(root);
    installNode();
  } else if (first === undefined) setUp();
  else for (const folder of [first, ...more]) installProject(join(root, folder));
}
