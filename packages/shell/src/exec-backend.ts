/**
 * The interface between the shell and its backends. The shell stores the records, the output and the caller's deadline; a backend
 * starts processes, streams their output in order, and reports how they ended. Two exist: `worker` runs in the isolate on the
 * workspace's own file system, `container` runs on a native copy of the tree and syncs around it.
 */

export interface ExecBackend {
  readonly name: BackendName;
  /** Rejects only if nothing was started. After that every outcome, sync failures included, is in the `exit` event. */
  start(request: ExecRequest): Promise<BackendProcess>;
  /** Reattaches to a process, with its events after `afterSeq`; null if this backend does not (or no longer) know it. */
  attach(process: ProcessName, afterSeq: number): Promise<BackendProcess | null>;
}

/** The process and the actor of its logged changes: the same at start and at reattachment. */
export type ProcessName = Pick<ExecRequest, "id" | "actor" | "callId">;

export type BackendName = "worker" | "container";

export interface ExecRequest {
  /** Unique, chosen by the shell; a backend refuses an id it has seen, so that nothing runs twice. */
  readonly id: string;
  /** A string runs through a shell; an argv never does. */
  readonly command: string | readonly string[];
  readonly cwd: string;
  /** The caller's additions to the backend's own few variables. */
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: Uint8Array | ReadableStream<Uint8Array> | null;
  /** 0: none. On timeout the backend kills the whole process tree. */
  readonly timeoutMs: number;
  /** The actor of logged file changes. */
  readonly actor?: string;
  readonly callId: string;
}

export interface BackendProcess {
  /** In order, without gaps, ending with one `exit`. Can be iterated once; leaving early detaches without stopping the process. */
  readonly events: AsyncIterable<ProcessEvent>;
  kill(signal: SignalName): Promise<void>;
  /** More standard input, or its end; EPIPE if the process accepts none. */
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
  /** Human-readable reason why it was lost or could not be started. */
  readonly reason?: string;
  /** The sync around the command in both directions; absent if nothing has to be synced. */
  readonly sync?: SyncReport;
}

export interface SyncReport {
  readonly pushed: SyncCount;
  readonly pulled: SyncCount;
  readonly durationMs: number;
  /** Skipped paths, each with its reason: policy, budget, a name that is not UTF-8 … */
  readonly skipped: readonly { readonly path: string; readonly reason: string }[];
  /** Both versions are preserved: the workspace's at `path`, the container's at `keptAt`. */
  readonly conflicts: readonly { readonly path: string; readonly keptAt: string }[];
}

export interface SyncCount {
  readonly entries: number;
  readonly bytes: number;
}
