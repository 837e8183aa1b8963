/** What is pushed when nothing is named: `push.default`, "simple" unless it is set. */
import { GitError } from "../../../errors.ts";
import type { Repository } from "../../../repository.ts";
import { upstreamOf } from "../../../revision/branch-mark.ts";
import { parseRefspec, type Refspec } from "../../../wire/refspec.ts";
import type { RemoteConfig } from "../../../wire/remote-config.ts";

export async function defaultRefspecs(
  repo: Repository,
  remote: RemoteConfig,
  branch: string | null,
): Promise<Refspec[]> {
  const mode = repo.config.get("push.default") ?? "simple";
  if (mode === "matching") return [parseRefspec(":", "push")];
  if (mode === "nothing")
    throw new GitError("EINVAL", 'You didn\'t specify any refspecs to push, and push.default is "nothing".');
  const where = remote.name ?? remote.url;
  if (branch === null) {
    throw new GitError(
      "ESTATE",
      `You are not currently on a branch.\nTo push the history leading to the current (detached HEAD)\nstate now, use\n\n    git push ${where} HEAD:<name-of-remote-branch>\n`,
    );
  }
  const same = [parseRefspec(`refs/heads/${branch}:refs/heads/${branch}`, "push")];
  if (mode === "current") return same;
  const upstream = upstreamOf(repo, branch);
  const triangular = upstream.remote !== null && upstream.remote !== remote.name;
  if (mode === "simple" && triangular) return same;
  if (upstream.merge === null || upstream.remote === null) {
    if (repo.config.getBool("push.autosetupremote")) return same;
    throw new GitError(
      "ESTATE",
      `The current branch ${branch} has no upstream branch.\nTo push the current branch and set the remote as upstream, use\n\n    git push --set-upstream ${where} ${branch}\n\nTo have this happen automatically for branches without a tracking\nupstream, see 'push.autoSetupRemote' in 'git help config'.\n`,
    );
  }
  if (mode === "simple" && upstream.merge !== `refs/heads/${branch}`) {
    const short = upstream.merge.replace(/^refs\/heads\//, () => "");
    throw new GitError(
      "ESTATE",
      `The upstream branch of your current branch does not match\nthe name of your current branch.  To push to the upstream branch\non the remote, use\n\n    git push ${where} HEAD:${short}\n\nTo push to the branch of the same name on the remote, use\n\n    git push ${where} HEAD\n\nTo choose either option permanently, see push.default in 'git help config'.\n`,
    );
  }
  return [parseRefspec(`refs/heads/${branch}:${upstream.merge}`, "push")];
}
