/**
 * The difference between the tree and the manifest, as a list that can be read in any batches and repeatedly until the next scan.
 * Order: removals that make way for another type, then existing entries, parents before children, then removals, deepest first.
 */
import type { Stats } from "node:fs";
import { type PullEntry, type ScanAnswer, SYNC_LIMITS } from "@workspace/protocol";
import type { OpenDirectories } from "../jail/open-directories.ts";
import { openFile } from "../jail/read-file.ts";
import { findMoved, missingEntries } from "./find-moved.ts";
import { hashFile, hashWithYields } from "./hash.ts";
import {
  fingerprint,
  isRacy,
  type ManifestEntry,
  microseconds,
  type StatFingerprint,
  sameFingerprint,
} from "./manifest.ts";
import type { RunningHash } from "./running-hash.ts";
import { splitPath, type Tree } from "./tree.ts";
import { type ChangedEntry, skip, type WalkResult } from "./walk-result.ts";
import { type WalkOptions, walkTree } from "./walk-tree.ts";

/** A difference and the entry's stat, which enters the manifest when the workspace acknowledges it. */
export interface TreeDifference {
  taken: PullEntry;
  looks: StatFingerprint | null;
  hash: string | null;
  racy: boolean;
  /** Running hash of a large content that is being read. */
  passed?: RunningHash;
}

export interface Scan {
  number: number;
  differences: TreeDifference[];
}

export interface ScanRequest {
  policy: { text: string; defaults: number };
  maxEntries: number;
  maxBytes: number;
  /** Commands are running in the tree during the scan. */
  busy: boolean;
}

export interface Scanned {
  scan: Scan;
  answer: ScanAnswer;
  /** Number of stat calls. */
  looks: number;
}

export async function scanTree(tree: Tree, request: ScanRequest): Promise<Scanned> {
  const number = ++tree.scans;
  tree.followPolicy(request.policy);
  const now = tree.now();
  const walked = await look(tree, request, { number, maxEntries: request.maxEntries, now });
  tree.tidyListings();
  const over = overBudget(walked, request);
  using pins = tree.pins();
  const gone = over === undefined ? missingEntries(tree, walked, number) : [];
  const moved = byInode(tree, gone);
  const hashed = over === undefined ? await hashLarge(tree, walked, pins, moved) : new Map<string, string>();
  const differences = over === undefined ? compare({ tree, walked, pins, moved, hashed, now }, gone) : [];
  const touched = new Set(differences.map(({ taken }) => taken.path));
  const behind = [...tree.unsynced].filter((path) => !touched.has(path)).slice(0, SYNC_LIMITS.batchEntries);
  return {
    scan: { number, differences },
    looks: walked.looks,
    answer: {
      scan: number,
      entries: differences.length,
      bytes: differences.reduce((sum, { taken }) => sum + (taken.op === "put" ? taken.size : 0), 0),
      treeEntries: walked.entries,
      treeBytes: walked.bytes,
      over,
      skipped: walked.skipped,
      behind,
    },
  };
}

/**
 * An entry that a command moves during the walk may be seen under neither name. While commands run, a missing entry is therefore
 * looked up again: it is removed only if both lookups miss it.
 */
async function look(tree: Tree, { busy }: ScanRequest, options: WalkOptions): Promise<WalkResult> {
  const first = await walkTree(tree, options);
  const isWhole = !busy || first.walked.seen >= tree.manifest.size;
  const walk = isWhole ? first : await walkTree(tree, options);
  const { walked } = walk;
  if (!isWhole) {
    walked.seen += first.walked.seen;
    walked.looks += first.walked.looks;
    walked.unread.push(...first.walked.unread);
  }
  walk.take(findMoved(tree, walked, options.number));
  return walked;
}

function overBudget(
  { entries, bytes, largest }: WalkResult,
  { maxEntries, maxBytes }: ScanRequest,
): string | undefined {
  const where = largest.path === "" ? "" : `; most are in "${largest.path}"`;
  if (entries > maxEntries) return `more than ${maxEntries} entries${where}`;
  if (bytes > maxBytes) return `${bytes} bytes, more than ${maxBytes}${where}`;
  return undefined;
}

interface Comparing {
  tree: Tree;
  walked: WalkResult;
  pins: OpenDirectories;
  /** Paths of missing entries by inode: a new name may be one of them. */
  moved: ReadonlyMap<number, string>;
  /** Hashes of large files, by path. */
  hashed: ReadonlyMap<string, string>;
  now: number;
}

function compare(comparing: Comparing, gone: readonly string[]): TreeDifference[] {
  const { tree, walked } = comparing;
  const cleared: string[] = [];
  const present: TreeDifference[] = [];
  for (const changed of walked.changed) {
    const { path, type, known } = changed;
    if (known !== undefined && known.type !== type) {
      cleared.push(path);
    }
    const difference = differenceOf(comparing, changed);
    if (difference !== null) present.push(difference);
  }
  present.sort((a, b) => (a.taken.path < b.taken.path ? -1 : 1));
  // The entries of a directory that was replaced by another type are missing too, and are removed with it.
  const inTheWay = gone.filter((path) => cleared.some((other) => path.startsWith(`${other}/`)));
  const first = new Set([...cleared, ...inTheWay]);
  const last = gone.filter((path) => !first.has(path));
  return [
    ...[...first].sort(deepestFirst).map((path) => removal(tree, path)),
    ...present,
    ...last.sort(deepestFirst).map((path) => removal(tree, path)),
  ];
}

