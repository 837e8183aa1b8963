/** Converts flags to a command: a query, and how to print its results. */
import type { GrepQuery } from "@workspace/protocol";
import { searchLimits } from "../../api/limits.ts";
import type { FlagName } from "./flags.ts";
import { type ParsedArgv, UsageError } from "./parse-argv.ts";

export type RgOutput =
  | "lines"
  | "count"
  | "count-matches"
  | "files-with-matches"
  | "files-without-match"
  | "json"
  | "quiet";

export interface PrintOptions {
  readonly output: RgOutput;
  readonly lineNumber: boolean;
  readonly fileName: boolean;
  readonly heading: boolean;
  readonly column: boolean;
  readonly byteOffset: boolean;
  readonly onlyMatching: boolean;
  /** A line for every match. */
  readonly perMatch: boolean;
  readonly trim: boolean;
  readonly nul: boolean;
  readonly maxColumns: number | null;
  readonly preview: boolean;
}

export interface Command {
  readonly query: GrepQuery;
  readonly print: PrintOptions;
  /** The inputs to search, in this order: paths, or standard input. */
  readonly runs: readonly (string[] | typeof STDIN)[];
  /** Only list the files. */
  readonly listFiles: boolean;
  /** As written; empty when none was given. */
  readonly paths: readonly string[];
}

const OUTPUTS: readonly FlagName[] = [
  "count",
  "count-matches",
  "files-with-matches",
  "files-without-match",
  "json",
  "quiet",
];

export const STDIN = Symbol("standard input");

/** What a command must know of the tree and its environment. */
export interface PathContext {
  /** Standard input is piped in. */
  readonly hasInput: boolean;
  /** The absolute path of an argument. */
  absolute(word: string): string;
  isDirectory(path: string): boolean;
}

export function toCommand({ given, words }: ParsedArgv, cwd: string, places: PathContext): Command {
  const flags = new RgFlags(given);
  const listFiles = flags.has("files");
  const patterns = flags.values("regexp");
  const rest = [...words];
  if (patterns.length === 0 && !listFiles) {
    const first = rest.shift();
    if (first === undefined) throw new UsageError("ripgrep requires at least one pattern to execute a search");
    patterns.push(first);
  }
  const restless = flags.count("unrestricted");
  const output = flags.last(OUTPUTS) as RgOutput | undefined;
  const number = (name: FlagName) => flags.number(name);
  const around = number("context") ?? 0;
  const perMatch = flags.has("vimgrep");
  const query: GrepQuery = {
    patterns,
    paths: rest.length === 0 ? [cwd] : rest.map(places.absolute),
    cwd,
    regex: flags.last(["fixed-strings", "no-fixed-strings"]) !== "fixed-strings",
    ignoreCase: flags.last(["ignore-case", "case-sensitive", "smart-case"]) === "ignore-case",
    smartCase: flags.last(["ignore-case", "case-sensitive", "smart-case"]) === "smart-case",
    word: flags.last(["word-regexp", "line-regexp"]) === "word-regexp",
    line: flags.last(["word-regexp", "line-regexp"]) === "line-regexp",
    invert: flags.last(["invert-match", "no-invert-match"]) === "invert-match",
    multiline: flags.last(["multiline", "no-multiline"]) === "multiline",
    dotAll: flags.has("multiline-dotall"),
    globs: flags.globs(),
    types: flags.types(),
    hidden: restless >= 2 || flags.last(["hidden", "no-hidden"]) === "hidden",
    ignore: restless === 0 && flags.last(["no-ignore", "ignore"]) !== "no-ignore",
    binary: restless >= 3 || flags.last(["text", "no-text"]) === "text",
    before: number("before-context") ?? around,
    after: number("after-context") ?? around,
    offset: 0,
    cursor: null,
    maxHits: Number.MAX_SAFE_INTEGER,
    maxPerFile: number("max-count") ?? Number.MAX_SAFE_INTEGER,
    maxBytesPerLine: Number.MAX_SAFE_INTEGER,
    maxFileBytes: number("max-filesize") ?? searchLimits.fileBytes,
    maxDepth: number("max-depth"),
    mode: output === undefined || output === "json" || output === "count-matches" ? "json" : "count",
    budget: { bytes: searchLimits.budgetBytes, steps: searchLimits.budgetSteps },
  };
  const named = flags.last(["with-filename", "no-filename"]);
  const numbered = flags.last(["line-number", "no-line-number"]);
  const runs = runsOf(rest, query.paths, places.hasInput && !listFiles);
  const isOneFile =
    runs[0] === STDIN ? runs.length === 1 : rest.length === 1 && !places.isDirectory(query.paths[0] as string);
  return {
    query,
    runs,
    listFiles,
    paths: rest,
    print: {
      output: output ?? "lines",
      lineNumber: numbered === "line-number" || (numbered === undefined && (perMatch || flags.has("column"))),
      fileName: named !== undefined ? named === "with-filename" : perMatch || !isOneFile,
      heading: flags.last(["heading", "no-heading"]) === "heading" && !perMatch,
      column: perMatch || flags.last(["column", "no-column"]) === "column",
      byteOffset: flags.has("byte-offset"),
      onlyMatching: flags.has("only-matching"),
      perMatch,
      trim: flags.has("trim"),
      nul: flags.has("null"),
      maxColumns: number("max-columns") || null,
      preview: flags.has("max-columns-preview"),
    },
  };
}

/** Adjacent paths are searched together. A `-` is standard input, and so is an empty list when there is some. */
function runsOf(words: readonly string[], paths: readonly string[], hasInput: boolean): Command["runs"] {
  if (words.length === 0) return hasInput ? [STDIN] : [[...paths]];
  const runs: (string[] | typeof STDIN)[] = [];
  for (const [i, word] of words.entries()) {
    const last = runs.at(-1);
    if (word === "-") runs.push(STDIN);
    else if (Array.isArray(last)) last.push(paths[i] as string);
    else runs.push([paths[i] as string]);
  }
  return runs;
}

class RgFlags {
  constructor(readonly given: ParsedArgv["given"]) {}

  has(name: FlagName): boolean {
    return this.count(name) > 0;
  }

  count(name: FlagName): number {
    return this.given.filter(({ flag }) => flag === name).length;
  }

  values(name: FlagName): string[] {
    return this.given.filter(({ flag }) => flag === name).map(({ value }) => value);
  }

  /** The last given of these flags. */
  last(names: readonly FlagName[]): FlagName | undefined {
    return this.given.findLast(({ flag }) => names.includes(flag))?.flag;
  }

  number(name: FlagName): number | null {
    const value = this.values(name).at(-1);
    if (value === undefined) return null;
    const unit = { K: 1024, M: 1024 ** 2, G: 1024 ** 3 }[value.slice(-1)];
    return unit === undefined ? Number(value) : Number(value.slice(0, -1)) * unit;
  }

  globs(): GrepQuery["globs"] {
    return this.given
      .filter(({ flag }) => flag === "glob" || flag === "iglob")
      .map(({ flag, value }) => ({ glob: value, ignoreCase: flag === "iglob" }));
  }

  types(): GrepQuery["types"] {
    return this.given
      .filter(({ flag }) => flag === "type" || flag === "type-not")
      .map(({ flag, value }) => ({ type: value, exclude: flag === "type-not" }));
  }
}
