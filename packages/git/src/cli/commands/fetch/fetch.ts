/** `git fetch`. */
import { defineCommand } from "../../framework/command.ts";
import { fetchAndPrint } from "./fetch-and-print.ts";
import { fetchArguments } from "./fetch-flags.ts";

export const fetch = defineCommand({ name: "fetch", ...fetchArguments, run: fetchAndPrint });
