/** Parses the whole argv: global flags before or after the command's name, its own flags and operands after it. */
import type { Command } from "./command.ts";
import { type FlagTable, type FlagValues, type GlobalFlags, globalFlags } from "./flags/flag-table.ts";
import { parseFlags } from "./flags/parse-flags.ts";
import { UsageError } from "./flags/usage-error.ts";

export interface CommandLine {
  /** Null: no command given. */
  readonly command: Command | null;
  readonly globals: GlobalFlags;
  readonly flags: FlagValues<FlagTable>;
  readonly operands: readonly string[];
}

/** `found` is called as soon as the command is known: errors after its name are reported with its usage. */
export function parseCommandLine(
  argv: readonly string[],
  find: (name: string) => Command,
  found: (command: Command) => void = () => {},
): CommandLine {
  const { flags: before, operands } = parseFlags(globalFlags, argv, { stopAtOperand: true });
  const [name, ...rest] = operands;
  if (name === undefined) return { command: null, globals: before, flags: {}, operands: [] };
  const command = find(name);
  found(command);
  const table: FlagTable = { ...globalFlags, ...command.flags };
  const parsed =
    command.passThrough === "all"
      ? { flags: {}, operands: rest }
      : parseFlags(table, rest, { stopAtOperand: command.passThrough === "from-operand" });
  const globals = { ...before, ...only(globalFlags, parsed.flags) } as GlobalFlags;
  if (!globals.help && !globals.version) countOperands(command, parsed.operands);
  return { command, globals, flags: only(command.flags, parsed.flags), operands: parsed.operands };
}

/** The values whose flags are in the table: a command gets only its own. */
function only(table: FlagTable, values: FlagValues<FlagTable>): FlagValues<FlagTable> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => Object.hasOwn(table, name)));
}

function countOperands({ operands }: Command, given: readonly string[]): void {
  const min = operands.filter((operand) => !operand.optional).length;
  const max = operands.at(-1)?.many ? Number.POSITIVE_INFINITY : operands.length;
  if (given.length < min) throw new UsageError(`<${operands[given.length]?.name}> is missing`);
  if (given.length > max) throw new UsageError(`there is no place for "${given[max]}"`);
}
