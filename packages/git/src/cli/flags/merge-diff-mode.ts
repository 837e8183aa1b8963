/**
 * Selects the diffs that a log shows of a merge: none, against each parent, against the first, combined, or against the merge that
 * git would have created.
 */
import { GitError } from "../../errors.ts";
import type { Repository } from "../../repository.ts";
import type { ParsedFlagSubset } from "../framework/flag-table.ts";
import type { LogFlags } from "./log-flags.ts";

export type MergeMode = "none" | "separate" | "first-parent" | "combined" | "dense" | "remerge";

/**
 * `implied`: "all" a patch of every commit, "merges" of merges only, "no" none unless requested. `needsMerges`: shows merges even
 * if they took the paths unchanged from one parent.
 */
export function mergeMode(
  repo: Repository,
  { order, flags }: ParsedFlagSubset<LogFlags>,
  fallback: MergeMode,
): { mode: MergeMode; implied: "all" | "merges" | "no"; needsMerges: boolean } {
  const configured = repo.config.get("log.diffmerges") ?? "separate";
  if (parseMergeMode(configured) === null) {
    throw new GitError("EINVAL", "unable to parse 'log.diffmerges' from command-line config");
  }
  let mode: MergeMode | null = null;
  let implied: "all" | "merges" | "no" = "no";
  let needsMerges = false;
  for (const { name, value } of order) {
    if (name === "separateMerges") mode = parseMergeMode(configured);
    else if (name === "combinedMerges" || name === "denseMerges") {
      mode = name === "denseMerges" ? "dense" : "combined";
      implied = "all";
    } else if (name === "remergeDiff") [mode, implied] = ["remerge", "all"];
    else if (name === "diffMerges") {
      mode = value === false ? "none" : parseMergeMode(value === "on" || value === "m" ? configured : String(value));
      if (mode === null) throw new GitError("EINVAL", `invalid value for '--diff-merges': '${value}'`);
      implied = mode === "none" ? "no" : "merges";
    }
    needsMerges ||= mode === "separate" || mode === "first-parent" || mode === "remerge";
  }
  // The walk follows only the first parent, so there is no other to compare with.
  if (mode === "separate" && flags.firstParent) mode = "first-parent";
  return { mode: mode ?? (flags.firstParent ? "first-parent" : fallback), implied, needsMerges };
}

const MODES: Readonly<Record<string, MergeMode>> = {
  off: "none",
  none: "none",
  "1": "first-parent",
  "first-parent": "first-parent",
  separate: "separate",
  c: "combined",
  combined: "combined",
  cc: "dense",
  "dense-combined": "dense",
  r: "remerge",
  remerge: "remerge",
};

function parseMergeMode(word: string): MergeMode | null {
  return Object.hasOwn(MODES, word) ? (MODES[word] as MergeMode) : null;
}
