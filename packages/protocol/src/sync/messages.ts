/**
 * What the object and `workspaced` say to each other over the one WebSocket. The object asks (`id`, `verb`), the daemon answers
 * (`re`), and tells what processes print (`event`). Every question can be asked twice, and answers may overtake each other:
 * nothing depends on the order in which messages arrive. Paths are relative to the root, `/` between names, no `.` or `..`.
 */

export type EntryKind = "file" | "dir" | "symlink";

/** What a path is in the workspace now; the daemon makes it so, unless something there was changed and not taken yet. */
export interface PushEntry {
  path: string;
  /** `absent`: there is nothing any more. */
  type: EntryKind | "absent";
  /** Permission bits. */
  mode?: number;
  /** Microseconds since 1970. */
  mtime?: number;
  size?: number;
  version?: string;
  /** Of a file: changes with its bytes only, so whoever has it has the bytes. */
  content?: string;
  target?: string;
  /** Bytes of the message's body that are its content, in the order of entries. */
  bytes?: number;
  /** The content was sent in pieces under this name. */
  staged?: string;
}

/** What became of each: `dirty` has unseen changes there, `need` lacks its content; both are still to be done. */
export type OfferOutcome = "ok" | "need" | "dirty" | { failed: string };

/** One difference between the daemon's tree and what it last agreed on with the workspace. */
export interface PullEntry {
  /** `put`: new, or other bytes; `attr`: mode or time only. */
  op: "put" | "attr" | "remove";
  path: string;
  type: EntryKind;
  /** The workspace's version that it was made from; null: the workspace had nothing there. */
  base: string | null;
  mode: number;
  mtime: number;
  size: number;
  /** With `attr`: the permission bits changed, not only the time. */
  modeChanged?: true;
  /** SHA-256 of a file's bytes; of a large one it is asked for, if anybody needs it before all of them were read. */
  hash?: string;
  target?: string;
  /** Its content is that of this path at this version, which the workspace has. */
  same?: { path: string; version: string };
  /** Bytes of the message's body that are its content. */
  bytes?: number;
  /** Its content is to be asked for in pieces. */
  large?: true;
  /** It changed while it was read: the next scan sees it again. */
  moving?: true;
}

/** What the workspace did with a difference: the version it has now, or that the daemon's own is out of date. */
export interface PullAck {
  index: number;
  version: string | null;
  content?: string | null;
  /** The workspace holds something else there, and will offer it. */
  behind?: true;
}

export interface Skipped {
  path: string;
  reason: string;
}

export interface HelloAnswer {
  protocol: number;
  /** Another after every start: what was agreed on before is forgotten. */
  instance: string;
  /** Where the tree is in the container. */
  root: string;
  /** Commands run under another user than the daemon. */
  isolated: boolean;
  /** What stood in the root at the start was moved there. */
  moved?: string;
}

export interface ScanAnswer {
  scan: number;
  entries: number;
  bytes: number;
  /** The whole synced tree. */
  treeEntries: number;
  treeBytes: number;
  /** The tree is over the budget that was given; then nothing can be taken. */
  over?: string;
  skipped: Skipped[];
  /** Paths where the daemon could not follow, and that are not among the entries: to be offered again. */
  behind: string[];
  /**
   * Of the commands that the question names, in its order, before the tree was looked at and after: equal for two moments between
   * which the command did nothing that could change a file; null: it cannot be told.
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
