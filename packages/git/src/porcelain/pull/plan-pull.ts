/**
 * Plans what `git pull` does with the fetched heads: merge, rebase, or stop because the branches diverge and no option or
 * configuration chooses.
 */
import { GitError } from "../../errors.ts";
import type { Oid } from "../../object/oid.ts";
import { isAncestor } from "../../revision/merge-base.ts";
import type { WorkRepository } from "../../worktree/work-tree-stats.ts";
import type { FetchedHead } from "../merge/fetch-head.ts";
import type { PullStrategy } from "./pull-strategy.ts";

/**
 * "unborn": HEAD has no commit, so the pull takes the first head. "unspecified": the branches diverge, and no option or
 * configuration chooses.
 */
export type PullPlan = "merge" | "rebase" | "unborn" | "unspecified";

export async function planPull(
  repo: WorkRepository,
  heads: readonly FetchedHead[],
  head: Oid | null,
  { rebase, isUnspecified, fastForward }: PullStrategy,
): Promise<PullPlan> {
  const [first, ...others] = heads as [FetchedHead, ...FetchedHead[]];
  if (head === null) {
    if (others.length > 0) throw new GitError("EINVAL", "Cannot merge multiple branches into empty head.");
    return "unborn";
  }
  if (others.length > 0 && rebase) throw new GitError("EINVAL", "Cannot rebase onto multiple branches.");
  if (others.length > 0 && fastForward === "only")
    throw new GitError("EINVAL", "Cannot fast-forward to multiple branches.");
  const canForward = others.length === 0 && (await isAncestor(repo, head, first.oid));
  const isDivergent = !canForward && !(await reachesAll(repo, head, heads));
  if (fastForward === "only" && isDivergent) throw new GitError("ESTATE", "Not possible to fast-forward, aborting.");
  if (fastForward === null && isUnspecified && isDivergent) return "unspecified";
  return rebase && !canForward && fastForward !== "only" ? "rebase" : "merge";
}

async function reachesAll(repo: WorkRepository, head: Oid, heads: readonly FetchedHead[]): Promise<boolean> {
  for (const { oid } of heads) if (!(await isAncestor(repo, oid, head))) return false;
  return true;
}

export async function refuseMerging({ fs, gitDir }: WorkRepository): Promise<void> {
  if (!(await fs.exists(`${gitDir}/MERGE_HEAD`))) return;
  const text = `You have not concluded your merge (MERGE_HEAD exists).
hint: Please, commit your changes before merging.
fatal: Exiting because of unfinished merge.`;
  throw new GitError("ESTATE", text, { prefix: "error" });
}
