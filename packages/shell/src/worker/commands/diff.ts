/**
 * `diff` as in GNU: the normal form, -u and -U, -q, -s, -r with -N, -b, -w, on git's diff engine. GNU's own may choose another of
 * several equally short diffs.
 */

import type { WorkBudget } from "@workspace/protocol";
import {
  diffLines,
  isIncomplete,
  lineBytes,
  splitLines,
  type TextLines,
  unifiedHunks,
  type WhitespaceRule,
} from "@workspace/text";
import type { FileStat, FileSystem } from "@workspace/vfs";
import { concatBytes } from "../../bytes.ts";
import { fromBinaryString } from "../byte-string.ts";
import type { RunCommand } from "../commands.ts";
import { CommandOutput, textResult } from "./output.ts";

interface DiffFlags {
  unified: number | null;
  brief: boolean;
  same: boolean;
  recursive: boolean;
  newFile: boolean;
  whitespace: WhitespaceRule;
  /** As given, for the line that names a pair. */
  words: string[];
}

interface DiffSide {
  name: string;
  stat: FileStat | null;
  bytes: Uint8Array;
}

const encoder = new TextEncoder();
/** Lines are hashed and compared without yielding, at about one step per byte. */
const MAX_DIFF_BYTES = 6_000_000;
const NO_NEWLINE = "\n\\ No newline at end of file\n";

export function diffCommand(files: FileSystem, now: () => Date, budget: WorkBudget): RunCommand {
  return async (args, { cwd, stdin, fs }) => {
    const parsed = parse(args);
    if (typeof parsed === "string")
      return textResult("", `diff: ${parsed}\ndiff: Try 'diff --help' for more information.\n`, 2);
    const [flags, from, to] = parsed;
    const output = new CommandOutput();
    const say = (text: string) => output.stdout(encoder.encode(text));
    // Through the shell's own file system: only there is a substitution, `<(…)`, a file.
    const read = async (word: string): Promise<DiffSide | null> => {
      if (word === "-") return { name: word, stat: null, bytes: fromBinaryString(stdin as unknown as string) };
      const path = word.startsWith("/") ? word : `${cwd}/${word}`;
      const stat = await files.stat(path).catch(() => null);
      if (stat?.isDirectory()) return { name: word, stat, bytes: new Uint8Array(0) };
      const bytes = await fs.readFileBuffer(path).catch(() => null);
      return bytes === null ? null : { name: word, stat, bytes };
    };
    const compare = async (one: string, two: string, named: boolean): Promise<number> => {
      const [a, b] = [await read(one), await read(two)];
      for (const [side, word] of [
        [a, one],
        [b, two],
      ] as const) {
        if (side !== null) continue;
        output.stderr(encoder.encode(`diff: ${word}: No such file or directory\n`));
        return 2;
      }
      return compareSides(a as DiffSide, b as DiffSide, named);
    };
    const compareSides = async (a: DiffSide, b: DiffSide, named: boolean): Promise<number> => {
      const [inA, inB] = [a.stat?.isDirectory() ?? false, b.stat?.isDirectory() ?? false];
      if (inA && inB) return compareDirectories(a.name, b.name);
      if (inA) return compare(`${a.name}/${b.name.split("/").at(-1)}`, b.name, named);
      if (inB) return compare(a.name, `${b.name}/${a.name.split("/").at(-1)}`, named);
      await budget.checkpoint();
      const bytes = a.bytes.length + b.bytes.length;
      if (bytes > MAX_DIFF_BYTES) {
        output.stderr(
          encoder.encode(`diff: ${a.name} and ${b.name}: too large for the Worker's shell; it needs a container\n`),
        );
        return 2;
      }
      budget.spend(bytes);
      return printed(a, b, flags, named, now, output);
    };
    const compareDirectories = async (one: string, two: string): Promise<number> => {
      const list = (word: string) => files.readdir(word.startsWith("/") ? word : `${cwd}/${word}`);
      const [inOne, inTwo] = [new Set(await list(one)), new Set(await list(two))];
      let worst = 0;
      for (const name of [...new Set([...inOne, ...inTwo])].sort()) {
        const [a, b] = [`${one}/${name}`, `${two}/${name}`];
        if (!(inOne.has(name) && inTwo.has(name)) && !flags.newFile) {
          say(`Only in ${inOne.has(name) ? one : two}: ${name}\n`);
          worst = Math.max(worst, 1);
          continue;
        }
        const [sideA, sideB] = [(await read(a)) ?? absent(a), (await read(b)) ?? absent(b)];
        const both = sideA.stat?.isDirectory() && sideB.stat?.isDirectory();
        if (both && !flags.recursive) say(`Common subdirectories: ${a} and ${b}\n`);
        else worst = Math.max(worst, await compareSides(sideA, sideB, true));
      }
      return worst;
    };
    return output.result(await compare(from, to, false));
  };
}

