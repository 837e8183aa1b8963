/** `git merge`. */
import { defineCommand } from "../../framework/command.ts";
import { mergeAndPrint, mergeArguments } from "./merge-and-print.ts";

export const merge = defineCommand({ name: "merge", ...mergeArguments, run: mergeAndPrint });
