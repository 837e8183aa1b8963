/** `git restore`. */
import { GitError } from "../../errors.ts";
import { parsePathspec } from "../../pathspec/pathspec.ts";
import { restorePaths } from "../../porcelain/checkout/restore-paths.ts";
import { resolveRevision } from "../../revision/resolve-revision.ts";
import { chosenSide, conflictFlags, conflictStyle, incompatible, sparseFlag } from "../flags/conflict-flags.ts";
import { pathspecArguments, pathspecFlags } from "../flags/pathspec-arguments.ts";
import { defineCommand } from "../framework/command.ts";

export const restore = defineCommand({
  name: "restore",
  usage: ["git restore [<options>] [--source=<branch>] <file>..."],
  flags: {
    source: {
      short: "-s",
      long: "--source",
      value: "string",
      arg: "<tree-ish>",
      help: "which tree-ish to checkout from",
    },
    staged: { short: "-S", long: "--staged", help: "restore the index" },
    worktree: { short: "-W", long: "--worktree", help: "restore the working tree (default)" },
    ignoreUnmerged: { long: "--ignore-unmerged", help: "ignore unmerged entries" },
    overlay: { long: "--overlay", help: "use overlay mode" },
    quiet: { short: "-q", long: "--quiet", help: "suppress progress reporting" },
    progress: { long: "--progress", help: "force progress reporting" },
    ours: { short: "-2", long: "--ours", help: "checkout our version for unmerged files" },
    theirs: { short: "-3", long: "--theirs", help: "checkout their version for unmerged files" },
    patch: { short: "-p", long: "--patch", help: "select hunks interactively" },
    ...conflictFlags,
    ...sparseFlag,
    ...pathspecFlags,
  },
  async run(context, { flags, args, afterDashes, order }) {
    if (flags.patch) throw new GitError("EUNSUPPORTED", "interactive selection is not supported here: name the files");
    const input = await pathspecArguments(context, flags, [...args, ...(afterDashes ?? [])]);
    if (input.length === 0) throw new GitError("EINVAL", "you must specify path(s) to restore");
    const repo = await context.workTree();
    const staged = flags.staged ?? false;
    const worktree = flags.worktree ?? !staged;
    if (!staged && !worktree) throw new GitError("EINVAL", "neither '--staged' or '--worktree' is specified");
    const remerge = conflictStyle(flags);
    const side = chosenSide(order);
    if (staged && !worktree && side !== undefined)
      throw new GitError("EINVAL", "'--ours' or '--theirs' cannot be used with --staged");
    if (staged && !worktree && remerge !== undefined)
      throw new GitError("EINVAL", "'--merge' or '--conflict' cannot be used with --staged");
    const from = flags.source || (staged ? "HEAD" : undefined);
    const missing = (text: string) => `could not resolve ${text}`;
    const source = from === undefined ? null : await resolveRevision(repo, from, { type: "tree", missing });
    if (source === null && side !== undefined && remerge !== undefined) throw incompatible();
    const { unmerged } = await restorePaths(repo, {
      pathspec: parsePathspec(repo, input, { prefer: "cwd" }),
      source,
      staged,
      worktree,
      overlay: flags.overlay ?? false,
      ...(side === undefined || source !== null ? {} : { side }),
      ...(remerge === undefined ? {} : { remerge }),
      ignoreUnmerged: flags.ignoreUnmerged ?? false,
    });
    if (flags.ignoreUnmerged && !flags.quiet)
      for (const path of unmerged) context.err(`warning: path '${path}' is unmerged\n`);
    return 0;
  },
});
