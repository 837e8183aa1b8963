/**
 * Compares a tree with the index (`diff --cached`), and a tree with the work tree (`diff HEAD`). The latter uses the index to skip
 * unchanged files, so that only differing ones are read.
 */
import { compareIndexToTree, type StagedChange } from "../index/compare-index-to-tree.ts";
import { compareIndexToWorkTree, type WorkChange, type WorkTreeComparison } from "../index/compare-worktree.ts";
import { FIELDS, isIntentToAdd, MODE, oidAt, stageAt } from "../index/index-table.ts";
import { type ColumnarIndex, readColumnarIndex } from "../index/read-index.ts";
import { walkTree } from "../index/read-tree.ts";
import { isGitlinkMode, modeOfStat } from "../object/file-mode.ts";
import type { Oid } from "../object/oid.ts";
import type { Repository } from "../repository.ts";
import { compareText } from "../text/bytes.ts";
import type { DiffOptions } from "./diff-options.ts";
import { underRelative } from "./diff-trees.ts";
import { createPair, exists, type FilePair, type FileSpec, missingFile, unmergedPair } from "./file-pair.ts";
import { keepIndex } from "./staged-files.ts";

type WorkRepository = Repository & { readonly workTree: string };

/** Null: nothing is committed yet. */
export async function cachedPairs(repo: Repository, tree: Oid | null, options: DiffOptions): Promise<FilePair[]> {
  const index = await readColumnarIndex(repo);
  keepIndex(repo, index);
  const changes = await stagedChanges(repo, tree, index, options);
  const pairs = changes.map(cachedPair);
  const all = options.copiesHarder ? await withUnmodified(repo, tree, pairs, options) : pairs;
  return underRelative(all, options.relative);
}

async function stagedChanges(repo: Repository, tree: Oid | null, index: ColumnarIndex, options: DiffOptions) {
  const { pathspec } = options;
  const limited = pathspec && !pathspec.isEmpty ? pathspec : null;
  const changes = await compareIndexToTree(repo.odb, tree, index, {
    enter: limited ? (directory) => limited.mayMatchUnder(directory) : undefined,
    intended: !options.itaInvisible,
  });
  return limited ? changes.filter(({ path }) => limited.matches(path)) : changes;
}

function cachedPair({ path, before, after, unmerged }: StagedChange): FilePair {
  if (unmerged) return unmergedPair(path, before ? { old: { path, ...before } } : {});
  return createPair(before ? { path, ...before } : missingFile(path), after ? { path, ...after } : missingFile(path));
}

/** Everything in the tree, for `--find-copies-harder`. */
async function withUnmodified(repo: Repository, tree: Oid | null, pairs: FilePair[], { pathspec }: DiffOptions) {
  if (tree === null) return pairs;
  const changed = new Set(pairs.map(({ new: { path } }) => path));
  const all = [...pairs];
  for await (const file of walkTree(repo.odb, tree)) {
    if (changed.has(file.path) || (pathspec && !pathspec.matches(file.path))) continue;
    all.push(createPair({ ...file }, { ...file }));
  }
  return all.sort((a, b) => compareText(a.new.path, b.new.path));
}

export interface WorkTreePairs {
  readonly pairs: FilePair[];
  /** Refreshed stats of unchanged files, for the index. */
  readonly comparison: WorkTreeComparison;
  readonly index: ColumnarIndex;
}

/**
 * Compares the index with the work tree: `diff`, `diff-files`. `stage`: what an unmerged path is compared with (`--base`, `--ours`,
 * …).
 */
