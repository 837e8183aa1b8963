/**
 * Messages between the object and `workspaced` over their one WebSocket. The object sends requests (`id`, `verb`); the daemon
 * sends responses (`re`) and the output of processes (`event`). Every request is idempotent and responses may overtake each
 * other: nothing depends on the order in which messages arrive. Paths are relative to the root, `/` between names, no `.` or
 * `..`.
 */

export type EntryKind = "file" | "dir" | "symlink";

/**
 * The current state of a path in the workspace; the daemon applies it, unless the path has local changes that are not pulled yet.
 */
export interface PushEntry {
  path: string;
  /** `absent`: the path no longer exists. */
  type: EntryKind | "absent";
  /** Permission bits. */
  mode?: number;
  /** Microseconds since 1970. */
  mtime?: number;
  size?: number;
  version?: string;
  /** For a file: changes only with its bytes, so equal versions have equal bytes. */
  content?: string;
  target?: string;
  /** Number of bytes of the message's body that are its content, in the order of entries. */
  bytes?: number;
  /** The content was sent in pieces under this name. */
  staged?: string;
}

/** Result of each offer: `dirty` has local changes, `need` lacks its content; both are still to be done. */
export type OfferOutcome = "ok" | "need" | "dirty" | { failed: string };

/** One difference between the daemon's tree and the last state it agreed on with the workspace. */
export interface PullEntry {
  /** `put`: new, or other bytes; `attr`: mode or time only. */
  op: "put" | "attr" | "remove";
  path: string;
  type: EntryKind;
  /** The workspace's version that it is based on; null: the workspace had nothing there. */
  base: string | null;
  mode: number;
  mtime: number;
  size: number;
  /** With `attr`: the permission bits changed, not only the time. */
  modeChanged?: true;
  /** SHA-256 of a file's bytes; for a large file it is requested only if needed before all bytes were read. */
  hash?: string;
  target?: string;
  /** Its content equals that of this path at this version, which the workspace has. */
  same?: { path: string; version: string };
  /** Bytes of the message's body that are its content. */
  bytes?: number;
  /** Its content must be requested in pieces. */
  large?: true;
  /** It changed while it was read: the next scan reports it again. */
  moving?: true;
}

/** What the workspace did with a difference: its new version, or that the daemon's is stale. */
export interface PullAck {
  index: number;
  version: string | null;
  content?: string | null;
  /** The workspace has a different entry there, and will offer it. */
  behind?: true;
}

export interface Skipped {
  path: string;
  reason: string;
}

export interface HelloAnswer {
  protocol: number;
  /** Changes with every start: the earlier manifest is lost. */
  instance: string;
  /** Where the tree is in the container. */
  root: string;
  /** Commands run under another user than the daemon. */
  isolated: boolean;
  /** Earlier contents of the root were moved there at the start. */
  moved?: string;
}

export interface ScanAnswer {
  scan: number;
  entries: number;
  bytes: number;
  /** The whole synced tree. */
  treeEntries: number;
  treeBytes: number;
  /** The tree exceeds the given budget; then nothing can be pulled. */
  over?: string;
  skipped: Skipped[];
  /** Paths that the daemon could not apply and that are not among the entries: to be offered again. */
  behind: string[];
  /**
   * Activity of the commands that the request names, in its order, before and after the scan: equal if the command did nothing
   * between that could change a file; null: unknown.
   */
  activity?: { before: (string | null)[]; after: (string | null)[] };
}

export interface ExecExit {
  state: "exited" | "killed" | "timedout" | "lost";
  exitCode: number | null;
  signal?: string;
  reason?: string;
}

export interface WireFault {
  code: string;
  message: string;
}
