// Builds the three npm packages and packs them: `npm run pack` writes dist/cloudflare-workspace-<version>.tgz and the others, byte
// for byte what `npm publish` would upload; `npm run build` stops before the tarballs, at dist/packages/<name>. Each is staged in
// its own folder with a manifest made from packages/<name>/package.json: its `exports` name sources here and built files there.
import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = `${root}dist`;
const LIBRARIES = ["workspace", "fs-tools"];
const PUBLISHED_FIELDS = [
  "name",
  "version",
  "description",
  "keywords",
  "license",
  "repository",
  "type",
  "sideEffects",
  "engines",
  "bin",
  "dependencies",
  "peerDependencies",
  "peerDependenciesMeta",
];

rmSync(dist, { recursive: true, force: true });
execFileSync(process.execPath, [`${root}node_modules/tsdown/dist/run.mjs`], {
  cwd: root,
  stdio: ["ignore", "ignore", "inherit"],
});
for (const name of LIBRARIES) stageLibrary(name);
await stageCommandLine();
for (const name of [...LIBRARIES, "cli"]) requireSelfContained(`${dist}/packages/${name}`);
if (process.argv.includes("--tarballs")) for (const name of [...LIBRARIES, "cli"]) pack(name);

function stageLibrary(name) {
  const source = manifestOf(name);
  const entries = Object.keys(source.exports).map((path) => (path === "." ? "index" : path.slice(2)));
  const built = (entry) => ({ types: `./dist/${entry}.d.ts`, default: `./dist/${entry}.js` });
  stage(name, {
    ...published(source),
    main: "./dist/index.js",
    types: "./dist/index.d.ts",
    exports: {
      ...Object.fromEntries(entries.map((entry) => [entry === "index" ? "." : `./${entry}`, built(entry)])),
      "./package.json": "./package.json",
    },
    // For `moduleResolution: node`, which does not read `exports`.
    ...(entries.length > 1 && {
      typesVersions: {
        "*": Object.fromEntries(
          entries.filter((each) => each !== "index").map((each) => [each, [`./dist/${each}.d.ts`]]),
        ),
      },
    }),
    files: ["dist", "CHANGELOG.md"],
  });
  cpSync(`${dist}/build/${name}`, `${dist}/packages/${name}/dist`, { recursive: true });
  if (name === "workspace") {
    const vendor = `${root}packages/shell/vendor`;
    cpSync(`${vendor}/LICENSE`, `${dist}/packages/workspace/dist/chunks/just-bash.LICENSE`);
    cpSync(
      `${vendor}/THIRD_PARTY_NOTICES.txt`,
      `${dist}/packages/workspace/dist/chunks/just-bash.THIRD_PARTY_NOTICES.txt`,
    );
  }
}

/** `wsx` and `wsgit`, each bundled for Node 20 with a bin that loads it. */
async function stageCommandLine() {
  const bins = { wsx: "packages/cli/node/main.ts", wsgit: "packages/git/node/main.ts" };
  const bin = Object.fromEntries(Object.keys(bins).map((name) => [name, `bin/${name}.js`]));
  stage("cli", { ...published(manifestOf("cli")), bin, files: ["bin", "dist", "CHANGELOG.md"] });
  const folder = `${dist}/packages/cli`;
  await build({
    entryPoints: Object.fromEntries(Object.entries(bins).map(([name, entry]) => [name, root + entry])),
    absWorkingDir: root,
    outdir: `${folder}/dist`,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    external: ["ws"],
    sourcemap: true,
    sourcesContent: false,
    logLevel: "error",
  });
  mkdirSync(`${folder}/bin`);
  cpSync(`${root}scripts/run-main.mjs`, `${folder}/bin/run-main.js`);
  for (const name of Object.keys(bins)) {
    const text = readFileSync(`${root}packages/${name === "wsx" ? "cli" : "git"}/bin/${name}.mjs`, "utf8");
    // The source's own bin, with the bundle instead of the sources.
    const runs = /await runBundled\(\{[\s\S]*?\}\);/;
    if (!runs.test(text))
      throw new Error(`bin/${name}.mjs has changed: scripts/pack.mjs does not know how to publish it`);
    writeFileSync(
      `${folder}/bin/${name}.js`,
      text
        .replace(/import \{ runBundled \} from [^;]*;/, () => 'import { runMain } from "./run-main.js";')
        // Loaded after the code before it: wsgit sets a V8 flag first.
        .replace(runs, () => `await runMain((await import("../dist/${name}.js")).main);`)
        .replace(", from its sources", ""),
    );
    chmodSync(`${folder}/bin/${name}.js`, 0o755);
  }
}

function manifestOf(name) {
  return JSON.parse(readFileSync(`${root}packages/${name}/package.json`, "utf8"));
}

function published(manifest) {
  return Object.fromEntries(
    PUBLISHED_FIELDS.filter((field) => field in manifest).map((field) => [field, manifest[field]]),
  );
}

function stage(name, manifest) {
  const folder = `${dist}/packages/${name}`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/package.json`, `${JSON.stringify(manifest, null, 2)}\n`);
  cpSync(`${root}LICENSE`, `${folder}/LICENSE`);
  for (const file of ["README.md", "CHANGELOG.md"]) cpSync(`${root}packages/${name}/${file}`, `${folder}/${file}`);
  if (name === "cli")
    cpSync(`${root}packages/cli/THIRD_PARTY_NOTICES.txt`, `${folder}/dist/THIRD_PARTY_NOTICES.txt`, {
      recursive: true,
    });
}

/** Internal packages are on no registry, and a published package contains no sources or tests. */
function requireSelfContained(folder) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = `${entry.parentPath}/${entry.name}`;
    if (/\.test\.|(?<!\.d)\.ts$/.test(entry.name)) throw new Error(`${path} does not belong into a package`);
    if (!/\.(js|d\.ts|json)$/.test(entry.name)) continue;
    const found = /(?:from|import\()\s*["'](@workspace\/[^"']*)["']/.exec(readFileSync(path, "utf8"));
    if (found !== null) throw new Error(`${path} refers to ${found[1]}, which is not published`);
  }
}

function pack(name) {
  const folder = `${dist}/packages/${name}`;
  const out = execFileSync("npm", ["pack", "--silent", "--pack-destination", dist], { cwd: folder, encoding: "utf8" });
  console.log(`dist/${out.trim()}`);
}
