/**
 * The narrow interface of history, as types only: what `workspace.history` and `workspace.snapshots` are, here and over Workers
 * RPC. Everything in it is plain data. The log itself is that of `fs.changes`; entries are never rewritten.
 */
import type { Change, EntryType, Version } from "../file-system.ts";

/** A moment of the past: a version or cursor from an earlier answer, the id of a snapshot, or "now". */
export type PointInTime = Version | "now" | (string & {});

/** Which entries; what is given must all hold. */
export interface LogFilter {
  /** At or under this path, by the paths at the time. */
  path?: string;
  /** Later than this moment. */
  since?: PointInTime;
  /** Not later than this moment. */
  until?: PointInTime;
  actor?: string;
  callId?: string;
}

export interface LogOptions extends LogFilter {
  /** Default 100, at most 1000. */
  limit?: number;
  /** Where an earlier answer stopped: its `cursor`. */
  cursor?: string;
}

export interface LogPage {
  /** Newest first. */
  entries: Change[];
  /** Pass as `cursor` to go on to older ones; null at the end. */
  cursor: string | null;
}

/** What one call did: entries that follow one another under one call id, or one transaction where there is none. */
export interface LogGroup {
  /** First revision of its first transaction; `undo({ group })` takes back all of it. */
  group: number;
  actor?: string;
  callId?: string;
  /** Of its last entry. */
  timeMs: number;
  /** After it: `at(cursor)` shows what it left, `diff({ to: cursor })` ends with it. */
  cursor: Version;
  /** Before it: `at(before)` shows what it found. */
  before: Version;
  entries: number;
  /** How many of each kind. */
  ops: Partial<Record<Change["op"], number>>;
  /** The first of the paths it touched, at most 20, each once. */
  paths: string[];
}

export interface GroupPage {
  /** Newest first. */
  groups: LogGroup[];
  cursor: string | null;
}

export interface DiffOptions {
  from: PointInTime;
  /** Default "now". */
  to?: PointInTime;
  /** Only what is at or under it. */
  path?: string;
  /** Lines around a change; default 3. */
  context?: number;
  /** Unified diffs of text files; default true. */
  patches?: boolean;
}

export type DiffStatus = "added" | "removed" | "modified" | "renamed";

export interface DiffFile {
  /** Where it is at `to`; of what was removed, where it was at `from`. */
  path: string;
  /** With `renamed`: where it was. */
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
  /** There are more files, or more text, than an answer holds: narrow it with `path`. */
  truncated: boolean;
}

export interface UndoOptions {
  /** Everything this call did. What was made while other commands ran too is a conflict that names them; with `force` it goes as well. */
  callId?: string;
  /**
   * Of an entry, of a group, or of an undo: everything that its call did in one go, which is what `groups` shows as one, or the
   * transaction where no call is named.
   */
  group?: number;
  /** With nothing else: the last call that changed something at or under it, and there only. Otherwise a filter. */
  path?: string;
  /** Everything later than this moment. */
  since?: PointInTime;
  /** Everything of this actor. */
  actor?: string;
  /** Says what would be done, and does nothing. */
  dryRun?: boolean;
  /** Where a later change touched the same, give that up too. */
  force?: boolean;
  /** Where a later change touched the same text, keep both by a three-way merge; what cannot be merged is a conflict. */
  merge?: boolean;
}

/** Why something cannot be undone by itself. */
export interface Conflict {
  path: string;
  /** In words, with who did it. */
  reason: string;
  /** The later change. */
  cursor?: Version;
  actor?: string;
  callId?: string;
}

/** One thing that an undo or a restore does. */
export interface RevertedChange {
  path: string;
  /** `remove`: the name goes; `restore`: it comes back; `move`: from `from`; `write`: its bytes; `attributes`: mode or time alone. */
  action: "remove" | "restore" | "move" | "write" | "attributes";
  from?: string;
  /** Bytes that come out of a three-way merge. */
  merged?: true;
}

/** Files that an undo leaves where they are, because later changes may refer to them: objects of a git repository. */
export interface Kept {
  /** The directory that they are in. */
  path: string;
  files: number;
  reason: string;
}

export interface RevertResult {
  /** In the order of paths; directories whose time alone is put back are left out. At most 1000. */
  changes: RevertedChange[];
  /** How many there are in all. */
  total: number;
  /** With `dryRun`: what stands in the way. Without it, a conflict is the error ECONFLICT with this list as `conflicts`. */
  conflicts: Conflict[];
  /** What the call made and the undo leaves; absent when there is nothing of the kind. */
  kept?: Kept[];
  /** To undo it: `undo({ group })`. Null when nothing had to be done. */
  group: number | null;
  /** The state after it. */
  cursor: Version;
}

export interface BlameLine {
  /** From 1. */
  line: number;
  text: string;
  /** The change that wrote it; absent when it is older than the history that is kept. */
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
  /** Past states that lost their bytes. */
  states: number;
  /** Bytes that were freed. */
  bytes: number;
  /** Paths outside that hold one of these contents too (a copy): it stays readable there. */
  shared: string[];
}

export interface HistoryUsage {
  /** Bytes of contents that only the past needs. */
  bytes: number;
  entries: number;
  /** The oldest moment that exists, and its time. */
  oldest: Version;
  oldestMs: number | null;
  snapshots: number;
}

export interface History {
  /** Single changes, newest first, by page. */
  log(options?: LogOptions): Promise<LogPage>;
  /** The same by call. */
  groups(options?: LogOptions): Promise<GroupPage>;
  diff(options: DiffOptions): Promise<HistoryDiff>;
  /** All or nothing. ECONFLICT before anything is changed, unless `force`, or `merge` where it can. */
  undo(options: UndoOptions): Promise<RevertResult>;
  /** Which call and which actor wrote each line. */
  blame(path: string): Promise<Blame>;
  /**
   * Takes what was at or under a path out of the past, and overwrites its bytes in the database; what is there now stays. Names stay in
   * the log, and fragments shorter than a page can remain in the file, copies of it in backups (see docs/differences.md). EBUSY inside
   * a transaction: it commits in steps.
   */
  purge(path: string): Promise<PurgeResult>;
  /** What the past takes. */
  use(): Promise<HistoryUsage>;
}

export interface Snapshot {
  id: string;
  name: string;
  /** The moment it stands for. */
  version: Version;
  timeMs: number;
  /** Kept whatever the retention; otherwise it goes when the history it needs goes. */
  pinned: boolean;
  actor?: string;
  callId?: string;
}

export interface Snapshots {
  /** One row; nothing is copied. */
  create(name?: string, options?: { pinned?: boolean }): Promise<Snapshot>;
  /** Newest first. */
  list(): Promise<Snapshot[]>;
  get(id: string): Promise<Snapshot>;
  remove(id: string): Promise<void>;
  /** Makes the tree, or what is at and under `paths`, exactly what it was; all or nothing, as one group that can be undone. */
  restore(moment: PointInTime, options?: { paths?: readonly string[]; dryRun?: boolean }): Promise<RevertResult>;
}
