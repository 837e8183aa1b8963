/** Checks the options of the calls of `workspace.shell`, here and before a client sends them. */
import { checkOptions, OptionError, type OptionTable, VERB_OPTIONS } from "@workspace/protocol";
import { ShellError } from "@workspace/shell/errors";

/** The position of the options among a call's arguments. */
const CALLS: Readonly<Record<string, { table: OptionTable; at: number }>> = {
  exec: { table: VERB_OPTIONS["shell.exec"], at: 1 },
  get: { table: VERB_OPTIONS["shell.get"], at: 1 },
  list: { table: VERB_OPTIONS["shell.list"], at: 0 },
};

/** The arguments of a call, after checking its options. */
export function shellArguments(name: string, args: readonly unknown[]): unknown[] {
  const call = CALLS[name];
  if (call === undefined || args[call.at] === undefined || isTemplate(args[0])) return [...args];
  try {
    return args.with(call.at, checkOptions(call.table, args[call.at], "local"));
  } catch (error) {
    throw error instanceof OptionError ? new ShellError("EINVAL", `${error.message}, ${name}`) : error;
  }
}

/** For a tagged template, values follow, not options. */
function isTemplate(command: unknown): boolean {
  return Array.isArray(command) && "raw" in command;
}
