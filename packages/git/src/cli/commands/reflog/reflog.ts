/** `git reflog`: `show` is a form of `log -g`; the other subcommands change the files. */

import { GitError } from "../../../errors.ts";
import { isRefName } from "../../../refs/ref-name.ts";
import { type CommandContext, defineCommand } from "../../framework/command.ts";
import { parseFlags } from "../../framework/parse-flags.ts";
import { usageText } from "../../framework/usage-text.ts";
import { logTable, printLog } from "../log/run-log.ts";
import { deleteEntries, deleteTable, expireLogs, expireTable } from "./change.ts";

const SHOW = "git reflog [show] [<log-options>] [<ref>]";

export const reflog = defineCommand({
  name: "reflog",
  usage: [
    SHOW,
    "git reflog expire [--expire=<time>] [--expire-unreachable=<time>]\n                  [--rewrite] [--updateref] [--stale-fix]\n                  [--dry-run | -n] [--verbose] [--all [--single-worktree] | <refs>...]",
    "git reflog delete [--rewrite] [--updateref]\n                  [--dry-run | -n] [--verbose] <ref>@{<specifier>}...",
    "git reflog exists <ref>",
  ],
  flags: {},
  subcommands: { expire: expireTable, delete: deleteTable },
  keepUnknownOptions: true,
  async run(context, { args, afterDashes }) {
    const argv = [...args, ...(afterDashes === null ? [] : ["--", ...afterDashes])];
    const [first, ...rest] = argv;
    if (first === "expire") return expireLogs(context, rest);
    if (first === "delete") return deleteEntries(context, rest);
    if (first === "exists") return exists(context, rest);
    return show(context, first === "show" ? rest : argv);
  },
});

async function show(context: CommandContext, argv: readonly string[]): Promise<number> {
  const command = { ...logTable, usage: [SHOW] };
  // Before the user's own options, so that those win.
  return printLog(context, parseFlags(command, ["-g", "--abbrev-commit", "--pretty=oneline", ...argv]));
}

async function exists(context: CommandContext, argv: readonly string[]): Promise<number> {
  const table = { usage: ["git reflog exists <ref>"], flags: {} };
  const { args, afterDashes } = parseFlags(table, argv);
  const [name] = [...args, ...(afterDashes ?? [])];
  if (name === undefined) throw new GitError("EUSAGE", "", { prefix: "", hint: usageText(table) });
  if (!isRefName(name, { oneLevel: true })) throw new GitError("EINVAL", `invalid ref format: ${name}`);
  return (await (await context.repository()).refs.hasReflog(name)) ? 0 : 1;
}
