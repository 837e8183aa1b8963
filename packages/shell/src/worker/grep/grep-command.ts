/** Converts grep's flags to a plan: the patterns, how to search, how to print. */
import type { GrepQuery } from "@workspace/protocol";
import type { GrepFlagName } from "./flags.ts";
import { type GrepArgv, GrepUsageError } from "./parse-argv.ts";
import { translatePosix } from "./translate-posix.ts";

export type GrepOutput = "lines" | "count" | "names" | "names-without" | "quiet";
export type BinaryFiles = "binary" | "text" | "without-match";

export interface GrepCommand {
  readonly patterns: readonly string[];
  readonly words: readonly string[];
  readonly recursive: boolean;
  readonly skipDirectories: boolean;
  readonly silent: boolean;
  readonly query: Omit<GrepQuery, "paths" | "cwd" | "budget" | "maxFileBytes">;
  readonly print: GrepPrint;
}

export interface GrepPrint {
  readonly output: GrepOutput;
  readonly invert: boolean;
  readonly lineNumber: boolean;
  readonly byteOffset: boolean;
  readonly onlyMatching: boolean;
  readonly fileName: boolean | null;
  readonly nul: boolean;
  readonly hasContext: boolean;
  readonly binaryFiles: BinaryFiles;
  readonly separator: string | null;
  readonly label: string;
  readonly limit: number;
}

const SYNTAXES: readonly GrepFlagName[] = ["extended-regexp", "basic-regexp", "fixed-strings", "perl-regexp"];
const OUTPUTS: readonly GrepFlagName[] = ["count", "files-with-matches", "files-without-match"];
const NAMES: Readonly<Record<string, GrepFlagName>> = { egrep: "extended-regexp", fgrep: "fixed-strings" };

export function toGrepCommand(
  name: string,
  { given, words }: GrepArgv,
  fileLines: (path: string) => string[],
): GrepCommand {
  const has = (flag: GrepFlagName) => given.some((one) => one.flag === flag);
  const values = (flag: GrepFlagName) => given.filter((one) => one.flag === flag).map(({ value }) => value);
  const last = (flags: readonly GrepFlagName[]) => given.findLast(({ flag }) => flags.includes(flag))?.flag;
  const number = (flag: GrepFlagName) => (has(flag) ? Number(values(flag).at(-1)) : null);

  const rest = [...words];
  const requested = [...values("regexp").flatMap((text) => text.split("\n")), ...values("file").flatMap(fileLines)];
  if (!has("regexp") && !has("file")) {
    const first = rest.shift();
    if (first === undefined) throw new GrepUsageError("");
    requested.push(...first.split("\n"));
  }
  const syntax = last(SYNTAXES) ?? NAMES[name] ?? "basic-regexp";
  const around = number("context");
  const before = number("before-context") ?? around ?? 0;
  const after = number("after-context") ?? around ?? 0;
  const limit = number("max-count");
  const max = limit === null || limit < 0 ? Number.MAX_SAFE_INTEGER : limit;
  const directories = given.findLast(({ flag }) =>
    ["directories", "recursive", "dereference-recursive"].includes(flag),
  );
  const action =
    directories?.flag === "directories" ? directories.value : directories === undefined ? "read" : "recurse";
  if (!["read", "recurse", "skip"].includes(action))
    throw new GrepUsageError(`invalid argument '${action}' for '--directories'`);
  const output = grepOutput(has("quiet") || has("silent"), last(OUTPUTS));
  const binaryFiles = binaryOf(given);
  const caseFlag = last(["ignore-case", "old-ignore-case", "no-ignore-case"]);
  const named = last(["with-filename", "no-filename"]);
  return {
    patterns: requested,
    words: rest,
    recursive: action === "recurse",
    skipDirectories: action === "skip",
    silent: has("no-messages"),
    query: {
      patterns: requested.map((text) => patternOf(text, syntax)),
      regex: syntax !== "fixed-strings",
      ignoreCase: caseFlag !== undefined && caseFlag !== "no-ignore-case",
      smartCase: false,
      word: has("word-regexp") && !has("line-regexp"),
      line: has("line-regexp"),
      invert: has("invert-match"),
      multiline: false,
      dotAll: false,
      globs: [
        ...values("include").map((glob) => ({ glob, ignoreCase: false })),
        ...values("exclude").map((glob) => ({ glob: `!${glob}`, ignoreCase: false })),
        ...values("exclude-dir").map((glob) => ({ glob: `!${glob.replace(/(?<!\/)\/+$/, "")}/`, ignoreCase: false })),
      ],
      types: [],
      hidden: true,
      ignore: false,
      // The printer decides which files are binary: the engine would decide as ripgrep does.
      binary: true,
      before: output === "lines" ? before : 0,
      after: output === "lines" ? after : 0,
      offset: 0,
      cursor: null,
      maxHits: Number.MAX_SAFE_INTEGER,
      maxPerFile: output === "lines" || output === "count" ? max : Math.min(max, 1),
      maxBytesPerLine: Number.MAX_SAFE_INTEGER,
      maxDepth: null,
      mode: "json",
    },
    print: {
      output,
      invert: has("invert-match"),
      lineNumber: has("line-number"),
      byteOffset: has("byte-offset"),
      onlyMatching: has("only-matching"),
      fileName: named === undefined ? null : named === "with-filename",
      nul: has("null"),
      hasContext: around !== null || has("before-context") || has("after-context"),
      binaryFiles,
      separator: separatorOf(given),
      label: values("label").at(-1) ?? "(standard input)",
      limit: max,
    },
  };
}

function patternOf(text: string, syntax: GrepFlagName): string {
  if (syntax === "fixed-strings" || syntax === "perl-regexp") return text;
  return translatePosix(text, syntax === "extended-regexp" ? "extended" : "basic");
}

function grepOutput(quiet: boolean, flag: GrepFlagName | undefined): GrepOutput {
  if (quiet) return "quiet";
  switch (flag) {
    case "count":
      return "count";
    case "files-with-matches":
      return "names";
    case "files-without-match":
      return "names-without";
    default:
      return "lines";
  }
}

function binaryOf(given: GrepArgv["given"]): BinaryFiles {
  const found = given.findLast(({ flag }) => ["text", "binary-files", "binary-without-match"].includes(flag));
  if (found?.flag === "text") return "text";
  if (found?.flag === "binary-without-match") return "without-match";
  const value = found?.value ?? "binary";
  if (value === "binary" || value === "text" || value === "without-match") return value;
  throw new GrepUsageError(`invalid argument '${value}' for '--binary-files'`);
}

function separatorOf(given: GrepArgv["given"]): string | null {
  const found = given.findLast(({ flag }) => flag === "group-separator" || flag === "no-group-separator");
  if (found === undefined) return "--";
  return found.flag === "no-group-separator" ? null : found.value;
}
