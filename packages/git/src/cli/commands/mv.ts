/** `git mv` */
import { GitError } from "../../errors.ts";
import { move } from "../../porcelain/move/move.ts";
import { defineCommand } from "../framework/command.ts";
import { usageText } from "../framework/usage-text.ts";

export const mv = defineCommand({
  name: "mv",
  usage: ["git mv [<options>] <source>... <destination>"],
  flags: {
    verbose: { short: "-v", long: "--verbose", help: "be verbose" },
    dryRun: { short: "-n", long: "--dry-run", help: "dry run" },
    force: { short: "-f", long: "--force", help: "force move/rename even if target exists" },
    skip: { short: "-k", help: "skip move/rename errors" },
    sparse: { long: "--sparse", help: "allow updating entries outside of the sparse-checkout cone" },
  },
  async run(context, { flags, args, afterDashes }) {
    const repo = await context.workTree();
    const paths = [...args, ...(afterDashes ?? [])];
    if (paths.length < 2) throw new GitError("EUSAGE", "", { hint: usageText(mv) });
    await move(repo, {
      sources: paths.slice(0, -1),
      destination: paths.at(-1) as string,
      force: flags.force,
      skipErrors: flags.skip,
      dryRun: flags.dryRun,
      report({ kind, from, to }) {
        if (kind === "check" && flags.dryRun) context.out(`Checking rename of '${from}' to '${to}'\n`);
        if (kind === "overwrite" && flags.verbose) repo.warn?.(`overwriting '${to}'`);
        if (kind === "rename" && (flags.dryRun || flags.verbose)) context.out(`Renaming ${from} to ${to}\n`);
      },
    });
    return 0;
  },
});
