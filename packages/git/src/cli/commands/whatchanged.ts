/** `git whatchanged`: `log` with raw diffs, without commits that have no diff. */
import { defineCommand } from "../command.ts";
import { logFlags } from "../log-flags.ts";
import { missingRevisionValue, unrecognized } from "../revision-flags.ts";
import { setUpLog, showAll } from "../run-log.ts";

export const whatchanged = defineCommand({
  name: "whatchanged",
  usage: ["git log [<options>] [<revision-range>] [[--] <path>...]", "git show [<options>] <object>..."],
  flags: logFlags,
  noAbbrev: true,
  unknownOption: unrecognized,
  missingValue: missingRevisionValue,
  async run(context, parsed) {
    await showAll(
      await setUpLog(context, parsed, { fullHistory: true, diff: { format: "raw", onlyWithDiff: true } }),
      parsed,
    );
    return 0;
  },
});
