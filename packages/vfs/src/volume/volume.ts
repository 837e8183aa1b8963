/**
 * The volume: one open database with the state that all its users share in memory, such as counters, caches, open handles and
 * listeners.
 */
import { defaultLimits, defaultRetention, type Limits, type Retention } from "../api/limits.ts";
import { MetadataCache } from "../cache/metadata-cache.ts";
import { Contents } from "../content/contents.ts";
import { Overwritten } from "../content/overwritten.ts";
import { Reservations } from "../content/reservations.ts";
import { Database } from "../db/database.ts";
import { appliedTags, migrate } from "../db/migrate.ts";
import { createRoot, type Pristine } from "../mutation/create-root.ts";
import type { Mutation } from "../mutation/mutation.ts";
import { StaleMemory } from "../mutation/stale-memory.ts";
import { isPlain, undoMutation, writeMutation } from "../mutation/write-mutation.ts";
import { maxContentId } from "../store/contents.ts";
import { type Epoch, type ExpectedHead, isLogHead, selectLogHead } from "../store/log.ts";
import { presentTree } from "../store/present-tree.ts";
import { isDirectory } from "../tree/inode.ts";
import type { Tree } from "../tree/tree.ts";
import type { LogTail } from "./log-tail.ts";
import { OpenInodes } from "./open-inodes.ts";
import { LiveRevisions } from "./revisions.ts";
import type { VolumeListener, VolumeServices, VolumeStore } from "./views.ts";

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

/** What a volume needs of the layers above it: open-volume.ts passes it. */
export interface VolumeHooks {
  /** Called when the counters have been read, before anything is answered from memory. */
  claim(volume: LiveVolume): void;
  /** Drops history until this many bytes fit; returns whether any was dropped. */
  reclaimSpace(volume: LiveVolume, bytes: number): boolean;
  makeServices(volume: LiveVolume): VolumeServices;
}

const MEASURE_EVERY = 1024 * 1024;

export class LiveVolume implements VolumeStore {
  readonly root: string;
  readonly limits: Limits;
  readonly retention: Retention;
  readonly now: () => number;
  readonly db: Database;
  readonly tree: Tree;
  readonly cache: MetadataCache;
  readonly contents: Contents;
  readonly revisions: LiveRevisions;
  readonly services: VolumeServices;
  readonly store = this;
  readonly unrestricted = this;
  readonly rules = null;
  readonly pinnedContents = new Map<number, number>();
  readonly pinnedInodes = new Map<number, number>();
  readonly handles = new OpenInodes();
  readonly reservations = new Reservations(this);
  readonly overwritten = new Overwritten();
  openHandles = 0;

