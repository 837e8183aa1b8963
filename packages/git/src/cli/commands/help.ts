/** `git help`: there are no manual pages here, so a command's help is its usage, generated from its flag table. */
import { GitError } from "../../errors.ts";
import { type Command, defineCommand } from "../framework/command.ts";
import { COMMON_COMMANDS, GIT_USAGE } from "../framework/help-text.ts";
import { usageText } from "../framework/usage-text.ts";

/** Receives the registry as an argument, since the registry imports this file. */
export const createHelp = (registry: () => Readonly<Record<string, Command>>) =>
  defineCommand({
    name: "help",
    usage: ["git help [-a|--all] [--[no-]verbose]", "git help [<command>]"],
    flags: {
      all: { long: "--all", short: "-a", help: "print all available commands" },
      verbose: { long: "--verbose", short: "-v", help: "print command description", hidden: true },
    },
    async run(context, { flags, args }) {
      if (flags.all) {
        context.out(`${Object.keys(registry()).sort().join("\n")}\n`);
        return 0;
      }
      const name = args[0]?.replace(/^git-/, () => "");
      if (name === undefined) {
        context.out(`${GIT_USAGE}${COMMON_COMMANDS}`);
        return 0;
      }
      const command = Object.hasOwn(registry(), name) ? registry()[name] : undefined;
      if (command === undefined)
        throw new GitError("ENOTFOUND", `No manual entry for git${name}`, { prefix: "", exitCode: 16 });
      context.out(usageText(command));
      return 0;
    },
  });
