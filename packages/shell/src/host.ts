/** The dependencies of a shell: files, tables, a clock, and backends. */
import type { FileSystem } from "@workspace/vfs";
import type { RunningExecutions } from "./exec/running-executions.ts";
import type { ExecBackend } from "./exec-backend.ts";
import type { ShellLimits } from "./limits.ts";
import type { ExposedPort } from "./shell.ts";
import type { WorkerHost } from "./worker/worker-host.ts";

export interface ShellHost {
  /** For spooled output only: its writes are not attributed to an actor. */
  readonly fs: FileSystem;
  /** The workspace's root. */
  readonly root: string;
  readonly db: ExecDatabase;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly identity: { readonly actor?: string; readonly callId?: string };
  /** Runs commands when there is no container, or on request. */
  readonly worker: WorkerHost;
  /** The default backend if present. */
  readonly containerBackend?: ExecBackend;
  /** Which executions a restricted view finds; absent: all of them. */
  readonly view?: ExecutionView;
  /** One object for all views of a workspace. */
  readonly shared: SharedExecutions;
  readonly changes: ChangeCursor;
  readonly limits?: Partial<ShellLimits>;
  /** Warms up the container, and exposes its ports; absent without one. */
  readonly container?: ContainerHost;
}

/** What the views of a workspace share: at first nothing, then the running executions. */
export interface SharedExecutions {
  running?: RunningExecutions;
}

/** The executions of one principal. Those of others do not exist in its view: it cannot find, read, stop or remove them. */
export interface ExecutionView {
  /** The policies under which the view starts commands, stored in their records. */
  readonly policies: readonly string[];
  includes(record: ExecutionOwner): boolean;
}

export interface ExecutionOwner {
  readonly actor?: string;
  /** Absent: it was started by an unrestricted principal. */
  readonly policies?: readonly string[];
}

/** The store's tables; every call may be the first, and then migrates. */
export interface ExecDatabase {
  run(sql: string, ...values: (string | number | null | Uint8Array)[]): void;
  rows(sql: string, ...values: (string | number | null | Uint8Array)[]): unknown[][];
  atomically<T>(body: () => T): T;
}

export interface ChangeCursor {
  /** The current cursor of the log. */
  now(): string;
  /** Paths changed since then under this call id, by their current names; null if the log no longer covers them. */
  paths(since: string, callId: string, limit: number): Promise<string[] | null>;
}

export interface ContainerHost {
  ready(): Promise<void>;
  exposePort(port: number): Promise<ExposedPort>;
  unexposePort(port: number): Promise<void>;
  ports(): Promise<ExposedPort[]>;
}
