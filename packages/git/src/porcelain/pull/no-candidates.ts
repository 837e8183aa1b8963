/** Explains why there is nothing to merge after a fetch, in git's words. */
import { GitError } from "../../errors.ts";
import type { Repository } from "../../repository.ts";
import { currentBranch } from "../branch/branch-names.ts";

export async function noCandidates(repo: Repository, words: readonly string[], rebase: boolean): Promise<GitError> {
  return new GitError("ESTATE", await reason(repo, words, rebase), { prefix: "", exitCode: 1 });
}

async function reason(repo: Repository, [remote, ...refspecs]: readonly string[], rebase: boolean): Promise<string> {
  const { config } = repo;
  const branch = await currentBranch(repo);
  if (refspecs.length > 0) {
    const what = rebase
      ? "There is no candidate for rebasing against among the refs that you just fetched."
      : "There are no candidates for merging among the refs that you just fetched.";
    return `${what}
Generally this means that you provided a wildcard refspec which had no
matches on the remote end.`;
  }
  const own = branch === null ? undefined : config.get(`branch.${branch}.remote`);
  if (remote !== undefined && branch !== null && remote !== own)
    return `You asked to pull from the remote '${remote}', but did not specify
a branch. Because this is not the default configured remote
for your current branch, you must specify a branch on the command line.`;
  const which = `Please specify which branch you want to ${rebase ? "rebase against" : "merge with"}.
See git-pull(1) for details.

    git pull <remote> <branch>
`;
  if (branch === null) return `You are not currently on a branch.\n${which}`;
  const merge = config.get(`branch.${branch}.merge`);
  if (merge !== undefined)
    return `Your configuration specifies to merge with the ref '${merge}'
from the remote, but no such ref was fetched.`;
  return `There is no tracking information for the current branch.
${which}
If you wish to set tracking information for this branch you can do so with:

    git branch --set-upstream-to=${onlyRemote(repo) ?? "<remote>"}/<branch> ${branch}
`;
}

function onlyRemote({ config }: Pick<Repository, "config">): string | undefined {
  const remotes = config.subsections("remote");
  return remotes.length === 1 ? remotes[0] : undefined;
}
