/** The refspecs of a push without arguments: `push.default`, "simple" unless set. */
import { GitError } from "../../errors.ts";
import type { Repository } from "../../repository.ts";
import { branchUpstream } from "../../revision/branch-mark.ts";
import { parseRefspec, type Refspec } from "../../wire/refspec.ts";
import { defaultRemote, type RemoteConfig } from "../../wire/remote-config.ts";
import { anonymousUrl } from "../../wire/remote-url.ts";

const MODES: readonly string[] = ["nothing", "matching", "simple", "upstream", "current"];

export interface DefaultPush {
  readonly refspecs: readonly Refspec[];
  /** Sets the upstream, as with `--set-upstream`: `push.autoSetupRemote` is set and the branch has no upstream yet. */
  readonly setsUpstream: boolean;
}

export async function defaultRefspecs(
  repo: Repository,
  remote: RemoteConfig,
  branch: string | null,
): Promise<DefaultPush> {
  const configured = repo.config.get("push.default");
  const mode = configured === "tracking" ? "upstream" : (configured ?? "simple");
  if (!MODES.includes(mode)) throw malformed(mode);
  if (mode === "matching") return { refspecs: [parseRefspec(":", "push")], setsUpstream: false };
  if (mode === "nothing")
    throw new GitError("EINVAL", 'You didn\'t specify any refspecs to push, and push.default is "nothing".');
  const where = remote.name ?? remote.writtenUrl;
  if (branch === null) {
    throw new GitError(
      "ESTATE",
      `You are not currently on a branch.\nTo push the history leading to the current (detached HEAD)\nstate now, use\n\n    git push ${where} HEAD:<name-of-remote-branch>\n`,
    );
  }
  const same = [parseRefspec(`refs/heads/${branch}:refs/heads/${branch}`, "push")];
  const upstream = branchUpstream(repo, branch);
  const setsUpstream = upstream.merge === null && repo.config.getBool("push.autosetupremote") === true;
  if (mode === "current") return { refspecs: same, setsUpstream };
  // In a triangular workflow, the remote pushed to has no upstream of the branch.
  const triangular = where !== defaultRemote(repo.config, branch);
  if (mode === "simple" && triangular) return { refspecs: same, setsUpstream };
  if (triangular)
    throw new GitError(
      "ESTATE",
      `You are pushing to remote '${anonymousUrl(where)}', which is not the upstream of\nyour current branch '${branch}', without telling me what to push\nto update which remote branch.`,
    );
  if (upstream.merge === null || upstream.remote === null) {
    if (setsUpstream) return { refspecs: same, setsUpstream };
    throw new GitError(
      "ESTATE",
      `The current branch ${branch} has no upstream branch.\nTo push the current branch and set the remote as upstream, use\n\n    git push --set-upstream ${where} ${branch}\n\nTo have this happen automatically for branches without a tracking\nupstream, see 'push.autoSetupRemote' in 'git help config'.\n`,
    );
  }
  if (mode === "simple" && upstream.merge !== `refs/heads/${branch}`) {
    const short = upstream.merge.replace(/^refs\/heads\//, () => "");
    const choose = "\nTo choose either option permanently, see push.default in 'git help config'.\n";
    const avoid =
      "\nTo avoid automatically configuring an upstream branch when its name\nwon't match the local branch, see option 'simple' of branch.autoSetupMerge\nin 'git help config'.\n";
    const avoids = repo.config.get("branch.autosetupmerge") === "simple";
    const advice = `${configured === undefined ? choose : ""}${avoids ? "" : avoid}`;
    throw new GitError(
      "ESTATE",
      `The upstream branch of your current branch does not match\nthe name of your current branch.  To push to the upstream branch\non the remote, use\n\n    git push ${where} HEAD:${short}\n\nTo push to the branch of the same name on the remote, use\n\n    git push ${where} HEAD\n${advice}`,
    );
  }
  return { refspecs: [parseRefspec(`refs/heads/${branch}:${upstream.merge}`, "push")], setsUpstream: false };
}

function malformed(mode: string): GitError {
  return new GitError(
    "EINVAL",
    `malformed value for push.default: ${mode}\nerror: must be one of nothing, matching, simple, upstream or current\nfatal: unable to parse 'push.default' from command-line config`,
    { prefix: "error" },
  );
}
