/**
 * Three-way merge of texts, equal to git's: takes changes of one side, takes identical changes of both sides once, and makes the
 * rest a conflict, as small as the level allows. The diff runs without the indent heuristic by default, as git's does.
 */
import { type DiffAlgorithm, diffLines } from "../diff/diff-lines.ts";
import { splitLines, type TextLines } from "../text-lines.ts";
import type { WhitespaceRule } from "../whitespace.ts";
import { collectRegions, type MergeRegion } from "./merge-regions.ts";
import { refineRegions, shrinkRegions } from "./refine-regions.ts";
import { writeMerge } from "./write-merge.ts";

export type ConflictStyle = "merge" | "diff3" | "zdiff3";
export type Favor = "ours" | "theirs" | "union";

/**
 * How far identical lines inside a conflict split it. minimal: never, not even for the same change on both sides; eager: the same
 * change is no conflict; zealous: common lines split (but three or fewer between two conflicts do not); alnum: nor do more without
 * a letter or digit. `git merge` is zealous, `git merge-file` alnum.
 */
export type MergeLevel = "minimal" | "eager" | "zealous" | "alnum";

export interface MergeTextOptions {
  /** Text after the markers; absent: none. `base` shows in the diff3 styles. */
  labels?: { ours?: string; base?: string; theirs?: string };
  style?: ConflictStyle;
  /** Resolves conflicts this way instead of writing markers. */
  favor?: Favor;
  level?: MergeLevel;
  /** Length of "<<<<<<<", default 7. */
  markerSize?: number;
  algorithm?: DiffAlgorithm;
  whitespace?: WhitespaceRule;
  indentHeuristic?: boolean;
}

export interface MergeTextResult {
  readonly content: Uint8Array;
  /** Number of conflicts in it. */
  readonly conflicts: number;
}

export function mergeText(
  base: string | Uint8Array,
  ours: string | Uint8Array,
  theirs: string | Uint8Array,
  options: MergeTextOptions = {},
): MergeTextResult {
  const texts: MergeTexts = { base: splitLines(base), ours: splitLines(ours), theirs: splitLines(theirs) };
  const { algorithm = "myers", whitespace = "none", indentHeuristic = false, style = "merge" } = options;
  const diffOptions = { algorithm, whitespace, indentHeuristic };
  const ourChanges = diffLines(texts.base, texts.ours, diffOptions);
  if (ourChanges.length === 0) return { content: texts.theirs.bytes, conflicts: 0 };
  const theirChanges = diffLines(texts.base, texts.theirs, diffOptions);
  if (theirChanges.length === 0) return { content: texts.ours.bytes, conflicts: 0 };

  const level = options.level ?? "zealous";
  // A conflict whose base is shown cannot be split.
  const effective = style === "diff3" && level !== "minimal" ? "eager" : level;
  let regions: MergeRegion[] = collectRegions(texts, ourChanges, theirChanges, { level: effective, whitespace });
  if (style === "zdiff3") shrinkRegions(texts, regions, whitespace);
  else if (effective === "zealous" || effective === "alnum") {
    regions = refineRegions(texts, regions, effective === "alnum", diffOptions);
  }
  const content = writeMerge(texts, regions, options);
  const conflicts = options.favor ? 0 : regions.filter(({ take }) => take === "conflict").length;
  return { content, conflicts };
}

export interface MergeTexts {
  readonly base: TextLines;
  readonly ours: TextLines;
  readonly theirs: TextLines;
}
