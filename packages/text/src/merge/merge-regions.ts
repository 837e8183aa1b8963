/** Finds where the two sides' changes meet: walks both lists over the base and joins changes that overlap or touch. */
import type { LineChange } from "../diff/diff-lines.ts";
import type { WhitespaceRule } from "../whitespace.ts";
import { equalLines } from "./equal-lines.ts";
import type { MergeLevel, MergeTexts } from "./merge-text.ts";

/** A region where the result is not simply our text. Lines count from 0. */
export interface MergeRegion {
  /** "same": both sides made the same change, so our lines are used. */
  take: "conflict" | "ours" | "theirs" | "same";
  baseStart: number;
  baseCount: number;
  ourStart: number;
  ourCount: number;
  theirStart: number;
  theirCount: number;
}

export function collectRegions(
  texts: MergeTexts,
  ourChanges: readonly LineChange[],
  theirChanges: readonly LineChange[],
  { level, whitespace }: { level: MergeLevel; whitespace: WhitespaceRule },
): MergeRegion[] {
  const regions: MergeRegion[] = [];
  let i = 0;
  let j = 0;
  while (i < ourChanges.length && j < theirChanges.length) {
    const our = ourChanges[i] as LineChange;
    const their = theirChanges[j] as LineChange;
    const ourEnd = our.oldStart + our.oldCount;
    const theirEnd = their.oldStart + their.oldCount;
    if (ourEnd < their.oldStart) {
      append(regions, onlyOurs(our, their.newStart - their.oldStart));
      i++;
      continue;
    }
    if (theirEnd < our.oldStart) {
      append(regions, onlyTheirs(their, our.newStart - our.oldStart));
      j++;
      continue;
    }
    if (level === "minimal" || !sameChange(texts, our, their, whitespace)) append(regions, overlap(our, their));
    if (ourEnd >= theirEnd) j++;
    if (theirEnd >= ourEnd) i++;
  }
  for (; i < ourChanges.length; i++) {
    append(regions, onlyOurs(ourChanges[i] as LineChange, texts.theirs.count - texts.base.count));
  }
  for (; j < theirChanges.length; j++) {
    append(regions, onlyTheirs(theirChanges[j] as LineChange, texts.ours.count - texts.base.count));
  }
  return regions;
}

function sameChange(texts: MergeTexts, our: LineChange, their: LineChange, whitespace: WhitespaceRule): boolean {
  if (our.oldStart !== their.oldStart || our.oldCount !== their.oldCount || our.newCount !== their.newCount) {
    return false;
  }
  for (let k = 0; k < our.newCount; k++) {
    if (!equalLines(texts.ours, our.newStart + k, texts.theirs, their.newStart + k, whitespace)) return false;
  }
  return true;
}

/** `shift`: offset of the other side's lines from the base's at this position. */
function onlyOurs({ oldStart, oldCount, newStart, newCount }: LineChange, shift: number): MergeRegion {
  return {
    take: "ours",
    baseStart: oldStart,
    baseCount: oldCount,
    ourStart: newStart,
    ourCount: newCount,
    theirStart: oldStart + shift,
    theirCount: oldCount,
  };
}

function onlyTheirs({ oldStart, oldCount, newStart, newCount }: LineChange, shift: number): MergeRegion {
  return {
    take: "theirs",
    baseStart: oldStart,
    baseCount: oldCount,
    ourStart: oldStart + shift,
    ourCount: oldCount,
    theirStart: newStart,
    theirCount: newCount,
  };
}

/** Both changes, each widened to the base lines that either touches. */
function overlap(our: LineChange, their: LineChange): MergeRegion {
  const baseStart = Math.min(our.oldStart, their.oldStart);
  const baseEnd = Math.max(our.oldStart + our.oldCount, their.oldStart + their.oldCount);
  const grown = ({ oldStart, oldCount, newStart, newCount }: LineChange) => {
    const start = newStart - (oldStart - baseStart);
    return { start, count: newStart + newCount + (baseEnd - oldStart - oldCount) - start };
  };
  const ourLines = grown(our);
  const theirLines = grown(their);
  return {
    take: "conflict",
    baseStart,
    baseCount: baseEnd - baseStart,
    ourStart: ourLines.start,
    ourCount: ourLines.count,
    theirStart: theirLines.start,
    theirCount: theirLines.count,
  };
}

/** A region that overlaps the previous one extends it; if the two take different sides, they become a conflict. */
function append(regions: MergeRegion[], region: MergeRegion): void {
  const last = regions[regions.length - 1];
  const touches =
    last !== undefined &&
    (region.ourStart <= last.ourStart + last.ourCount || region.theirStart <= last.theirStart + last.theirCount);
  if (!touches) {
    regions.push(region);
    return;
  }
  if (last.take !== region.take) last.take = "conflict";
  last.baseCount = region.baseStart + region.baseCount - last.baseStart;
  last.ourCount = region.ourStart + region.ourCount - last.ourStart;
  last.theirCount = region.theirStart + region.theirCount - last.theirStart;
}
