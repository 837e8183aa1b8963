/** `git switch`. */

import { adviceEnabled } from "../../config/advice.ts";
import { GitError } from "../../errors.ts";
import { checkedBranchName } from "../../porcelain/branch/branch-names.ts";
import { findTarget, guessRemoteBranch, guessWanted } from "../../porcelain/checkout/find-target.ts";
import { newBranchName, refuseInProgress } from "../../porcelain/checkout/switch.ts";
import type { Repository } from "../../repository.ts";
import { conflictFlags, conflictStyle, refuseMixture, trackedName, trackOf } from "../flags/conflict-flags.ts";
import { defineCommand } from "../framework/command.ts";
import { switchTo } from "./checkout/switch-to.ts";

export const switchCommand = defineCommand({
  name: "switch",
  usage: ["git switch [<options>] [<branch>]"],
  flags: {
    create: {
      short: "-c",
      long: "--create",
      value: "string",
      arg: "<branch>",
      help: "create and switch to a new branch",
    },
    forceCreate: {
      short: "-C",
      long: "--force-create",
      value: "string",
      arg: "<branch>",
      help: "create/reset and switch to a branch",
    },
    guess: { long: "--guess", help: "second guess 'git switch <no-such-branch>'" },
    discardChanges: { long: "--discard-changes", help: "throw away local modifications" },
    quiet: { short: "-q", long: "--quiet", help: "suppress progress reporting" },
    progress: { long: "--progress", help: "force progress reporting" },
    detach: { short: "-d", long: "--detach", help: "detach HEAD at named commit" },
    track: {
      short: "-t",
      long: "--track",
      value: "optional",
      arg: "(direct|inherit)",
      help: "set branch tracking configuration",
    },
    force: { short: "-f", long: "--force", help: "force checkout (throw away local modifications)" },
    orphan: { long: "--orphan", value: "string", arg: "<new-branch>", help: "new unparented branch" },
    overwriteIgnore: { long: "--overwrite-ignore", help: "update ignored files (default)" },
    ignoreOtherWorktrees: {
      long: "--ignore-other-worktrees",

      help: "do not check if another worktree is holding the given ref",
    },
    ...conflictFlags,
  },
  async run(context, { flags, args, afterDashes }) {
    refuseMixture(flags, { create: "-c", forceCreate: "-C" });
    const repo = await context.workTree();
    await refuseInProgress(repo);
    const words = [...args, ...(afterDashes ?? [])];
    const tracked = flags.track && !flags.create && !flags.forceCreate && !flags.orphan;
    const created = flags.create || flags.forceCreate || (tracked ? trackedName(words[0], "c") : undefined);
    const merge = conflictStyle(flags);
    const force = flags.force === true || (flags.discardChanges ? ("tracked" as const) : false);
    if (flags.force && merge !== undefined) throw new GitError("EINVAL", "'-f' cannot be used with '-m'");
    const shared = {
      force,
      quiet: flags.quiet ?? false,
      ...(merge === undefined ? {} : { merge }),
      ignoreOtherWorktrees: flags.ignoreOtherWorktrees,
      ...(flags.overwriteIgnore === undefined ? {} : { overwriteIgnored: flags.overwriteIgnore }),
    };
    if (flags.orphan) {
      if (words.length > 0) throw new GitError("EINVAL", "'--orphan' cannot take <start-point>");
      const branch = await newBranchName(repo, flags.orphan);
      return switchTo(context, repo, { ...shared, target: { branch, commit: null, name: branch }, empty: true });
    }
    if (words.length > 1) throw new GitError("EINVAL", "only one reference expected");
    const [word] = words;
    const track = trackOf(flags.track);
    // Without a target commit there are no files to check out or discard.
    const keepsFiles = word === undefined;
    if (created !== undefined) {
      const branch = flags.forceCreate ? await checkedBranchName(repo, created) : await newBranchName(repo, created);
      const commit = await findTarget(repo, word ?? "HEAD");
      if (commit === null && word !== undefined) throw new GitError("ENOTFOUND", `invalid reference: ${word}`);
      const create = {
        name: created,
        force: Boolean(flags.forceCreate),
        ...(word === undefined ? {} : { start: word }),
        ...(track ? { track } : {}),
      };
      const target = { branch, commit: commit?.commit ?? null, name: branch };
      return switchTo(context, repo, { ...shared, target, keepsFiles, ...(commit === null ? {} : { create }) });
    }
    if (word === undefined) {
      if (!flags.detach) throw new GitError("EINVAL", "missing branch or commit argument");
    }
    const found = await findTarget(repo, word ?? "HEAD");
    if (found !== null && (flags.detach || found.branch !== null)) {
      const target = flags.detach ? { branch: null, commit: found.commit, name: found.name } : found;
      return switchTo(context, repo, { ...shared, target, keepsFiles, explicitDetach: flags.detach ?? false });
    }
    const remote = word !== undefined && guessWanted(repo, flags.guess) ? await guessRemoteBranch(repo, word) : null;
    if (found === null && remote !== null && word !== undefined) {
      const target = { branch: word, commit: remote.commit, name: word };
      return switchTo(context, repo, {
        ...shared,
        target,
        create: { name: word, start: remote.name, force: false, track: "explicit" },
      });
    }
    if (found === null && word === undefined) throw new GitError("ESTATE", "You are on a branch yet to be born");
    if (found === null) throw new GitError("ENOTFOUND", `invalid reference: ${word}`);
    const hint = !adviceEnabled(repo.config, "suggestDetachingHead")
      ? ""
      : "hint: If you want to detach HEAD at the commit, try again with the --detach option.\n";
    const current = word === "HEAD" ? await currentRef(repo) : null;
    const what = current ?? (found.kind === "commit" ? word : found.expanded);
    throw new GitError("EINVAL", `a branch is expected, got ${current === null ? `${found.kind} ` : ""}'${what}'`, {
      hint,
    });
  },
});

async function currentRef({ refs }: Repository): Promise<string> {
  const head = await refs.read("HEAD");
  return head?.kind === "symbolic" ? head.target : "HEAD";
}
