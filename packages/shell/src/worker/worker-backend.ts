/**
 * The backend inside the Worker: just-bash on the workspace's own files. Its processes live and die with the isolate, so after an
 * eviction it knows none of them, and says so. What stops one (a kill, a timeout, a limit) also stops its hands: no file changes
 * after the `exit`.
 */
import type { Git } from "@workspace/git";
import type { FileSystem, SearchEngine } from "@workspace/vfs";
import { concatBytes } from "../bytes.ts";
import { ShellError } from "../errors.ts";
import type { ExecBackend, ExecRequest } from "../exec-backend.ts";
import { shellLimits } from "../limits.ts";
import { WorkerProcess } from "./worker-process.ts";

export interface WorkerHost {
  readonly root: string;
  /** The workspace's files; what is changed through them is logged under this name. */
  fileSystem(identity: { actor?: string; callId: string }): FileSystem;
  /** git on those files, whose network `fetch` is; null without git. */
  git(identity: { actor?: string; callId: string }, guard: GitGuard): Git | null;
  /** `rg`, with its own argv. */
  rg(argv: readonly string[], io: RgCall): Promise<number>;
  readonly engine: SearchEngine;
  /** For what is nobody's change: standard input on its way to a search. */
  readonly scratch: FileSystem;
  readonly limits?: Partial<WorkerShellLimits>;
}

/** Stops git's hands when the process is stopped. */
export interface GitGuard {
  readonly signal: AbortSignal;
  wrap<T extends FileSystem>(fs: T): T;
}

export interface RgCall {
  readonly cwd: string;
  readonly stdout: (bytes: Uint8Array) => void;
  readonly stderr: (bytes: Uint8Array) => void;
  readonly signal: AbortSignal;
}

/** Counted in work, because a Worker's clock may stand still. */
export interface WorkerShellLimits {
  commands: number;
  loopIterations: number;
  callDepth: number;
  workUnits: number;
  outputBytes: number;
  /** One string: a variable, a line, what goes through a pipe. */
  stringBytes: number;
  /** Commands between two chances for timers and other requests. */
  breathEvery: number;
  /** When nobody sets a timeout. */
  timeoutMs: number;
}

export const workerShellLimits: WorkerShellLimits = {
  commands: 200_000,
  loopIterations: 2_000_000,
  callDepth: 100,
  workUnits: 20_000_000,
  outputBytes: 64 * 1024 * 1024,
  stringBytes: 32 * 1024 * 1024,
  breathEvery: 64,
  timeoutMs: 300_000,
};

export function createWorkerBackend(host: WorkerHost): ExecBackend {
  const processes = new Map<string, WorkerProcess>();
  return {
    name: "worker",
    async start(request) {
      if (processes.has(request.id)) throw new ShellError("EEXIST", `there is an execution "${request.id}" already`);
      const input = await collectStdin(request.stdin);
      const stat = await host
        .fileSystem(request)
        .stat(request.cwd)
        .catch(() => null);
      if (stat === null || !stat.isDirectory())
        throw new ShellError("EINVAL", `cwd "${request.cwd}" is no directory of this workspace`);
      const process = new WorkerProcess(host, request, input);
      processes.set(request.id, process);
      process.over.then(() => processes.delete(request.id));
      return process;
    },
    // Alive, it is followed already; over or of another life, nobody knows it.
    attach: async (id, afterSeq) => processes.get(id)?.from(afterSeq) ?? null,
  };
}

async function collectStdin(stdin: ExecRequest["stdin"]): Promise<Uint8Array> {
  if (stdin === null) return new Uint8Array(0);
  const tooMuch = () =>
    new ShellError("EINVAL", `the Worker's shell takes at most ${shellLimits.stdinBytes} bytes of standard input`);
  if (stdin instanceof Uint8Array) {
    if (stdin.length > shellLimits.stdinBytes) throw tooMuch();
    return stdin;
  }
  const parts: Uint8Array[] = [];
  let held = 0;
  for await (const part of stdin) {
    parts.push(part);
    held += part.length;
    if (held > shellLimits.stdinBytes) throw tooMuch();
  }
  return concatBytes(parts);
}
