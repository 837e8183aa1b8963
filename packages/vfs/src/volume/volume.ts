/**
 * One database's file system: the state that all its views in this isolate share. Counters, epoch, caches, open handles and
 * listeners live here. `openVolume` (open-volume.ts) returns the same volume for the same database, because two caches over one
 * would become stale.
 */
import type { PathRules } from "@workspace/glob";
import { FsError } from "../api/errors.ts";
import type { Version } from "../api/file-system.ts";
import { defaultLimits, defaultRetention, type Limits, type Retention } from "../api/limits.ts";
import { MetadataCache, type MetadataView } from "../cache/metadata-cache.ts";
import { Overwritten } from "../content/overwritten.ts";
import { Reservations } from "../content/reservations.ts";
import { Database } from "../db/database.ts";
import { appliedTags, migrate } from "../db/migrate.ts";
import { createRoot, type Pristine } from "../mutation/create-root.ts";
import type { Mutation } from "../mutation/mutation.ts";
import { undoMutation } from "../mutation/write-mutation.ts";
import { maxContentId } from "../store/contents.ts";
import { type Epoch, type ExpectedHead, isLogHead, selectLogHead } from "../store/log.ts";
import { presentTree } from "../store/present-tree.ts";
import { isDirectory } from "../tree/inode.ts";
import type { Tree } from "../tree/tree.ts";
import { Epochs } from "./epochs.ts";
import { LogTail } from "./log-tail.ts";
import { OpenInodes } from "./open-inodes.ts";

export interface VolumeOptions {
  /** The directory of the agent's files; created at first use. */
  root?: string;
  /** Microseconds since 1970. */
  now?: () => number;
  limits?: Partial<Limits>;
  retention?: Partial<Retention>;
  /** Identifies this workspace before its first write: the object's id. */
  origin?: string;
}

/**
 * The subject of the verbs: the present (`LiveVolume`), a read-only past revision (`history/past/past-view.ts`), or a view of either
 * for a principal with a policy (`policy/restricted-volume.ts`).
 */
export interface Volume {
  readonly root: string;
  readonly limits: Limits;
  readonly retention: Retention;
  readonly now: () => number;
  readonly db: Database;
  readonly tree: Tree;
  readonly cache: MetadataView;
  /** A past revision: it is read-only. */
  readonly isPast: boolean;
  /** What the principal of this view may see and change; null: everything. */
  readonly rules: PathRules | null;
  /** The same volume without a policy. */
  readonly unrestricted: Volume;
  /** Before the first write to the workspace: its initial state. */
  readonly pristine: Pristine | null;
  /** For a view of the past: the live volume. Data that belongs to contents, not to names, is stored under it. */
  readonly live: Volume;
  /** Contents that are being read, and inodes with an open handle: not to be collected. */
  readonly pinnedContents: Map<number, number>;
  readonly pinnedInodes: Map<number, number>;
  /** The shared state of the handles of one file, by inode. */
  readonly openInodes: OpenInodes;
  /** Rows that a writer in this incarnation is filling; all others on record are garbage. */
  readonly reservations: Reservations;
  /** Queued rows that are already overwritten with zeros. */
  readonly overwritten: Overwritten;
  openHandles: number;
  /** Every verb calls this first. */
  ensureOpen(): this;
  rollback(mutation: Mutation): void;
  /** Drops all state that is not in the database. */
  invalidateCaches(): void;
  readonly headRev: number;
  readonly retainedBytes: number;
  readonly logTail: LogTail;
  /** The oldest revision whose state is still available. */
  readonly oldestRev: number;
  /** Counts how often history was trimmed or purged. */
  readonly historyGeneration: number;
  invalidateHistory(): void;
  readonly epochToken: string;
  readonly pendingEpoch: Epoch | null;
  /** The expected end of the log; any other means that memory is stale. */
  readonly logHead: ExpectedHead;
  /** Drops the caches if the log does not end as expected: a transaction was rolled back without a notification. */
  dropIfStale(): boolean;
  allocateContentIds(count: number): number;
  /**
   * Call before this many bytes are written: drops history if they would not fit, and fails with ENOSPC if that is not enough.
   * Returns whether any history was dropped.
   */
  reserveSpace(bytes: number): boolean;
  formatVersion(rev: number): Version;
  parseVersion(version: unknown, syscall: string): number;
  applyCommit(mutation: Mutation): void;
  /** Call when snapshots were created or removed: another part of the log may have to be retained. */
  snapshotsChanged(): void;
  onCommit(listener: VolumeListener): () => void;
}

/** "changed": a change was committed, and no enclosing transaction is open; "dropped": a transaction was rolled back. */
export type VolumeListener = (what: "changed" | "dropped") => void;

