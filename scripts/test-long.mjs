// `npm run test:long`: the suites that take minutes, with fresh random seeds, which it prints. An environment variable repeats a
// seed (`PROPERTY_SEED=7 npm run test:long`), `--fixed-seeds` uses the suites' fixed ones; other arguments go to vitest.
import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { supervise } from "./supervise.mjs";

const SEEDS = ["ALLOWED_COMMANDS_SEED", "CRASH_SEED", "GIT_POLICY_SEED", "GIT_SEED", "PROPERTY_SEED", "SEARCH_SEED"];

const isFixed = process.argv.includes("--fixed-seeds");
const args = process.argv.slice(2).filter((arg) => arg !== "--fixed-seeds");
const seeds = isFixed ? {} : Object.fromEntries(SEEDS.map((name) => [name, process.env[name] ?? freshSeed()]));
const line = Object.entries(seeds)
  .map(([name, seed]) => `${name}=${seed}`)
  .join(" ");
if (!isFixed) console.log(`Seeds: ${line}`);

// For `npm test`, real git's results are recorded per git version (test/oracle/git/cached-recording.ts). Here git runs all
// scenarios again.
rmSync(new URL("../node_modules/.cache/git-oracle", import.meta.url), { recursive: true, force: true });

const PROJECTS = ["long", "workerd-long", "adapters", "workerd-adapters"];
const child = supervise(
  () =>
    spawn("vitest", ["run", ...PROJECTS.flatMap((name) => ["--project", name]), ...args], {
      stdio: "inherit",
      env: { ...process.env, ...seeds },
      shell: process.platform === "win32",
    }),
  () => {
    if (child.exitCode !== 0 && !isFixed) console.log(`Repeat this run: ${line} npm run test:long`);
  },
);

function freshSeed() {
  return String(Math.floor(Math.random() * 2 ** 31));
}
