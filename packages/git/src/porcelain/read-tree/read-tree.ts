/**
 * `git read-tree`: reads trees into the index: alone, overlaid, under a prefix, or merged with the staged files (one, two or three
 * ways, trivial cases only). With `update` the work tree follows. Rejects any loss before anything changes.
 */

import { GitError } from "../../errors.ts";
import { columnarIndex } from "../../index/columnar-index.ts";
import type { FileVersion } from "../../index/compare-index-to-tree.ts";
import { NO_STAT } from "../../index/compare-stat.ts";
import { compareIndexToWorkTree } from "../../index/compare-worktree.ts";
import { IndexEditor } from "../../index/index-editor.ts";
import type { IndexEntry, Stage } from "../../index/index-entry.ts";
import type { IndexFile } from "../../index/index-file.ts";
import { emptyIndex, readIndex } from "../../index/read-index.ts";
import { indexFromTree, walkTree } from "../../index/read-tree.ts";
import { isValidPath } from "../../index/verify-path.ts";
import { lockIndex, writeIndex } from "../../index/write-index.ts";
import type { Oid } from "../../object/oid.ts";
import type { Repository } from "../../repository.ts";
import { compareText } from "../../text/bytes.ts";
import { collectOverwritten, collectRemoved } from "../../worktree/collect-overwritten.ts";
import { UnpackErrors } from "../../worktree/unpack-errors.ts";
import { type PathUpdate, updateWorkTree } from "../../worktree/update-work-tree.ts";
import { WorkTreeStats } from "../../worktree/work-tree-stats.ts";
import { mergeThreeWay, mergeTwoWay, type PathDecision } from "./read-tree-rules.ts";

export interface ReadTreeOptions {
  /** "merge" and "reset" start from the index, "prefix" adds to it. */
  mode: "replace" | "merge" | "reset" | "prefix";
  prefix?: string;
  /** Updates the work tree too. */
  update?: boolean;
  /** Ignores the work tree. */
  indexOnly?: boolean;
  aggressive?: boolean;
  dryRun?: boolean;
  /** Path to write the index to instead. */
  output?: string;
}

type WorkRepository = Repository & { readonly workTree: string };