/** What a volume needs of the layers above it: open-volume.ts passes it. */
export interface VolumeHooks {
  /** Called when the counters have been read, before anything is answered from memory. */
  claim(volume: LiveVolume): void;
  /** Drops history until this many bytes fit; returns whether any was dropped. */
  reclaimSpace(volume: LiveVolume, bytes: number): boolean;
}

const MEASURE_EVERY = 1024 * 1024;

export class LiveVolume implements Volume {
  readonly root: string;
  readonly limits: Limits;
  readonly retention: Retention;
  readonly now: () => number;
  readonly db: Database;
  readonly tree: Tree;
  readonly cache: MetadataCache;
  readonly live = this;
  readonly unrestricted = this;
  readonly isPast = false;
  readonly rules = null;
  readonly pinnedContents = new Map<number, number>();
  readonly pinnedInodes = new Map<number, number>();
  readonly openInodes = new OpenInodes();
  readonly reservations = new Reservations(this);
  readonly overwritten = new Overwritten();
  openHandles = 0;

  pristine: Pristine | null = null;
  #open = false;
  /** A commit that failed halfway and could not be undone yet: it must be undone before anything else. */
  #failedCommit: Mutation | null = null;
  #head = { rev: 0, held: 0 };
  #nextContent = 1;
  readonly logTail: LogTail;
  #historyGeneration = 0;
  /** Bytes written since the size of the database was last read, which costs as much as a statement. */
  #unmeasured = Number.POSITIVE_INFINITY;
  readonly #epochs: Epochs;
  #epochToken = "";
  #epochRecorded = false;
  readonly #listeners = new Set<VolumeListener>();

  readonly #hooks: VolumeHooks;

  constructor(storage: DurableObjectStorage, options: VolumeOptions, hooks: VolumeHooks) {
    this.#hooks = hooks;
    this.root = options.root ?? "/workspace";
    this.limits = { ...defaultLimits, ...options.limits };
    this.retention = { ...defaultRetention, ...options.retention };
    this.now = options.now ?? (() => Date.now() * 1000);
    this.db = new Database(storage, {
      onRollback: () => this.invalidateCaches(),
      committed: () => this.#wake("changed"),
    });
    this.logTail = new LogTail(this.db);
    this.tree = presentTree(this.db, () => this.pristine?.tree);
    this.cache = new MetadataCache(this.tree, this.limits);
    this.#epochs = new Epochs(this.db, options.origin);
  }

