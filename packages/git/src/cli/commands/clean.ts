/** `git clean`. */
import { GitError } from "../../errors.ts";
import { parsePathspec } from "../../pathspec/pathspec.ts";
import { type CleanAction, clean as cleanWorkTree } from "../../porcelain/clean.ts";
import { quotePath, quotesFully } from "../../text/quote-path.ts";
import { defineCommand } from "../framework/command.ts";

export const clean = defineCommand({
  name: "clean",
  usage: ["git clean [-d] [-f] [-i] [-n] [-q] [-e <pattern>] [-x | -X] [--] [<pathspec>...]"],
  flags: {
    quiet: { short: "-q", long: "--quiet", help: "do not print names of files removed" },
    dryRun: { short: "-n", long: "--dry-run", help: "dry run" },
    force: { short: "-f", long: "--force", value: "count", help: "force" },
    interactive: { short: "-i", long: "--interactive", help: "interactive cleaning" },
    directories: { short: "-d", help: "remove whole directories" },
    exclude: {
      short: "-e",
      long: "--exclude",
      value: "list",
      arg: "<pattern>",
      help: "add <pattern> to ignore rules",
    },
    ignored: { short: "-x", help: "remove ignored files, too" },
    onlyIgnored: { short: "-X", help: "remove only ignored files" },
  },
  async run(context, { flags, args, afterDashes }) {
    const repo = await context.workTree();
    if (flags.interactive)
      throw new GitError("EUNSUPPORTED", "interactive cleaning is not supported here: use -n, then -f");
    const required = repo.config.getBool("clean.requireforce");
    const force = flags.force ?? (required === false ? 1 : 0);
    const dryRun = flags.dryRun ?? false;
    if (!dryRun && force === 0) {
      const reason = required === undefined ? "defaults to true" : "set to true";
      throw new GitError("EINVAL", `clean.requireForce ${reason} and neither -i, -n, nor -f given; refusing to clean`);
    }
    if (flags.ignored && flags.onlyIgnored) throw new GitError("EINVAL", "-x and -X cannot be used together");
    const input = [...args, ...(afterDashes ?? [])];
    const actions = await cleanWorkTree(repo, {
      pathspec: parsePathspec(repo, input, { prefer: "cwd" }),
      directories: flags.directories || input.length > 0,
      ignored: flags.ignored ? "also" : flags.onlyIgnored ? "only" : "keep",
      exclude: flags.exclude ?? [],
      dryRun,
      repositories: force > 1,
    });
    const full = quotesFully(repo.config);
    for (const action of actions) {
      if (action.kind === "failed") context.err(`warning: failed to remove ${quotePath(action.path, { full })}\n`);
      else if (!flags.quiet || action.kind === "refused") context.out(formatCleanAction(action, dryRun, full));
    }
    return actions.some(({ kind }) => kind === "failed") ? 1 : 0;
  },
});

function formatCleanAction(action: CleanAction, dryRun: boolean, full: boolean): string {
  if (action.kind === "refused") return `${dryRun ? "Would refuse" : "Refusing"} to remove current working directory\n`;
  const verbs =
    action.kind === "removed" ? ["Removing", "Would remove"] : ["Skipping repository", "Would skip repository"];
  return `${verbs[dryRun ? 1 : 0]} ${quotePath(action.path, { full })}\n`;
}
