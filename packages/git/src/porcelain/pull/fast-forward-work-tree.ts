/** Updates the files after a fetch that moved the current branch, unless that would lose the user's changes. */
import { GitError } from "../../errors.ts";
import type { Oid } from "../../object/oid.ts";
import { switchTree } from "../../worktree/switch-tree.ts";
import type { WorkRepository } from "../../worktree/work-tree-stats.ts";
import { treeOfCommit } from "../checkout/switch-branch.ts";

/** `head`: before the fetch. Returns the new one. */
export async function fastForwardWorkTree(err: (text: string) => void, repo: WorkRepository, head: Oid): Promise<Oid> {
  const now = (await repo.refs.resolve("HEAD"))?.oid ?? null;
  if (now === null || now === head) return head;
  err(`warning: fetch updated the current branch head.\nfast-forwarding your working tree from\ncommit ${head}.\n`);
  try {
    await switchTree(repo, await treeOfCommit(repo, head), await treeOfCommit(repo, now), { verb: "merge" });
  } catch (error) {
    if (!(error instanceof GitError) || error.code !== "ESTATE") throw error;
    err(`error: ${error.message}\n${error.hint ?? ""}`);
    throw new GitError(
      "ESTATE",
      `Cannot fast-forward your working tree.\nAfter making sure that you saved anything precious from\n$ git diff ${head}\noutput, run\n$ git reset --hard\nto recover.`,
    );
  }
  return now;
}