  pristine: Pristine | null = null;
  #open = false;
  /** A commit that failed halfway and could not be undone yet: it must be undone before anything else. */
  #failedCommit: Mutation | null = null;
  #nextContent = 1;
  /** Bytes written since the size of the database was last read, which costs as much as a statement. */
  #unmeasured = Number.POSITIVE_INFINITY;
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
    this.revisions = new LiveRevisions(this.db, options.origin);
    this.contents = new Contents(this.db, this.pinnedContents);
    this.tree = presentTree(this.db, () => this.pristine?.tree);
    this.cache = new MetadataCache(this.tree, this.limits);
    this.services = hooks.makeServices(this);
  }

  /** Migrates and reads the counters the first time; if there are no tables, the first write creates them. */
  ensureOpen(): this {
    if (this.#failedCommit !== null) this.#rollback(this.#failedCommit);
    if (this.#open) return this;
    this.db.forget();
    const applied = appliedTags(this.db);
    if (applied.length === 0) this.#openPristine();
    else {
      migrate(this.db, applied, this.now());
      this.revisions.setHead(selectLogHead(this.db));
      if (this.revisions.head === 0) this.#writeRoot();
    }
    // No number is allocated twice: a reader may hold one of a rolled-back content.
    this.#nextContent = Math.max(this.#nextContent, maxContentId(this.db) + 1);
    this.revisions.load();
    this.reservations.recheck();
    this.handles.dropLost(this.revisions.head);
    this.#hooks.claim(this);
    this.#open = true;
    return this;
  }

  /** For tables without a root: their creator did not finish. */
  #writeRoot(): void {
    const pristine = createRoot(this);
    this.db.transaction(() => pristine.write(this.db));
    this.revisions.setHead({ rev: pristine.rev, held: 0 });
  }

  #openPristine(): void {
    this.revisions.setHead({ rev: 0, held: 0 });
    const pristine = createRoot(this);
    this.revisions.setHead({ rev: pristine.rev, held: 0 });
    this.pristine = pristine;
    pristine.remember(this.cache);
    this.db.awaitTables(() => {
      migrate(this.db, [], this.now());
      pristine.write(this.db);
      this.pristine = null;
      this.revisions.tail.forget();
    });
  }

  commit(mutation: Mutation): void {
    this.db.ensureTables();
    try {
      writeMutation(this, mutation);
    } catch (error) {
      if (error instanceof StaleMemory) this.invalidateCaches();
      else if (isPlain(mutation)) this.#rollback(mutation);
      throw error;
    }
    this.#applyCommit(mutation);
  }

  /** Undoes a plain mutation whose statements failed; if that fails too, it is retried before the next verb. */
  #rollback(mutation: Mutation): void {
    try {
      undoMutation(this, mutation);
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
    return this.revisions.lastWriter;
  }

  /** As `invalidateCaches`, without a notification: nothing has changed. */
  release(): void {
    this.invalidateHistory();
    this.cache.drop();
    this.overwritten.clear();
    this.pristine = null;
    this.#open = false;
    this.revisions.beginEpoch();
  }

  dropIfStale(): boolean {
    if (!this.#open || this.pristine !== null || isLogHead(this.db, this.logHead)) return false;
    this.invalidateCaches();
    return true;
  }

  get logHead(): ExpectedHead {
    return { rev: this.revisions.head, token: this.lastWriter };
  }

  get retainedBytes(): number {
    return this.revisions.retainedBytes;
  }

  get logTail(): LogTail {
    return this.revisions.tail;
  }

  get epochToken(): string {
    return this.revisions.epochToken;
  }

  get pendingEpoch(): Epoch | null {
    return this.revisions.pendingEpoch;
  }

  invalidateHistory(): void {
    this.revisions.historyChanged();
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

  /** Updates the in-memory state after a commit. */
  #applyCommit(mutation: Mutation): void {
    this.revisions.advance(mutation);
    this.reservations.release(mutation.releasedBlocks);
    for (const [contents, left] of mutation.leftDetached()) {
      this.reservations.release(contents.spans);
      contents.spans = left.map(([first, last]) => this.reservations.adopt(first, last, last - first + 1));
    }
    if (mutation.stalePaths !== "none") this.cache.paths.forget(mutation.stalePaths);
    for (const [text, directory] of mutation.paths) this.cache.rememberDirectory(text, directory);
    for (const inode of mutation.inodes.values())
      if (mutation.isNew(inode.ino) && isDirectory(inode)) this.cache.putNewDirectory(inode.ino);
    for (const [directory, entries] of mutation.entries) {
      for (const [name, ino] of entries) this.cache.putEntry(directory, name, ino);
    }
    for (const inode of mutation.inodes.values()) this.cache.putInode(inode);
    this.handles.followNames(mutation);
    this.cache.evict();
    if (!this.db.inTransaction) this.#wake("changed");
  }

  purged(): void {
    this.invalidateHistory();
    this.cache.drop();
    this.#wake("purged");
  }

  snapshotsChanged(): void {
    this.revisions.tail.forget();
    if (!this.db.inTransaction) this.#wake("changed");
  }

  /** Calls the listener after commits; it must query what changed. Returns the function that unsubscribes. */
  onCommit(listener: VolumeListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #wake(what: Parameters<VolumeListener>[0]): void {
    for (const listener of this.#listeners) listener(what);
  }
}
