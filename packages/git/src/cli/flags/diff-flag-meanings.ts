/** Applies each flag of `diff-flags.ts` to the options. `diff-flag-values.ts` parses the values. */
import { parseAlgorithm } from "../../diff/diff-options.ts";
import { compileRegex } from "../../regex/compile-regex.ts";
import { RegexError } from "../../regex/parse-regex.ts";
import {
  add,
  flag,
  indicator,
  refused,
  type Take,
  takeAbbrev,
  takeContext,
  takeDirstat,
  takeFilter,
  takeHighlight,
  takeIgnoreSubmodules,
  takePrefix,
  takeStat,
  takeStatNumber,
  takeSubmodule,
  takeWordDiff,
  whitespace,
} from "./diff-flag-values.ts";
import type { DiffFlags } from "./diff-flags.ts";
import { takeMoved, takeMovedWhitespace } from "./moved-flags.ts";
import { takeBreaks, takeRenames } from "./rename-flags.ts";

export const diffFlagMeanings: { readonly [N in keyof DiffFlags]?: Take } = {
  patch: (state, value) => (value === false ? state.options.formats.add("none") : add("patch")(state, value)),
  noPatch: ({ options }) => options.formats.add("none"),
  patchU: add("patch"),
  unified: takeContext,
  functionContext: (state, value) => {
    state.options.functionContext = value !== false;
    if (value !== false) add("patch")(state, value);
  },
  raw: add("raw"),
  patchWithRaw: add("patch", "raw"),
  patchWithStat: add("patch", "stat"),
  numstat: add("numstat"),
  shortstat: add("shortstat"),
  dirstat: (state, value) => takeDirstat(state, typeof value === "string" ? value : ""),
  cumulative: (state) => takeDirstat(state, "cumulative"),
  dirstatByFile: (state, value) => takeDirstat(state, `files,${typeof value === "string" ? value : ""}`),
  check: add("check"),
  summary: add("summary"),
  nameOnly: add("name-only"),
  nameStatus: add("name-status"),
  stat: takeStat,
  statWidth: takeStatNumber("width", "stat-width"),
  statNameWidth: takeStatNumber("nameWidth", "stat-name-width"),
  statGraphWidth: takeStatNumber("graphWidth", "stat-graph-width"),
  statCount: takeStatNumber("count", "stat-count"),
  compactSummary: (state, value) => {
    state.options.compactSummary = value !== false;
    if (value !== false) add("stat")(state, value);
  },
  binary: (state) => {
    state.options.binary = true;
    add("patch")(state, true);
  },
  fullIndex: flag("fullIndex"),
  color: (state, value) => {
    state.color = value;
  },
  wsErrorHighlight: takeHighlight,
  nul: flag("nul"),
  abbrev: takeAbbrev,
  srcPrefix: takePrefix("old"),
  dstPrefix: takePrefix("new"),
  linePrefix: ({ options }, value) => {
    options.linePrefix = String(value);
  },
  noPrefix: ({ options }) => {
    options.prefixes = { old: "", new: "" };
  },
  interHunkContext: ({ options }, value) => {
    options.interHunkContext = Number(value);
  },
  indicatorNew: indicator("new"),
  indicatorOld: indicator("old"),
  indicatorContext: indicator("context"),
  breakRewrites: takeBreaks,
  findRenames: takeRenames("renames"),
  irreversibleDelete: flag("irreversibleDelete"),
  findCopies: takeRenames("copies"),
  findCopiesHarder: ({ options }, value) => {
    options.copiesHarder = value !== false;
    if (value !== false) options.renames = "copies";
  },
  noRenames: ({ options }) => {
    options.renames = "none";
  },
  renameEmpty: flag("renameEmpty"),
  renameLimit: ({ options }, value) => {
    options.renameLimit = Number(value);
  },
  minimal: ({ options }, value) => {
    options.algorithm = value === false ? "myers" : "minimal";
  },
  ignoreAllSpace: whitespace("all"),
  ignoreSpaceChange: whitespace("change"),
  ignoreSpaceAtEol: whitespace("at-eol"),
  ignoreCrAtEol: whitespace("cr-at-eol"),
  ignoreBlankLines: flag("ignoreBlankLines"),
  ignoreMatchingLines: ({ options }, value) => {
    try {
      options.ignoreLines.push(compileRegex(String(value), { syntax: "extended" }));
    } catch (cause) {
      if (cause instanceof RegexError) throw refused(`invalid regex given to -I: '${value}'`);
      throw cause;
    }
  },
  indentHeuristic: flag("indentHeuristic"),
  patience: ({ options }) => {
    options.algorithm = "patience";
    options.anchors = [];
  },
  histogram: ({ options }) => {
    options.algorithm = "histogram";
  },
  diffAlgorithm: ({ options }, value) => {
    const algorithm = parseAlgorithm(String(value));
    if (algorithm === null) {
      throw refused('option diff-algorithm accepts "myers", "minimal", "patience" and "histogram"');
    }
    options.algorithm = algorithm;
    options.anchors = [];
  },
  anchored: ({ options }, value) => {
    options.algorithm = "patience";
    options.anchors.push(String(value));
  },
  wordDiff: takeWordDiff,
  wordDiffRegex: ({ options }, value) => {
    options.wordDiff = { mode: options.wordDiff?.mode ?? "plain", regex: String(value) };
  },
  colorWords: (state, value) => {
    state.color = true;
    state.options.wordDiff = { mode: "color", regex: typeof value === "string" ? value : null };
  },
  colorMoved: takeMoved,
  colorMovedWs: takeMovedWhitespace,
  relative: (state, value) => {
    const { options, prefix } = state;
    options.relative = value === false ? null : (typeof value === "string" ? value : prefix) || null;
  },
  text: flag("text"),
  swap: ({ options }) => {
    options.reverse = !options.reverse;
  },
  exitCode: flag("exitCode"),
  quiet: flag("quiet"),
  ignoreSubmodules: takeIgnoreSubmodules,
  submodule: takeSubmodule,
  itaInvisible: ({ options }) => {
    options.itaInvisible = true;
  },
  itaVisible: ({ options }) => {
    options.itaInvisible = false;
  },
  pickaxeString: ({ strings }, value) => strings.push({ kind: "S", text: String(value) }),
  pickaxeGrep: ({ strings }, value) => strings.push({ kind: "G", text: String(value) }),
  pickaxeAll: (state) => {
    state.pickaxeAll = true;
  },
  pickaxeRegex: (state) => {
    state.pickaxeRegex = true;
  },
  orderFile: (state, value) => {
    state.orderFile = String(value);
  },
  rotateTo: ({ options }, value) => {
    options.rotate = { path: String(value), skip: false };
  },
  skipTo: ({ options }, value) => {
    options.rotate = { path: String(value), skip: true };
  },
  findObject: ({ objects }, value) => objects.push(String(value)),
  diffFilter: takeFilter,
};
