/**
 * Builds the two libraries for npm into dist/build: ESM, lazy chunks for git and the shell, bundled declarations and source maps.
 * All entries of one package are built together, so that `instanceof FsError` holds across `.` and `/core`. The internal
 * `@workspace/*` packages are bundled in. scripts/pack.mjs stages the result and calls `npm pack`.
 */
import { copyFileSync, mkdirSync, readFileSync } from "node:fs";

const { exports } = JSON.parse(readFileSync("packages/workspace/package.json", "utf8"));

/** One entry for each subpath that the manifest exports: dist/<subpath>.js. */
const entry = Object.fromEntries(
  Object.entries(exports).map(([path, source]) => [
    path === "." ? "index" : path.slice(2),
    `packages/workspace/${source}`,
  ]),
);

const library = {
  format: "esm",
  platform: "neutral",
  target: "es2022",
  sourcemap: true,
  fixedExtension: false,
  logLevel: "warn",
  tsconfig: "tsconfig.dts.json",
  dts: { generator: "tsgo" },
  // Without it a project whose `lib` ends at ES2022 does not know Symbol.dispose.
  banner: { dts: '/// <reference lib="esnext.disposable" />\n' },
  inputOptions: { checks: { pluginTimings: false } },
  outputOptions: {
    chunkFileNames: "chunks/[name]-[hash].js",
    comments: { legal: true, annotation: true, jsdoc: false },
  },
};

/** The vendored shell is minified already: it is copied as it is, and stays a chunk of its own. */
const vendoredShell = {
  name: "vendored shell",
  resolveId: (id) => (id.endsWith("/vendor/just-bash.js") ? { id: "./just-bash.js", external: true } : null),
};

function copyVendoredShell() {
  mkdirSync("dist/build/workspace/chunks", { recursive: true });
  copyFileSync("packages/shell/vendor/just-bash.js", "dist/build/workspace/chunks/just-bash.js");
}

export default [
  {
    ...library,
    entry,
    outDir: "dist/build/workspace",
    deps: {
      alwaysBundle: [/^@workspace\//],
      neverBundle: [/^cloudflare:/, /^node:/, "@cloudflare/containers"],
    },
    plugins: [vendoredShell],
    hooks: { "build:done": copyVendoredShell },
  },
  {
    ...library,
    entry: { index: "packages/fs-tools/src/index.ts" },
    outDir: "dist/build/fs-tools",
    deps: { alwaysBundle: [/^@workspace\//], neverBundle: ["zod", "ai", /^@cloudflare\/workspace/] },
  },
];
