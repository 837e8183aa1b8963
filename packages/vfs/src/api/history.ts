/**
 * The narrow interface of history, as types only: `workspace.history` and `workspace.snapshots`, here and over Workers RPC.
 * Everything in it is plain data. The log is that of `fs.changes`; entries are never rewritten.
 */
import type { diffOptions, logFilter, logOptions, OptionsOf, restoreOptions, undoOptions } from "@workspace/protocol";
import type { Change, EntryType, Version } from "./file-system.ts";

/** A point in time: a version or cursor from an earlier answer, the id of a snapshot, or "now". */
export type PointInTime = Version | "now" | (string & {});

/** Selects entries; all given conditions must hold. */
export interface LogFilter extends OptionsOf<typeof logFilter> {}

export interface LogOptions extends OptionsOf<typeof logOptions> {}

export interface LogPage {
  /** Newest first. */
  entries: Change[];
  /** Pass as `cursor` to continue with older entries; null at the end. */
  cursor: string | null;
}

/** The changes of one call: consecutive entries with one call id, or one transaction if there is none. */
export interface LogGroup {
  /** First revision of its first transaction; `undo({ group })` reverts all of it. */
  group: number;
  actor?: string;
  callId?: string;
  /** The time of its last entry. */
  timeMs: number;
  /** After it: `at(cursor)` shows its result, `diff({ to: cursor })` ends with it. */
  cursor: Version;
  /** Before it: `at(before)` shows the state before it. */
  before: Version;
  entries: number;
  /** Number of changes of each kind. */
  ops: Partial<Record<Change["op"], number>>;
  /** The first paths that it touched, at most 20, each once. */
  paths: string[];
}

export interface GroupPage {
  /** Newest first. */
  groups: LogGroup[];
  cursor: string | null;
}

export interface DiffOptions extends OptionsOf<typeof diffOptions> {
  from: PointInTime;
}

export type DiffStatus = "added" | "removed" | "modified" | "renamed";

export interface DiffFile {
  /** The path at `to`; for a removed file, the path at `from`. */
  path: string;
  /** With `renamed`: the previous path. */
  from?: string;
  status: DiffStatus;
  type: EntryType;
  oldMode?: number;
  newMode?: number;
  oldSize?: number;
  newSize?: number;
  /** Not text, or too large to compare: there is no patch. */
  binary?: boolean;
  /** Its content at one end was removed with `purge`. */
  purged?: boolean;
  /** A unified diff as git writes it, with its header. */
  patch?: string;
}

export interface HistoryDiff {
  files: DiffFile[];
  /** There are more files, or more text, than an answer holds: narrow the diff with `path`. */
  truncated: boolean;
}

export interface UndoOptions extends OptionsOf<typeof undoOptions> {}

/** Why a change cannot be undone on its own. */
export interface Conflict {
  path: string;
  /** A description that names the author of the later change. */
  reason: string;
  /** The later change. */
  cursor?: Version;
  actor?: string;
  callId?: string;
}

/** One change that an undo or a restore makes. */
export interface RevertedChange {
  path: string;
  /**
   * `remove`: removes the name; `restore`: restores it; `move`: from `from`; `write`: its bytes; `attributes`: mode or time only.
   */
  action: "remove" | "restore" | "move" | "write" | "attributes";
  from?: string;
  /** The bytes are the result of a three-way merge. */
  merged?: true;
}

/** Files that an undo leaves in place, because later changes may refer to them: objects of a git repository. */
export interface Kept {
  /** Their directory. */
  path: string;
  files: number;
  reason: string;
}

export interface RevertResult {
  /** In path order, without directories of which only the time is restored. At most 1000. */
  changes: RevertedChange[];
  /** The total number of changes. */
  total: number;
  /** With `dryRun`: the conflicts. Without it, a conflict is the error ECONFLICT with this list as `conflicts`. */
  conflicts: Conflict[];
  /** Files that the call created and the undo leaves in place; absent when there are none. */
  kept?: Kept[];
  /** Pass to `undo({ group })` to undo it. Null when nothing had to be done. */
  group: number | null;
  /** The state after the revert. */
  cursor: Version;
}

export interface BlameLine {
  /** From 1. */
  line: number;
  text: string;
  /** The change that wrote it; absent when it is older than the retained history. */
  cursor?: Version;
  timeMs?: number;
  actor?: string;
  callId?: string;
}

export interface Blame {
  path: string;
  version: Version;
  lines: BlameLine[];
}

export interface PurgeResult {
  /** Number of past states that lost their bytes. */
  states: number;
  /** Bytes that were freed. */
  bytes: number;
  /** Paths outside that share one of these contents (copies): it stays readable there. */
  shared: string[];
}

export interface HistoryUsage {
  /** Bytes of contents that only history needs. */
  bytes: number;
  entries: number;
  /** The oldest point in time that exists, and its time. */
  oldest: Version;
  oldestMs: number | null;
  snapshots: number;
}

export interface History {
  /** Single changes, newest first, by page. */
  log(options?: LogOptions): Promise<LogPage>;
  /** As `log`, grouped by call. */
  groups(options?: LogOptions): Promise<GroupPage>;
  diff(options: DiffOptions): Promise<HistoryDiff>;
  /** All or nothing. Fails with ECONFLICT before anything is changed, unless `force`, or `merge` where it can. */
  undo(options: UndoOptions): Promise<RevertResult>;
  /** The call and the actor that wrote each line. */
  blame(path: string): Promise<Blame>;
  /**
   * Removes what was at or under a path from history, and overwrites its bytes in the database; current files stay. Names stay in
   * the log. Fragments shorter than a page can remain in the database file, and copies of it in backups (see docs/differences.md).
   * Fails with EBUSY inside a transaction: it commits in steps.
   */
  purge(path: string): Promise<PurgeResult>;
  /** The space that history uses. */
  use(): Promise<HistoryUsage>;
}

export interface Snapshot {
  id: string;
  name: string;
  /** The point in time of the snapshot. */
  version: Version;
  timeMs: number;
  /** Retained regardless of the retention; otherwise it is removed with the history it needs. */
  pinned: boolean;
  actor?: string;
  callId?: string;
}

export interface RestoreOptions extends OptionsOf<typeof restoreOptions> {}

export interface Snapshots {
  /** One row; nothing is copied. */
  create(name?: string, options?: { pinned?: boolean }): Promise<Snapshot>;
  /** Newest first. */
  list(): Promise<Snapshot[]>;
  get(id: string): Promise<Snapshot>;
  remove(id: string): Promise<void>;
  /** Restores the tree, or what is at and under `paths`, exactly to that state; all or nothing, as one group that can be undone. */
  restore(moment: PointInTime, options?: RestoreOptions): Promise<RevertResult>;
}
