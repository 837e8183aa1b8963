/** Shrinks conflicts: splits them at lines that both sides share or, with zdiff3, only trims their ends. */
import { type DiffLinesOptions, diffLines } from "../diff/diff-lines.ts";
import { sliceLines, splitLines, type TextLines } from "../text-lines.ts";
import type { WhitespaceRule } from "../whitespace.ts";
import { equalLines } from "./equal-lines.ts";
import type { MergeRegion } from "./merge-regions.ts";
import type { MergeTexts } from "./merge-text.ts";

/** Conflicts with at most this many lines between them read better as one. */
const CLOSE = 3;

export function refineRegions(
  texts: MergeTexts,
  regions: readonly MergeRegion[],
  joinOverPunctuation: boolean,
  options: DiffLinesOptions,
): MergeRegion[] {
  const refined: MergeRegion[] = [];
  for (const region of regions) {
    const last = refined.length - 1;
    const parts = region.take === "conflict" ? splitConflict(texts, region, options) : [region];
    refined.push(...parts.slice(0, 1));
    joinIfClose(texts, refined, last, joinOverPunctuation);
    for (const part of parts.slice(1)) {
      refined.push(part);
      joinIfClose(texts, refined, refined.length - 2, joinOverPunctuation);
    }
  }
  return refined;
}

function splitConflict(texts: MergeTexts, region: MergeRegion, options: DiffLinesOptions): MergeRegion[] {
  if (region.ourCount === 0 || region.theirCount === 0) return [region];
  const changes = diffLines(
    splitLines(sliceLines(texts.ours, region.ourStart, region.ourCount)),
    splitLines(sliceLines(texts.theirs, region.theirStart, region.theirCount)),
    options,
  );
  if (changes.length === 0) return [{ ...region, take: "same" }];
  return changes.map(({ oldStart, oldCount, newStart, newCount }) => ({
    ...region,
    ourStart: region.ourStart + oldStart,
    ourCount: oldCount,
    theirStart: region.theirStart + newStart,
    theirCount: newCount,
  }));
}

/** Joins region `index` with the one after it, the last, if both are conflicts with too few lines between them. */
function joinIfClose(texts: MergeTexts, regions: MergeRegion[], index: number, joinOverPunctuation: boolean): void {
  const region = regions[index];
  const next = regions[index + 1];
  if (!region || !next || region.take !== "conflict" || next.take !== "conflict") return;
  const start = region.ourStart + region.ourCount;
  const between = next.ourStart - start;
  if (between > CLOSE && !(joinOverPunctuation && !hasLetterOrDigit(texts.ours, start, between))) return;
  region.ourCount = next.ourStart + next.ourCount - region.ourStart;
  region.theirCount = next.theirStart + next.theirCount - region.theirStart;
  regions.pop();
}

function hasLetterOrDigit(lines: TextLines, start: number, count: number): boolean {
  return sliceLines(lines, start, count).some(
    (byte) => (byte >= 48 && byte <= 57) || (byte >= 65 && byte <= 90) || (byte >= 97 && byte <= 122),
  );
}

/** Trims common lines off both ends of each conflict; the base part stays whole. */
export function shrinkRegions({ ours, theirs }: MergeTexts, regions: MergeRegion[], whitespace: WhitespaceRule): void {
  const equal = (our: number, their: number) => equalLines(ours, our, theirs, their, whitespace);
  for (const region of regions) {
    if (region.take !== "conflict") continue;
    while (region.ourCount > 0 && region.theirCount > 0 && equal(region.ourStart, region.theirStart)) {
      region.ourStart++;
      region.theirStart++;
      region.ourCount--;
      region.theirCount--;
    }
    while (
      region.ourCount > 0 &&
      region.theirCount > 0 &&
      equal(region.ourStart + region.ourCount - 1, region.theirStart + region.theirCount - 1)
    ) {
      region.ourCount--;
      region.theirCount--;
    }
  }
}
