/** Resolves the target of `git reset`, and refreshes the index after it. */
import { GitError } from "../errors.ts";
import { compareIndexToWorkTree, type WorkTreeComparison } from "../index/compare-worktree.ts";
import { readColumnarIndex } from "../index/read-index.ts";
import { updateIndexIfAble } from "../index/refresh-index.ts";
import type { Oid } from "../object/oid.ts";
import type { Repository } from "../repository.ts";
import { findRevision } from "../revision/find-revision.ts";
import { peelTo } from "../revision/peel.ts";
import type { WorkRepository } from "../worktree/work-tree-stats.ts";

/** A tree or a commit; null: there is no commit yet. */
export async function findResetTarget(repo: Repository, word: string | undefined, tree: boolean): Promise<Oid | null> {
  const name = word ?? "HEAD";
  if (word === undefined && (await repo.refs.resolve("HEAD"))?.oid == null) return null;
  const found = await findRevision(repo, name, { wanted: tree ? "treeish" : "committish" });
  const oid = found && (await peelTo(repo, found.oid, tree ? "tree" : "commit"));
  if (!oid) throw new GitError("ENOTFOUND", `Failed to resolve '${name}' as a valid ${tree ? "tree" : "revision"}.`);
  return oid;
}

/** Compares the index with the work tree, and writes the refreshed index. */
export async function refreshAfterReset(repo: WorkRepository): Promise<WorkTreeComparison> {
  const columns = await readColumnarIndex(repo);
  const comparison = await compareIndexToWorkTree(repo, columns, { unstaged: false });
  await updateIndexIfAble(repo, columns, comparison);
  return comparison;
}
