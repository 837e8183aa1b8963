/** `git revert`. */
import { defineCommand } from "../../framework/command.ts";
import { usageText } from "../../framework/usage-text.ts";
import { pickFlags, runPick } from "./pick-command.ts";

export const revert = defineCommand({
  name: "revert",
  usage: [
    "git revert [--[no-]edit] [-n] [-m <parent-number>] [-s] [-S[<keyid>]] <commit>...",
    "git revert (--continue | --skip | --abort | --quit)",
  ],
  flags: {
    ...pickFlags,
    reference: { long: "--reference", help: "use the 'reference' format to refer to commits" },
  },
  keepUnknownOptions: true,
  async run(context, parsed): Promise<number> {
    const { config } = await context.repository();
    const reference = parsed.flags.reference ?? config.getBool("revert.reference") ?? false;
    return runPick(context, () => usageText(revert), "revert", parsed as never, { reference });
  },
});
