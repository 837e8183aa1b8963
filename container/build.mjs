/** Builds what the image needs in `container/dist`: the daemon as one bundle that depends only on Node, and ripgrep's binary. */
import { chmodSync, copyFileSync } from "node:fs";
import { rgPath } from "@vscode/ripgrep";
import { build } from "esbuild";

export const BUNDLE = new URL("./dist/workspaced.mjs", import.meta.url).pathname;

export async function buildDaemon({
  entry = new URL("./src/main.ts", import.meta.url).pathname,
  outfile = BUNDLE,
} = {}) {
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node24",
    // `ws` is CommonJS and requires Node's built-in modules.
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
    logLevel: "error",
  });
  return outfile;
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  await buildDaemon();
  const rg = new URL("./dist/rg", import.meta.url).pathname;
  copyFileSync(rgPath, rg);
  chmodSync(rg, 0o755);
  console.log("container/dist is ready: docker build -t workspace-sandbox container");
}
