/** `git branch`: selects the requested action. */
import { GitError } from "../../../errors.ts";
import { currentBranch } from "../../../porcelain/branch/branch-names.ts";
import { createBranch } from "../../../porcelain/branch/create-branch.ts";
import { deleteBranch } from "../../../porcelain/branch/delete-branch.ts";
import { renameBranch } from "../../../porcelain/branch/rename-branch.ts";
import type { TrackMode } from "../../../porcelain/branch/track-branch.ts";
import type { Repository } from "../../../repository.ts";
import { listFilterFlags } from "../../flags/ref-filter-flags.ts";
import { type CommandContext, defineCommand } from "../../framework/command.ts";
import { usageText } from "../../framework/usage-text.ts";
import { listBranches } from "./list.ts";
import { setUpstream, unsetUpstream } from "./upstream.ts";

export const branchFlags = {
  verbose: {
    short: "-v",
    long: "--verbose",
    value: "count",
    help: "show hash and subject, give twice for upstream branch",
  },
  quiet: { short: "-q", long: "--quiet", help: "suppress informational messages" },
  track: {
    short: "-t",
    long: "--track",
    value: "optional",
    arg: "(direct|inherit)",
    help: "set branch tracking configuration",
  },
  setUpstreamTo: {
    short: "-u",
    long: "--set-upstream-to",
    value: "string",
    arg: "<upstream>",
    help: "change the upstream info",
  },
  unsetUpstream: { long: "--unset-upstream", help: "unset the upstream info" },
  color: { long: "--color", value: "optional", arg: "<when>", help: "use colored output" },
  remotes: { short: "-r", long: "--remotes", noNegation: true, help: "act on remote-tracking branches" },
  ...listFilterFlags,
  abbrev: { long: "--abbrev", value: "optional", arg: "<n>", help: "use <n> digits to display object names" },
  all: {
    short: "-a",
    long: "--all",

    noNegation: true,
    help: "list both remote-tracking and local branches",
  },
  delete: { short: "-d", long: "--delete", help: "delete fully merged branch" },
  deleteForce: { short: "-D", help: "delete branch (even if not merged)" },
  move: { short: "-m", long: "--move", help: "move/rename a branch and its reflog" },
  moveForce: { short: "-M", help: "move/rename a branch, even if target exists" },
  copy: { short: "-c", long: "--copy", help: "copy a branch and its reflog" },
  copyForce: { short: "-C", help: "copy a branch, even if target exists" },
  list: { short: "-l", long: "--list", help: "list branch names" },
  showCurrent: { long: "--show-current", help: "show current branch name" },
  createReflog: { long: "--create-reflog", help: "create the branch's reflog" },
  editDescription: { long: "--edit-description", help: "edit the description for the branch" },
  force: { short: "-f", long: "--force", help: "force creation, move/rename, deletion" },
  ignoreCase: { short: "-i", long: "--ignore-case", help: "sorting and filtering are case insensitive" },
  column: { long: "--column", value: "optional", arg: "<style>", help: "list branches in columns" },
  sort: { long: "--sort", value: "list", arg: "<key>", help: "field name to sort on" },
  recurseSubmodules: { long: "--recurse-submodules", help: "recurse through submodules" },
  format: { long: "--format", value: "string", arg: "<format>", help: "format to use for the output" },
} as const;

