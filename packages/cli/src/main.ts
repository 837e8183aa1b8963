/** `(argv, io) => exit code`: finds the command, parses by its table, runs it, and tells what went wrong on stderr. */
import { version } from "../package.json";
import { Api } from "./client/api.ts";
import type { Command, CommandContext } from "./command.ts";
import { loadSettings } from "./config/settings.ts";
import { type FlagTable, type GlobalFlags, globalFlags } from "./flags/flag-table.ts";
import { commandHelp, generalHelp, usageLine } from "./flags/help-text.ts";
import { parseFlags } from "./flags/parse-flags.ts";
import { UsageError } from "./flags/usage-error.ts";
import { tellError } from "./format/tell-error.ts";
import type { Io } from "./io.ts";
import { commands, findCommand } from "./registry.ts";

export async function main(argv: readonly string[], io: Io): Promise<number> {
  let command: Command | undefined;
  // Known before parsing, which may be what fails.
  let json = argv.includes("--json");
  try {
    const { flags: before, operands } = parseFlags(globalFlags, argv, { stopAtOperand: true });
    const [name, ...rest] = operands;
    if (before.version) return await say(io, json, `wsx ${version}\n`, { version });
    if (name === undefined) return await noCommand(io, before);
    command = findCommand(name);
    const parsed = parseFlags({ ...globalFlags, ...command.flags } as FlagTable, rest, {
      stopAtOperand: command.passesOn,
    });
    const flags = { ...before, ...parsed.flags } as GlobalFlags;
    json = flags.json === true;
    if (flags.help) return await say(io, false, commandHelp(command), null);
    countOperands(command, parsed.operands);
    return await command.run(await contextOf(io, flags), { flags: parsed.flags as never, operands: parsed.operands });
  } catch (error) {
    const { text, exitCode } = tellError(error, { json, failureCode: command?.failureCode });
    const usage =
      error instanceof UsageError && !json
        ? `usage: ${command ? usageLine(command) : "wsx <command> …, or wsx --help"}\n`
        : "";
    await io.err(text + usage);
    return exitCode;
  }
}

async function contextOf(io: Io, flags: GlobalFlags): Promise<CommandContext> {
  const settings = await loadSettings(io.env, flags);
  return { io, settings, api: new Api(io, settings), json: flags.json === true, quiet: flags.quiet === true };
}

async function noCommand(io: Io, flags: GlobalFlags): Promise<number> {
  if (flags.help) return say(io, false, generalHelp(commands), null);
  throw new UsageError("no command given");
}

async function say(io: Io, json: boolean, text: string, data: unknown): Promise<number> {
  await io.out(json ? `${JSON.stringify(data)}\n` : text);
  return 0;
}

function countOperands({ operands }: Command, given: readonly string[]): void {
  const least = operands.filter((operand) => !operand.optional).length;
  const most = operands.at(-1)?.many ? Number.POSITIVE_INFINITY : operands.length;
  if (given.length < least) throw new UsageError(`<${operands[given.length]?.name}> is missing`);
  if (given.length > most) throw new UsageError(`there is no place for "${given[most]}"`);
}