function printed(
  a: DiffSide,
  b: DiffSide,
  flags: DiffFlags,
  named: boolean,
  now: () => Date,
  output: CommandOutput,
): number {
  const say = (text: string) => output.stdout(encoder.encode(text));
  const { whitespace, unified } = flags;
  const [before, after] = [splitLines(a.bytes), splitLines(b.bytes)];
  const isBinary = a.bytes.subarray(0, 32768).includes(0) || b.bytes.subarray(0, 32768).includes(0);
  const same = isBinary ? equal(a.bytes, b.bytes) : diffLines(before, after, { whitespace }).length === 0;
  if (same) {
    if (flags.same) say(`Files ${a.name} and ${b.name} are identical\n`);
    return 0;
  }
  if (flags.brief || isBinary)
    say(`${isBinary && !flags.brief ? "Binary files" : "Files"} ${a.name} and ${b.name} differ\n`);
  else {
    if (named) say(`diff ${[...flags.words, a.name, b.name].join(" ")}\n`);
    if (unified === null) output.stdout(normalForm(before, after, whitespace));
    else {
      say(`--- ${a.name}\t${stamp(a, now)}\n+++ ${b.name}\t${stamp(b, now)}\n`);
      output.stdout(
        unifiedHunks(before, after, { context: unified, whitespace, indentHeuristic: false, functionName: () => null }),
      );
    }
  }
  return isBinary && !flags.brief ? 2 : 1;
}

function normalForm(before: TextLines, after: TextLines, whitespace: WhitespaceRule): Uint8Array {
  const parts: Uint8Array[] = [];
  const lines = (text: TextLines, mark: string, start: number, count: number) => {
    for (let i = start; i < start + count; i++) {
      parts.push(encoder.encode(`${mark} `), lineBytes(text, i));
      if (i === text.count - 1 && isIncomplete(text)) parts.push(encoder.encode(NO_NEWLINE));
    }
  };
  const range = (start: number, count: number) =>
    count === 0 ? `${start}` : count === 1 ? `${start + 1}` : `${start + 1},${start + count}`;
  for (const { oldStart, oldCount, newStart, newCount } of diffLines(before, after, {
    whitespace,
    indentHeuristic: false,
  })) {
    const letter = oldCount === 0 ? "a" : newCount === 0 ? "d" : "c";
    parts.push(encoder.encode(`${range(oldStart, oldCount)}${letter}${range(newStart, newCount)}\n`));
    lines(before, "<", oldStart, oldCount);
    if (letter === "c") parts.push(encoder.encode("---\n"));
    lines(after, ">", newStart, newCount);
  }
  return concatBytes(parts);
}

function parse(args: readonly string[]): [DiffFlags, string, string] | string {
  const flags: DiffFlags = {
    unified: null,
    brief: false,
    same: false,
    recursive: false,
    newFile: false,
    whitespace: "none",
    words: [],
  };
  const operands: string[] = [];
  for (let i = 0; i < args.length; i++) {
    const word = args[i] as string;
    if (word === "-" || !word.startsWith("-")) {
      operands.push(word);
      continue;
    }
    flags.words.push(word);
    const count = /^-U(\d+)$|^--unified=(\d+)$/.exec(word);
    if (count !== null) flags.unified = Number(count[1] ?? count[2]);
    else if (word === "-U") {
      flags.unified = Number(args[++i]);
      flags.words.push(args[i] as string);
    } else if (LONG[word] !== undefined) LONG[word]!(flags);
    else if (/^-[uqsrNbw]+$/.test(word)) for (const letter of word.slice(1)) SHORT[letter]!(flags);
    else return `invalid option -- '${word.replace(/^-+/, "")}': not supported in the Worker's shell`;
  }
  if (operands.length !== 2)
    return operands.length < 2 ? `missing operand after '${operands[0] ?? "diff"}'` : `extra operand '${operands[2]}'`;
  return [flags, ...(operands as [string, string])];
}

const SHORT: Readonly<Record<string, (flags: DiffFlags) => void>> = {
  u: (flags) => void (flags.unified ??= 3),
  q: (flags) => void (flags.brief = true),
  s: (flags) => void (flags.same = true),
  r: (flags) => void (flags.recursive = true),
  N: (flags) => void (flags.newFile = true),
  b: (flags) => void (flags.whitespace = flags.whitespace === "all" ? "all" : "change"),
  w: (flags) => void (flags.whitespace = "all"),
};
const LONG: Readonly<Record<string, (flags: DiffFlags) => void>> = {
  "--unified": SHORT.u!,
  "--brief": SHORT.q!,
  "--report-identical-files": SHORT.s!,
  "--recursive": SHORT.r!,
  "--new-file": SHORT.N!,
  "--ignore-space-change": SHORT.b!,
  "--ignore-all-space": SHORT.w!,
  "--color=never": () => {},
};

function absent(name: string): DiffSide {
  return { name, stat: null, bytes: new Uint8Array(0) };
}

function equal(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

/** In GNU's time format: with nanoseconds, in UTC here. */
function stamp({ stat }: DiffSide, now: () => Date): string {
  const [date, time] = (stat?.mtime ?? now()).toISOString().replace("Z", "").split("T") as [string, string];
  return `${date} ${time}000000 +0000`;
}
