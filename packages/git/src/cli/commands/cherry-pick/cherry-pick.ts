/** `git cherry-pick`. */
import { GitError } from "../../../errors.ts";
import { defineCommand } from "../../framework/command.ts";
import { usageText } from "../../framework/usage-text.ts";
import { pickFlags, runPick } from "./pick-command.ts";

export const cherryPick = defineCommand({
  name: "cherry-pick",
  usage: [
    "git cherry-pick [--edit] [-n] [-m <parent-number>] [-s] [-x] [--ff]\n                [-S[<keyid>]] <commit>...",
    "git cherry-pick (--continue | --skip | --abort | --quit)",
  ],
  flags: {
    ...pickFlags,
    recordOrigin: { short: "-x", help: "append commit name" },
    ff: { long: "--ff", help: "allow fast-forward" },
    allowEmpty: { long: "--allow-empty", help: "preserve initially empty commits" },
    allowEmptyMessage: { long: "--allow-empty-message", help: "allow commits with empty messages" },
    keepRedundant: { long: "--keep-redundant-commits", help: "keep redundant, empty commits" },
  },
  keepUnknownOptions: true,
  async run(context, parsed): Promise<number> {
    const { flags } = parsed;
    if (flags.ff) refuseWithFastForward(flags);
    return runPick(context, () => usageText(cherryPick), "pick", parsed as never, {
      ...(flags.recordOrigin ? { recordOrigin: true } : {}),
      ...(flags.ff ? { allowFastForward: true } : {}),
      ...(flags.allowEmpty || flags.keepRedundant ? { allowEmpty: true } : {}),
      ...(flags.allowEmptyMessage ? { allowEmptyMessage: true } : {}),
      ...(flags.keepRedundant ? { keepRedundant: true } : {}),
    });
  },
});

/** A fast-forward creates no commit, so these flags cannot apply. */
function refuseWithFastForward(flags: {
  signoff?: boolean;
  noCommit?: boolean;
  commit?: boolean;
  recordOrigin?: boolean;
  edit?: boolean;
}): void {
  const input =
    (flags.signoff && "--signoff") ||
    ((flags.noCommit || flags.commit === false) && "--no-commit") ||
    (flags.recordOrigin && "-x") ||
    (flags.edit && "--edit");
  if (input) throw new GitError("EINVAL", `cherry-pick: ${input} cannot be used with --ff`);
}
