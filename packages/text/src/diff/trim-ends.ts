/** Two texts without the lines that both begin and both end with, but for some that a change may slide over. */
import type { TextLines } from "../text-lines.ts";

/** More than anybody shows as context, and room to slide. */
const KEPT = 50;

export interface TrimmedLines {
  /** Lines left out at the beginning. */
  readonly skipped: number;
  readonly oldLines: TextLines;
  readonly newLines: TextLines;
}

export function withoutCommonEnds(before: TextLines, after: TextLines): TrimmedLines {
  const most = Math.min(before.count, after.count);
  let head = 0;
  while (head < most && isEqual(before, head, after, head)) head++;
  let tail = 0;
  while (tail < most - head && isEqual(before, before.count - 1 - tail, after, after.count - 1 - tail)) tail++;
  const skipped = Math.max(head - KEPT, 0);
  const left = Math.max(tail - KEPT, 0);
  return {
    skipped,
    oldLines: part(before, skipped, before.count - left),
    newLines: part(after, skipped, after.count - left),
  };
}

function isEqual(a: TextLines, i: number, b: TextLines, j: number): boolean {
  const [from, to] = [a.starts[i] as number, b.starts[j] as number];
  const length = (a.starts[i + 1] as number) - from;
  if ((b.starts[j + 1] as number) - to !== length) return false;
  for (let at = 0; at < length; at++) if (a.bytes[from + at] !== b.bytes[to + at]) return false;
  return true;
}

function part(lines: TextLines, start: number, end: number): TextLines {
  return { bytes: lines.bytes, starts: lines.starts.subarray(start, end + 1), count: end - start };
}
