/**
 * Parses argv by a table of flags. Long flags take `--x v` or `--x=v`; short flags take `-xv` or `-x v` and may be bundled (`-il`);
 * `--` ends the flags. Flags may follow operands unless the command passes its operands on (`exec`, `git`). Anything unknown is an
 * error, so a mistyped flag is never an operand.
 */

import type { Flag, FlagTable, FlagValues } from "./flag-table.ts";
import { UsageError } from "./usage-error.ts";

export interface ParsedFlags<Flags extends FlagTable> {
  readonly flags: FlagValues<Flags>;
  readonly operands: readonly string[];
}

export interface ParseOptions {
  /** The first operand ends the flags, and all following words are operands. */
  readonly stopAtOperand?: boolean;
}

type Values = Record<string, string | number | boolean | string[]>;

export function parseFlags<Flags extends FlagTable>(
  table: Flags,
  argv: readonly string[],
  { stopAtOperand = false }: ParseOptions = {},
): ParsedFlags<Flags> {
  const values: Values = {};
  const operands: string[] = [];
  const rest = [...argv];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === "--") {
      operands.push(...rest);
      break;
    }
    if (word.startsWith("--")) takeLong(table, word, rest, values);
    else if (word.startsWith("-") && word !== "-") takeShort(table, word, rest, values);
    else {
      operands.push(word);
      if (!stopAtOperand) continue;
      operands.push(...rest);
      break;
    }
  }
  return { flags: values as FlagValues<Flags>, operands };
}

function takeLong(table: FlagTable, word: string, rest: string[], values: Values): void {
  const equals = word.indexOf("=");
  const long = equals === -1 ? word : word.slice(0, equals);
  const attached = equals === -1 ? undefined : word.slice(equals + 1);
  const found = Object.entries(table).find(([, flag]) => flag.long === long);
  if (found === undefined) throw new UsageError(`unknown flag ${long}${nearest(table, long)}`);
  const [name, flag] = found;
  if (flag.value === "none") {
    if (attached !== undefined) throw new UsageError(`${long} takes no value`);
    values[name] = true;
    return;
  }
  keep(values, name, flag, attached ?? following(long, rest));
}

function takeShort(table: FlagTable, word: string, rest: string[], values: Values): void {
  for (let at = 1; at < word.length; at++) {
    const short = `-${word[at]}`;
    const found = Object.entries(table).find(([, flag]) => flag.short === short);
    if (found === undefined) throw new UsageError(`unknown flag ${short}${word.length > 2 ? ` in ${word}` : ""}`);
    const [name, flag] = found;
    if (flag.value !== "none") {
      const attached = word.slice(at + 1);
      return keep(values, name, flag, attached === "" ? following(short, rest) : attached);
    }
    values[name] = true;
  }
}

function following(flag: string, rest: string[]): string {
  const value = rest.shift();
  if (value === undefined) throw new UsageError(`${flag} needs a value`);
  return value;
}

function keep(values: Values, name: string, flag: Flag, value: string): void {
  if (flag.value === "list") {
    values[name] = [...((values[name] as string[] | undefined) ?? []), value];
    return;
  }
  if (name in values) throw new UsageError(`${flag.long} comes twice`);
  if (flag.choices !== undefined && !flag.choices.includes(value)) {
    throw new UsageError(`${flag.long} is one of ${flag.choices.join(", ")}, not "${value}"`);
  }
  values[name] = flag.value === "number" ? parseNumberFlag(flag, value) : value;
}

function parseNumberFlag(flag: Flag, value: string): number {
  if (!/^\d{1,12}(?:\.\d{1,6})?$/.test(value)) throw new UsageError(`${flag.long} needs a number, not "${value}"`);
  return Number(value);
}

/** The flag that was probably meant: an edit distance of at most two. */
function nearest(table: FlagTable, long: string): string {
  const [best] = Object.values(table)
    .map((flag) => ({ flag, away: distance(flag.long, long) }))
    .sort((a, b) => a.away - b.away);
  return best !== undefined && best.away <= 2 ? ` (did you mean ${best.flag.long}?)` : "";
}

/** Edit distance: letters to insert, remove or replace. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    row = next;
  }
  return row[b.length] as number;
}
