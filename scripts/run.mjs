// `node scripts/run.mjs vitest run …`: installs missing dependencies, then runs a command; a `.mjs` file runs under the project's
// Node. Long-running npm scripts use it as `exec node scripts/run.mjs …` instead of `setup && command`: npm sends SIGTERM to the
// shell that runs a script, and a shell does not forward it. Without a shell in between, npm ends after everything it started.
// Plain Node 20.
import { spawn } from "node:child_process";
import { projectEnvironment } from "./project-node.mjs";
import { setUp } from "./setup.mjs";
import { supervise } from "./supervise.mjs";

const [command, ...args] = process.argv.slice(2);
setUp();
const program = command.endsWith(".mjs") ? ["node", command, ...args] : [command, ...args];
const child = supervise(() =>
  spawn(program[0], program.slice(1), {
    stdio: "inherit",
    env: projectEnvironment(),
    shell: process.platform === "win32",
  }),
);
child.on("error", (error) => {
  console.error(`cannot run ${program[0]}: ${error.message}`);
  process.exit(127);
});
