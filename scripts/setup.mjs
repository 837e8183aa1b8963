// Installs what package-lock.json names, if this checkout has not done so yet. Plain Node 20, no dependencies:
// it is the first thing that `npm start` and `npm test` run on a fresh clone. `--installed` is npm's word, after an install of
// any kind (postinstall in package.json), that there is nothing left to do.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const stamp = `${root}node_modules/.workspace-setup`;
const wanted = createHash("sha256")
  .update(readFileSync(`${root}package-lock.json`))
  .digest("hex");

if (process.argv.includes("--installed")) writeFileSync(stamp, wanted);
else if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== wanted) {
  console.error("Installing dependencies (once)…");
  const { status } = spawnSync("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"],
    shell: process.platform === "win32",
  });
  if (status !== 0) {
    console.error("npm ci failed; fix the cause above and run the command again.");
    process.exit(status ?? 1);
  }
  writeFileSync(stamp, wanted);
}
