/** Bundles the daemon to one file, `container/dist/workspaced.mjs`, which needs nothing but Node. */
import { build } from "esbuild";

export const BUNDLE = new URL("./dist/workspaced.mjs", import.meta.url).pathname;

export async function buildDaemon() {
  await build({
    entryPoints: [new URL("./src/main.ts", import.meta.url).pathname],
    outfile: BUNDLE,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node24",
    // `ws` is CommonJS and asks for Node's own modules.
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
    logLevel: "error",
  });
  return BUNDLE;
}

if (process.argv[1] === new URL(import.meta.url).pathname) console.log(`bundled ${await buildDaemon()}`);
