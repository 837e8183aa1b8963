/**
 * `-M` and `-C`: finds lines elsewhere in the parent's file, or in other files of the parent, if there are enough of them to rule
 * out chance. The threshold counts letters and digits.
 */

import type { DiffLinesOptions } from "@workspace/text";
import { diffLines, sliceLines, splitLines, type TextLines } from "@workspace/text";
import { type BlameEntry, type Origin, splitEntry } from "./blame-entry.ts";

export interface MoveSearch {
  /** The blamed text. */
  readonly final: TextLines;
  readonly options: DiffLinesOptions;
  readonly passed: BlameEntry[];
  /** Too few letters to search for. */
  readonly small: BlameEntry[];
}

interface MoveCandidate {
  readonly text: TextLines;
  readonly origin: Origin;
}

interface FoundMove {
  readonly passed: BlameEntry;
  readonly retained: BlameEntry[];
  readonly score: number;
}

/** Returns the remaining lines; found ones go to `search.passed`. */
export function findMoves(
  search: MoveSearch,
  entries: readonly BlameEntry[],
  candidates: readonly MoveCandidate[],
  min: number,
): BlameEntry[] {
  let open = [...entries];
  const left: BlameEntry[] = [];
  while (open.length > 0) {
    const next: BlameEntry[] = [];
    for (const entry of open) {
      const best = bestMatch(search, entry, candidates);
      if (best === null || best.score <= min) {
        left.push(entry);
        continue;
      }
      search.passed.push(best.passed);
      next.push(...best.retained);
    }
    open = dropSmall(search, next, min);
  }
  return left;
}

export function dropSmall(search: MoveSearch, entries: readonly BlameEntry[], min: number): BlameEntry[] {
  return entries.filter((entry) => {
    if (blameScore(search.final, entry) > min) return true;
    search.small.push(entry);
    return false;
  });
}

function bestMatch(search: MoveSearch, entry: BlameEntry, candidates: readonly MoveCandidate[]): FoundMove | null {
  let best: FoundMove | null = null;
  const wanted = splitLines(sliceLines(search.final, entry.line, entry.count));
  for (const { text, origin } of candidates) {
    let inBest: FoundMove | null = null;
    for (const run of commonRuns(text, wanted, search.options)) {
      const from = entry.originLine + run.wantedLine;
      const split = splitEntry(entry, from, from + run.count, run.line, origin);
      if (split === null) continue;
      const score = blameScore(search.final, split.passed);
      if (inBest === null || score >= inBest.score) inBest = { ...split, score };
    }
    if (inBest !== null && (best === null || inBest.score >= best.score)) best = inBest;
  }
  return best;
}

/** Runs of `wanted` that occur in `text`, in order. */
function commonRuns(text: TextLines, wanted: TextLines, options: DiffLinesOptions) {
  const runs: { line: number; wantedLine: number; count: number }[] = [];
  let [line, wantedLine] = [0, 0];
  for (const { oldStart, oldCount, newStart, newCount } of diffLines(text, wanted, { ...options, trimTail: true })) {
    if (newStart > wantedLine) runs.push({ line, wantedLine, count: newStart - wantedLine });
    line = oldStart + oldCount;
    wantedLine = newStart + newCount;
  }
  if (wantedLine < wanted.count) runs.push({ line, wantedLine, count: wanted.count - wantedLine });
  return runs;
}

function blameScore(final: TextLines, { line, count }: BlameEntry): number {
  let score = 1;
  for (const byte of sliceLines(final, line, count)) {
    if ((byte >= 48 && byte <= 57) || (byte >= 65 && byte <= 90) || (byte >= 97 && byte <= 122)) score++;
  }
  return score;
}
