/** `cut`, complete: bytes, characters and fields as in GNU, which passes lines without the delimiter through unless `-s`. */
import type { WorkBudget } from "@workspace/protocol";
import type { FileSystem } from "@workspace/vfs";
import { fromBinaryString, toBinaryString } from "../byte-string.ts";
import type { RunCommand } from "../commands.ts";
import { bytesResult, textResult } from "./output.ts";
import { absolutePath } from "./paths.ts";

interface Cut {
  by: "bytes" | "fields";
  ranges: readonly (readonly [from: number, to: number])[];
  delimiter: string;
  output: string | null;
  onlyDelimited: boolean;
  complement: boolean;
  end: "\n" | "\0";
  operands: string[];
}

export function cutCommand(files: FileSystem, budget: WorkBudget): RunCommand {
  return async (args, { cwd, stdin }) => {
    const cut = parse(args);
    if (typeof cut === "string") return textResult("", `cut: ${cut}\nTry 'cut --help' for more information.\n`, 1);
    let out = "";
    let errors = "";
    for (const word of cut.operands.length === 0 ? ["-"] : cut.operands) {
      const bytes =
        word === "-"
          ? fromBinaryString(stdin as unknown as string)
          : await files.readFile(absolutePath(cwd, word)).catch(() => null);
      if (bytes === null) errors += `cut: ${word}: No such file or directory\n`;
      else out += await cutText(toBinaryString(bytes), cut, budget);
    }
    return bytesResult(fromBinaryString(out), new TextEncoder().encode(errors), errors === "" ? 0 : 1);
  };
}

/** A string is the error message. */
function parse(args: readonly string[]): Cut | string {
  const cut = { delimiter: "\t", output: null as string | null, onlyDelimited: false, complement: false };
  let [by, list, end]: [Cut["by"] | null, string, Cut["end"]] = [null, "", "\n"];
  const operands: string[] = [];
  const valued: Record<string, string> = { b: "b", c: "c", f: "f", d: "d" };
  const long: Record<string, string> = {
    bytes: "b",
    characters: "c",
    fields: "f",
    delimiter: "d",
    "output-delimiter": "o",
  };
  const set = (name: string, value: string): void => {
    if (name === "d") cut.delimiter = toBinaryString(new TextEncoder().encode(value));
    else if (name === "o") cut.output = toBinaryString(new TextEncoder().encode(value));
    else [by, list] = [name === "f" ? "fields" : "bytes", value];
  };
  for (let i = 0; i < args.length; i++) {
    const word = args[i] as string;
    const named = /^--([a-z-]+)(?:=(.*))?$/s.exec(word);
    if (word === "--complement") cut.complement = true;
    else if (word === "--only-delimited") cut.onlyDelimited = true;
    else if (word === "--zero-terminated") end = "\0";
    else if (named !== null && long[named[1] as string] !== undefined)
      set(long[named[1] as string] as string, named[2] ?? args[++i] ?? "");
    else if (named !== null) return `unrecognized option '${word}'`;
    else if (!word.startsWith("-") || word === "-") operands.push(word);
    else {
      for (let at = 1; at < word.length; at++) {
        const letter = word[at] as string;
        if (letter === "s") cut.onlyDelimited = true;
        else if (letter === "z") end = "\0";
        else if (letter === "n") continue;
        else if (valued[letter] === undefined) return `invalid option -- '${letter}'`;
        else {
          set(letter, word.slice(at + 1) || (args[++i] ?? ""));
          break;
        }
      }
    }
  }
  if (by === null) return "you must specify a list of bytes, characters, or fields";
  if (by === "fields" && cut.delimiter.length !== 1) return "the delimiter must be a single character";
  const ranges = list.split(",").map(parseRange);
  if (ranges.some((range) => range === null)) return `invalid ${by === "fields" ? "field" : "byte or character"} range`;
  return { ...cut, by, end, operands, ranges: ranges as [number, number][] };
}

function parseRange(text: string): [number, number] | null {
  const match = /^(\d*)(?:(-)(\d*))?$/.exec(text);
  if (match === null || text === "" || text === "-") return null;
  const from = match[1] === "" ? 1 : Number(match[1]);
  const to = match[2] === undefined ? from : match[3] === "" ? Number.MAX_SAFE_INTEGER : Number(match[3]);
  return from < 1 || to < from ? null : [from, to];
}

async function cutText(text: string, cut: Cut, budget: WorkBudget): Promise<string> {
  if (text === "") return "";
  const lines = (text.endsWith(cut.end) ? text.slice(0, -1) : text).split(cut.end);
  let out = "";
  for (const line of lines) {
    budget.spend(10 + line.length * cut.ranges.length);
    const pause = budget.checkpoint();
    if (pause !== undefined) await pause;
    const retained = cut.by === "fields" ? cutFields(line, cut) : bytesIn(line, cut);
    if (retained !== null) out += retained + cut.end;
  }
  return out;
}

function isIn({ ranges, complement }: Cut, place: number): boolean {
  return ranges.some(([from, to]) => place >= from && place <= to) !== complement;
}

function cutFields(line: string, cut: Cut): string | null {
  const { delimiter, output, onlyDelimited } = cut;
  if (!line.includes(delimiter)) return onlyDelimited ? null : line;
  const fields = line.split(delimiter);
  return fields.filter((_, i) => isIn(cut, i + 1)).join(output ?? delimiter);
}

function bytesIn(line: string, cut: Cut): string {
  if (cut.output === null) return Array.from(line, (_, i) => (isIn(cut, i + 1) ? line[i] : "")).join("");
  const runs: string[] = [];
  for (let i = 0; i < line.length; i++) {
    if (!isIn(cut, i + 1)) continue;
    if (i > 0 && isIn(cut, i)) runs.push((runs.pop() as string) + line[i]);
    else runs.push(line[i] as string);
  }
  return runs.join(cut.output);
}
