/** The match strategies as plain functions on texts, for authors of edit tools. */
import { finish } from "../../definition/work.ts";
import { applyEdits, type Edit } from "./apply-edits.ts";
import { type MatchStrategy, TextMatcher } from "./match-text.ts";

export interface FuzzyMatch {
  found: boolean;
  /** The number of matching places; only one is a match. */
  count: number;
  index: number;
  matchLength: number;
  rung: MatchStrategy | null;
  usedFuzzyMatch: boolean;
}

export function fuzzyFindText(content: string, oldText: string): FuzzyMatch {
  const matches = finish(new TextMatcher(content).find(oldText));
  const [match] = matches;
  if (match === undefined || matches.length > 1)
    return { found: false, count: matches.length, index: -1, matchLength: 0, rung: null, usedFuzzyMatch: false };
  const { rung, start, end } = match;
  return { found: true, count: 1, index: start, matchLength: end - start, rung, usedFuzzyMatch: rung !== "exact" };
}

/** Matches every edit against `content` itself; throws a ToolError if one cannot be applied. */
export function applyEditsToNormalizedContent(
  content: string,
  edits: readonly Edit[],
  path?: string,
): { baseContent: string; newContent: string } {
  return { baseContent: content, newContent: applyEdits(content, edits, path === undefined ? {} : { path }).text };
}
