/** What a shell is given by whoever composes it: files, tables, a clock, and the places where commands can run. */
import type { FileSystem } from "@workspace/vfs";
import type { ExecBackend } from "./exec-backend.ts";
import type { ShellLimits } from "./limits.ts";
import type { ExposedPort } from "./shell.ts";
import type { WorkerHost } from "./worker/worker-host.ts";

export interface ShellHost {
  /** For spooled output alone: what it writes is nobody's change. */
  readonly fs: FileSystem;
  /** The workspace's root. */
  readonly root: string;
  readonly db: ExecDatabase;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly identity: { readonly actor?: string; readonly callId?: string };
  /** Where commands run when there is no container, or when it is asked for. */
  readonly worker: WorkerHost;
  /** The default when there is one. */
  readonly containerBackend?: ExecBackend;
  /** Stands for the workspace: its views share what runs. */
  readonly key: object;
  readonly changes: ChangeCursor;
  readonly limits?: Partial<ShellLimits>;
  /** Warms the container, and exposes its ports; absent without one. */
  readonly container?: ContainerHost;
}

/** The tables, as the store needs them; every call may be the first, and migrates then. */
export interface ExecDatabase {
  run(sql: string, ...values: (string | number | null | Uint8Array)[]): void;
  rows(sql: string, ...values: (string | number | null | Uint8Array)[]): unknown[][];
  atomically<T>(body: () => T): T;
}

export interface ChangeCursor {
  /** Where the log stands. */
  now(): string;
  /** Paths that were changed since under this call id, as they are called now; null when the log no longer says. */
  paths(since: string, callId: string, limit: number): Promise<string[] | null>;
}

export interface ContainerHost {
  ready(): Promise<void>;
  exposePort(port: number): Promise<ExposedPort>;
  unexposePort(port: number): Promise<void>;
  ports(): Promise<ExposedPort[]>;
}
