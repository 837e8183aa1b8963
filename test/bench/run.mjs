// `npm run bench`: bundles the harness (TypeScript) and runs it. See README.md beside this file, or `--help`.
import { mkdirSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const bench = fileURLToPath(new URL(".", import.meta.url));
// Inside node_modules, so that the bundle finds its packages and git ignores it.
const cache = fileURLToPath(new URL("../../node_modules/.cache/workspace-bench/", import.meta.url));

mkdirSync(cache, { recursive: true });
await build({
  entryPoints: [`${bench}harness/main.ts`],
  outfile: `${cache}main.mjs`,
  bundle: true,
  platform: "node",
  format: "esm",
  packages: "external",
  // The very first run on a fresh machine may still be under its own, older Node.
  target: "node20",
  sourcemap: "inline",
  logLevel: "error",
});
const { main } = await import(pathToFileURL(`${cache}main.mjs`).href);
process.exitCode = await main(process.argv.slice(2), bench);
