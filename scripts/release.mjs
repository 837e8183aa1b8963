// Prepares a release and stops before publishing: applies the changesets, packs the three packages, runs the test that installs
// them outside the checkout, and prints the remaining manual steps. Needs Node 22 or newer.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const run = (command, ...args) => execFileSync(command, args, { cwd: root, stdio: "inherit" });
const dirty = execFileSync("git", ["status", "--porcelain"], { cwd: root, encoding: "utf8" });
if (dirty !== "") {
  console.error(`Commit or remove these first:\n${dirty}`);
  process.exit(1);
}
const pending = readdirSync(`${root}.changeset`).filter((name) => name.endsWith(".md") && name !== "README.md");
if (pending.length > 0) run("npx", "--yes", "@changesets/cli@3.0.3", "version");
run("npx", "vitest", "run", "test/packages");
const { version } = JSON.parse(readFileSync(`${root}packages/workspace/package.json`, "utf8"));
console.log(`
Version ${version} is packed in dist/ and passed its test. Left to do:
  git commit -am "release: ${version}" && git tag v${version}
  for file in dist/*.tgz; do npm publish "$file"; done`);
