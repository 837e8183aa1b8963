/**
 * Real git, driven through one shell that stays: to fork a small shell costs a tenth of what it costs to fork Node. Every step's
 * output goes to files in memory, where there is such a directory.
 */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cachedRecording } from "./cached-recording.ts";
import { playFileStepOnDisk } from "./file-steps-on-disk.ts";
import { inspectRepository } from "./inspect-repository.ts";
import {
  argvOf,
  environment,
  type GitStep,
  gitStep,
  isGitStep,
  normalizeOutput,
  type Recording,
  type Scenario,
  type StepOutput,
  stdinOf,
} from "./scenario.ts";

export interface Places {
  root: string;
  home: string;
  /** Another name of the root, in files that were made elsewhere. */
  alias?: string;
}

let base: string | undefined;
let created = 0;

/** A fresh directory for one side of a scenario, and a home beside it. `remove` when done. */
export function makePlaces(side: "real" | "ours"): Places & { remove(): void } {
  const own = join(baseFolder(), String(created++));
  const positions = { root: join(own, side), home: join(own, "home") };
  for (const folder of [positions.root, positions.home]) mkdirSync(folder, { recursive: true });
  return { ...positions, remove: () => rmSync(own, { recursive: true, force: true }) };
}

export function playRealGit(scenario: Scenario): Promise<Recording> {
  return cachedRecording(scenario, () => play(scenario));
}

async function play(scenario: Scenario): Promise<Recording> {
  const positions = makePlaces("real");
  try {
    const outputs: (StepOutput | null)[] = [];
    for (const [at, step] of scenario.steps.entries()) {
      if (isGitStep(step)) outputs.push(await runRealGit(scenario, gitStep(step), at, positions));
      else {
        playFileStepOnDisk(positions.root, step);
        outputs.push(null);
      }
    }
    return { outputs, state: await inspectRepository(scenario, positions) };
  } finally {
    positions.remove();
  }
}

export async function runRealGit(
  scenario: Scenario,
  step: GitStep,
  at: number,
  positions: Places,
): Promise<StepOutput> {
  const env = environment(scenario, step, at, positions);
  const { exitCode, stdout, stderr } = await runInShell({
    argv: ["git", ...argvOf(step, positions.root)],
    cwd: join(positions.root, step.cwd ?? ""),
    env,
    stdin: stdinOf(step, positions.root),
  });
  return { exitCode, stdout: normalizeOutput(stdout, positions), stderr: normalizeOutput(stderr, positions) };
}

export interface ShellCall {
  argv: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string>>;
  stdin?: string | Uint8Array;
}

export async function runInShell({ argv, cwd, env, stdin = "" }: ShellCall) {
  const files = join(baseFolder(), `step${created++}`);
  const [input, out, err] = ["in", "out", "err"].map((name) => `${files}.${name}`) as [string, string, string];
  writeFileSync(input, stdin);
  const variables = Object.entries(env).map(([name, value]) => `${name}=${quoted(value)}`);
  const command = `(cd ${quoted(cwd)} && ${variables.join(" ")} ${argv.map(quoted).join(" ")}) <${input} >${out} 2>${err}`;
  try {
    const exitCode = await ask(`${command}; echo $?\n`);
    return { exitCode: Number(exitCode), stdout: readFileSync(out), stderr: readFileSync(err) };
  } finally {
    for (const file of [input, out, err]) rmSync(file, { force: true });
  }
}

function quoted(argument: string): string {
  if (argument.includes("\0")) throw new Error("no command line can hold a NUL");
  return `'${argument.replaceAll("'", () => "'\\''")}'`;
}

let shell: ChildProcessWithoutNullStreams | undefined;
const waiting: ((line: string) => void)[] = [];

/** One line to the shell, one line back. */
function ask(command: string): Promise<string> {
  shell ??= startShell();
  return new Promise((resolve) => {
    waiting.push(resolve);
    shell?.stdin.write(command);
  });
}

function startShell(): ChildProcessWithoutNullStreams {
  const started = spawn("/bin/sh", [], { env: { PATH: process.env.PATH }, cwd: "/" });
  let rest = "";
  started.stdout.setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() as string;
    for (const line of lines) waiting.shift()?.(line);
  });
  // It ends with the process, and must not keep it.
  started.unref();
  for (const stream of [started.stdin, started.stdout, started.stderr]) (stream as unknown as Socket).unref();
  return started;
}

function baseFolder(): string {
  if (base) return base;
  const home = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
  const folder = realpathSync(mkdtempSync(join(home, "workspace-git-")));
  process.on("exit", () => {
    shell?.kill();
    rmSync(folder, { recursive: true, force: true });
  });
  process.umask(0o022);
  base = folder;
  return folder;
}
