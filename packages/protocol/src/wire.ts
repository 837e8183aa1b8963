/**
 * What crosses Workers RPC between `getWorkspace` and a Durable Object: one method, `workspaceRpc(call)`, that answers with a
 * value and never throws for an expected reason. Only plain values, bytes, byte streams and RpcTargets cross; classes are
 * rebuilt on the other side.
 */
export interface WorkspaceCall {
  verb: string;
  args: unknown[];
  /** Who asks: a suffix of what the binding says, never instead of it. */
  actor?: string;
  callId?: string;
  /** The moment to look at, instead of the present: for verbs of the file system and of git. */
  at?: string;
  /** The policies of a restricted view, the outermost first: all of them hold. */
  policies?: unknown[];
  /** The content of `writeFile` and `appendFile`, or the frames of `writeMany`. */
  body?: ReadableStream<Uint8Array>;
  /** The filter of `cp`, called back once per entry before anything is changed. */
  filter?: (source: string, destination: string) => boolean | Promise<boolean>;
}

export type WorkspaceReply = WorkspaceAnswer | { error: WireError };

/** What an answer holds depends on the verb; `stream` stands where `value` would be too large for a message. */
export interface WorkspaceAnswer {
  value?: unknown;
  stream?: ReadableStream<Uint8Array>;
  target?: WireTarget;
}

/** A handle or directory held open at the server: an RpcTarget there, a stub here, gone when either side disposes it. */
export interface WireTarget {
  ask(op: string, args: unknown[]): Promise<WorkspaceReply>;
}

/** An error as a value: `code` is present exactly when it was an error of the file system, or with `name` "GitError" of git. */
export interface WireError {
  message: string;
  name?: string;
  code?: string;
  /** Of git's errors. */
  exitCode?: number;
  prefix?: string;
  hint?: string;
  syscall?: string;
  path?: string;
  dest?: string;
  oldest?: string;
  /** What a policy says of the path. */
  refusal?: string;
  /** What an undo met. */
  conflicts?: readonly { path: string; reason: string; cursor?: string; actor?: string; callId?: string }[];
}

/** What a git command came to; the bytes are here, or in the answer's stream, stdout first. */
export interface WireGitResult {
  exitCode: number;
  stdoutSize: number;
  stderrSize: number;
  stdout?: Uint8Array;
  stderr?: Uint8Array;
}

/** A command that was started or found, as its handle begins. */
export interface WireExec {
  id: string;
  callId: string;
  ranOn: "worker" | "container";
}

export type WireExecEvent =
  | { seq: number; name: "stdout" | "stderr"; value: Uint8Array }
  | { seq: number; name: "exit"; value: unknown };

/** What a command came to; the bytes are here, or in the answer's stream, stdout first. */
export interface WireExecResult {
  stdoutSize: number;
  stderrSize: number;
  stdout?: Uint8Array;
  stderr?: Uint8Array;
}

/** The fields of a stat that the others follow from. */
export interface WireStat {
  type: "file" | "dir" | "symlink";
  mode: number;
  size: number;
  ino: number;
  nlink: number;
  mtimeMs: number;
  ctimeMs: number;
  birthtimeMs: number;
  version: string;
  contentVersion: string;
}

export interface WireDirent {
  name: string;
  parentPath: string;
  type: "file" | "dir" | "symlink";
}

export interface WireScanEntry {
  name: string;
  stat: WireStat;
}

export interface WireDirPage {
  entries: WireDirent[];
  done: boolean;
}

/** What is watched: the path behind all links when the watch began. It may be gone since, and its removal is still to be told. */
export interface WireWatched {
  path: string;
  directory: boolean;
}

/** One answer of `watch`: the events after the cursor that was asked for, and where to go on. */
export interface WireWatchPage<Event> {
  events: Event[];
  cursor: string;
  watched: WireWatched;
}
