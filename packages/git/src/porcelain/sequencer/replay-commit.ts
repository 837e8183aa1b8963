/**
 * Applies the change of one commit, or its reverse, on top of HEAD: the basis of cherry-pick, revert and rebase. A conflict leaves
 * stages and markers, and the prepared message; nothing is committed here.
 */
import { GitError } from "../../errors.ts";
import { readIndex } from "../../index/read-index.ts";
import { writeTree } from "../../index/write-tree.ts";
import type { StrategyOptions } from "../../merge/merge-context.ts";
import { mergeTrees } from "../../merge/merge-trees.ts";
import { EMPTY_TREE, type Oid } from "../../object/oid.ts";
import type { Repository } from "../../repository.ts";
import { applyMerge } from "../../worktree/apply-merge.ts";
import type { WorkRepository } from "../../worktree/work-tree-stats.ts";
import { treeOfCommit } from "../checkout/switch-branch.ts";
import type { LabelledCommit } from "./commit-label.ts";

export interface ReplayOptions extends StrategyOptions {
  readonly reverse?: boolean;
  /** The parent of a merge to use as the base, from 1. */
  readonly mainline?: number;
  /** Applies on top of the index, not of HEAD. */
  readonly onIndex?: boolean;
}

export interface Replayed {
  readonly clean: boolean;
  readonly tree: Oid;
  /** What the merge reports: merged files and conflicts. */
  readonly messages: readonly string[];
  /** The commit it was compared with; null: it is a root. */
  readonly parent: Oid | null;
}

export async function replayCommit(
  repo: WorkRepository,
  picked: LabelledCommit,
  { reverse = false, mainline, onIndex = false, ...strategy }: ReplayOptions = {},
): Promise<Replayed> {
  const parent = chosenParent(picked, mainline);
  const head = (await repo.refs.resolve("HEAD"))?.oid ?? null;
  const headTree = onIndex ? await indexTree(repo) : head === null ? EMPTY_TREE : await treeOfCommit(repo, head);
  const parentTree = parent === null ? EMPTY_TREE : await treeOfCommit(repo, parent);
  const parentLabel = parent === null ? "(empty tree)" : `parent of ${picked.label}`;
  const [base, next] = reverse ? [picked.commit.tree, parentTree] : [parentTree, picked.commit.tree];
  const labels = reverse
    ? { ours: "HEAD", theirs: parentLabel, base: picked.label }
    : { ours: "HEAD", theirs: picked.label, base: parentLabel };
  const merged = await mergeTrees(repo, [base, headTree, next], { ...strategy, labels });
  await applyMerge(repo, headTree, merged);
  return { clean: merged.clean, tree: merged.tree, messages: merged.messages, parent };
}

export function chosenParent({ oid, commit: { parents } }: LabelledCommit, mainline?: number): Oid | null {
  const refuse = (text: string) => new GitError("EINVAL", text, { prefix: "error" });
  if (parents.length > 1) {
    if (mainline === undefined) throw refuse(`commit ${oid} is a merge but no -m option was given.`);
    const parent = parents[mainline - 1];
    if (parent === undefined) throw refuse(`commit ${oid} does not have parent ${mainline}`);
    return parent;
  }
  if (mainline !== undefined && mainline !== 1) throw refuse(`commit ${oid} does not have parent ${mainline}`);
  return parents[0] ?? null;
}

async function indexTree(repo: Repository): Promise<Oid> {
  const index = await readIndex(repo);
  if (index.entries.some(({ stage }) => stage !== 0))
    throw new GitError("ESTATE", "your index file is unmerged.", { prefix: "error" });
  return (await writeTree(repo.odb, index)).oid;
}