export async function readTrees(repo: Repository, trees: readonly Oid[], options: ReadTreeOptions): Promise<void> {
  const target = options.output === undefined ? repo : { ...repo, indexPath: options.output };
  const lock = await lockIndex(target);
  try {
    const read = options.mode === "replace" ? emptyIndex() : await readIndex(repo);
    if ((options.mode === "merge" || options.mode === "prefix") && read.entries.some(({ stage }) => stage !== 0)) {
      throw new GitError("ESTATE", "You need to resolve your current index first");
    }
    const index = await newIndex(repo, read, trees, options);
    if (options.dryRun) await lock.release();
    else await writeIndex(target, index, lock);
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function newIndex(
  repo: Repository,
  read: IndexFile,
  trees: readonly Oid[],
  options: ReadTreeOptions,
): Promise<IndexFile> {
  const extensions = read.extensions.filter(({ signature }) => signature !== "REUC");
  const empty: IndexFile = { ...read, entries: [], tree: null, extensions };
  if (options.mode === "prefix") return bind(repo, { ...read, extensions }, trees[0] as Oid, options);
  if (options.mode === "replace") {
    const [only] = trees;
    if (trees.length === 1 && only) return { ...empty, ...(await indexFromTree(repo.odb, only, repo.limits)) };
    const editor = new IndexEditor(empty);
    for (const tree of trees) {
      for await (const file of walkTree(repo.odb, tree, { limits: repo.limits })) editor.set(unknown(file.path, file));
    }
    return editor.finish();
  }
  return merge(repo, read, extensions, trees, options);
}

async function bind(
  repo: Repository,
  read: IndexFile,
  tree: Oid,
  { prefix = "", update, dryRun }: ReadTreeOptions,
): Promise<IndexFile> {
  const start = prefix === "" || prefix.endsWith("/") ? prefix : `${prefix}/`;
  const editor = new IndexEditor(read);
  const updates: PathUpdate[] = [];
  for await (const { path, mode, oid } of walkTree(repo.odb, tree, { prefix: start, limits: repo.limits })) {
    if (editor.at(path).length > 0) {
      throw new GitError("ESTATE", `Entry '${path}' overlaps with '${path}'.  Cannot bind.`, { prefix: "error" });
    }
    editor.set(unknown(path, { mode, oid }));
    updates.push({ path, to: { mode, oid } });
  }
  if (update) await refuseLosses(repo as WorkRepository, read, updates);
  if (update && !dryRun) await updateWorkTree(repo as WorkRepository, editor, updates);
  return editor.finish();
}

async function merge(
  repo: Repository,
  read: IndexFile,
  extensions: IndexFile["extensions"],
  trees: readonly Oid[],
  options: ReadTreeOptions,
): Promise<IndexFile> {
  const isReset = options.mode === "reset";
  const base = isReset ? { ...read, entries: read.entries.filter(({ stage }) => stage === 0) } : read;
  const staged = new Map(base.entries.map((entry) => [entry.path, entry]));
  const sides = await Promise.all(trees.map((tree) => treeFiles(repo, tree)));
  const unseen = { dirty: new Set<string>(), gone: new Set<string>() };
  const isBlind = options.indexOnly || repo.workTree === null;
  const { dirty, gone } = isBlind ? unseen : await workState(repo as WorkRepository, isReset ? base : unmarked(base));
  const unmerged = new Set(isReset ? read.entries.flatMap(({ path, stage }) => (stage === 0 ? [] : [path])) : []);
  const situation: Situation = {
    unborn: read.entries.length === 0 && !(await repo.fs.exists(repo.indexPath)),
    clashes: sides.length > 2 ? sides.map(clashesWith) : [],
    unmerged,
  };
  const paths = [...new Set([...unmerged, ...staged.keys(), ...sides.flatMap((files) => [...files.keys()])])].sort(
    compareText,
  );
  const decisions = new Map<string, PathDecision>();
  for (const path of paths) {
    const entry = staged.get(path) ?? null;
    const decision = decide(path, entry, sides, options, situation);
    check(path, entry, decision, dirty, isReset);
    decisions.set(path, decision);
  }
  const editor = new IndexEditor({ ...base, extensions, tree: read.tree });
  const updates: PathUpdate[] = [];
  for (const [path, decision] of decisions) apply(editor, path, staged.get(path) ?? null, decision, updates);
  for (const path of unmerged) if (decisions.get(path)?.kind === "remove") updates.push({ path, to: null });
  if (options.update && !isReset) {
    const left = [...decisions].flatMap(([path, { kind }]) => (kind === "remove" && !staged.has(path) ? [path] : []));
    await refuseLosses(repo as WorkRepository, base, updates, left);
  }
  if (isReset && options.update) {
    for (const path of [...dirty, ...gone]) {
      const entry = editor.get(path);
      if (entry && !updates.some((update) => update.path === path)) updates.push({ path, to: entry });
    }
  }
  if (options.update && !options.dryRun)
    await updateWorkTree(repo as WorkRepository, editor, updates, { keepsMarks: true });
  const finished = editor.finish();
  const [only] = trees;
  // One tree: the index equals that tree, whatever was staged.
  return trees.length === 1 && only
    ? { ...finished, tree: (await indexFromTree(repo.odb, only, repo.limits)).tree }
    : finished;
}

async function treeFiles(repo: Repository, tree: Oid): Promise<Map<string, FileVersion>> {
  const files = new Map<string, FileVersion>();
  for await (const { path, mode, oid } of walkTree(repo.odb, tree, { limits: repo.limits }))
    files.set(path, { mode, oid });
  return files;
}

interface WorkState {
  /** Files whose stat does not prove them unchanged; a missing file loses nothing. */
  readonly dirty: ReadonlySet<string>;
  readonly gone: ReadonlySet<string>;
}

async function workState(repo: WorkRepository, index: IndexFile): Promise<WorkState> {
  const { changes, refreshed } = await compareIndexToWorkTree(repo, columnarIndex(index), { unstaged: false });
  const pathAt = (at: number) => (index.entries[at] as IndexEntry).path;
  const present = changes.filter(({ kind }) => kind !== "deleted").map(({ path }) => path);
  return {
    dirty: new Set([...present, ...refreshed.map(({ at }) => pathAt(at))]),
    gone: new Set(changes.filter(({ kind }) => kind === "deleted").map(({ path }) => path)),
  };
}

/** Rejects the loss of untracked files: at paths to be written, and at removed paths that are not staged (`left`). */
async function refuseLosses(
  repo: WorkRepository,
  index: IndexFile,
  updates: readonly PathUpdate[],
  left: readonly string[] = [],
): Promise<void> {
  const refusals = new UnpackErrors();
  const going = new Set(updates.flatMap(({ path, to }) => (to === null ? [path] : [])));
  const coverage = { editor: new IndexEditor(index), survey: new WorkTreeStats(repo), going, overwriteIgnored: true };
  for (const { path, to } of updates) {
    if (to !== null && coverage.editor.get(path) === undefined)
      await collectOverwritten(repo, coverage, path, refusals);
  }
  for (const path of left) await collectRemoved(repo, coverage, path, refusals);
  if (refusals.any) throw refusals.plainError();
}

/** Facts about all paths together. */
interface Situation {
  readonly unborn: boolean;
  /** Per side: whether it has a directory at the path, or a file above it. */
  readonly clashes: readonly ((path: string) => boolean)[];
  /** Paths in conflict, which take the tree's version. */
  readonly unmerged: ReadonlySet<string>;
}

function clashesWith(files: ReadonlyMap<string, FileVersion>): (path: string) => boolean {
  const directories = new Set<string>();
  for (const path of files.keys())
    for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1))
      directories.add(path.slice(0, end));
  return (path) => {
    for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1))
      if (files.has(path.slice(0, end))) return true;
    return directories.has(path);
  };
}

