/**
 * The waist between "run this" and "who runs it". The shell keeps the records, the output and the deadline of the caller;
 * a backend starts processes, streams what they print in order, and says how they ended. Two exist: `worker` runs in the
 * isolate on the workspace's own file system, `container` runs on a native copy of the tree and syncs around it.
 */

export interface ExecBackend {
  readonly name: BackendName;
  /** Rejects only when nothing was started. From then on every outcome, failures of sync included, is in the `exit` event. */
  start(request: ExecRequest): Promise<BackendProcess>;
  /** The process again, its events after `afterSeq`; null when this backend knows no such process (any more). */
  attach(process: ProcessName, afterSeq: number): Promise<BackendProcess | null>;
}

/** Which process, and under whose name its changes are logged: the same when it is started and when it is found again. */
export type ProcessName = Pick<ExecRequest, "id" | "actor" | "callId">;

export type BackendName = "worker" | "container";

export interface ExecRequest {
  /** Chosen by the shell, unique; a backend refuses one it has seen, so that nothing runs twice. */
  readonly id: string;
  /** A string runs through a shell; an argv never does. */
  readonly command: string | readonly string[];
  readonly cwd: string;
  /** What the caller adds to the backend's own few variables. */
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: Uint8Array | ReadableStream<Uint8Array> | null;
  /** 0: none. The backend kills the whole process tree when it is over. */
  readonly timeoutMs: number;
  /** Under whose name changes of files are logged. */
  readonly actor?: string;
  readonly callId: string;
}

export interface BackendProcess {
  /** In order, without gaps, ending with one `exit`. Iterating once; leaving early detaches and leaves the process alone. */
  readonly events: AsyncIterable<ProcessEvent>;
  kill(signal: SignalName): Promise<void>;
  /** More standard input, or its end; EPIPE when the process takes none. */
  write(input: Uint8Array): Promise<void>;
  closeStdin(): Promise<void>;
}

export type SignalName = "SIGTERM" | "SIGKILL" | "SIGINT" | "SIGHUP" | "SIGQUIT" | "SIGUSR1" | "SIGUSR2";

export type ProcessEvent =
  | { readonly seq: number; readonly name: "stdout" | "stderr"; readonly value: Uint8Array }
  | { readonly seq: number; readonly name: "exit"; readonly value: ProcessExit };

export interface ProcessExit {
  readonly state: "exited" | "killed" | "timedout" | "lost";
  /** 124 on a timeout, 128 + n on a signal, null when lost. */
  readonly exitCode: number | null;
  readonly signal?: SignalName;
  /** In words, for a person: why it was lost or could not be started. */
  readonly reason?: string;
  /** What went each way around the command; absent where nothing has to be synced. */
  readonly sync?: SyncReport;
}

export interface SyncReport {
  readonly pushed: SyncCount;
  readonly pulled: SyncCount;
  readonly durationMs: number;
  /** Paths that were not taken, each with its reason: policy, budget, a name that is not UTF-8 … */
  readonly skipped: readonly { readonly path: string; readonly reason: string }[];
  /** Both versions are kept: the workspace's at `path`, the container's at `keptAt`. */
  readonly conflicts: readonly { readonly path: string; readonly keptAt: string }[];
}

export interface SyncCount {
  readonly entries: number;
  readonly bytes: number;
}