export async function worktreePairs(
  repo: WorkRepository,
  options: DiffOptions,
  { stage, statOnly = false }: { stage?: 1 | 2 | 3; statOnly?: boolean } = {},
): Promise<WorkTreePairs> {
  const index = await readColumnarIndex(repo);
  keepIndex(repo, index);
  const comparison = await compareIndexToWorkTree(repo, index, {
    pathspec: options.pathspec ?? undefined,
    unstaged: false,
    ignoreGitlinks: options.ignoreSubmodules === "all",
  });
  const found: { at: number; pairs: FilePair[] }[] = comparison.changes.map((change) => ({
    at: change.at,
    pairs: [workPair(index, change)],
  }));
  if (statOnly) {
    // Plumbing reports every file not known to be unchanged, without reading it.
    for (const { at, stat } of comparison.refreshed) {
      const old = indexSide(index, at);
      found.push({ at, pairs: [createPair(old, { path: old.path, mode: old.mode, oid: null, stat })] });
    }
  }
  for (const [path, stat] of comparison.unmerged) {
    found.push(unmergedPairs(index, path, stat, stage));
  }
  found.sort((a, b) => a.at - b.at);
  const pairs = found.flatMap((one) => one.pairs);
  return { pairs: underRelative(pairs, options.relative), comparison, index };
}

function indexSide({ table }: ColumnarIndex, at: number): FileSpec {
  return {
    path: table.paths[at] as string,
    mode: table.fields[FIELDS * at + MODE] as number,
    oid: oidAt(table, at),
  };
}

function workPair(index: ColumnarIndex, change: WorkChange): FilePair {
  const { path, at, kind } = change;
  const old =
    kind === "added" || (kind !== "deleted" && isIntentToAdd(index.table, at))
      ? missingFile(path)
      : indexSide(index, at);
  return createPair(old, workSide(change));
}

function workSide({ path, kind, mode, stat, oid }: WorkChange): FileSpec {
  if (kind === "deleted" || stat === null) return missingFile(path);
  return isGitlinkMode(mode) ? { path, mode, oid } : { path, mode, oid: null, stat };
}

/** An unmerged path is reported as such, followed by the work tree's difference from our side. */
function unmergedPairs(index: ColumnarIndex, path: string, stat: FileSpec["stat"] | null, stage: 1 | 2 | 3 = 2) {
  const { table } = index;
  const first = table.paths.indexOf(path);
  const work = workSideOf(path, stat ?? null);
  const pairs = [unmergedPair(path, { new: { path, mode: work.mode, oid: null } })];
  for (let at = first; table.paths[at] === path; at++) {
    if (stageAt(table, at) === stage) pairs.push(createPair(indexSide(index, at), work));
  }
  return { at: first, pairs };
}

function workSideOf(path: string, stat: FileSpec["stat"] | null): FileSpec {
  if (!stat) return missingFile(path);
  const mode = modeOfStat(stat);
  return { path, mode, oid: null, stat };
}

/** Compares a tree with the work tree: `diff HEAD`, `diff-index HEAD`. */
export async function treeToWorktreePairs(
  repo: WorkRepository,
  tree: Oid | null,
  options: DiffOptions,
  { statOnly = false }: { statOnly?: boolean } = {},
): Promise<WorkTreePairs> {
  const unlimited = { ...options, relative: null };
  const work = await worktreePairs(repo, unlimited, { statOnly });
  const staged = await stagedChanges(repo, tree, work.index, options);
  const unmerged = work.comparison.unmerged;
  const byPath = new Map<string, FilePair>();
  for (const change of staged) if (!change.unmerged) byPath.set(change.path, cachedPair(change));
  for (const pair of work.pairs) {
    if (pair.unmerged || unmerged.has(pair.new.path)) continue;
    const before = byPath.get(pair.new.path);
    // Without a staged change, the index entry equals the tree's; an intent-to-add one is in neither.
    const old = before ? before.old : pair.old;
    if (!exists(old) && !exists(pair.new)) byPath.delete(pair.new.path);
    else byPath.set(pair.new.path, createPair(old, pair.new));
  }
  const treeSides = new Map(staged.filter((change) => change.unmerged).map(({ path, before }) => [path, before]));
  const pairs: FilePair[] = [...byPath.values()];
  for (const [path, stat] of unmerged) {
    const before = treeSides.get(path);
    const old: FileSpec = before ? { path, ...before } : missingFile(path);
    const fresh = workSideOf(path, stat);
    if (exists(old) || exists(fresh)) pairs.push(createPair(old, fresh));
  }
  pairs.sort((a, b) => compareText(a.new.path, b.new.path));
  const all = options.copiesHarder ? await withUnmodified(repo, tree, pairs, options) : pairs;
  return { ...work, pairs: underRelative(all, options.relative) };
}
