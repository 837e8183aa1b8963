/** `git stash`: the first argument selects the subcommand; without one, options are those of push. */
import { GitError } from "../../../errors.ts";
import { NeedsMerge } from "../../../porcelain/stash/create-stash.ts";
import { type CommandContext, defineCommand } from "../../framework/command.ts";
import { applyCommand, applyTable, branchCommand, popCommand, popTable } from "./apply.ts";
import { clearCommand, dropCommand, dropTable, listCommand, showCommand, storeCommand, storeTable } from "./list.ts";
import { createCommand, pushCommand, pushTable, saveCommand, saveTable } from "./push.ts";

const COMMANDS: Readonly<Record<string, (context: CommandContext, argv: readonly string[]) => Promise<number>>> = {
  apply: applyCommand,
  branch: branchCommand,
  clear: clearCommand,
  create: createCommand,
  drop: dropCommand,
  list: listCommand,
  pop: popCommand,
  push: pushCommand,
  save: saveCommand,
  show: showCommand,
  store: storeCommand,
};

export const stash = defineCommand({
  name: "stash",
  usage: [
    "git stash list [<log-options>]",
    "git stash show [-u | --include-untracked | --only-untracked] [<diff-options>] [<stash>]",
    "git stash drop [-q | --quiet] [<stash>]",
    "git stash pop [--index] [-q | --quiet] [<stash>]",
    "git stash apply [--index] [-q | --quiet] [<stash>]",
    "git stash branch <branchname> [<stash>]",
    "git stash [push [-k | --[no-]keep-index] [-S | --staged] [-q | --quiet]\n                 [-u | --include-untracked] [-a | --all] [(-m | --message) <message>]\n                 [--] [<pathspec>...]]",
    "git stash save [-k | --[no-]keep-index] [-S | --staged] [-q | --quiet]\n                 [-u | --include-untracked] [-a | --all] [<message>]",
    "git stash clear",
    "git stash create [<message>]",
    "git stash store [(-m | --message) <message>] [-q | --quiet] <commit>",
  ],
  flags: {},
  subcommands: {
    apply: applyTable,
    drop: dropTable,
    pop: popTable,
    push: pushTable,
    save: saveTable,
    store: storeTable,
  },
  keepUnknownOptions: true,
  async run(context, { args, afterDashes }) {
    const argv = afterDashes === null ? args : [...args, "--", ...afterDashes];
    const [first = ""] = argv;
    try {
      if (Object.hasOwn(COMMANDS, first)) return (await COMMANDS[first]?.(context, argv.slice(1))) as number;
      refuseUnknown(first);
      return await pushCommand(context, argv, { assumed: true });
    } catch (error) {
      if (!(error instanceof NeedsMerge)) throw error;
      context.out(error.lines);
      return 1;
    }
  },
});

function refuseUnknown(first: string): void {
  if (first === "" || first.startsWith("-")) return;
  throw new GitError(
    "EINVAL",
    `subcommand wasn't specified; 'push' can't be assumed due to unexpected token '${first}'`,
  );
}
