/**
 * A volume as it was at a revision: the same verbs, limits, contents and search index, over a `PastTree` with a cache of its own.
 * It takes no change. A few are kept for each volume, so that one who comes back to a moment finds it warm.
 */
import { MetadataCache } from "../cache/metadata-cache.ts";
import type { Reservations } from "../content/reservations.ts";
import type { Database } from "../db/database.ts";
import { FsError } from "../errors.ts";
import type { Version } from "../filesystem.ts";
import type { OpenInode } from "../handle/open-inode.ts";
import type { Limits, Retention } from "../limits.ts";
import type { LogTail } from "../log-tail.ts";
import type { Overwritten } from "../maintain/erase.ts";
import type { Pristine } from "../mutation/create-root.ts";
import { RestrictedVolume, restrictedBy } from "../policy/restricted-volume.ts";
import type { Epoch, ExpectedHead } from "../store/log.ts";
import { type Tree, treeOf } from "../tree.ts";
import type { Volume } from "../volume.ts";
import { goneBefore } from "./moment.ts";
import { PastTree } from "./past-tree.ts";

/** Moments kept warm for each volume, and the share of the cache's room that each has. */
const KEPT = 4;

/** By version: a revision may be given out again after a rollback. */
const kept = new WeakMap<Volume, Map<Version, PastVolume>>();

/** Of a restricted view: the past under the same policies, by the paths of then. */
export function pastVolume(present: Volume, rev: number): Volume {
  if (present instanceof RestrictedVolume) return restrictedBy(pastVolume(present.unrestricted, rev), present.policies);
  const known = kept.get(present) ?? new Map<Version, PastVolume>();
  kept.set(present, known);
  const version = present.open().versionOf(rev);
  const volume = known.get(version) ?? new PastVolume(present, rev, version);
  known.delete(version);
  known.set(version, volume);
  for (const oldest of known.keys()) {
    if (known.size <= KEPT) break;
    known.delete(oldest);
  }
  return volume;
}

class PastVolume implements Volume {
  readonly present: Volume;
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
  /** Not those of the present: there the same inode may have other names and other bytes. */
  readonly openInodes = new Map<number, OpenInode>();
  readonly #version: Version;
  #checked = -1;

  constructor(present: Volume, rev: number, version: Version) {
    this.#version = version;
    this.present = present;
    this.root = present.root;
    this.limits = { ...present.limits, cacheBytes: present.limits.cacheBytes / KEPT };
    this.retention = present.retention;
    this.now = present.now;
    this.db = present.db;
    this.headRev = rev;
    // What a workspace is before its first write, it stays at that revision; a rollback may bring it back.
    const past = new PastTree(this.db, rev);
    this.tree = treeOf(() => present.pristine?.tree ?? past);
    this.cache = new MetadataCache(this.tree, this.limits);
  }

  /** The past does not change, but it can be given up, or a transaction taken back that it came from. */
  open(): this {
    const { present, headRev } = this;
    present.open();
    if (this.#checked === present.givenUp) return this;
    present.revisionOf(this.#version, "open");
    if (headRev < present.oldestRev) throw goneBefore(present, "open", this.#version);
    this.cache.drop();
    this.#checked = present.givenUp;
    return this;
  }

  get pinnedContents(): Map<number, number> {
    return this.present.pinnedContents;
  }

  get pinnedInodes(): Map<number, number> {
    return this.present.pinnedInodes;
  }

  get reservations(): Reservations {
    return this.present.reservations;
  }

  get overwritten(): Overwritten {
    return this.present.overwritten;
  }

  get openHandles(): number {
    return this.present.openHandles;
  }

  set openHandles(count: number) {
    this.present.openHandles = count;
  }

  get held(): number {
    return this.present.held;
  }

  get pristine(): Pristine | null {
    return this.present.pristine;
  }

  get logTail(): LogTail {
    return this.present.logTail;
  }

  get oldestRev(): number {
    return this.present.oldestRev;
  }

  get givenUp(): number {
    return this.present.givenUp;
  }

  get epochToken(): string {
    return this.present.epochToken;
  }

  get unrecordedEpoch(): Epoch | null {
    return null;
  }

  get logHead(): ExpectedHead {
    return this.present.logHead;
  }

  dropIfStale(): boolean {
    return this.present.dropIfStale();
  }

  versionOf(rev: number): Version {
    return this.present.versionOf(rev);
  }

  revisionOf(version: unknown, syscall: string): number {
    return this.present.revisionOf(version, syscall);
  }

  drop(): void {
    this.cache.drop();
  }

  snapshotsChanged(): void {
    this.present.snapshotsChanged();
  }

  forgetPast(): void {
    this.present.forgetPast();
  }

  /** Nothing more will change here. */
  listen(): () => void {
    return () => {};
  }

  ensureRoom(): never {
    throw readOnly("write");
  }

  takeContentIds(): never {
    throw readOnly("write");
  }

  takeBack(): never {
    throw readOnly("write");
  }

  committed(): never {
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
