/** `git diff`. */
import { defineCommand } from "../../framework/command.ts";
import { diffAndPrint, diffArguments } from "./diff-and-print.ts";

export const diff = defineCommand({ name: "diff", ...diffArguments, run: diffAndPrint });
