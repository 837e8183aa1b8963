/** The table of known hard cases. */
import { foundCases } from "./found.ts";
import type { HardCase } from "./hard-case.ts";
import { optionCases } from "./options.ts";
import { syntaxCases } from "./syntax.ts";
import { textCases } from "./text.ts";

export const hardCases: readonly HardCase[] = [...textCases, ...syntaxCases, ...optionCases, ...foundCases];
