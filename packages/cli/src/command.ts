/** What a command is: its tables, and the work. It returns its exit code and throws only errors that `main` knows how to tell. */
import type { Api } from "./client/api.ts";
import type { Settings } from "./config/settings.ts";
import type { FlagTable, FlagValues, Operand } from "./flags/flag-table.ts";
import type { Io } from "./io.ts";

export interface Command<Flags extends FlagTable = FlagTable> {
  readonly name: string;
  readonly summary: string;
  readonly flags: Flags;
  readonly operands: readonly Operand[];
  /** What belongs to another program and is no flag of ours: all words, or those from the first operand on. */
  readonly passThrough?: "all" | "from-operand";
  /** The exit code of a failure of ours, where 1 would be taken for something else. */
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
  /** Of the settings' server and workspace. */
  readonly api: Api;
  readonly json: boolean;
  readonly quiet: boolean;
}

/** Keeps the flags' own types inside the command's file. */
export function defineCommand<const Flags extends FlagTable>(command: Command<Flags>): Command {
  return command as unknown as Command;
}
