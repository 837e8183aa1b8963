/** `(argv, io) => exit code`: finds the command, parses by its table, runs it, and reports errors on stderr. */
import { version } from "../package.json";
import { Api } from "./client/api.ts";
import type { Command, CommandContext } from "./command.ts";
import { loadSettings } from "./config/settings.ts";
import type { GlobalFlags } from "./flags/flag-table.ts";
import { commandHelp, generalHelp, usageLine } from "./flags/help-text.ts";
import { UsageError } from "./flags/usage-error.ts";
import { formatError } from "./format/format-error.ts";
import type { Io } from "./io.ts";
import { parseCommandLine } from "./parse-command-line.ts";
import { commands, findCommand } from "./registry.ts";

export async function main(argv: readonly string[], io: Io): Promise<number> {
  let named: Command | undefined;
  // Detected before parsing, because parsing itself may fail.
  let json = argv.includes("--json");
  try {
    const line = parseCommandLine(argv, findCommand, (command) => {
      named = command;
    });
    const { command, globals, flags, operands } = line;
    json = globals.json === true;
    if (globals.version) return await say(io, json ? `${JSON.stringify({ version })}\n` : `wsx ${version}\n`);
    if (globals.help) {
      const help = command === null ? generalHelp(commands) : commandHelp(command);
      return await say(io, json ? `${JSON.stringify({ help })}\n` : help);
    }
    if (command === null) throw new UsageError("no command given");
    return await command.run(await contextOf(io, globals), { flags, operands });
  } catch (error) {
    const { text, exitCode } = formatError(error, { json, errorExitCode: named?.errorExitCode });
    const usage = named ? usageLine(named) : "wsx <command> …, or wsx --help";
    await io.err(error instanceof UsageError && !json ? `${text}usage: ${usage}\n` : text);
    return exitCode;
  }
}

async function contextOf(io: Io, flags: GlobalFlags): Promise<CommandContext> {
  const settings = await loadSettings(io.env, flags);
  return { io, settings, api: new Api(io, settings), json: flags.json === true, quiet: flags.quiet === true };
}

async function say(io: Io, text: string): Promise<number> {
  await io.out(text);
  return 0;
}
