// Writes THIRD_PARTY_NOTICES.txt for everything this repository ships with third-party code: the Worker, the studio, the daemon
// with its image, the command line, and the vendored just-bash. The packages come from the bundlers' input lists, so a new
// dependency cannot be missed. `--check` only compares (`npm run notices:generate` writes).
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { build as viteBuild } from "vite";
import { installProject } from "./setup.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const VENDOR = "packages/shell/vendor";
const FILE = "THIRD_PARTY_NOTICES.txt";

/** Parts of just-bash's own bundle, which are in no input list. */
const INSIDE_JUST_BASH = ["re2js", "sprintf-js"];

/** @vscode/ripgrep ships the binary under its own license, without ripgrep's. */
const RIPGREP = {
  name: "ripgrep (the binary in the image)",
  license: "Unlicense OR MIT",
  text: `The MIT License (MIT)

Copyright (c) 2015 Andrew Gallant

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in
all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN
THE SOFTWARE.`,
};
const DEBIAN = `The image also holds Node.js and Debian packages. Debian keeps the license of each under /usr/share/doc/<package>/copyright in the
image, and Node.js keeps its own in /usr/local/LICENSE.`;

installProject(`${root}scripts/just-bash`);
const vendored = INSIDE_JUST_BASH.map((name) => notice(`scripts/just-bash/node_modules/${name}`));
const worker = await esbuildInputs("packages/worker/src/containers.ts", {
  platform: "neutral",
  external: ["cloudflare:*", "node:*"],
});
const daemon = await esbuildInputs("container/src/main.ts", { platform: "node" });
const cli = await esbuildInputs("packages/cli/node/main.ts", { platform: "node" });

const pages = {
  [VENDOR]: page("packages/shell/vendor/just-bash.js (just-bash itself: LICENSE beside this file)", vendored),
  "packages/worker": page("the Worker", noticesFor(worker)),
  "packages/studio/public": page("the studio (the web page)", noticesFor(await studioInputs())),
  container: page(
    "the sandbox image",
    [...noticesFor(daemon), notice("node_modules/@vscode/ripgrep"), RIPGREP],
    DEBIAN,
  ),
  "packages/cli": page("wsx", noticesFor(cli)),
};

let stale = 0;
for (const [folder, text] of Object.entries(pages)) {
  const path = `${folder}/${FILE}`;
  if (existsSync(root + path) && readFileSync(root + path, "utf8") === text) continue;
  if (!process.argv.includes("--check")) writeFileSync(root + path, text);
  else {
    console.error(`${path} does not match what is bundled: run \`npm run notices:generate\`.`);
    stale++;
  }
}
process.exitCode = stale > 0 ? 1 : 0;

async function esbuildInputs(entry, options) {
  const { metafile } = await build({
    entryPoints: [root + entry],
    bundle: true,
    write: false,
    metafile: true,
    format: "esm",
    target: "esnext",
    logLevel: "error",
    absWorkingDir: root,
    outdir: "dist",
    conditions: ["workerd", "worker", "import"],
    ...options,
  });
  return [...new Set(Object.values(metafile.outputs).flatMap((output) => Object.keys(output.inputs)))];
}

async function studioInputs() {
  const result = await viteBuild({
    configFile: `${root}packages/studio/vite.config.ts`,
    root: `${root}packages/studio`,
    logLevel: "error",
    build: { write: false },
  });
  const chunks = [result].flat().flatMap(({ output }) => output);
  return chunks.flatMap(({ moduleIds = [] }) => moduleIds).map((id) => relative(root, id.replace(/^\0|\?.*$/g, "")));
}

/** A notice for each package among these files. */
function noticesFor(files) {
  const folders = new Set();
  for (const file of files) {
    const folder = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0];
    if (folder !== undefined) folders.add(folder);
  }
  const notices = [...folders].map(notice);
  if (!files.some((file) => file.startsWith(VENDOR))) return notices;
  const text = readFileSync(`${root}${VENDOR}/LICENSE`, "utf8");
  return [
    ...notices,
    { name: "just-bash (changed by scripts/bundle-just-bash.mjs)", license: "Apache-2.0", text },
    ...vendored,
  ];
}

function notice(folder) {
  const { name, version, license = "unknown" } = JSON.parse(readFileSync(`${root}${folder}/package.json`, "utf8"));
  const file = readdirSync(root + folder).find((each) => /^(licen[cs]e|copying|notice)/i.test(each));
  const text =
    file === undefined ? "The package carries no license file." : readFileSync(`${root}${folder}/${file}`, "utf8");
  return { name: `${name} ${version}`, license, text };
}

function page(subject, notices, more = "") {
  const sorted = notices.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const parts = sorted.map(
    ({ name, license, text }) => `${name}\nLicense: ${license}\n\n${text.replaceAll("\r\n", "\n").trim()}`,
  );
  const head = `Third-party software in ${subject}. Written by scripts/notices.mjs.${more === "" ? "" : `\n\n${more}`}`;
  return `${[head, ...parts].join(`\n\n${"-".repeat(80)}\n\n`)}\n`;
}
