/**
 * Merges two commits on their merge base. Several best common ancestors are merged with each other first, oldest first, and the
 * result, including conflict markers, is the base.
 */
import { GitError } from "../errors.ts";
import { EMPTY_TREE, type Oid } from "../object/oid.ts";
import type { Repository } from "../repository.ts";
import { mergeBases } from "../revision/merge-base.ts";
import { commitTreeOid } from "../revision/peel.ts";
import type { StrategyOptions } from "./merge-context.ts";
import { type MergedTrees, mergeTrees } from "./merge-trees.ts";

interface MergeCommitsOptions extends StrategyOptions {
  readonly ours: string;
  readonly theirs: string;
}

/** A commit, or a virtual one: a tree with ancestors. */
interface MergeSide {
  readonly tree: Oid;
  readonly commits: readonly Oid[];
}

/** Limit of criss-cross nesting, beyond any real history. */
const MAX_DEPTH = 100;

/** `bases` in git's order, youngest first. */
export async function mergeCommits(
  repo: Repository,
  ours: Oid,
  theirs: Oid,
  bases: readonly Oid[],
  options: MergeCommitsOptions,
): Promise<MergedTrees> {
  const [a, b] = [await commitSide(repo, ours), await commitSide(repo, theirs)];
  return mergeSides(repo, a, b, [...bases].reverse(), options, 0);
}

async function mergeSides(
  repo: Repository,
  ours: MergeSide,
  theirs: MergeSide,
  bases: readonly Oid[],
  options: MergeCommitsOptions,
  depth: number,
): Promise<MergedTrees> {
  if (depth > MAX_DEPTH) throw new GitError("ETOOBIG", `merge bases nested more than ${MAX_DEPTH} deep`);
  const [first, ...others] = bases;
  let label = "empty tree";
  let base: MergeSide = { tree: EMPTY_TREE, commits: [] };
  if (first !== undefined) {
    base = await commitSide(repo, first);
    label = others.length > 0 ? "merged common ancestors" : await repo.odb.abbreviate(first);
  }
  for (const oid of others) {
    const next = await commitSide(repo, oid);
    const inner = base.commits.length === 0 ? [] : await mergeBases(repo, oid, base.commits);
    const names = { ours: "Temporary merge branch 1", theirs: "Temporary merge branch 2" };
    const merged = await mergeSides(repo, base, next, [...inner].reverse(), { ...options, ...names }, depth + 1);
    base = { tree: merged.tree, commits: [...base.commits, oid] };
  }
  const { ours: ourName, theirs: theirName, ...strategy } = options;
  const labels = { ours: ourName, theirs: theirName, base: label };
  return mergeTrees(repo, [base.tree, ours.tree, theirs.tree], { ...strategy, labels, depth });
}

async function commitSide({ odb }: Repository, oid: Oid): Promise<MergeSide> {
  return { tree: commitTreeOid((await odb.need(oid, "commit")).body), commits: [oid] };
}
