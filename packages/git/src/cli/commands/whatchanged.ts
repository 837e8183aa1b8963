/** `git whatchanged`: `log` with raw diffs, without commits that have no diff. */

import { logFlags } from "../flags/log-flags.ts";
import { missingRevisionValue, unrecognized } from "../flags/revision-flags.ts";
import { defineCommand } from "../framework/command.ts";
import { setUpLog, showAll } from "./log/run-log.ts";

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
