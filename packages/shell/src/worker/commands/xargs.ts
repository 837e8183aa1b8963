/** `xargs` as in GNU: splits input into words, limits the words per command, and derives the exit code. Runs sequentially. */
import type { WorkBudget } from "@workspace/protocol";
import type { FileSystem } from "@workspace/vfs";
import type { ExecResult } from "../../../vendor/just-bash.js";
import { quoteWord } from "../../quote.ts";
import { fromBinaryString, toBinaryString } from "../byte-string.ts";
import type { RunCommand } from "../commands.ts";
import { textResult } from "./output.ts";
import { absolutePath } from "./paths.ts";
import { blankSeparated, inputLines, separated, unescaped } from "./xargs-words.ts";

interface XargsOptions {
  separator: string | null;
  max: number;
  lines: number | null;
  replace: string | null;
  file: string | null;
  skipEmpty: boolean;
  verbose: boolean;
  command: string[];
}

const USAGE = "Usage: xargs [-0rt] [-d X] [-n N | -L N | -I TEXT] [-a FILE] [-P N] [COMMAND [WORD]...]";

class UsageError extends Error {}

export function xargsCommand(files: FileSystem, budget: WorkBudget): RunCommand {
  return async (args, { cwd, stdin, signal, exec }) => {
    if (args[0] === "--help") return textResult(`${USAGE}\n`, "", 0);
    try {
      const options = parse(args);
      const input =
        options.file === null
          ? (stdin as unknown as string)
          : toBinaryString(await files.readFile(absolutePath(cwd, options.file)));
      // Splitting takes about 50 ns for each word.
      budget.spend(Math.ceil(input.length / 4));
      await budget.checkpoint();
      const calls = callsOf(options, decode(input));
      await budget.checkpoint();
      const run = (words: readonly string[]) =>
        exec!(quoteWord(words[0] as string), { cwd, args: words.slice(1), ...(signal && { signal }) });
      return await runAll(calls, options.verbose, run);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      return textResult("", `xargs: ${error.message}\n`, 1);
    }
  };
}

const VALUES = "ndILPasE";
const LONG: Readonly<Record<string, string>> = {
  "--null": "0",
  "--delimiter": "d",
  "--max-args": "n",
  "--max-lines": "L",
  "--replace": "I",
  "--max-procs": "P",
  "--arg-file": "a",
  "--no-run-if-empty": "r",
  "--verbose": "t",
  "--exit": "x",
};

function parse(args: readonly string[]): XargsOptions {
  const options: XargsOptions = {
    separator: null,
    max: Number.MAX_SAFE_INTEGER,
    lines: null,
    replace: null,
    file: null,
    skipEmpty: false,
    verbose: false,
    command: ["echo"],
  };
  let at = 0;
  for (; at < args.length; at++) {
    const word = args[at] as string;
    if (word === "--") {
      at++;
      break;
    }
    if (!word.startsWith("-") || word === "-") break;
    if (word.startsWith("--")) {
      const equals = word.indexOf("=");
      const letter = LONG[equals < 0 ? word : word.slice(0, equals)];
      if (letter === undefined) throw new UsageError(`unrecognized option '${word}'`);
      const takes = VALUES.includes(letter);
      set(
        options,
        letter,
        !takes ? "" : equals >= 0 ? word.slice(equals + 1) : letter === "I" ? "{}" : needed(args[++at], letter),
      );
      continue;
    }
    for (let i = 1; i < word.length; i++) {
      const letter = word[i] as string;
      if (letter === "i") {
        set(options, "I", word.slice(i + 1) || "{}");
        break;
      }
      if (!VALUES.includes(letter)) {
        set(options, letter, "");
        continue;
      }
      set(options, letter, word.slice(i + 1) || needed(args[++at], letter));
      break;
    }
  }
  if (at < args.length) options.command = args.slice(at);
  return options;
}

function needed(value: string | undefined, letter: string): string {
  if (value === undefined) throw new UsageError(`option requires an argument -- '${letter}'`);
  return value;
}

function set(options: XargsOptions, letter: string, value: string): void {
  const count = () => {
    if (!/^\d+$/.test(value) || Number(value) < 1)
      throw new UsageError(`invalid number "${value}" for -${letter} option`);
    return Number(value);
  };
  switch (letter) {
    case "0":
      options.separator = "\0";
      return;
    case "d":
      options.separator = unescaped(value);
      if (options.separator.length !== 1)
        throw new UsageError(`invalid input delimiter specification ${value}: it must be one character`);
      return;
    // The last of the three wins.
    case "n":
      Object.assign(options, { max: count(), lines: null, replace: null });
      return;
    case "L":
      Object.assign(options, { lines: count(), max: Number.MAX_SAFE_INTEGER, replace: null });
      return;
    case "I":
      Object.assign(options, { replace: value, lines: null, max: Number.MAX_SAFE_INTEGER });
      return;
    case "a":
      options.file = value;
      return;
    case "r":
      options.skipEmpty = true;
      return;
    case "t":
      options.verbose = true;
      return;
    case "P":
    case "s":
    case "E":
    case "x":
      return;
    default:
      throw new UsageError(`invalid option -- '${letter}'`);
  }
}

/** The command lines. For empty input GNU runs one, without added words. */
function callsOf({ separator, max, lines, replace, skipEmpty, command }: XargsOptions, input: string): string[][] {
  const words = (text: string) => (separator === null ? wordsOf(text) : separated(text, separator));
  if (replace !== null) {
    const items = separator === null ? inputLines(input).map((line) => line.trimStart()) : words(input);
    return items
      .filter((item) => item !== "")
      .map((item) =>
        command.map((part) =>
          part.replaceAll(replace, () => (separator === null ? (wordsOf(item, false)[0] ?? "") : item)),
        ),
      );
  }
  const groups: string[][] = [];
  if (lines !== null && separator === null) {
    const filled = inputLines(input).filter((line) => line.trim() !== "");
    for (let i = 0; i < filled.length; i += lines) groups.push(wordsOf(filled.slice(i, i + lines).join("\n")));
  } else {
    const all = words(input);
    for (let i = 0; i < all.length; i += max) groups.push(all.slice(i, i + max));
  }
  if (groups.length === 0 && !skipEmpty) groups.push([]);
  return groups.map((group) => [...command, ...group]);
}

function wordsOf(text: string, splits = true): string[] {
  const words = blankSeparated(text, splits);
  if (words === null)
    throw new UsageError("unmatched quote; by default quotes are special to xargs unless you use the -0 option");
  return words;
}

async function runAll(
  calls: readonly string[][],
  verbose: boolean,
  run: (words: readonly string[]) => Promise<ExecResult>,
): Promise<ExecResult> {
  let [stdout, stderr, exitCode] = ["", "", 0];
  for (const words of calls) {
    if (verbose) stderr += `${words.map(quoteWord).join(" ")}\n`;
    const result = await run(words);
    stdout += result.stdoutKind === "bytes" ? result.stdout : toBinaryString(new TextEncoder().encode(result.stdout));
    stderr += result.stderr;
    if (result.exitCode === 255) {
      stderr += `xargs: ${words[0]}: exited with status 255; aborting\n`;
      exitCode = 124;
      break;
    }
    if (result.exitCode === 126 || result.exitCode === 127) {
      exitCode = result.exitCode;
      break;
    }
    if (result.exitCode !== 0) exitCode = 123;
  }
  return { stdout, stdoutKind: "bytes", stderr, exitCode };
}

function decode(latin1: string): string {
  return new TextDecoder().decode(fromBinaryString(latin1));
}
