/**
 * Messages over Workers RPC between `getWorkspace` and a Durable Object: one method, `workspaceRpc(call)`, that returns a value
 * and never throws for an expected reason. Only plain values, bytes, byte streams and RpcTargets are sent; the other side
 * rebuilds classes.
 */
export interface WorkspaceCall {
  verb: string;
  args: unknown[];
  /** Identity of the caller: appended to the binding's, never a replacement. */
  actor?: string;
  callId?: string;
  /** The past moment to read, instead of the present: for verbs of the file system and of git. */
  at?: string;
  /** The policies of a restricted view, the outermost first: all of them apply. */
  policies?: unknown[];
  /** The content of `writeFile` and `appendFile`, or the frames of `writeMany`. */
  body?: ReadableStream<Uint8Array>;
  /** The filter of `cp`, called back once per entry before anything is changed. */
  filter?: (source: string, destination: string) => boolean | Promise<boolean>;
}

export type WorkspaceReply = WorkspaceAnswer | { error: WireError };

/** The verb determines the fields of a response; `stream` replaces a `value` that is too large for a message. */
export interface WorkspaceAnswer {
  value?: unknown;
  stream?: ReadableStream<Uint8Array>;
  target?: WireTarget;
}

/** A handle or directory open at the server: an RpcTarget there, a stub here, closed when either side disposes it. */
export interface WireTarget {
  ask(op: string, args: unknown[]): Promise<WorkspaceReply>;
}

/** An error as a value: `code` is present exactly for an error of the file system or, with `name` "GitError", of git. */
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
  /** The policy's reason for the path. */
  refusal?: string;
  /** The conflicts of an undo. */
  conflicts?: readonly { path: string; reason: string; cursor?: string; actor?: string; callId?: string }[];
}

/** Result of a git command; the bytes are here or in the response's stream, stdout first. */
export interface WireGitResult {
  exitCode: number;
  stdoutSize: number;
  stderrSize: number;
  stdout?: Uint8Array;
  stderr?: Uint8Array;
}

/** A command that was started or found: the initial state of its handle. */
export interface WireExec {
  id: string;
  callId: string;
  ranOn: "worker" | "container";
}

export type WireExecEvent =
  | { seq: number; name: "stdout" | "stderr"; value: Uint8Array }
  | { seq: number; name: "exit"; value: unknown };

/** Result of a command; the bytes are here or in the response's stream, stdout first. */
export interface WireExecResult {
  stdoutSize: number;
  stderrSize: number;
  stdout?: Uint8Array;
  stderr?: Uint8Array;
}

/** The fields of a stat from which the others derive. */
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

/** The watched path, with all links resolved when the watch began. It may be gone since; its removal is still reported. */
export interface WireWatched {
  path: string;
  directory: boolean;
}

/** One response of `watch`: the events after the given cursor, and the cursor to continue from. */
export interface WireWatchPage<Event> {
  events: Event[];
  cursor: string;
  watched: WireWatched;
}
