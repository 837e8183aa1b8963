/** `git log`. */
import { defineCommand } from "../../framework/command.ts";
import { logTable, printLog } from "./run-log.ts";

export const log = defineCommand({ name: "log", ...logTable, run: printLog });
