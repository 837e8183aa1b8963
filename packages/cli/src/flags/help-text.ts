/** Generates help from the tables: for one command, and for all of them. */
import type { Command } from "../command.ts";
import { type Flag, type FlagTable, globalFlags, type Operand } from "./flag-table.ts";

const INDENT = "  ";
const GAP = 2;

export function commandHelp(command: Command): string {
  const parts = [`${command.summary}\n`, `usage: ${usageLine(command)}\n`];
  if (Object.keys(command.flags).length > 0) parts.push(`flags:\n${flagLines(command.flags)}`);
  parts.push(`for every command:\n${flagLines(globalFlags)}`);
  if (command.notes !== undefined) parts.push(`${command.notes}\n`);
  if (command.examples.length > 0)
    parts.push(`examples:\n${command.examples.map((line) => `${INDENT}${line}\n`).join("")}`);
  return parts.join("\n");
}

export function generalHelp(commands: readonly Command[]): string {
  const names = columns(commands.map((command) => [command.name, command.summary]));
  return `wsx: workspaces from the command line

usage: wsx [flags] <command> …

commands:
${names}
flags:
${flagLines(globalFlags)}
Paths are relative to the workspace's root, /workspace. \`wsx <command> --help\` says more.
The server is --url, WSX_URL, the one of \`wsx login\`, or http://127.0.0.1:8787; the workspace --workspace, WSX_WORKSPACE,
the one of \`wsx login\`, or "demo"; the token WSX_TOKEN or the one of \`wsx login\`.

exit codes: 0 done, 1 refused or failed, 2 a mistake on the command line, 69 the server cannot be reached; grep: 1 nothing
found, 2 failed; exec and git: the command's own, 125 when it could not be run.
`;
}

export function usageLine({ name, flags, operands }: Command): string {
  const words = Object.keys(flags).length === 0 ? [] : ["[flags]"];
  return ["wsx", name, ...words, ...operands.map(operandWord)].join(" ");
}

function operandWord({ name, optional, many }: Operand): string {
  const word = `<${name}>${many ? "…" : ""}`;
  return optional ? `[${word}]` : word;
}

export function flagWords(flag: Flag): string {
  const value =
    flag.value === "none" ? "" : ` ${flag.arg ?? (flag.choices ? `<${flag.choices.join("|")}>` : "<value>")}`;
  return `${flag.short ? `${flag.short}, ` : ""}${flag.long}${value}`;
}

function flagLines(flags: FlagTable): string {
  return columns(Object.values(flags).map((flag) => [flagWords(flag), flag.help]));
}

function columns(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length)) + GAP;
  return rows.map(([left, right]) => `${INDENT}${left.padEnd(width)}${right}\n`).join("");
}
