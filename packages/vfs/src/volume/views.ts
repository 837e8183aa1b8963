/**
 * The types of a volume as verbs see it. A `ReadView` is one state of the tree: the present, a past revision
 * (`history/past/past-view.ts`), or either of them restricted by a policy (`policy/restricted-view.ts`). Only views of the present
 * are `WriteView`s, so a verb that writes cannot be called on the past. The `VolumeStore` has what belongs to the database and not
 * to one state of the tree. All views share it; it is the unrestricted present itself.
 */
import type { PathRules } from "@workspace/glob";
import type { Version } from "../api/file-system.ts";
import type { Limits, Retention } from "../api/limits.ts";
import type { MetadataView } from "../cache/metadata-cache.ts";
import type { Contents } from "../content/contents.ts";
import type { Overwritten } from "../content/overwritten.ts";
import type { Reservations } from "../content/reservations.ts";
import type { Database } from "../db/database.ts";
import type { PastViews } from "../history/past/past-views.ts";
import type { IgnoreRulesCache } from "../match/ignore-files.ts";
import type { Pristine } from "../mutation/create-root.ts";
import type { Mutation } from "../mutation/mutation.ts";
import type { RestrictedViews } from "../policy/restricted-view.ts";
import type { Search } from "../search/search.ts";
import type { Epoch, ExpectedHead } from "../store/log.ts";
import type { Tree } from "../tree/tree.ts";
import type { LogTail } from "./log-tail.ts";
import type { OpenInodes } from "./open-inodes.ts";

export interface ReadView {
  readonly root: string;
  readonly limits: Limits;
  /** What the principal of this view may see and change; null: everything. */
  readonly rules: PathRules | null;
  readonly tree: Tree;
  readonly cache: MetadataView;
  readonly contents: Contents;
  readonly revisions: Revisions;
  /** The files with open handles. */
  readonly handles: OpenInodes;
  /** The same state without a policy. */
  readonly unrestricted: ReadView;
  readonly store: VolumeStore;
  /** Every verb calls this first. */
  ensureOpen(): this;
  onCommit(listener: VolumeListener): () => void;
}

export interface WriteView extends ReadView {
  /** Writes the changes in one transaction, then updates what is in memory. */
  commit(mutation: Mutation): void;
}

export interface Revisions {
  /** Of the view's state: the last one, or that of the point in time. */
  readonly head: number;
  /** The oldest revision whose state is still available. */
  readonly oldest: number;
  /** Counts how often history was trimmed or purged. */
  readonly generation: number;
  /** Changes with every change of the tree; a rolled-back revision recurs only under another epoch. */
  readonly stamp: string;
  format(rev: number): Version;
  /** The revision that a version or cursor names; EGONE when this database has never had it. */
  parse(version: unknown, syscall: string): number;
}

/**
 * "changed": a change was committed, and no enclosing transaction is open; "dropped": a transaction was rolled back;
 * "purged": past contents were erased, and the search index with them.
 */
export type VolumeListener = (what: "changed" | "dropped" | "purged") => void;

export interface VolumeStore extends WriteView {
  readonly now: () => number;
  readonly db: Database;
  readonly retention: Retention;
  readonly services: VolumeServices;
  /** Before the first write to the workspace: its initial state. */
  readonly pristine: Pristine | null;
  /** Contents that are being read, and inodes with an open handle: not to be collected. */
  readonly pinnedContents: Map<number, number>;
  readonly pinnedInodes: Map<number, number>;
  /** Rows that a writer in this incarnation is filling; all others on record are garbage. */
  readonly reservations: Reservations;
  /** Queued rows that are already overwritten with zeros. */
  readonly overwritten: Overwritten;
  readonly retainedBytes: number;
  readonly logTail: LogTail;
  readonly epochToken: string;
  readonly pendingEpoch: Epoch | null;
  /** The expected end of the log; any other means that memory is stale. */
  readonly logHead: ExpectedHead;
  openHandles: number;
  /** Drops all state that is not in the database. */
  invalidateCaches(): void;
  invalidateHistory(): void;
  /** Drops the caches if the log does not end as expected: a transaction was rolled back without a notification. */
  dropIfStale(): boolean;
  allocateContentIds(count: number): number;
  /**
   * Call before this many bytes are written: drops history if they would not fit, and fails with ENOSPC if that is not enough.
   * Returns whether any history was dropped.
   */
  reserveSpace(bytes: number): boolean;
  /** Call when past contents and the search index were erased. */
  purged(): void;
  /** Call when snapshots were created or removed: another part of the log may have to be retained. */
  snapshotsChanged(): void;
}

/** What layers above cache or schedule per volume: `open-volume.ts` makes them. */
export interface VolumeServices {
  readonly search: Search;
  readonly pastViews: PastViews;
  readonly restrictedViews: RestrictedViews;
  readonly ignoreRules: IgnoreRulesCache;
}
