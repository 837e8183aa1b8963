/** `stash push`, `stash save` and `stash create`. */
import { GitError } from "../../../errors.ts";
import { parsePathspec } from "../../../pathspec/pathspec.ts";
import { createStash } from "../../../porcelain/stash/create-stash.ts";
import { pushStash } from "../../../porcelain/stash/push-stash.ts";
import { pathspecArguments, pathspecFlags } from "../../flags/pathspec-arguments.ts";
import type { CommandContext } from "../../framework/command.ts";
import type { ParsedFlags } from "../../framework/flag-table.ts";
import { parseFlags } from "../../framework/parse-flags.ts";

const saveFlags = {
  keepIndex: { short: "-k", long: "--keep-index", help: "keep index" },
  staged: { short: "-S", long: "--staged", help: "stash staged changes only" },
  patch: { short: "-p", long: "--patch", help: "stash in patch mode" },
  quiet: { short: "-q", long: "--quiet", help: "quiet mode" },
  includeUntracked: {
    short: "-u",
    long: "--include-untracked",

    help: "include untracked files in stash",
  },
  all: { short: "-a", long: "--all", help: "include ignore files" },
  message: { short: "-m", long: "--message", value: "string", arg: "<message>", help: "stash message" },
} as const;

const pushFlags = { ...saveFlags, ...pathspecFlags } as const;

type SaveFlags = ParsedFlags<typeof saveFlags>["flags"];

export const pushTable = {
  usage: [
    "git stash [push [-k | --[no-]keep-index] [-S | --staged] [-q | --quiet]\n                 [-u | --include-untracked] [-a | --all] [(-m | --message) <message>]\n                 [--] [<pathspec>...]]",
  ],
  flags: pushFlags,
};

export const saveTable = {
  usage: ["git stash save [-k | --[no-]keep-index] [-q | --quiet] [-u] [-a] [<message>]"],
  flags: saveFlags,
  stopAtNonOption: true,
};

export async function pushCommand(
  context: CommandContext,
  argv: readonly string[],
  { assumed = false }: { assumed?: boolean } = {},
): Promise<number> {
  const { flags, args, afterDashes } = parseFlags(pushTable, argv);
  const [unexpected] = assumed ? args : [];
  if (unexpected !== undefined && !flags.patch)
    throw new GitError(
      "EINVAL",
      `subcommand wasn't specified; 'push' can't be assumed due to unexpected token '${unexpected}'`,
    );
  const paths = await pathspecArguments(context, flags, [...args, ...(afterDashes ?? [])]);
  return save(context, flags, paths, flags.message || "");
}

export async function saveCommand(context: CommandContext, argv: readonly string[]): Promise<number> {
  const { flags, args, afterDashes } = parseFlags(saveTable, argv);
  const words = [...args, ...(afterDashes ?? [])];
  return save(context, flags, [], words.length > 0 ? words.join(" ") : flags.message || "");
}

async function save(
  context: CommandContext,
  flags: SaveFlags,
  paths: readonly string[],
  message: string,
): Promise<number> {
  if (flags.patch) throw new GitError("EUNSUPPORTED", "interactive selection is not supported here: name the files");
  const untracked = flags.all ? "all" : flags.includeUntracked ? "yes" : "no";
  if (flags.staged && untracked !== "no")
    throw new GitError("EINVAL", "Can't use --staged and --include-untracked or --all at the same time", {
      prefix: "",
      exitCode: 1,
    });
  const repo = await context.workTree();
  const created = await pushStash(repo, {
    pathspec: parsePathspec(repo, paths),
    untracked,
    staged: flags.staged ?? false,
    message,
    quiet: flags.quiet ?? false,
    keepIndex: flags.keepIndex ?? false,
    onSaved: (text) => {
      if (!flags.quiet) context.out(`Saved working directory and index state ${text}\n`);
    },
  });
  if (created === null && !flags.quiet) context.out("No local changes to save\n");
  return 0;
}

export async function createCommand(context: CommandContext, argv: readonly string[]): Promise<number> {
  const repo = await context.workTree();
  const created = await createStash(repo, { pathspec: parsePathspec(repo, []), message: argv.join(" ") });
  if (created !== null) context.out(`${created.oid}\n`);
  return 0;
}
