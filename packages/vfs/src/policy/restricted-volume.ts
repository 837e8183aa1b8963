/**
 * A volume as a principal with a policy sees it. Hidden entries are absent from its tree and its cache, so for every verb they do
 * not exist. Changes that the policy does not allow are rejected where a mutation records them. Everything else is the volume's
 * own.
 */
import {
  checkPathPolicy,
  compilePathPolicy,
  PATH_POLICY_LIMITS,
  type PathPolicy,
  type PathRules,
} from "@workspace/glob";
import { FsError } from "../api/errors.ts";
import type { Version } from "../api/file-system.ts";
import type { Limits, Retention } from "../api/limits.ts";
import type { MetadataView } from "../cache/metadata-cache.ts";
import type { Overwritten } from "../content/overwritten.ts";
import type { Reservations } from "../content/reservations.ts";
import type { Database } from "../db/database.ts";
import type { Pristine } from "../mutation/create-root.ts";
import type { Mutation } from "../mutation/mutation.ts";
import type { Epoch, ExpectedHead } from "../store/log.ts";
import type { Tree } from "../tree/tree.ts";
import type { LogTail } from "../volume/log-tail.ts";
import type { OpenInodes } from "../volume/open-inodes.ts";
import type { Volume, VolumeListener } from "../volume/volume.ts";
import { type PrivateFiles, withPrivateFiles } from "./private-files.ts";
import { RestrictedCache } from "./restricted-cache.ts";
import { restrictedTree } from "./restricted-tree.ts";

/** Views cached per volume: a host restricts with the same policy for every request. */
const MAX_VIEWS = 16;
const views = new WeakMap<Volume, Map<string, RestrictedVolume>>();

/**
 * A view of a view can only narrow: all policies apply. The policy may come from the network. `files`: what the view shows of the
 * private directory; absent: as the volume does.
 */
export function restrictVolume(volume: Volume, given: PathPolicy, files?: PrivateFiles): Volume {
  const policies = [...(volume instanceof RestrictedVolume ? volume.policies : []), checked(given)];
  if (policies.length > PATH_POLICY_LIMITS.depth)
    throw new FsError("EINVAL", { syscall: "restrict", reason: `at most ${PATH_POLICY_LIMITS.depth} policies` });
  return restrictedBy(volume.unrestricted, policies, files ?? privateFilesOf(volume));
}

/** The same view for another principal: with other private files. */
export function withOwnFiles(volume: Volume, files: PrivateFiles): Volume {
  return volume instanceof RestrictedVolume ? restrictedBy(volume.unrestricted, volume.policies, files) : volume;
}

function privateFilesOf(volume: Volume): PrivateFiles | undefined {
  return volume instanceof RestrictedVolume ? volume.privateFiles : undefined;
}

/** The same policies on another volume: on a past revision. */
export function restrictedBy(volume: Volume, policies: readonly PathPolicy[], files?: PrivateFiles): Volume {
  const known = views.get(volume) ?? new Map<string, RestrictedVolume>();
  views.set(volume, known);
  const key = JSON.stringify([policies, files?.key]);
  const view = known.get(key) ?? new RestrictedVolume(volume, policies, files);
  known.delete(key);
  known.set(key, view);
  for (const oldest of known.keys()) {
    if (known.size <= MAX_VIEWS) break;
    known.delete(oldest);
  }
  return view.isRestricted ? view : volume;
}

function checked(policy: unknown): PathPolicy {
  try {
    return checkPathPolicy(policy);
  } catch (error) {
    throw new FsError("EINVAL", { syscall: "restrict", reason: (error as Error).message, cause: error });
  }
}

export class RestrictedVolume implements Volume {
  readonly policies: readonly PathPolicy[];
  readonly privateFiles: PrivateFiles | undefined;
  /** False: the policies hide nothing and allow every change. */
  readonly isRestricted: boolean;
  readonly rules: PathRules;
  readonly unrestricted: Volume;
  readonly root: string;
  readonly cache: MetadataView;
  readonly tree: Tree;

  constructor(volume: Volume, policies: readonly PathPolicy[], files?: PrivateFiles) {
    this.unrestricted = volume;
    this.policies = policies;
    this.privateFiles = files;
    const rules = compilePathPolicy(policies, volume.root);
    this.isRestricted = rules.hides || rules.limitsWrites;
    this.rules = files === undefined ? rules : withPrivateFiles(rules, files, volume.isPast);
    this.root = this.rules.root ?? volume.root;
    if (this.rules.hides) {
      const cache = new RestrictedCache(volume, this.rules);
      this.cache = cache;
      this.tree = restrictedTree(volume.tree, cache);
    } else {
      this.cache = volume.cache;
      this.tree = volume.tree;
    }
  }

  ensureOpen(): this {
    this.unrestricted.ensureOpen();
    return this;
  }

  get live(): Volume {
    return this.unrestricted.live;
  }

  get isPast(): boolean {
    return this.unrestricted.isPast;
  }

  get limits(): Limits {
    return this.unrestricted.limits;
  }

  get retention(): Retention {
    return this.unrestricted.retention;
  }

  get now(): () => number {
    return this.unrestricted.now;
  }

  get db(): Database {
    return this.unrestricted.db;
  }

  get pristine(): Pristine | null {
    return this.unrestricted.pristine;
  }

  get pinnedContents(): Map<number, number> {
    return this.unrestricted.pinnedContents;
  }

  get pinnedInodes(): Map<number, number> {
    return this.unrestricted.pinnedInodes;
  }

  get openInodes(): OpenInodes {
    return this.unrestricted.openInodes;
  }

  get reservations(): Reservations {
    return this.unrestricted.reservations;
  }

  get overwritten(): Overwritten {
    return this.unrestricted.overwritten;
  }

  get openHandles(): number {
    return this.unrestricted.openHandles;
  }

  set openHandles(count: number) {
    this.unrestricted.openHandles = count;
  }

  get headRev(): number {
    return this.unrestricted.headRev;
  }

  get retainedBytes(): number {
    return this.unrestricted.retainedBytes;
  }

  get logTail(): LogTail {
    return this.unrestricted.logTail;
  }

  get oldestRev(): number {
    return this.unrestricted.oldestRev;
  }

  get historyGeneration(): number {
    return this.unrestricted.historyGeneration;
  }

  get epochToken(): string {
    return this.unrestricted.epochToken;
  }

  get pendingEpoch(): Epoch | null {
    return this.unrestricted.pendingEpoch;
  }

  get logHead(): ExpectedHead {
    return this.unrestricted.logHead;
  }

  rollback(mutation: Mutation): void {
    this.unrestricted.rollback(mutation);
  }

  invalidateCaches(): void {
    this.unrestricted.invalidateCaches();
  }

  invalidateHistory(): void {
    this.unrestricted.invalidateHistory();
  }

  dropIfStale(): boolean {
    return this.unrestricted.dropIfStale();
  }

  allocateContentIds(count: number): number {
    return this.unrestricted.allocateContentIds(count);
  }

  reserveSpace(bytes: number): boolean {
    return this.unrestricted.reserveSpace(bytes);
  }

  formatVersion(rev: number): Version {
    return this.unrestricted.formatVersion(rev);
  }

  parseVersion(version: unknown, syscall: string): number {
    return this.unrestricted.parseVersion(version, syscall);
  }

  applyCommit(mutation: Mutation): void {
    this.unrestricted.applyCommit(mutation);
  }

  snapshotsChanged(): void {
    this.unrestricted.snapshotsChanged();
  }

  onCommit(listener: VolumeListener): () => void {
    return this.unrestricted.onCommit(listener);
  }
}
