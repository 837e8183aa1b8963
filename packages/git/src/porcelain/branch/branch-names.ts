/** Parses branch names as typed, and finds where a branch is checked out. */
import { GitError } from "../../errors.ts";
import { isBranchName } from "../../refs/ref-name.ts";
import { checkedOutBranches } from "../../repository/work-trees.ts";
import type { Repository } from "../../repository.ts";
import { interpretBranchName } from "../../revision/branch-mark.ts";

/** The name with `@{-1}` and the like expanded; throws git's error if it is no valid branch name. */
export async function checkedBranchName(repo: Repository, typed: string): Promise<string> {
  const name = typed.includes("@") ? await interpretBranchName(repo, typed, "refs/heads/") : typed;
  if (name === null || !isBranchName(name)) throw new GitError("EINVAL", `'${typed}' is not a valid branch name`);
  return name;
}

/** The branch that HEAD is on, without refs/heads/; null: detached. */
export async function currentBranch({ refs }: Pick<Repository, "refs">): Promise<string | null> {
  const head = await refs.read("HEAD");
  if (head?.kind !== "symbolic") return null;
  return head.target.startsWith("refs/heads/") ? head.target.slice("refs/heads/".length) : head.target;
}

/** Rejects moving a branch that a work tree has checked out. */
export async function refuseCheckedOut(repo: Repository, branch: string): Promise<void> {
  const path = (await checkedOutBranches(repo)).get(`refs/heads/${branch}`);
  if (path === undefined) return;
  throw new GitError("ESTATE", `cannot force update the branch '${branch}' checked out at '${path}'`);
}
