/** The options of `git log`: its own, those of revisions, formats and diffs. */

import type { FlagTable } from "../framework/flag-table.ts";
import { diffFlags } from "./diff-flags.ts";
import { decorationFlags, prettyFlags } from "./pretty-flags.ts";
import { revisionFlags } from "./revision-flag-table.ts";

/** How merges are compared. The last one given wins. */
const mergeDiffFlags = {
  separateMerges: { short: "-m", help: "with a diff: compare merges with each parent" },
  combinedMerges: { short: "-c", help: "compare merges with all parents at once" },
  denseMerges: { long: "--cc", help: "as -c, only what differs from all parents", noNegation: true },
  remergeDiff: { long: "--remerge-diff", help: "compare merges with a fresh merge", noNegation: true },
  diffMerges: { long: "--diff-merges", value: "string", arg: "<format>", help: "how merges are compared" },
  combinedAllPaths: {
    long: "--combined-all-paths",

    help: "name the file in every parent",
    noNegation: true,
  },
  recursive: { short: "-r", help: "go into sub-trees (always done)", hidden: true },
  showTrees: { short: "-t", help: "show trees in raw output" },
  root: {
    long: "--root",

    help: "compare the first commit with nothing",
    hidden: true,
    noNegation: true,
  },
} as const satisfies FlagTable;

const logOnlyFlags = {
  noDiff: { long: "--quiet", short: "-q", help: "suppress diff output" },
  source: { long: "--source", help: "show source" },
  graph: { long: "--graph", help: "draw a text-based graphical representation of the commit history" },
  showLinearBreak: {
    long: "--show-linear-break",
    value: "optional",
    arg: "<barrier>",
    help: "show breaks in linear history",
    hidden: true,
    noNegation: true,
  },
  follow: { long: "--follow", help: "continue listing the history of a file beyond renames" },
  fullDiff: {
    long: "--full-diff",

    help: "show the whole diff of commits that touch the paths",
    noNegation: true,
  },
  lineRange: {
    short: "-L",
    value: "list",
    arg: "<range>:<file>",
    help: "trace the evolution of the line range <start>,<end> or function :<funcname> in <file>",
  },
} as const satisfies FlagTable;

/** `--quiet` means less here than in `git diff`. */
const { quiet: _, ...sharedDiffFlags } = diffFlags;

export const logFlags = {
  ...sharedDiffFlags,
  ...logOnlyFlags,
  ...mergeDiffFlags,
  ...decorationFlags,
  ...prettyFlags,
  ...revisionFlags,
} as const;

export type LogFlags = typeof logFlags;
