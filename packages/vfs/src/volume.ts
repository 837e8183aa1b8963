/**
 * One database's file system: what is shared by every view of it in this isolate. Counters, epoch, caches, open handles and
 * listeners live here; `openVolume` gives the same one for the same storage, because two caches over one database would lie.
 */
import { MetadataCache } from "./cache/metadata-cache.ts";
import { Database } from "./db/database.ts";
import { migrate } from "./db/migrate.ts";
import { Epochs } from "./epochs.ts";
import { FsError } from "./errors.ts";
import type { Version } from "./filesystem.ts";
import { isDirectory } from "./inode.ts";
import { defaultLimits, defaultRetention, type Limits, type Retention } from "./limits.ts";
import { makeRoom } from "./maintain/make-room.ts";
import { createRoot } from "./mutation/create-root.ts";
import type { Mutation } from "./mutation/mutation.ts";
import { undoMutation } from "./mutation/write-mutation.ts";
import { maxContentId, selectSpoolFirsts } from "./store/contents.ts";
import { type Epoch, selectLogHead, selectLogTail } from "./store/log.ts";
import { presentTree } from "./store/present-tree.ts";
import type { Tree } from "./tree.ts";

export interface VolumeOptions {
  /** Where the agent's files live; made at first use. */
  root?: string;
  /** Microseconds since 1970. */
  now?: () => number;
  limits?: Partial<Limits>;
  retention?: Partial<Retention>;
}

/** What verbs work on: the present (`LiveVolume`), or a moment of the past (`history/past-volume.ts`), which takes no changes. */
export interface Volume {
  readonly root: string;
  readonly limits: Limits;
  readonly retention: Retention;
  readonly now: () => number;
  readonly db: Database;
  readonly tree: Tree;
  readonly cache: MetadataCache;
  /** Of a view of the past: what it is a view of. What belongs to contents, not to names, is kept under it. */
  readonly present: Volume;
  /** Contents that a reader is in the middle of, and inodes with an open handle: not to be collected. */
  readonly pinnedContents: Map<number, number>;
  readonly pinnedInodes: Map<number, number>;
  /** First rows of the spools that somebody in this incarnation is filling; all others in the table are garbage. */
  readonly liveSpools: Set<number>;
  openHandles: number;
  /** Every verb calls this first. */
  open(): this;
  takeBack(mutation: Mutation): void;
  /** Forgets everything that is not in the database. */
  drop(): void;
  readonly headRev: number;
  readonly held: number;
  /** The oldest revision whose state can still be told. */
  readonly oldestRev: number;
  /** Counts how often something of the past was given up: trimmed or purged. */
  readonly givenUp: number;
  forgetPast(): void;
  readonly epochToken: string;
  readonly unrecordedEpoch: Epoch | null;
  takeContentIds(count: number): number;
  /** Before so many bytes are written: gives up history if they would not fit, and fails with ENOSPC if that is not enough. */
  ensureRoom(bytes: number): void;
  versionOf(rev: number): Version;
  revisionOf(version: unknown, syscall: string): number;
  committed(mutation: Mutation): void;
  listen(listener: () => void): () => void;
}

const volumes = new WeakMap<DurableObjectStorage, Volume>();

export function openVolume(storage: DurableObjectStorage, options: VolumeOptions = {}): Volume {
  const known = volumes.get(storage);
  if (known !== undefined) {
    refuseOtherOptions(known, options);
    return known;
  }
  const volume = new LiveVolume(storage, options);
  volumes.set(storage, volume);
  return volume;
}

/** A second opening cannot change what the first has settled; one that tries is a mistake worth hearing of. */
function refuseOtherOptions(volume: Volume, { root, now, limits = {}, retention = {} }: VolumeOptions): void {
  const differs =
    (root !== undefined && root !== volume.root) ||
    (now !== undefined && now !== volume.now) ||
    Object.entries(limits).some(([name, value]) => volume.limits[name as keyof Limits] !== value) ||
    Object.entries(retention).some(([name, value]) => volume.retention[name as keyof Retention] !== value);
  if (differs)
    throw new FsError("EINVAL", {
      syscall: "open",
      path: "/",
      reason: "this storage already has a workspace with other options",
    });
}

const MEASURE_EVERY = 1024 * 1024;

class LiveVolume implements Volume {
  readonly root: string;
  readonly limits: Limits;
  readonly retention: Retention;
  readonly now: () => number;
  readonly db: Database;
  readonly tree: Tree;
  readonly cache: MetadataCache;
  readonly present = this;
  readonly pinnedContents = new Map<number, number>();
  readonly pinnedInodes = new Map<number, number>();
  readonly liveSpools = new Set<number>();
  openHandles = 0;

