/** `git revert`. */
import { defineCommand } from "../command.ts";
import { usageText } from "../usage-text.ts";
import { pickFlags, runPick } from "./pick-command.ts";

export const revert = defineCommand({
  name: "revert",
  usage: [
    "git revert [--[no-]edit] [-n] [-m <parent-number>] [-s] [-S[<keyid>]] <commit>...",
    "git revert (--continue | --skip | --abort | --quit)",
  ],
  flags: pickFlags,
  keepsUnknown: true,
  async run(context, parsed): Promise<number> {
    return runPick(context, () => usageText(revert), "revert", parsed, {});
  },
});
