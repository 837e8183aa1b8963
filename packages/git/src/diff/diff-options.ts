/**
 * All options of a diff and its output, for `diff`, `log -p`, `show`, `stash show`, `format-patch` and the plumbing. Created
 * from configuration by `diffDefaults`, changed by the flags in cli/flags/diff-flags.ts.
 */
import type { DiffAlgorithm, WhitespaceRule } from "@workspace/text";
import type { GitConfig } from "../config/git-config.ts";
import { GitError } from "../errors.ts";
import type { Oid } from "../object/oid.ts";
import type { Pathspec } from "../pathspec/pathspec.ts";
import type { Regex } from "../regex/compile-regex.ts";
import { MAX_SCORE } from "./file-pair.ts";

type DiffFormat =
  | "raw"
  | "name-only"
  | "name-status"
  | "check"
  | "numstat"
  | "stat"
  | "shortstat"
  | "dirstat"
  | "summary"
  | "patch"
  /** `-s`: no output. */
  | "none";

export type WordDiffMode = "plain" | "color" | "porcelain";

export interface DiffOptions {
  formats: Set<DiffFormat>;

  /** Which paths; null: all. */
  pathspec: Pathspec | null;
  /** `--relative`: only paths under it ("dir/"), shown without it. */
  relative: string | null;
  reverse: boolean;
  /** Recurse into subtrees; off in `diff-tree` without -r. */
  recursive: boolean;
  /** `-t`: the trees too. */
  showTrees: boolean;
  ignoreSubmodules: "none" | "untracked" | "dirty" | "all";

  algorithm: DiffAlgorithm;
  anchors: string[];
  indentHeuristic: boolean;
  whitespace: WhitespaceRule;
  ignoreBlankLines: boolean;
  /** `-I`. */
  ignoreLines: Regex[];
  context: number;
  interHunkContext: number;
  functionContext: boolean;

  renames: "none" | "renames" | "copies";
  copiesHarder: boolean;
  /** Of `MAX_SCORE`. */
  renameScore: number;
  /** 0: no limit. */
  renameLimit: number;
  renameEmpty: boolean;
  /** Search the source of this path alone: `log --follow`, `blame`. */
  onlyTarget: string | null;
  /** `-B`: null is off; 0 for either is git's default. */
  breaks: { breakScore: number; mergeScore: number } | null;
  /** `-S`, `-G`, `--find-object`. */
  pickaxe: Pickaxe | null;
  filter: DiffFilter | null;
  /** The patterns of `-O<file>`, in order. */
  order: readonly string[] | null;
  /** `strict`: the path must be among them, as everywhere but in `log`. */
  rotate: { path: string; skip: boolean; strict?: boolean } | null;

  /** Everything is text. */
  text: boolean;
  /** Binary files as patches that can be applied. */
  binary: boolean;
  fullIndex: boolean;
  /** Digits of ids; 0: whole; null: git's guess. */
  abbrev: number | null;
  /** Digits in the "index" line of a patch, to which `abbrev` does not apply; null: git's guess. */
  prefixes: { readonly old: string; readonly new: string } | null;
  /** Ends records with NUL and quotes nothing. */
  nul: boolean;
  quotePath: boolean;
  irreversibleDelete: boolean;
  indicators: { readonly old: string; readonly new: string; readonly context: string };
  suppressBlankEmpty: boolean;
  wordDiff: { mode: WordDiffMode; regex: string | null } | null;
  stat: StatOptions;
  dirstat: DirstatOptions;
  compactSummary: boolean;
  submodule: "short" | "log" | "diff";
  linePrefix: string;
  itaInvisible: boolean;

  color: DiffColors | null;
  colorMoved: MovedOptions | null;
  /** Set while a patch with moved-line detection is written. */
  moved: MovedLinePainter | null;
  /** Which lines highlight whitespace errors, with color. */
  whitespaceErrors: ReadonlySet<"old" | "new" | "context">;
  /** `core.whitespace`. */
  whitespaceRules: string | null;

  exitCode: boolean;
  quiet: boolean;
  /** Merges: against all parents at once. */
  combined: "dense" | "combined" | null;
  combinedAllPaths: boolean;
  textAttributes: boolean;
}

export interface Pickaxe {
  readonly kind: "S" | "G" | "object";
  readonly text: string;
  readonly regex: boolean;
  readonly ignoreCase?: boolean;
  /** Show the whole change set when one file matches. */
  readonly all: boolean;
  readonly objects?: ReadonlySet<Oid>;
}

/** Statuses to include and to exclude; "*": all if any matches. */
export interface DiffFilter {
  readonly include: ReadonlySet<string>;
  readonly exclude: ReadonlySet<string>;
  readonly all: boolean;
}

export interface StatOptions {
  /** 0: the terminal's width, 80. */
  width: number;
  nameWidth: number;
  graphWidth: number;
  /** 0: all files. */
  count: number;
}

interface DirstatOptions {
  by: "changes" | "lines" | "files";
  cumulative: boolean;
  /** In tenths of a percent. */
  permille: number;
}

