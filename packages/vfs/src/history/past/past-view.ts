/**
 * A volume at a revision: the same verbs, limits, contents and search index, over a `PastTree` with its own cache. It is read-only.
 * A few are cached per volume, so that a repeated visit to a revision is warm.
 */

import { FsError } from "../../api/errors.ts";
import type { Version } from "../../api/file-system.ts";
import type { Limits, Retention } from "../../api/limits.ts";
import { MetadataCache } from "../../cache/metadata-cache.ts";
import type { Overwritten } from "../../content/overwritten.ts";
import type { Reservations } from "../../content/reservations.ts";
import type { Database } from "../../db/database.ts";
import type { Pristine } from "../../mutation/create-root.ts";
import { RestrictedVolume, restrictedBy } from "../../policy/restricted-volume.ts";
import type { Epoch, ExpectedHead } from "../../store/log.ts";
import { lazyTree, type Tree } from "../../tree/tree.ts";
import type { LogTail } from "../../volume/log-tail.ts";
import { OpenInodes } from "../../volume/open-inodes.ts";
import type { Volume } from "../../volume/volume.ts";
import { PastTree } from "./past-tree.ts";
import { goneBefore } from "./point-in-time.ts";

/** Revisions cached per volume, and the share of the cache size that each gets. */
const MAX_CACHED_VIEWS = 4;

/** Keyed by version: a revision may be reused after a rollback. */
const viewCache = new WeakMap<Volume, Map<Version, PastVolume>>();

/** For a restricted view: history under the same policies, by the paths of that time. */
export function pastVolume(present: Volume, rev: number): Volume {
  if (present instanceof RestrictedVolume)
    return restrictedBy(pastVolume(present.unrestricted, rev), present.policies, present.privateFiles);
  const known = viewCache.get(present) ?? new Map<Version, PastVolume>();
  viewCache.set(present, known);
  const version = present.ensureOpen().formatVersion(rev);
  const volume = known.get(version) ?? new PastVolume(present, rev, version);
  known.delete(version);
  known.set(version, volume);
  for (const oldest of known.keys()) {
    if (known.size <= MAX_CACHED_VIEWS) break;
    known.delete(oldest);
  }
  return volume;
}

class PastVolume implements Volume {
  readonly live: Volume;
  readonly root: string;
  readonly limits: Limits;
  readonly retention: Retention;
  readonly now: () => number;
  readonly db: Database;
  readonly tree: Tree;
  readonly cache: MetadataCache;
  readonly unrestricted = this;
  readonly isPast = true;
  readonly rules = null;
  readonly headRev: number;
  /** Not shared with the present: there the same inode may have other names and other bytes. */
  readonly openInodes = new OpenInodes();
  readonly #version: Version;
  #checked = -1;

  constructor(present: Volume, rev: number, version: Version) {
    this.#version = version;
    this.live = present;
    this.root = present.root;
    this.limits = { ...present.limits, cacheBytes: present.limits.cacheBytes / MAX_CACHED_VIEWS };
    this.retention = present.retention;
    this.now = present.now;
    this.db = present.db;
    this.headRev = rev;
    // A workspace before its first write stays empty at that revision; a rollback may return to it.
    const past = new PastTree(this.db, rev);
    this.tree = lazyTree(() => present.pristine?.tree ?? past);
    this.cache = new MetadataCache(this.tree, this.limits);
  }

  /** The past does not change, but it can be trimmed or purged, or its transaction rolled back. */
  ensureOpen(): this {
    const { live, headRev } = this;
    live.ensureOpen();
    if (this.#checked === live.historyGeneration) return this;
    live.parseVersion(this.#version, "open");
    if (headRev < live.oldestRev) throw goneBefore(live, "open", this.#version);
    this.cache.drop();
    this.#checked = live.historyGeneration;
    return this;
  }

  get pinnedContents(): Map<number, number> {
    return this.live.pinnedContents;
  }

  get pinnedInodes(): Map<number, number> {
    return this.live.pinnedInodes;
  }

  get reservations(): Reservations {
    return this.live.reservations;
  }

  get overwritten(): Overwritten {
    return this.live.overwritten;
  }

  get openHandles(): number {
    return this.live.openHandles;
  }

  set openHandles(count: number) {
    this.live.openHandles = count;
  }

  get retainedBytes(): number {
    return this.live.retainedBytes;
  }

  get pristine(): Pristine | null {
    return this.live.pristine;
  }

  get logTail(): LogTail {
    return this.live.logTail;
  }

  get oldestRev(): number {
    return this.live.oldestRev;
  }

  get historyGeneration(): number {
    return this.live.historyGeneration;
  }

  get epochToken(): string {
    return this.live.epochToken;
  }

  get pendingEpoch(): Epoch | null {
    return null;
  }

  get logHead(): ExpectedHead {
    return this.live.logHead;
  }

  dropIfStale(): boolean {
    return this.live.dropIfStale();
  }

  formatVersion(rev: number): Version {
    return this.live.formatVersion(rev);
  }

  parseVersion(version: unknown, syscall: string): number {
    return this.live.parseVersion(version, syscall);
  }

  invalidateCaches(): void {
    this.cache.drop();
  }

  snapshotsChanged(): void {
    this.live.snapshotsChanged();
  }

  invalidateHistory(): void {
    this.live.invalidateHistory();
  }

  /** No further changes occur here. */
  onCommit(): () => void {
    return () => {};
  }

  reserveSpace(): never {
    throw readOnly("write");
  }

  allocateContentIds(): never {
    throw readOnly("write");
  }

  rollback(): never {
    throw readOnly("write");
  }

  applyCommit(): never {
    throw readOnly("write");
  }
}

export function readOnly(syscall: string, path?: string): FsError {
  return new FsError("EROFS", {
    syscall,
    ...(path === undefined ? {} : { path }),
    reason: "this is a view of the past; change the present instead",
  });
}
