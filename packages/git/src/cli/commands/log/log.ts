/** `git log`. */

import { logFlags } from "../../flags/log-flags.ts";
import { missingRevisionValue, unrecognized } from "../../flags/revision-flags.ts";
import { defineCommand } from "../../framework/command.ts";
import { setUpLog, showAll } from "./run-log.ts";

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
