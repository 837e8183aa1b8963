// Selects the Node for wrangler, vite and vitest: the user's own if it is new enough, otherwise the bundled one, which
// scripts/setup.mjs installs only then. npm puts node_modules/.bin first on PATH, so `node` in an npm script is the bundled one if
// there is one; `npm_node_execpath` names the Node that runs npm.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

/** Wrangler needs 22, tsdown 22.18. */
const MINIMUM = [22, 18];
const bundled = fileURLToPath(
  new URL(
    process.platform === "win32" ? "../node_modules/.bin/node.cmd" : "../node_modules/.bin/node",
    import.meta.url,
  ),
);
/** Where scripts/setup.mjs installs it; npm reports its Node by the real path. */
const nodeProject = fileURLToPath(new URL("node/", import.meta.url));

/** The path of the program. */
export function projectNode(own = ownNode()) {
  return needsBundledNode(own) && process.platform !== "win32" && existsSync(bundled) ? bundled : own;
}

/** Also true under the bundled Node itself: `npm ci` removes node_modules/.bin, so the link to it must be made again. */
export function needsBundledNode(own = ownNode()) {
  return own.startsWith(nodeProject) || own === bundled || !isNewEnough(nodeVersion(own));
}

function ownNode() {
  return process.env.npm_node_execpath ?? process.execPath;
}

/** An environment in which `node` is that program, for all child processes. */
export function projectEnvironment(environment = process.env) {
  const separator = process.platform === "win32" ? ";" : ":";
  const key = Object.keys(environment).find((name) => name.toUpperCase() === "PATH") ?? "PATH";
  const folders = [dirname(projectNode()), dirname(bundled), environment[key] ?? ""];
  return { ...environment, [key]: folders.join(separator) };
}

export function isNewEnough(version) {
  const [major = 0, minor = 0] = version.replace(/^v/, "").split(".").map(Number);
  return major > MINIMUM[0] || (major === MINIMUM[0] && minor >= MINIMUM[1]);
}

function nodeVersion(path) {
  if (path === process.execPath) return process.version;
  try {
    return execFileSync(path, ["--version"], { encoding: "utf8" }).trim();
  } catch {
    return "v0";
  }
}
