/** Parses the values of flags in `diff-flags.ts` into the options, with git's errors for invalid ones. */
import type { GitConfig } from "../../config/git-config.ts";
import type { DiffOptions, MovedOptions } from "../../diff/diff-options.ts";
import { GitError } from "../../errors.ts";

export type Value = string | boolean;
export type Take = (state: DiffFlagState, value: Value) => void;

export interface DiffFlagState {
  readonly options: DiffOptions;
  readonly config: GitConfig;
  readonly prefix: string;
  color: string | boolean | undefined;
  strings: { kind: "S" | "G"; text: string }[];
  objects: string[];
  pickaxeAll: boolean;
  pickaxeRegex: boolean;
  orderFile: string | null;
  patience: boolean;
  /** Null: not requested. */
  moved: MovedOptions["mode"] | null;
  movedWhitespace: MovedOptions["whitespace"];
}

export function refused(message: string): GitError {
  return new GitError("EUSAGE", message);
}

export const add =
  (
    ...formats: (
      | "patch"
      | "raw"
      | "stat"
      | "numstat"
      | "shortstat"
      | "summary"
      | "check"
      | "name-only"
      | "name-status"
    )[]
  ): Take =>
  ({ options }) => {
    for (const format of formats) options.formats.add(format);
    if (formats.includes("patch")) options.formats.delete("none");
  };

export const flag =
  (name: { [K in keyof DiffOptions]: DiffOptions[K] extends boolean ? K : never }[keyof DiffOptions]): Take =>
  ({ options }, value) => {
    (options as Record<typeof name, boolean>)[name] = value !== false;
  };

export const whitespace =
  (rule: DiffOptions["whitespace"]): Take =>
  ({ options }, value) => {
    const strength = ["none", "cr-at-eol", "at-eol", "change", "all"];
    if (value === false) options.whitespace = options.whitespace === rule ? "none" : options.whitespace;
    else if (strength.indexOf(rule) > strength.indexOf(options.whitespace)) options.whitespace = rule;
  };

export function takeStat({ options }: DiffFlagState, value: Value): void {
  options.formats.add("stat");
  if (typeof value !== "string") return;
  const match = /^(\d*)(?:,(\d*)(?:,(\d*))?)?$/.exec(value);
  if (!match) throw refused(`invalid --stat value: ${value}`);
  const [, width, nameWidth, count] = match;
  options.stat.width = Number(width);
  if (nameWidth !== undefined) options.stat.nameWidth = Number(nameWidth);
  if (count !== undefined) options.stat.count = Number(count);
}

export const takeStatNumber =
  (part: keyof DiffOptions["stat"], displayed: string): Take =>
  ({ options }, value) => {
    if (!/^\d+$/.test(String(value))) throw refused(`${displayed} expects a numerical value`);
    options.stat[part] = Number(value);
    options.formats.add("stat");
  };

export function takeDirstat({ options }: DiffFlagState, params: string): void {
  options.formats.add("dirstat");
  const errors = readDirstat(options.dirstat, params);
  if (errors !== "") throw new GitError("EINVAL", `Failed to parse --dirstat/-X option parameter:\n${errors}`);
}

/** Applies the valid parameters; returns an error line for each invalid one. */
export function readDirstat(dirstat: DiffOptions["dirstat"], params: string): string {
  let errors = "";
  for (const param of params.split(",")) {
    const limit = /^(\d+)(?:\.(\d)\d*)?$/.exec(param);
    if (param === "") continue;
    if (param === "changes" || param === "lines" || param === "files") dirstat.by = param;
    else if (param === "cumulative") dirstat.cumulative = true;
    else if (param === "noncumulative") dirstat.cumulative = false;
    else if (limit) dirstat.permille = Number(limit[1]) * 10 + Number(limit[2] ?? 0);
    else {
      const what = /^\d/.test(param) ? "Failed to parse dirstat cut-off percentage" : "Unknown dirstat parameter";
      errors += `  ${what} '${param}'\n`;
    }
  }
  return errors;
}

export function takeFilter({ options }: DiffFlagState, value: Value): void {
  const text = String(value);
  const include = new Set(options.filter?.include ?? []);
  const exclude = new Set(options.filter?.exclude ?? []);
  let all = options.filter?.all ?? false;
  for (const letter of text) {
    const upper = letter.toUpperCase();
    if (letter === "*") all = true;
    else if (!"ACDMRTUXB".includes(upper)) throw refused(`unknown change class '${letter}' in --diff-filter=${text}`);
    else if (letter === upper) {
      include.add(upper);
      exclude.delete(upper);
    } else {
      exclude.add(upper);
      include.delete(upper);
    }
  }
  options.filter = { include, exclude, all };
}

export function takeWordDiff(state: DiffFlagState, value: Value): void {
  const { options } = state;
  const mode = value === true ? "plain" : String(value);
  if (mode === "none") options.wordDiff = null;
  else if (mode === "plain" || mode === "color" || mode === "porcelain") {
    options.wordDiff = { mode, regex: options.wordDiff?.regex ?? null };
    if (mode === "color") state.color = true;
  } else throw refused(`bad --word-diff argument: ${mode}`);
}

export function takeHighlight({ options }: DiffFlagState, value: Value): void {
  const kinds = new Set<"old" | "new" | "context">();
  for (const word of String(value).split(",")) {
    if (word === "none") kinds.clear();
    else if (word === "default") {
      kinds.clear();
      kinds.add("new");
    } else if (word === "all") for (const kind of ["old", "new", "context"] as const) kinds.add(kind);
    else if (word === "old" || word === "new" || word === "context") kinds.add(word);
    else throw refused(`unknown value after ws-error-highlight=${String(value).slice(0, String(value).indexOf(word))}`);
  }
  options.whitespaceErrors = kinds;
}

export const indicator =
  (kind: "old" | "new" | "context"): Take =>
  ({ options }, value) => {
    if (String(value).length !== 1) throw refused(`output-indicator-${kind} expects a character, got '${value}'`);
    options.indicators = { ...options.indicators, [kind]: String(value) };
  };

export function takeContext({ options }: DiffFlagState, value: Value): void {
  if (typeof value === "string") {
    if (!/^\d+$/.test(value)) throw refused("--unified expects a numerical value");
    options.context = Number(value);
  }
  options.formats.add("patch");
  options.formats.delete("none");
}

export function takeAbbrev({ options }: DiffFlagState, value: Value): void {
  if (value === true) options.abbrev = null;
  else if (value === false) options.abbrev = 0;
  else {
    const length = Number(/^\d*/.exec(value)?.[0] || 0);
    options.abbrev = Math.min(Math.max(length, 4), 40);
  }
}

export function takeSubmodule({ options }: DiffFlagState, value: Value): void {
  const format = value === true ? "log" : value;
  if (format !== "log" && format !== "short" && format !== "diff") {
    throw refused(`failed to parse --submodule option parameter: '${value}'`);
  }
  options.submodule = format;
}

export function takeIgnoreSubmodules({ options }: DiffFlagState, value: Value): void {
  const when = value === true ? "all" : value;
  if (when !== "all" && when !== "dirty" && when !== "untracked" && when !== "none") {
    throw new GitError("EINVAL", `bad --ignore-submodules argument: ${value}`);
  }
  options.ignoreSubmodules = when;
}

export const takePrefix =
  (side: "old" | "new"): Take =>
  ({ options }, value) => {
    options.prefixes = { ...(options.prefixes ?? { old: "a/", new: "b/" }), [side]: String(value) };
  };
