/** Parses ripgrep's command line into flags and words. Nothing is read or searched here; errors are worded as ripgrep's. */
import { FLAGS, type Flag, type FlagName } from "./flags.ts";

export interface ParsedFlag {
  readonly flag: FlagName;
  readonly value: string;
}

export interface ParsedArgv {
  /** In order: of contradicting flags the last wins. */
  readonly given: readonly ParsedFlag[];
  readonly words: readonly string[];
}

/** An error in the command line; the message goes to stderr after "rg: ". */
export class UsageError extends Error {}

const table: Readonly<Record<string, Flag>> = FLAGS;
const byShort = new Map(Object.entries(table).flatMap(([name, { short }]) => (short ? [[short, name] as const] : [])));

export function parseArgv(argv: readonly string[]): ParsedArgv {
  const given: ParsedFlag[] = [];
  const words: string[] = [];
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i] as string;
    const next = () => {
      if (i + 1 >= argv.length) throw new UsageError(`missing value for flag ${word}`);
      return argv[++i] as string;
    };
    if (word === "--") {
      words.push(...argv.slice(i + 1));
      break;
    }
    if (word.startsWith("--")) given.push(readLong(word, next));
    else if (word.startsWith("-") && word.length > 1) given.push(...readShort(word, next));
    else words.push(word);
  }
  return { given, words };
}

function readLong(word: string, next: () => string): ParsedFlag {
  const equals = word.indexOf("=");
  const name = equals < 0 ? word.slice(2) : word.slice(2, equals);
  const flag = known(name, `--${name}`);
  if (flag.takes === undefined) {
    if (equals >= 0) throw new UsageError(`unexpected value for flag --${name}`);
    return { flag: name as FlagName, value: "" };
  }
  return { flag: name as FlagName, value: checked(flag, name, equals < 0 ? next() : word.slice(equals + 1)) };
}

/** `-inA3` is three flags, the last with a value. */
function readShort(word: string, next: () => string): ParsedFlag[] {
  const given: ParsedFlag[] = [];
  for (let i = 1; i < word.length; i++) {
    const short = word[i] as string;
    const name = byShort.get(short) ?? "";
    const flag = known(name, `-${short}`);
    if (flag.takes === undefined) {
      given.push({ flag: name as FlagName, value: "" });
      continue;
    }
    const rest = word.slice(i + 1).replace(/^=/, () => "");
    given.push({ flag: name as FlagName, value: checked(flag, name, rest === "" ? next() : rest) });
    break;
  }
  return given;
}

function known(name: string, shown: string): Flag {
  const flag = Object.hasOwn(table, name) ? table[name] : undefined;
  if (flag === undefined) throw new UsageError(`unrecognized flag ${shown}`);
  if (flag.refused !== undefined) throw new UsageError(`${shown}: ${flag.refused}`);
  return flag;
}

function checked({ takes }: Flag, name: string, value: string): string {
  const good = takes === "text" || (takes === "number" ? /^\d{1,15}$/ : /^\d{1,12}[KMG]?$/).test(value);
  if (!good) throw new UsageError(`error parsing flag --${name}: value is not a valid number: ${value}`);
  return value;
}
