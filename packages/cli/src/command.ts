/** A command: its tables and its function. It returns its exit code and throws only errors that `main` can report. */
import type { Api } from "./client/api.ts";
import type { Settings } from "./config/settings.ts";
import type { FlagTable, FlagValues, Operand } from "./flags/flag-table.ts";
import type { Io } from "./io.ts";

export interface Command<Flags extends FlagTable = FlagTable> {
  readonly name: string;
  readonly summary: string;
  readonly flags: Flags;
  readonly operands: readonly Operand[];
  /** Words of another program, which are not our flags: all, or those from the first operand on. */
  readonly passThrough?: "all" | "from-operand";
  /** The exit code of our own failures, where 1 has another meaning. */
  readonly errorExitCode?: number;
  readonly notes?: string;
  readonly examples: readonly string[];
  run(context: CommandContext, input: CommandInput<Flags>): Promise<number>;
}

export interface CommandInput<Flags extends FlagTable> {
  readonly flags: FlagValues<Flags>;
  readonly operands: readonly string[];
}

export interface CommandContext {
  readonly io: Io;
  readonly settings: Settings;
  /** For the server and workspace of the settings. */
  readonly api: Api;
  readonly json: boolean;
  readonly quiet: boolean;
}

/** Keeps the flags' own types inside the command's file. */
export function defineCommand<const Flags extends FlagTable>(command: Command<Flags>): Command {
  return command as unknown as Command;
}
