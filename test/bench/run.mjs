// `npm run bench`: bundles the harness (TypeScript) and runs it. See README.md beside this file, or `--help`.
import { mkdirSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const bench = fileURLToPath(new URL(".", import.meta.url));
// Inside node_modules, so that the bundle finds its packages and git ignores it.
const cache = fileURLToPath(new URL("../../node_modules/.cache/workspace-bench/", import.meta.url));

/** It finds its files beside itself, so it is loaded from where it is. */
const setupFromItsPlace = {
  name: "setup from its place",
  setup: (build) =>
    build.onResolve({ filter: /\/scripts\/setup\.mjs$/ }, ({ path, resolveDir }) => ({
      path: pathToFileURL(resolve(resolveDir, path)).href,
      external: true,
    })),
};

mkdirSync(cache, { recursive: true });
await build({
  entryPoints: [`${bench}harness/main.ts`],
  outfile: `${cache}main.mjs`,
  bundle: true,
  platform: "node",
  format: "esm",
  packages: "external",
  plugins: [setupFromItsPlace],
  // The very first run on a fresh machine may still be under its own, older Node.
  target: "node20",
  sourcemap: "inline",
  logLevel: "error",
});
const { main } = await import(pathToFileURL(`${cache}main.mjs`).href);
process.exitCode = await main(process.argv.slice(2), bench);