export interface DiffColors {
  readonly reset: string;
  readonly context: string;
  readonly meta: string;
  readonly frag: string;
  readonly func: string;
  readonly old: string;
  readonly new: string;
  readonly whitespace: string;
  /** As they are, alternative, dimmed, both. */
  readonly moved: Readonly<Record<"old" | "new", readonly string[]>>;
}

/** `--color-moved`, `--color-moved-ws`. */
export interface MovedOptions {
  readonly mode: "plain" | "blocks" | "zebra" | "dimmed-zebra";
  readonly whitespace: "none" | "at-eol" | "change" | "all" | "indentation";
}

/** Receives every line of a patch in order, and returns the color of moved ones. */
export interface MovedLinePainter {
  paint(kind: "old" | "new", line: Uint8Array): string | null;
  /** Any other line. */
  gap(): void;
}

const DEFAULT_RENAME_SCORE = MAX_SCORE / 2;
const DEFAULT_RENAME_LIMIT = 1000;

/** `porcelain`: user-facing commands (`diff`, `log`, `show`) honor more of the configuration than plumbing does. */
export function diffDefaults(config: GitConfig, { porcelain = true }: { porcelain?: boolean } = {}): DiffOptions {
  const ui = <T>(value: T | undefined): T | undefined => (porcelain ? value : undefined);
  const renames = porcelain ? renamesOf(config.get("diff.renames")) : "none";
  return {
    formats: new Set(),
    pathspec: null,
    relative: null,
    reverse: false,
    recursive: true,
    showTrees: false,
    ignoreSubmodules: ignoredSubmodules(config.get("diff.ignoresubmodules")),
    algorithm: algorithmOf(ui(config.get("diff.algorithm"))),
    anchors: [],
    indentHeuristic: ui(config.getBool("diff.indentheuristic")) ?? true,
    whitespace: "none",
    ignoreBlankLines: false,
    ignoreLines: [],
    context: contextLines(ui(config.getInt("diff.context")), "context") ?? 3,
    interHunkContext: contextLines(ui(config.getInt("diff.interhunkcontext")), "interhunkcontext") ?? 0,
    functionContext: false,
    renames,
    copiesHarder: false,
    renameScore: DEFAULT_RENAME_SCORE,
    renameLimit: config.getInt("diff.renamelimit") ?? DEFAULT_RENAME_LIMIT,
    renameEmpty: true,
    onlyTarget: null,
    breaks: null,
    pickaxe: null,
    filter: null,
    order: null,
    rotate: null,
    text: false,
    binary: false,
    fullIndex: false,
    abbrev: porcelain ? null : 0,
    prefixes: ui(config.getBool("diff.noprefix"))
      ? { old: "", new: "" }
      : ui(config.getBool("diff.mnemonicprefix"))
        ? null
        : { old: "a/", new: "b/" },
    nul: false,
    quotePath: config.getBool("core.quotepath") ?? true,
    irreversibleDelete: false,
    indicators: { old: "-", new: "+", context: " " },
    suppressBlankEmpty: config.getBool("diff.suppressblankempty") ?? false,
    wordDiff: null,
    stat: { width: 0, nameWidth: 0, graphWidth: ui(config.getInt("diff.statgraphwidth")) ?? 0, count: 0 },
    dirstat: { by: "changes", cumulative: false, permille: 30 },
    compactSummary: false,
    submodule: submoduleFormat(ui(config.get("diff.submodule"))),
    linePrefix: "",
    itaInvisible: true,
    color: null,
    colorMoved: null,
    moved: null,
    whitespaceErrors: new Set(["new"]),
    whitespaceRules: config.get("core.whitespace") ?? null,
    exitCode: false,
    quiet: false,
    combined: null,
    combinedAllPaths: false,
    textAttributes: true,
  };
}

function ignoredSubmodules(value: string | undefined): DiffOptions["ignoreSubmodules"] {
  return value === "all" || value === "dirty" || value === "untracked" ? value : "none";
}

function submoduleFormat(value: string | undefined): DiffOptions["submodule"] {
  return value === "log" || value === "diff" ? value : "short";
}

function renamesOf(value: string | undefined): DiffOptions["renames"] {
  if (value === undefined) return "renames";
  if (/^(copies|copy)$/i.test(value)) return "copies";
  return /^(false|no|off|0)$/i.test(value) ? "none" : "renames";
}

function contextLines(lines: number | undefined, name: string): number | undefined {
  if (lines !== undefined && lines < 0)
    throw new GitError("EINVAL", `unable to parse 'diff.${name}' from command-line config`);
  return lines;
}

/** Null: no such algorithm. */
export function parseAlgorithm(text: string): DiffAlgorithm | null {
  const name = text.toLowerCase();
  if (name === "myers" || name === "default") return "myers";
  return name === "minimal" || name === "patience" || name === "histogram" ? name : null;
}

function algorithmOf(value: string | undefined): DiffAlgorithm {
  return value === undefined ? "myers" : (parseAlgorithm(value) ?? "myers");
}
