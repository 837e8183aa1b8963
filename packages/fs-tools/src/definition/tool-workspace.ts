/**
 * The interface that the tools require of a workspace; `Workspace` and the client of `getWorkspace` both implement it. Parts that a
 * workspace may lack are optional, and tools that need a missing part are not offered.
 */

import type { EntryType, FileStat, FindOptions, GrepHit, Identity, SearchableFileSystem } from "@cloudflare/workspace";
import type { Git } from "@cloudflare/workspace/git";
import type { PathPolicy } from "@workspace/glob";
import type { internals } from "@workspace/protocol";
import type { ToolState } from "../state/tool-state.ts";

export interface ToolWorkspace {
  readonly fs: SearchableFileSystem;
  readonly git?: Pick<Git, "cli">;
  readonly shell?: ToolShell;
  /** False: that part exists only to report that it is missing. */
  readonly features?: { readonly git: boolean; readonly shell: boolean };
  readonly history?: ToolHistory;
  /** The root of the agent's files; default "/workspace". */
  readonly root?: string;
  /** Of a workspace in the same object; of a client only the state. */
  readonly [internals]?: ToolInternals;
  as?(identity: Identity): ToolWorkspace;
  /**
   * The same workspace under a policy that its file system enforces; without it there are only the tools' own checks, and no git.
   */
  restrict?(policy: PathPolicy & { allowContainer?: boolean }): ToolWorkspace;
}

export interface ToolInternals {
  /** The tools' persistent state, out of the agent's reach. */
  readonly toolState?: ToolState;
  /** Resolves and stats a path synchronously; null if the path cannot be resolved. Only for a workspace in the same object. */
  lookupPath?(path: string): { readonly path: string; readonly stat: FileStat | null } | null;
  /** Walks a directory synchronously, depth first in the order of names. Only for a workspace in the same object. */
  walkDirectory?(path: string, maxDepth: number, visit: VisitEntry): void;
  /** The results of `fs.find`, in the form that `make` gives them. Only for a workspace in the same object. */
  findMapped?<T>(
    path: string,
    options: FindOptions,
    make: (path: string, type: EntryType, size: number, mtimeMs: number) => T,
  ): Promise<T[]>;
  /** Searches a text that is not a file, in linear time. Of a workspace in the same object. */
  grepText?(
    pattern: string,
    path: string,
    bytes: Uint8Array,
    options: { regex: boolean; ignoreCase: boolean; context: number; maxHits: number; maxBytesPerLine: number },
  ): Promise<readonly GrepHit[]>;
}

/** One workspace under the host's policy, for each part of the tools. */
export interface RestrictedViews {
  /** For the file tools. */
  readonly files: ToolWorkspace;
  /** For proposals that the host has accepted. */
  readonly accepted: ToolWorkspace;
  readonly git: ToolWorkspace;
  readonly shell: ToolWorkspace;
}

/** Valid until the walk continues: the next entry may reuse the object. */
export interface ToolEntry {
  readonly name: string;
  /** Its directory relative to the start of the walk, with a trailing slash; "" at the start. */
  readonly prefix: string;
  /** 1 for entries directly in the start. */
  readonly depth: number;
  readonly type: EntryType;
  readonly size: number;
  readonly mtimeMs: number;
}

/** False stops the walk. */
export type VisitEntry = (entry: ToolEntry) => boolean;

/** Of `workspace.shell`. */
export interface ToolShell {
  exec(command: string | readonly string[], options: ToolExecOptions): Promise<ToolExecHandle>;
  get(id: string, options: { encoding: "utf8"; resume?: "tail" | "full" | number }): Promise<ToolExecHandle>;
}

export interface ToolExecOptions {
  id?: string;
  cwd?: string;
  env?: Readonly<Record<string, string>>;
  encoding: "utf8";
  timeoutMs?: number;
  signal?: AbortSignal;
}

export type ToolExecState = "running" | "exited" | "killed" | "timedout" | "lost";

export interface ToolExecHandle
  extends AsyncIterable<
    | { readonly seq: number; readonly name: "stdout" | "stderr"; readonly value: string }
    | { readonly seq: number; readonly name: "exit"; readonly value: ToolExecExit }
  > {
  readonly id: string;
  readonly callId: string;
  readonly ranOn: string;
  result(): Promise<ToolExecResult>;
  kill(signal?: "SIGTERM" | "SIGKILL" | "SIGINT"): Promise<void>;
}

export interface ToolExecExit {
  readonly state: Exclude<ToolExecState, "running">;
  readonly exitCode: number | null;
  readonly reason?: string;
}

export interface ToolExecResult extends ToolExecExit {
  readonly id: string;
  readonly stdout: string;
  readonly stderr: string;
  readonly truncated: boolean;
  readonly output: { readonly path: string; readonly bytes: number; readonly complete: boolean } | null;
  readonly ranOn: string;
  readonly callId: string;
  readonly changed?: readonly string[];
}

/** Of `workspace.history`: reverts a call's changes, and shows the changes of others. */
export interface ToolHistory {
  undo(options: { callId: string; path?: string; force?: boolean; dryRun?: boolean }): Promise<ToolReverted>;
  diff(options: { from: string; path: string }): Promise<{ files: readonly { path: string; patch?: string }[] }>;
}

export interface ToolReverted {
  readonly changes: readonly { readonly path: string; readonly action: string; readonly from?: string }[];
  readonly total: number;
  readonly conflicts: readonly { readonly path: string; readonly reason: string }[];
  /** Files that the call created and the undo left. */
  readonly kept?: readonly { readonly path: string; readonly files: number; readonly reason: string }[];
}
