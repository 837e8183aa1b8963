/**
 * What a clone costs in resident memory: the peak of a fresh workerd, and of `wsgit` on Node, above what the same process has when it
 * is idle; with the repository of the suite `git`, and with one of the same tree whose pack is four times as large. Also what indexing
 * a pack costs, beside isomorphic-git on the files of a workspace. Linux only.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BenchError } from "../../harness/bench-error.ts";
import { gitRepositories } from "../../harness/git/git-repositories.ts";
import { startGitServer } from "../../harness/git/git-server.ts";
import { gitEnvironment } from "../../harness/git/run-git.ts";
import { installPeers } from "../../harness/install-peers.ts";
import { median } from "../../harness/median.ts";
import { Runtime } from "../../harness/runtime.ts";
import { type Entrant, OURS, participants } from "../../participants.ts";

const SEED = 20261117;
const PARAMS = { seed: SEED, files: 2000, size: 6000, largeBytes: 1 };
/** A clone says nothing new after so many. */
const MAX_ROUNDS = 3;
const LOOK_EVERY_MS = 10;

interface Figure {
  label: string;
  goal: string;
  megabytes: number[];
}

export async function measureGitMemory(root: string, rounds: number, progress: (text: string) => void) {
  progress("making repositories");
  installPeers(join(root, "test/bench/peers"));
  const cache = join(root, "node_modules", ".cache");
  const repositories = await gitRepositories(cache, SEED, ["history", "small", "large"]);
  const figures: Record<string, Figure> = {};
  const note = (label: string, goal: string, megabytes: number) =>
    (figures[label] ??= { label, goal, megabytes: [] }).megabytes.push(megabytes);
  for (let round = 0; round < Math.min(rounds, MAX_ROUNDS); round++) {
    progress(`round ${round + 1}`);
    note("workerd, pack of 35 MB", "≤ 128", await inWorkerd(root, repositories, "history"));
    note("workerd, pack of 150 MB", "≤ 1.1 × that", await inWorkerd(root, repositories, "large"));
    note("wsgit on Node, pack of 35 MB", "≤ 64", await onNode(root, repositories, "history"));
    note("wsgit on Node, pack of 150 MB", "≤ 1.1 × that", await onNode(root, repositories, "large"));
    note("workerd, index a pack of 35 MB", "", await indexPack(root, repositories, OURS));
    note("workerd, the same by isomorphic-git", "", await indexPack(root, repositories, "isomorphic"));
  }
  const lines = Object.values(figures).map(
    ({ label, goal, megabytes }) =>
      `| ${label} | ${median(megabytes).toFixed(0)} | ${megabytes.map((one) => one.toFixed(0)).join(", ")} | ${goal} |`,
  );
  const text = ["| MB above idle | median | each | goal |", "|---|---:|---:|---:|", ...lines].join("\n").concat("\n");
  return { data: Object.values(figures), text };
}

async function inWorkerd(root: string, repositories: string, name: string): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "git-memory-"));
  try {
    // The row clones what is called "history".
    symlinkSync(join(repositories, `${name}.git`), join(folder, "history.git"));
    return await peakOfRow(root, folder, OURS, "clone");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function indexPack(root: string, repositories: string, contender: string): Promise<number> {
  return peakOfRow(root, repositories, contender, "index-pack");
}

/** Runs one row of the suite `git` in a workerd of its own, because a process hardly returns memory. */
async function peakOfRow(root: string, repositories: string, contender: string, row: string): Promise<number> {
  const entrant = participants.find(({ id }) => id === contender) as Entrant;
  await using server = await startGitServer(repositories);
  await using runtime = await Runtime.start(join(root, "test/bench"), join(root, "node_modules/.bin/workerd"), [
    entrant,
  ]);
  const { pid } = runtime.process;
  const command = { suite: "git", row, params: { ...PARAMS, gitOrigin: server.origin } };
  await runtime.send(entrant, row, { do: "nothing" });
  await send("prepare");
  // Sets VmHWM back to the present size: the download of the pack does not count.
  writeFileSync(`/proc/${pid}/clear_refs`, "5");
  const idle = resident(pid, "VmRSS");
  await send("run");
  return resident(pid, "VmHWM") - idle;

  async function send(step: "prepare" | "run"): Promise<void> {
    const { error } = await runtime.send(entrant, row, { do: step, ...command });
    if (error !== undefined) throw new BenchError(`${contender}, ${row}, ${step}: ${error}`);
  }
}

async function onNode(root: string, repositories: string, name: string): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "git-memory-"));
  try {
    await using server = await startGitServer(repositories);
    const idle = await peakOf(root, folder, ["version"]);
    return (await peakOf(root, folder, ["clone", "-q", `${server.origin}/${name}.git`, "repo"])) - idle;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function peakOf(root: string, cwd: string, argv: readonly string[]): Promise<number> {
  const program = join(root, "packages/git/bin/wsgit.mjs");
  const child = spawn(process.execPath, [program, ...argv], { cwd, env: gitEnvironment, stdio: "ignore" });
  const exited = once(child, "exit");
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, resident(child.pid, "VmHWM"));
  }, LOOK_EVERY_MS);
  const [code] = await exited;
  clearInterval(timer);
  if (code !== 0) throw new BenchError(`wsgit ${argv.join(" ")} exited with ${code}`);
  return peak;
}

/** Megabytes; 0 when the process is gone. */
function resident(pid: number | undefined, field: "VmRSS" | "VmHWM"): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}
