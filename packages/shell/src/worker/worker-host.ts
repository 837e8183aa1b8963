/** What the Worker's shell is given, and how much work a command in it may do. */
import type { Git } from "@workspace/git";
import type { FileSystem, SearchEngine, searchText } from "@workspace/vfs";

export interface WorkerHost {
  readonly root: string;
  /** The workspace's files; what is changed through them is logged under this name. */
  fileSystem(identity: { actor?: string; callId: string }): FileSystem;
  /** git on those files, whose network `fetch` is; null without git. */
  git(identity: { actor?: string; callId: string }, guard: GitGuard): Git | null;
  /** `rg`, with its own argv. */
  rg(argv: readonly string[], io: RgCall): Promise<number>;
  readonly engine: SearchEngine;
  /** The same for bytes that are no file. */
  readonly searchText: typeof searchText;
  readonly limits?: Partial<WorkerShellLimits>;
}

/** Stops git's hands when the process is stopped. */
export interface GitGuard {
  readonly signal: AbortSignal;
  wrap<T extends FileSystem>(fs: T): T;
}

export interface RgCall {
  readonly cwd: string;
  /** Absent: nothing is piped in. */
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