  #open = false;
  /** A commit that failed half way and could not be undone yet: nothing else happens before it is. */
  #torn: Mutation | null = null;
  #head = { rev: 0, held: 0 };
  #nextContent = 1;
  #oldestRev: number | null = null;
  #givenUp = 0;
  /** Bytes written since the size of the database was last looked at, which costs as much as a statement. */
  #unmeasured = Number.POSITIVE_INFINITY;
  readonly #epochs: Epochs;
  #epochToken = "";
  #epochRecorded = false;
  readonly #listeners = new Set<() => void>();

  constructor(storage: DurableObjectStorage, options: VolumeOptions) {
    this.root = options.root ?? "/workspace";
    this.limits = { ...defaultLimits, ...options.limits };
    this.retention = { ...defaultRetention, ...options.retention };
    this.now = options.now ?? (() => Date.now() * 1000);
    this.db = new Database(storage, { dropped: () => this.drop(), committed: () => this.#wake() });
    this.tree = presentTree(this.db);
    this.cache = new MetadataCache(this.tree, this.limits);
    this.#epochs = new Epochs(this.db);
  }

  /** The first time it migrates and reads the counters. */
  open(): this {
    if (this.#torn !== null) this.takeBack(this.#torn);
    if (this.#open) return this;
    migrate(this.db, this.now());
    this.#head = selectLogHead(this.db);
    this.#nextContent = maxContentId(this.db) + 1;
    this.#epochs.load();
    const spools = new Set(selectSpoolFirsts(this.db));
    for (const first of this.liveSpools) if (!spools.has(first)) this.liveSpools.delete(first);
    this.#open = true;
    if (this.#head.rev === 0) createRoot(this);
    return this;
  }

  /** Undoes a plain mutation whose statements failed; what fails here too is tried again before the next verb. */
  takeBack(mutation: Mutation): void {
    try {
      undoMutation(mutation);
      this.#torn = null;
    } catch (error) {
      this.#torn = mutation;
      throw error;
    }
  }

  drop(): void {
    this.#torn = null;
    this.forgetPast();
    this.cache.drop();
    this.#open = false;
    // A revision of the transaction that was taken back may be given out again: never under the same epoch.
    this.#epochToken = "";
    this.#epochRecorded = false;
    this.#wake();
  }

  get headRev(): number {
    return this.#head.rev;
  }

  get held(): number {
    return this.#head.held;
  }

  get oldestRev(): number {
    this.#oldestRev ??= (selectLogTail(this.db)?.rev ?? this.#head.rev + 1) - 1;
    return this.#oldestRev;
  }

  get givenUp(): number {
    return this.#givenUp;
  }

  forgetPast(): void {
    this.#oldestRev = null;
    this.#givenUp++;
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
  get unrecordedEpoch(): Epoch | null {
    return this.#epochRecorded ? null : { firstRev: this.#head.rev + 1, token: this.epochToken };
  }

  takeContentIds(count: number): number {
    const first = this.#nextContent;
    this.#nextContent += count;
    return first;
  }

  ensureRoom(bytes: number): void {
    this.#unmeasured += bytes;
    if (this.#unmeasured < MEASURE_EVERY) return;
    this.#unmeasured = bytes;
    makeRoom(this, bytes);
  }

  versionOf(rev: number): Version {
    return `${this.#epochs.tokenOf(rev)}.${rev.toString(36)}`;
  }

  /** The revision that a version or cursor names; EGONE when this database has never had it. */
  revisionOf(version: unknown, syscall: string): number {
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

  /** Brings memory up to a commit. */
  committed(mutation: Mutation): void {
    const { unrecordedEpoch } = this;
    if (unrecordedEpoch !== null) {
      this.#epochs.add(unrecordedEpoch);
      this.#epochRecorded = true;
    }
    const { rev: before } = this.#head;
    this.#head = { rev: mutation.lastRev, held: mutation.held };
    for (const first of mutation.releasedSpools) this.liveSpools.delete(first);
    for (const [contents, left] of mutation.leftStaged()) {
      for (const [first] of contents.spans) this.liveSpools.delete(first);
      for (const [first] of left) this.liveSpools.add(first);
      contents.spans = left;
    }
    if (mutation.doubtful !== "none") this.cache.paths.forget(mutation.doubtful);
    for (const [text, directory] of mutation.paths) this.cache.rememberDirectory(text, directory);
    for (const inode of mutation.inodes.values())
      if (inode.ino > before && isDirectory(inode)) this.cache.putNewDirectory(inode.ino);
    for (const [directory, entries] of mutation.entries) {
      for (const [name, ino] of entries) this.cache.putEntry(directory, name, ino);
    }
    for (const inode of mutation.inodes.values()) this.cache.putInode(inode);
    this.cache.trim();
    if (!this.db.inTransaction) this.#wake();
  }

  /** Calls back after commits; the listener asks what changed. Returns the way to stop. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #wake(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** Keeps a key in a pin table while the result lives. */
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
