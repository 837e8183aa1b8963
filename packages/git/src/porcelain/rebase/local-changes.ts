/** Changes that prevent a rebase: files that differ from the index, and an index that differs from HEAD. */

import { compareIndexToWorkTree } from "../../index/compare-worktree.ts";
import { readColumnarIndex } from "../../index/read-index.ts";
import { updateIndexIfAble } from "../../index/refresh-index.ts";
import { stagedPaths } from "../../worktree/apply-merge.ts";
import type { WorkRepository } from "../../worktree/work-tree-stats.ts";
import { treeOfCommit } from "../checkout/switch-branch.ts";

export interface LocalChanges {
  /** Includes conflicts. */
  readonly unstaged: boolean;
  readonly staged: boolean;
  readonly unmerged: readonly string[];
}

export async function localChanges(repo: WorkRepository): Promise<LocalChanges> {
  const columns = await readColumnarIndex(repo);
  const comparison = await compareIndexToWorkTree(repo, columns, { unstaged: false, ignoreGitlinks: true });
  await updateIndexIfAble(repo, columns, comparison);
  const head = (await repo.refs.resolve("HEAD"))?.oid ?? null;
  const staged = head === null ? [] : await stagedPaths(repo, await treeOfCommit(repo, head));
  const unmerged = [...comparison.unmerged.keys()];
  return { unstaged: comparison.changes.length + unmerged.length > 0, staged: staged.length > 0, unmerged };
}
