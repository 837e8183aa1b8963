/**
 * Runs a program of this repository from its TypeScript sources: bundles them once (for Node 20 and newer), and again when one of
 * them has changed. A start compares their times (about a millisecond), and the compiled code is cached.
 */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import * as module from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runMain } from "./run-main.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const KEEP_MS = 60 * 60 * 1000;

/** `name`: of its cache. `entry`: exports `main(argv)`, which resolves to the exit code. `banner`: precedes the bundle. */
export async function runBundled({ name, entry, banner = "" }) {
  const cache = join(root, "node_modules/.cache", name);
  const { folder } = current(cache) ?? (await bundle(cache, entry, banner));
  module.enableCompileCache?.(join(cache, "compiled"));
  const { main } = await import(join(folder, "main.js"));
  await runMain(main);
}

/** Null: there is no bundle, or a source is newer. */
function current(cache) {
  try {
    const built = JSON.parse(readFileSync(join(cache, "current.json"), "utf8"));
    for (const input of built.inputs) if (statSync(join(root, input)).mtimeMs > built.timeMs) return null;
    statSync(join(built.folder, "main.js"));
    return built;
  } catch {
    return null;
  }
}

/** Written to its own folder and published by a rename: other processes may be starting, or still loading an older one. */
async function bundle(cache, entry, banner) {
  const { build } = await import("esbuild");
  const timeMs = Date.now();
  const folder = join(cache, `build-${timeMs}-${process.pid}`);
  const { metafile } = await build({
    entryPoints: { main: join(root, entry) },
    absWorkingDir: root,
    outdir: folder,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    banner: { js: banner },
    metafile: true,
    logLevel: "error",
  });
  mkdirSync(cache, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }\n');
  const built = { folder, timeMs, inputs: Object.keys(metafile.inputs) };
  const temporary = join(cache, `current-${process.pid}.json`);
  writeFileSync(temporary, JSON.stringify(built));
  renameSync(temporary, join(cache, "current.json"));
  for (const name of readdirSync(cache)) {
    const created = /^build-(\d+)-/.exec(name)?.[1];
    if (created !== undefined && Number(created) < timeMs - KEEP_MS)
      rmSync(join(cache, name), { recursive: true, force: true });
  }
  return built;
}
