/** `git status`. */
import { defineCommand } from "../../framework/command.ts";
import { printStatus, statusFlags } from "./print-status.ts";

export const status = defineCommand({
  name: "status",
  usage: ["git status [<options>] [--] [<pathspec>...]"],
  flags: statusFlags,
  run: printStatus,
});