export const branch = defineCommand({
  name: "branch",
  usage: [
    "git branch [<options>] [-r | -a] [--merged] [--no-merged]",
    "git branch [<options>] [-f] [--recurse-submodules] <branch-name> [<start-point>]",
    "git branch [<options>] [-l] [<pattern>...]",
    "git branch [<options>] [-r] (-d | -D) <branch-name>...",
    "git branch [<options>] (-m | -M) [<old-branch>] <new-branch>",
    "git branch [<options>] (-c | -C) [<old-branch>] <new-branch>",
    "git branch [<options>] [-r | -a] [--points-at]",
    "git branch [<options>] [-r | -a] [--format]",
  ],
  flags: branchFlags,
  async run(context, { flags, args, afterDashes }) {
    const words = [...args, ...(afterDashes ?? [])];
    const repo = await context.repository();
    const deletes = flags.delete || flags.deleteForce;
    const moves = flags.move || flags.moveForce;
    const copies = flags.copy || flags.copyForce;
    const filters = ["contains", "with", "noContains", "without", "merged", "noMerged", "pointsAt"] as const;
    const isAction =
      deletes ||
      moves ||
      copies ||
      flags.setUpstreamTo ||
      flags.showCurrent ||
      flags.editDescription ||
      flags.unsetUpstream;
    const limited = filters.some((name) => flags[name]?.length);
    const lists = flags.list || limited || (!isAction && words.length === 0);
    const actions = [
      deletes,
      moves,
      copies,
      flags.setUpstreamTo,
      flags.showCurrent,
      lists,
      flags.editDescription,
      flags.unsetUpstream,
    ];
    const usage = () => new GitError("EUSAGE", "", { prefix: "", hint: usageText(branch) });
    if (actions.filter(Boolean).length > 1) throw usage();
    if (deletes) return deleteBranches(context, repo, words, flags);
    if (flags.showCurrent) {
      const name = await currentBranch(repo);
      if (name !== null) context.out(`${name}\n`);
      return 0;
    }
    if (lists) {
      if (flags.color && flags.color !== true && !["always", "auto", "never"].includes(flags.color)) {
        throw new GitError("EUSAGE", 'option `color\' expects "always", "auto", or "never"');
      }
      return listBranches(context, repo, flags, words);
    }
    if (flags.editDescription) {
      throw new GitError("EUNSUPPORTED", "there is no editor here; use 'git config branch.<name>.description <text>'");
    }
    if (moves || copies) {
      if (words.length === 0) throw new GitError("EINVAL", "branch name required");
      if (words.length > 2)
        throw new GitError("EINVAL", `too many arguments for a ${moves ? "rename" : "copy"} operation`);
      const [from, to] = words.length === 1 ? [null, words[0] as string] : (words as [string, string]);
      const force = Boolean(flags.moveForce || flags.copyForce || flags.force);
      await renameBranch(repo, { from, to, force, copy: Boolean(copies) });
      return 0;
    }
    if (flags.setUpstreamTo) return setUpstream(context, repo, flags.setUpstreamTo, words, flags.quiet ?? false);
    if (flags.unsetUpstream) return unsetUpstream(repo, words);
    if (words.length === 0 || words.length > 2) throw usage();
    if (flags.all || flags.remotes) {
      throw new GitError(
        "EINVAL",
        "The -a, and -r, options to 'git branch' do not take a branch name.\nDid you mean to use: -a|-r --list <pattern>?",
      );
    }
    const track = trackMode(flags.track);
    const created = await createBranch(repo, {
      name: words[0] as string,
      start: words[1] ?? (await currentBranch(repo)) ?? "HEAD",
      force: flags.force,
      ...(track === undefined ? {} : { track }),
      quiet: flags.quiet,
      createReflog: flags.createReflog,
    });
    if (created.tracking !== null) context.out(`${created.tracking}\n`);
    return 0;
  },
});

function trackMode(value: string | boolean | undefined): TrackMode | undefined {
  if (value === undefined) return undefined;
  if (value === false) return "never";
  if (value === true || value === "direct") return "explicit";
  if (value === "inherit") return "inherit";
  throw new GitError("EUSAGE", 'option `--track\' expects "direct" or "inherit"');
}

async function deleteBranches(
  context: CommandContext,
  repo: Repository,
  names: readonly string[],
  flags: { deleteForce?: boolean; force?: boolean; remotes?: boolean; quiet?: boolean },
): Promise<number> {
  if (names.length === 0) throw new GitError("EINVAL", "branch name required");
  let failed = 0;
  for (const name of names) {
    const force = Boolean(flags.deleteForce || flags.force);
    const result = await deleteBranch(repo, name, { force, remote: flags.remotes ?? false });
    if (result.warning !== undefined) context.err(`warning: ${result.warning}\n`);
    if ("error" in result) {
      context.err(`error: ${result.error}\n`);
      failed = 1;
    } else if (!flags.quiet) {
      const what = flags.remotes ? "remote-tracking branch" : "branch";
      const was = result.symbolic ?? (result.oid === null ? "broken" : await repo.odb.abbreviate(result.oid));
      context.out(`Deleted ${what} ${result.name} (was ${was}).\n`);
    }
  }
  return failed;
}
