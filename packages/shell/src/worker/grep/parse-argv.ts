/** Parses grep's argv by the table of flags: options may follow operands, short ones may be joined, `-5` is `-C 5`. */
import { GREP_FLAGS, type GrepFlag, type GrepFlagName } from "./flags.ts";

export class GrepUsageError extends Error {}

export interface ParsedFlag {
  readonly flag: GrepFlagName;
  readonly value: string;
}

export interface GrepArgv {
  readonly given: readonly ParsedFlag[];
  readonly words: readonly string[];
}

const byShort = new Map(
  Object.entries(GREP_FLAGS as Record<string, GrepFlag>).flatMap(([name, { short }]) =>
    short === undefined ? [] : [[short, name as GrepFlagName] as const],
  ),
);

export function parseGrepArgv(argv: readonly string[]): GrepArgv {
  const given: ParsedFlag[] = [];
  const words: string[] = [];
  const rest = [...argv];
  while (rest.length > 0) {
    const word = rest.shift() as string;
    if (word === "--") words.push(...rest.splice(0));
    else if (word.startsWith("--")) given.push(longFlag(word, rest));
    else if (/^-\d+$/.test(word)) given.push({ flag: "context", value: word.slice(1) });
    else if (word.startsWith("-") && word !== "-") given.push(...shortFlags(word, rest));
    else words.push(word);
  }
  return { given, words };
}

function longFlag(word: string, rest: string[]): ParsedFlag {
  const equals = word.indexOf("=");
  const name = equals < 0 ? word.slice(2) : word.slice(2, equals);
  if (!Object.hasOwn(GREP_FLAGS, name)) throw new GrepUsageError(`unrecognized option '${word}'`);
  const flag = name as GrepFlagName;
  const { takes, optional }: GrepFlag = GREP_FLAGS[flag];
  if (takes === undefined) {
    if (equals >= 0) throw new GrepUsageError(`option '--${name}' doesn't allow an argument`);
    return checked(flag, "");
  }
  if (equals >= 0) return checked(flag, word.slice(equals + 1));
  if (optional) return checked(flag, "");
  const value = rest.shift();
  if (value === undefined) throw new GrepUsageError(`option '--${name}' requires an argument`);
  return checked(flag, value);
}

function shortFlags(word: string, rest: string[]): ParsedFlag[] {
  const found: ParsedFlag[] = [];
  for (let i = 1; i < word.length; i++) {
    const letter = word[i] as string;
    const flag = byShort.get(letter);
    if (flag === undefined) throw new GrepUsageError(`invalid option -- '${letter}'`);
    if ((GREP_FLAGS[flag] as GrepFlag).takes === undefined) {
      found.push(checked(flag, ""));
      continue;
    }
    const value = i + 1 < word.length ? word.slice(i + 1) : rest.shift();
    if (value === undefined) throw new GrepUsageError(`option requires an argument -- '${letter}'`);
    found.push(checked(flag, value));
    break;
  }
  return found;
}

function checked(flag: GrepFlagName, value: string): ParsedFlag {
  const { takes, refused }: GrepFlag = GREP_FLAGS[flag];
  if (refused !== undefined)
    throw new GrepUsageError(`--${flag}: ${refused} in the Worker's shell; it needs a container`);
  if (takes === "number" && !/^-?\d+$/.test(value))
    throw new GrepUsageError(flag === "max-count" ? "invalid max count" : `${value}: invalid context length argument`);
  return { flag, value };
}
