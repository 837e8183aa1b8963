// Builds the studio (packages/studio/dist) if it is missing or older than its sources; otherwise it only compares their times. `npm
// start` runs it; before a deployment use `npm run build:studio`. Plain Node 20, no dependencies of its own.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { projectNode } from "./project-node.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const studio = `${root}packages/studio`;
const SOURCES = ["src", "public", "index.html", "package.json", "vite.config.ts"];

/** False if the build failed: then the previous build, if any, is served. */
export function buildStudio() {
  const page = `${studio}/dist/index.html`;
  const newest = Math.max(...SOURCES.map((name) => newestIn(`${studio}/${name}`)));
  if (existsSync(page) && statSync(page).mtimeMs >= newest) return true;
  console.error("Building the studio (once)…");
  const { status } = spawnSync(
    projectNode(),
    [`${root}node_modules/vite/bin/vite.js`, "build", "--logLevel", "error"],
    {
      cwd: studio,
      stdio: ["ignore", "ignore", "inherit"],
    },
  );
  // Wrangler needs the directory, even if it is empty.
  mkdirSync(`${studio}/dist`, { recursive: true });
  return status === 0;
}

function newestIn(path) {
  if (!existsSync(path)) return 0;
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => newestIn(`${path}/${name}`)));
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  process.exitCode = buildStudio() ? 0 : 1;
}