  /** Migrates and reads the counters the first time; if there are no tables, the first write creates them. */
  ensureOpen(): this {
    if (this.#failedCommit !== null) this.rollback(this.#failedCommit);
    if (this.#open) return this;
    this.db.forget();
    const applied = appliedTags(this.db);
    if (applied.length === 0) this.#openPristine();
    else {
      migrate(this.db, applied, this.now());
      this.#head = selectLogHead(this.db);
      if (this.#head.rev === 0) this.#writeRoot();
    }
    // No number is allocated twice: a reader may hold one of a rolled-back content.
    this.#nextContent = Math.max(this.#nextContent, maxContentId(this.db) + 1);
    this.#epochs.load();
    this.reservations.recheck();
    this.openInodes.dropLost(this.#head.rev);
    this.#hooks.claim(this);
    this.#open = true;
    return this;
  }

  /** For tables without a root: their creator did not finish. */
  #writeRoot(): void {
    const pristine = createRoot(this);
    this.db.transaction(() => pristine.write(this.db));
    this.#head = { rev: pristine.rev, held: 0 };
  }

  #openPristine(): void {
    this.#head = { rev: 0, held: 0 };
    const pristine = createRoot(this);
    this.#head = { rev: pristine.rev, held: 0 };
    this.pristine = pristine;
    pristine.remember(this.cache);
    this.db.awaitTables(() => {
      migrate(this.db, [], this.now());
      pristine.write(this.db);
      this.pristine = null;
      this.logTail.forget();
    });
  }

  /** Undoes a plain mutation whose statements failed; if that fails too, it is retried before the next verb. */
  rollback(mutation: Mutation): void {
    try {
      undoMutation(mutation);
      this.#failedCommit = null;
    } catch (error) {
      this.#failedCommit = mutation;
      this.db.onRollback(() => (this.#failedCommit = null));
      throw error;
    }
  }

  invalidateCaches(): void {
    this.release();
    this.#wake("dropped");
  }

  get isOpen(): boolean {
    return this.#open;
  }

  /** Work is in progress that another incarnation of this volume would not know of. */
  get isBusy(): boolean {
    const { openHandles, pinnedContents, pinnedInodes, reservations, db } = this;
    const held = openHandles + pinnedContents.size + pinnedInodes.size + reservations.size;
    return held > 0 || this.#failedCommit !== null || db.inTransaction;
  }

  /** The last writer to the database, as far as this volume knows; null if there was none. */
  get lastWriter(): string | null {
    return this.#epochs.lastToken;
  }

  /** As `invalidateCaches`, without a notification: nothing has changed. */
  release(): void {
    this.invalidateHistory();
    this.cache.drop();
    this.overwritten.clear();
    this.pristine = null;
    this.#open = false;
    // A revision of a rolled-back transaction may be reused, but never under the same epoch.
    this.#epochToken = "";
    this.#epochRecorded = false;
  }

  dropIfStale(): boolean {
    if (!this.#open || this.pristine !== null || isLogHead(this.db, this.logHead)) return false;
    this.invalidateCaches();
    return true;
  }

  get logHead(): ExpectedHead {
    return { rev: this.#head.rev, token: this.lastWriter };
  }

  get headRev(): number {
    return this.#head.rev;
  }

  get retainedBytes(): number {
    return this.#head.held;
  }

  get oldestRev(): number {
    return (this.logTail.entry?.rev ?? this.#head.rev + 1) - 1;
  }

  get historyGeneration(): number {
    return this.#historyGeneration;
  }

  invalidateHistory(): void {
    this.logTail.forget();
    this.#historyGeneration++;
  }

  /** Identifies this incarnation; random, because a database restored to an earlier time repeats its revisions. */
  get epochToken(): string {
    if (this.#epochToken === "") {
      const bytes = crypto.getRandomValues(new Uint8Array(6));
      this.#epochToken = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
    }
    return this.#epochToken;
  }

  /** The epoch to record with the next commit, if it has none yet. */
  get pendingEpoch(): Epoch | null {
    return this.#epochRecorded ? null : { firstRev: this.#head.rev + 1, token: this.epochToken };
  }

  allocateContentIds(count: number): number {
    const first = this.#nextContent;
    this.#nextContent += count;
    return first;
  }

  reserveSpace(bytes: number): boolean {
    this.#unmeasured += bytes;
    if (this.#unmeasured < MEASURE_EVERY) return false;
    this.#unmeasured = bytes;
    return this.#hooks.reclaimSpace(this, bytes);
  }

  formatVersion(rev: number): Version {
    return `${this.#epochs.tokenOf(rev)}.${rev.toString(36)}`;
  }

  /** The revision that a version or cursor names; EGONE when this database has never had it. */
  parseVersion(version: unknown, syscall: string): number {
    const match = typeof version === "string" ? /^([0-9a-f]{12})\.([0-9a-z]{1,11})$/.exec(version) : null;
    if (match === null)
      throw new FsError("EINVAL", {
        syscall,
        path: String(version),
        reason: "not a version or cursor from an earlier answer",
      });
    const rev = Number.parseInt(match[2] as string, 36);
    if (rev > this.#head.rev || this.#epochs.tokenOf(rev) !== match[1]) {
      throw new FsError("EGONE", { syscall, path: String(version), reason: "this workspace has no such version" });
    }
    return rev;
  }

  /** Updates the in-memory state after a commit. */
  applyCommit(mutation: Mutation): void {
    const { pendingEpoch } = this;
    if (pendingEpoch !== null) {
      this.#epochs.add(pendingEpoch);
      this.#epochRecorded = true;
    }
    const { rev: before } = this.#head;
    this.#head = { rev: mutation.lastRev, held: mutation.retainedBytes };
    this.logTail.grown();
    this.reservations.release(mutation.releasedBlocks);
    for (const [contents, left] of mutation.leftDetached()) {
      this.reservations.release(contents.spans);
      contents.spans = left.map(([first, last]) => this.reservations.adopt(first, last, last - first + 1));
    }
    if (mutation.stalePaths !== "none") this.cache.paths.forget(mutation.stalePaths);
    for (const [text, directory] of mutation.paths) this.cache.rememberDirectory(text, directory);
    for (const inode of mutation.inodes.values())
      if (inode.ino > before && isDirectory(inode)) this.cache.putNewDirectory(inode.ino);
    for (const [directory, entries] of mutation.entries) {
      for (const [name, ino] of entries) this.cache.putEntry(directory, name, ino);
    }
    for (const inode of mutation.inodes.values()) this.cache.putInode(inode);
    this.openInodes.followNames(mutation);
    this.cache.evict();
    if (!this.db.inTransaction) this.#wake("changed");
  }

  snapshotsChanged(): void {
    this.logTail.forget();
    if (!this.db.inTransaction) this.#wake("changed");
  }

  /** Calls the listener after commits; it must query what changed. Returns the function that unsubscribes. */
  onCommit(listener: VolumeListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #wake(what: "changed" | "dropped"): void {
    for (const listener of this.#listeners) listener(what);
  }
}

/** Pins a key in a table until the result is disposed. */
export function pin(table: Map<number, number>, key: number): Disposable {
  table.set(key, (table.get(key) ?? 0) + 1);
  let held = true;
  return {
    [Symbol.dispose]() {
      if (!held) return;
      held = false;
      const count = (table.get(key) ?? 1) - 1;
      if (count === 0) table.delete(key);
      else table.set(key, count);
    },
  };
}
