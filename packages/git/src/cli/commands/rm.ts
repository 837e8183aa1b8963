/** `git rm` */
import { GitError } from "../../errors.ts";
import { parsePathspec } from "../../pathspec/pathspec.ts";
import { remove } from "../../porcelain/remove.ts";
import { pathspecArguments, pathspecFlags } from "../flags/pathspec-arguments.ts";
import { defineCommand } from "../framework/command.ts";

export const rm = defineCommand({
  name: "rm",
  usage: [
    "git rm [-f | --force] [-n] [-r] [--cached] [--ignore-unmatch]\n              [--quiet] [--pathspec-from-file=<file> [--pathspec-file-nul]]\n              [--] [<pathspec>...]",
  ],
  flags: {
    dryRun: { short: "-n", long: "--dry-run", help: "dry run" },
    quiet: { short: "-q", long: "--quiet", help: "do not list removed files" },
    cached: { long: "--cached", help: "only remove from the index" },
    force: { short: "-f", long: "--force", help: "override the up-to-date check" },
    recursive: { short: "-r", help: "allow recursive removal" },
    ignoreUnmatch: { long: "--ignore-unmatch", help: "exit with a zero status even if nothing matched" },
    sparse: { long: "--sparse", help: "allow updating entries outside of the sparse-checkout cone" },
    ...pathspecFlags,
  },
  async run(context, { flags, args, afterDashes }) {
    const repo = await context.workTree();
    const input = await pathspecArguments(context, flags, [...args, ...(afterDashes ?? [])]);
    if (input.length === 0) throw new GitError("EINVAL", "No pathspec was given. Which files should I remove?");
    const { advice } = await remove(repo, {
      pathspec: parsePathspec(repo, input, { prefer: "cwd" }),
      cached: flags.cached,
      force: flags.force,
      recursive: flags.recursive,
      dryRun: flags.dryRun,
      ignoreUnmatched: flags.ignoreUnmatch,
      skipped: flags.sparse,
      onRemove: (path) => {
        if (!flags.quiet) context.out(`rm '${path}'\n`);
      },
    });
    context.err(advice);
    return advice === "" ? 0 : 1;
  },
});
