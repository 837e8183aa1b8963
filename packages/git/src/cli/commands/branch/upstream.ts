/** `branch --set-upstream-to` and `--unset-upstream`. */
import { setLocalConfig } from "../../../config/write-config.ts";
import { GitError } from "../../../errors.ts";
import { currentBranch } from "../../../porcelain/branch/branch-names.ts";
import { missingUpstream } from "../../../porcelain/branch/create-branch.ts";
import { refOfStart, setUpTracking, trackingTargets } from "../../../porcelain/branch/track-branch.ts";
import type { Repository } from "../../../repository.ts";
import { interpretBranchName } from "../../../revision/branch-mark.ts";
import { findRevision } from "../../../revision/find-revision.ts";
import type { CommandContext } from "../../framework/command.ts";

export async function setUpstream(
  context: CommandContext,
  repo: Repository,
  upstream: string,
  words: readonly string[],
  quiet: boolean,
): Promise<number> {
  if (words.length > 1) throw new GitError("EINVAL", "too many arguments to set new upstream");
  const branch = words[0] === undefined ? await currentBranch(repo) : await localName(repo, words[0]);
  if (branch === null || branch === "HEAD") {
    throw new GitError("ESTATE", `could not set upstream of HEAD to ${upstream} when it does not point to any branch.`);
  }
  if (!(await repo.refs.resolve(`refs/heads/${branch}`))?.oid) {
    if (words[0] === undefined || (await currentBranch(repo)) === branch) {
      throw new GitError("ESTATE", `No commit on branch '${branch}' yet.`);
    }
    throw new GitError("ENOTFOUND", `branch '${branch}' does not exist`);
  }
  if (!(await findRevision(repo, upstream))) throw missingUpstream(repo, upstream);
  const ref = await refOfStart(repo, upstream);
  if (ref === null || trackingTargets(repo, ref).length === 0) {
    throw new GitError("EINVAL", `cannot set up tracking information; starting point '${upstream}' is not a branch`);
  }
  const line = await setUpTracking(repo, branch, ref, "explicit", { quiet });
  if (line !== null) context.out(`${line}\n`);
  return 0;
}

async function localName(repo: Repository, typed: string): Promise<string> {
  return (await interpretBranchName(repo, typed, "refs/heads/")) ?? typed;
}

export async function unsetUpstream(repo: Repository, words: readonly string[]): Promise<number> {
  if (words.length > 1) throw new GitError("EINVAL", "too many arguments to unset upstream");
  const branch = words[0] === undefined ? await currentBranch(repo) : await localName(repo, words[0]);
  if (branch === null || branch === "HEAD") {
    throw new GitError("ESTATE", "could not unset upstream of HEAD when it does not point to any branch.");
  }
  if (repo.config.get(`branch.${branch}.merge`) === undefined) {
    throw new GitError("ENOTFOUND", `Branch '${branch}' has no upstream information`);
  }
  await setLocalConfig(repo, [
    { key: `branch.${branch}.remote`, value: null },
    { key: `branch.${branch}.merge`, value: null },
  ]);
  return 0;
}
