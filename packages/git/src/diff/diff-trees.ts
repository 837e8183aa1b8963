/** The difference of two trees, with rename detection: for `diff a b`, `log`, `show`, `diff-tree`. */
import type { Oid } from "../object/oid.ts";
import type { Repository } from "../repository.ts";
import type { DiffOptions } from "./diff-options.ts";
import type { FilePair } from "./file-pair.ts";
import { type DiffResult, runDiffcore } from "./run-diffcore.ts";
import { walkTrees } from "./walk-trees.ts";

/** Null: no tree. */
export async function diffTrees(
  repo: Repository,
  before: Oid | null,
  after: Oid | null,
  options: DiffOptions,
): Promise<DiffResult> {
  return runDiffcore(repo, await treePairs(repo, before, after, options), options);
}

/** Before rename detection. */
export async function treePairs(
  repo: Repository,
  before: Oid | null,
  after: Oid | null,
  options: DiffOptions,
): Promise<FilePair[]> {
  const { pathspec, recursive, showTrees, copiesHarder, relative } = options;
  const pairs = await walkTrees(repo, before, after, { pathspec, recursive, showTrees, unmodified: copiesHarder });
  return underRelative(pairs, relative);
}

export function underRelative(pairs: FilePair[], relative: string | null): FilePair[] {
  return relative ? pairs.filter(({ new: { path } }) => path.startsWith(relative)) : pairs;
}
