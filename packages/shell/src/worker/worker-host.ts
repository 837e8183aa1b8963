/** The dependencies of the Worker's shell, and its work limits. */
import type { Git } from "@workspace/git";
import type { WorkLimits, WorkUsed } from "@workspace/protocol";
import type { FileSystem, SearchEngine, searchText } from "@workspace/vfs";

export interface WorkerHost {
  readonly root: string;
  /** The workspace's files; changes through them are logged under this identity. */
  fileSystem(identity: { actor?: string; callId: string }): FileSystem;
  /** git on those files, with `fetch` as its network; null without git. */
  git(identity: { actor?: string; callId: string }, guard: GitCancellation): Git | null;
  /** `rg`, with its own argv. */
  rg(argv: readonly string[], io: RgIo): Promise<number>;
  readonly engine: SearchEngine;
  /** The same for bytes that are not in a file. */
  readonly searchText: typeof searchText;
  readonly limits?: Partial<WorkerShellLimits>;
  /** Called when a command is done, with the work it used. */
  readonly onWork?: (used: WorkUsed) => void;
}

/** Stops git's file access when the process is stopped. */
export interface GitCancellation {
  readonly signal: AbortSignal;
  wrap<T extends FileSystem>(fs: T): T;
}

export interface RgIo {
  readonly cwd: string;
  /** Absent: no piped input. */
  readonly stdin?: Uint8Array;
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
  /** One string: a variable, a line, the content of a pipe. */
  stringBytes: number;
  /** The work of all loops of a command, and how long one of them may run without yielding. */
  work: Partial<WorkLimits>;
  /** The timeout of a command that requests none. */
  timeoutMs: number;
}

export const workerShellLimits: WorkerShellLimits = {
  commands: 200_000,
  loopIterations: 2_000_000,
  callDepth: 100,
  workUnits: 20_000_000,
  outputBytes: 64 * 1024 * 1024,
  stringBytes: 32 * 1024 * 1024,
  // Where just-bash makes many small values, a step takes up to 45 ns.
  work: { stretchSteps: 6_000_000 },
  timeoutMs: 300_000,
};
