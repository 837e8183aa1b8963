/** Runs a command in just-bash: the script or argv, its environment, its limits, and its output as it is printed. */
import { createWorkBudget, type WorkBudget } from "@workspace/protocol";
import type { BashModule } from "../../vendor/just-bash.js";
import type { ExecRequest } from "../exec-backend.ts";
import { quoteWord } from "../quote.ts";
import { createBashFileSystem } from "./bash-file-system.ts";
import { withBash } from "./bash-modules.ts";
import { fromBinaryString, toBinaryString } from "./byte-string.ts";
import { createCommands } from "./commands.ts";
import { guardFileSystem } from "./guard-file-system.ts";
import { type WorkerHost, type WorkerShellLimits, workerShellLimits } from "./worker-host.ts";

export interface BashIo {
  readonly stdin: Uint8Array;
  readonly signal: AbortSignal;
  print(name: "stdout" | "stderr", value: Uint8Array): void;
}

export async function runBash(host: WorkerHost, request: ExecRequest, io: BashIo): Promise<number> {
  const limits = { ...workerShellLimits, ...host.limits };
  const budget = createWorkBudget(limits.work, io.signal);
  try {
    return await withBash(budget, (module) => run(module, host, request, io, limits, budget));
  } finally {
    host.onWork?.(budget.used);
  }
}

async function run(
  { Bash, defineCommand, getCommandNames }: BashModule,
  host: WorkerHost,
  request: ExecRequest,
  io: BashIo,
  limits: WorkerShellLimits,
  budget: WorkBudget,
): Promise<number> {
  const { signal } = io;
  signal.throwIfAborted();
  const files = guardFileSystem(host.fileSystem(request), signal, budget);
  let piped = false;
  const commands = createCommands(host, request, { files, signal, budget, isPiped: () => piped });
  const names = new Set([...getCommandNames(), ...commands.map(({ name }) => name)]);
  const text = (name: "stdout" | "stderr", value: string) => io.print(name, new TextEncoder().encode(value));
  const reported = new Set<string>();
  const tooLarge = (path: string) => {
    if (reported.has(path)) return;
    reported.add(path);
    text("stderr", `bash: ${path}: File too large: the Worker's shell cannot hold it; it needs a container\n`);
  };
  const bash = new Bash({
    fs: createBashFileSystem(files, { budget, isCommand: (name) => names.has(name), tooLarge }),
    cwd: request.cwd,
    env: defaultEnvironment(host, request),
    executionLimits: executionLimits(limits),
    // It guards against scripts that escape into JavaScript; here the isolate is the boundary, and the guard would patch its
    // globals.
    defenseInDepth: false,
    sleep: (ms) => sleep(ms, signal),
    customCommands: commands.map(({ name, run }) => defineCommand(name, run)),
  });
  bash.piped = (isPiped) => {
    const before = piped;
    piped ||= isPiped;
    return () => {
      piped = before;
    };
  };
  const emit = (name: "stdout" | "stderr", latin1: string) => io.print(name, fromBinaryString(latin1));
  const [script, args] = toScript(request.command);
  const result = await bash.exec(script, {
    rawScript: true,
    stdin: toBinaryString(io.stdin),
    stdinKind: "bytes",
    signal,
    ...(args && { args }),
    async emit(result, latin1) {
      await budget.checkpoint();
      budget.spend(0, result.stdout.length + result.stderr.length);
      if (result.stdout !== "") emit("stdout", latin1(result));
      if (result.stderr !== "") text("stderr", result.stderr);
      return { ...result, stdout: "", stderr: "", internalOutputAccounting: { stdout: 0, stderr: 0 } };
    },
  });
  signal.throwIfAborted();
  // Errors before or between statements: syntax, limits.
  text("stdout", result.stdout);
  text("stderr", explained(result.stderr));
  return result.exitCode;
}

function toScript(command: ExecRequest["command"]): [script: string, args?: string[]] {
  if (typeof command === "string") return [command];
  const [name, ...args] = command as [string, ...string[]];
  return [quoteWord(name), args];
}

function defaultEnvironment({ root }: WorkerHost, { cwd, env }: ExecRequest): Record<string, string> {
  return {
    HOME: root,
    PATH: "/usr/bin:/bin",
    PWD: cwd,
    LANG: "C.UTF-8",
    USER: "workspace",
    SHELL: "/bin/bash",
    ...env,
  };
}

function executionLimits(limits: WorkerShellLimits): Record<string, number> {
  return {
    maxCommandCount: limits.commands,
    maxLoopIterations: limits.loopIterations,
    maxAwkIterations: limits.loopIterations * 10,
    maxSedIterations: limits.loopIterations * 10,
    maxJqIterations: limits.loopIterations * 10,
    maxCallDepth: limits.callDepth,
    maxWorkUnits: limits.workUnits,
    maxOutputSize: limits.outputBytes,
    maxStringLength: limits.stringBytes,
    maxLiveBytes: limits.stringBytes * 2,
    maxInputBytes: limits.outputBytes * 4,
    maxExecutionTimeMs: 2 ** 31 - 1,
  };
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(new Error("stopped"));
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal.addEventListener("abort", stop);
  });
}

/** Adds a hint: the container may support what this shell does not. */
function explained(stderr: string): string {
  const elsewhere = "it needs a container";
  const counted = stderr.replace(
    /, increase executionLimits\.\w+/g,
    () => `: the Worker's shell counts its work; ${elsewhere}`,
  );
  if (!/^bash: (line \d+: )?.*(syntax error|unexpected EOF)/m.test(counted)) return counted;
  return `${counted}bash: the Worker's shell could not read this; if it is right for bash, ${elsewhere}\n`;
}
