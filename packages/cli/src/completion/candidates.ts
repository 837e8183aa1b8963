/**
 * The completions at the cursor, from the tables that also parse. The preceding words decide: a command's name, a flag, a flag's
 * value, or an operand of some kind; workspace paths come from the server.
 */
import type { Command } from "../command.ts";
import { type Flag, type FlagTable, globalFlags, type OperandKind } from "../flags/flag-table.ts";

export interface CompletionRequest {
  /** The kind of flag value or operand, for kinds that only a server or the machine knows. */
  readonly kind: OperandKind | "file" | null;
  /** Candidates known without a server. */
  readonly words: readonly string[];
  /** The part of the value typed so far. */
  readonly prefix: string;
  /** The part of the word before the value: "--cwd=". */
  readonly before: string;
}

/** `words` are those before the cursor, without "wsx"; the last one is incomplete and may be empty. */
export function completionAt(commands: readonly Command[], words: readonly string[]): CompletionRequest {
  const current = words.at(-1) ?? "";
  const past = words.slice(0, -1);
  const named = commandIn(commands, past);
  const table: FlagTable = named === null ? globalFlags : { ...globalFlags, ...named.command.flags };
  const awaiting = flagAwaiting(table, past.at(-1));
  if (awaiting !== null) return flagValueAt(awaiting, current, "");
  const inline = /^(--[a-z-]+)=(.*)$/s.exec(current);
  if (inline !== null) {
    const flag = Object.values(table).find(({ long }) => long === inline[1]);
    return flag === undefined ? nothing(current) : flagValueAt(flag, inline[2] ?? "", `${inline[1]}=`);
  }
  const { passThrough } = named?.command ?? {};
  const passing =
    passThrough === "all" || (passThrough === "from-operand" && operandsIn(table, named?.rest ?? []).length > 0);
  if (current.startsWith("-") && !passing) {
    const flags = Object.values(table).flatMap(({ long, short }) => (short === undefined ? [long] : [long, short]));
    return { kind: null, words: flags.filter((flag) => flag.startsWith(current)), prefix: current, before: "" };
  }
  if (named === null) {
    return {
      kind: null,
      words: commands.map(({ name }) => name).filter((name) => name.startsWith(current)),
      prefix: current,
      before: "",
    };
  }
  const { operands } = named.command;
  const at = operandsIn(table, named.rest).length;
  const operand = operands[at] ?? (operands.at(-1)?.many ? operands.at(-1) : undefined);
  if (operand === undefined) return nothing(current);
  const fixed =
    operand.kind === "shell" ? ["bash", "zsh"] : operand.kind === "command" ? commands.map(({ name }) => name) : [];
  return { kind: operand.kind, words: fixed.filter((word) => word.startsWith(current)), prefix: current, before: "" };
}

function nothing(prefix: string): CompletionRequest {
  return { kind: null, words: [], prefix, before: "" };
}

function flagValueAt(flag: Flag, prefix: string, before: string): CompletionRequest {
  const words = (flag.choices ?? []).filter((choice) => choice.startsWith(prefix));
  const kind =
    flag.arg === "<path>"
      ? "remote-path"
      : flag.arg === "<file>"
        ? "file"
        : flag === globalFlags.workspace
          ? "workspace"
          : null;
  return { kind, words, prefix, before };
}

function commandIn(commands: readonly Command[], past: readonly string[]): { command: Command; rest: string[] } | null {
  for (let at = 0; at < past.length; at++) {
    const word = past[at] as string;
    if (flagAwaiting(globalFlags, word) !== null) at++;
    else if (!word.startsWith("-")) {
      const command = commands.find(({ name }) => name === word);
      return command === undefined ? null : { command, rest: past.slice(at + 1) };
    }
  }
  return null;
}

function operandsIn(table: FlagTable, words: readonly string[]): string[] {
  const operands: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as string;
    if (flagAwaiting(table, word) !== null) at++;
    else if (!word.startsWith("-") || word === "-") operands.push(word);
  }
  return operands;
}

/** The flag that needs a value after this word; null if none does. */
function flagAwaiting(table: FlagTable, word: string | undefined): Flag | null {
  return (
    Object.values(table).find(
      ({ long, short, value }) => value !== "none" && (word === long || (short !== undefined && word === short)),
    ) ?? null
  );
}