/** Checks even files marked `--skip-worktree` or `--assume-unchanged` before writing them. */
function unmarked(index: IndexFile): IndexFile {
  const isMarked = ({ skipWorktree, assumeValid }: IndexEntry) => skipWorktree || assumeValid;
  if (!index.entries.some(isMarked)) return index;
  const entries = index.entries.map(({ skipWorktree: _, assumeValid: __, ...entry }) => entry);
  return { ...index, entries };
}

function decide(
  path: string,
  entry: IndexEntry | null,
  sides: readonly ReadonlyMap<string, FileVersion>[],
  { aggressive = false }: ReadTreeOptions,
  { unborn, clashes, unmerged }: Situation,
): PathDecision {
  const at = (i: number) => sides.at(i)?.get(path) ?? null;
  const last = at(-1);
  if (sides.length === 1 || (sides.length === 2 && unmerged.has(path))) {
    return last === null ? { kind: "remove" } : { kind: "take", side: last };
  }
  if (sides.length === 2) return mergeTwoWay(entry, at(0), last, unborn);
  const [headClashes = false, remoteClashes = false] = [clashes[1]?.(path), clashes.at(-1)?.(path)];
  return mergeThreeWay(entry, at(0), at(1), last, { aggressive, headClashes, remoteClashes });
}

function check(
  path: string,
  entry: IndexEntry | null,
  decision: PathDecision,
  dirty: ReadonlySet<string>,
  isReset: boolean,
): void {
  if (decision.kind === "reject") {
    throw new GitError("ESTATE", `Entry '${path}' would be overwritten by merge. Cannot merge.`, { prefix: "error" });
  }
  if (isReset || entry === null || !dirty.has(path) || decision.kind === "keep") return;
  if (decision.kind === "take" && isSame(entry, decision.side)) return;
  throw new GitError("ESTATE", `Entry '${path}' not uptodate. Cannot merge.`, { prefix: "error" });
}

function apply(
  editor: IndexEditor,
  path: string,
  entry: IndexEntry | null,
  decision: PathDecision,
  updates: PathUpdate[],
): void {
  switch (decision.kind) {
    case "keep":
    case "reject":
      return;
    case "remove":
      if (entry === null) return;
      editor.remove(path);
      updates.push({ path, to: null });
      return;
    case "take":
      if (entry !== null && isSame(entry, decision.side)) return;
      editor.set({ ...unknown(path, decision.side), ...(entry?.skipWorktree ? { skipWorktree: true } : {}) });
      updates.push({ path, to: decision.side });
      return;
    case "stages":
      editor.remove(path);
      decision.sides.forEach((side, i) => {
        if (side !== null) editor.set({ ...unknown(path, side), stage: (i + 1) as Stage });
      });
      return;
    default:
      decision satisfies never;
  }
}

function isSame(entry: IndexEntry, side: FileVersion): boolean {
  return entry.oid === side.oid && entry.mode === side.mode;
}

/** Trees are untrusted: a name that is invalid in a work tree does not get into the index either. */
function unknown(path: string, { mode, oid }: FileVersion): IndexEntry {
  if (!isValidPath(path, mode)) throw new GitError("EINVAL", `invalid path '${path}'`, { prefix: "error" });
  return { path, stage: 0, mode, oid, stat: NO_STAT };
}
