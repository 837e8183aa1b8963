/** `git show`. */
import { defineCommand } from "../../framework/command.ts";
import { logTable } from "./run-log.ts";
import { showObjects } from "./show-objects.ts";

export const show = defineCommand({ name: "show", ...logTable, run: showObjects });
