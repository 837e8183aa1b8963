/** `git log`. */
import { defineCommand } from "../command.ts";
import { logFlags } from "../log-flags.ts";
import { missingRevisionValue, unrecognized } from "../revision-flags.ts";
import { setUpLog, showAll } from "../run-log.ts";

export const log = defineCommand({
  name: "log",
  usage: ["git log [<options>] [<revision-range>] [[--] <path>...]", "git show [<options>] <object>..."],
  flags: logFlags,
  noAbbrev: true,
  unknownOption: unrecognized,
  missingValue: missingRevisionValue,
  async run(context, parsed) {
    const setup = await setUpLog(context, parsed);
    await showAll(setup, parsed);
    return 0;
  },
});
