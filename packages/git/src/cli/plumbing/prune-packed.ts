/** `git prune-packed`. */
import { prunePacked as remove } from "../../porcelain/maintenance/prune.ts";
import { defineCommand } from "../framework/command.ts";

export const prunePacked = defineCommand({
  name: "prune-packed",
  usage: ["git prune-packed [-n | --dry-run] [-q | --quiet]"],
  flags: {
    dryRun: { short: "-n", long: "--dry-run", help: "dry run" },
    quiet: { short: "-q", long: "--quiet", help: "be quiet" },
  },
  async run(context, { flags }) {
    const repo = await context.repository();
    const pruned = await remove(repo, flags.dryRun === true);
    const displayed = (path: string) => `${repo.displayGitDir ?? repo.gitDir}${path.slice(repo.gitDir.length)}`;
    if (flags.dryRun) for (const { path } of pruned) context.out(`rm -f ${displayed(path)}\n`);
    return 0;
  },
});
