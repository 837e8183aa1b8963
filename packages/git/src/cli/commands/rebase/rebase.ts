/** `git rebase`. */
import { defineCommand } from "../../framework/command.ts";
import { rebaseAndPrint, rebaseArguments } from "./rebase-and-print.ts";

export const rebase = defineCommand({ name: "rebase", ...rebaseArguments, run: rebaseAndPrint });