function deepestFirst(a: string, b: string): number {
  return b.split("/").length - a.split("/").length || (a < b ? -1 : 1);
}

function byInode(tree: Tree, gone: readonly string[]): Map<number, string> {
  const found = new Map<number, string>();
  for (const path of gone) {
    const known = tree.manifest.get(path) as ManifestEntry;
    if (known.type === "file" && known.size > 0) found.set(known.ino, path);
  }
  return found;
}

function removal(tree: Tree, path: string): TreeDifference {
  const known = tree.manifest.get(path) as ManifestEntry;
  const taken: PullEntry = {
    op: "remove",
    path,
    type: known.type,
    base: known.version,
    mode: known.mode & 0o7777,
    mtime: 0,
    size: known.size,
  };
  return { taken, looks: null, hash: null, racy: false };
}

/** Hashed in advance and in slices, because hashing blocks the output of commands. */
async function hashLarge(
  tree: Tree,
  { changed }: WalkResult,
  pins: OpenDirectories,
  moved: ReadonlyMap<number, string>,
) {
  const hashed = new Map<string, string>();
  for (const { path, type, stat, known } of changed) {
    if (type !== "file" || stat.size <= SYNC_LIMITS.inlineBytes) continue;
    if (comparableOf(tree, moved, stat, known)?.size !== stat.size) continue;
    const [directory, name] = splitPath(path);
    const parent = pins.find(directory);
    using file = parent === null ? null : openFile(parent, name, tree.owner);
    if (file === null || !sameFingerprint(fingerprint(file.stat), stat)) continue;
    const hash = await hashWithYields(file);
    if (sameFingerprint(fingerprint(file.restat()), stat)) hashed.set(path, hash);
  }
  return hashed;
}

/** Candidates: the file in the manifest at this path, or one that is missing elsewhere. */
function comparableOf(
  tree: Tree,
  moved: ReadonlyMap<number, string>,
  { ino }: Stats,
  known: ManifestEntry | undefined,
) {
  if (known?.type === "file") return known;
  const from = moved.get(ino);
  return from === undefined ? undefined : tree.manifest.get(from);
}

function differenceOf(
  { tree, walked, pins, moved, hashed, now }: Comparing,
  { path, type, stat, target, known: before }: ChangedEntry,
): TreeDifference | null {
  const looks = fingerprint(stat);
  const racy = isRacy(looks, now);
  const known = before?.type === type ? before : undefined;
  const taken: PullEntry = {
    op: "put",
    path,
    type,
    base: known?.version ?? null,
    mode: stat.mode & 0o7777,
    mtime: microseconds(stat.mtimeMs),
    size: type === "file" ? stat.size : 0,
  };
  const modeChanged = known !== undefined && known.mode !== stat.mode;
  if (type === "dir") {
    if (known !== undefined) Object.assign(taken, { op: "attr", modeChanged: true });
    return { taken, looks, hash: null, racy: false };
  }
  if (type === "symlink") {
    if (known?.target === target) return agree(known, looks, racy);
    return { taken: { ...taken, target: target as string }, looks, hash: null, racy };
  }
  if (stat.nlink > 1 && stat.size > 0) skip(walked, path, HARD_LINK);
  const same = known === undefined ? moved.get(stat.ino) : undefined;
  const comparable = known ?? (same === undefined ? undefined : tree.manifest.get(same));
  if (comparable?.hash == null || comparable.size !== stat.size) return { taken, looks, hash: null, racy };
  // Same length as before: only the bytes can decide.
  const [directory, name] = splitPath(path);
  const parent = pins.find(directory);
  using file = parent === null ? null : openFile(parent, name, tree.owner);
  // Changed since the scan: reading it reports that.
  if (file === null || !sameFingerprint(fingerprint(file.stat), looks)) return { taken, looks, hash: null, racy };
  const hash = hashed.get(path) ?? (stat.size > SYNC_LIMITS.inlineBytes ? null : hashFile(file));
  if (hash === null || hash !== comparable.hash) return { taken, looks, hash: null, racy };
  if (known === undefined) {
    if (comparable.version === null) return { taken, looks, hash: null, racy };
    return {
      taken: { ...taken, hash, same: { path: same as string, version: comparable.version } },
      looks,
      hash,
      racy,
    };
  }
  if (!modeChanged && microseconds(known.mtimeMs) === taken.mtime) return agree(known, looks, racy);
  if (modeChanged) taken.modeChanged = true;
  return { taken: { ...taken, op: "attr" }, looks, hash, racy };
}

const HARD_LINK = "a hard link: its content is taken, and is a file of its own in the workspace";

/** Only the stat differs: nothing to report to the workspace. */
function agree(known: ManifestEntry, looks: StatFingerprint, racy: boolean): null {
  Object.assign(known, looks, { racy });
  return null;
}
