/** The options of a call, checked against the table of its verb: `packages/protocol/src/options`. */
import { expandOptions, VERB_OPTIONS, type VerbWithOptions } from "@workspace/protocol";
import { checkOptions } from "./check-options.ts";

/** As an object, after checking that each is known. */
export function optionsOf<T extends object>(verb: VerbWithOptions, given: unknown, path?: unknown): Partial<T> {
  if (given === undefined || given === null) return {};
  const syscall = verb.slice(verb.lastIndexOf(".") + 1);
  return checkOptions(VERB_OPTIONS[verb], expandOptions(verb, given), { syscall, path });
}
