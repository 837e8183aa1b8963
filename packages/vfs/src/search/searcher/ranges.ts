/** All matches in a line, or in a block of lines, as pairs of start and end relative to its start. */
import type { Matcher } from "../matcher.ts";

const LF = 0x0a;
/** How far a match may look beyond the lines it is in; ripgrep's number. */
const LOOK_AHEAD = 128;
/** Maximum number reported per line; a line with more is marked as cut. */
export const MAX_RANGES = 20_000;

/** Returns one more than are reported, if there are more: `reportedRanges` detects that. */
export function rangesIn(matcher: Matcher, bytes: Uint8Array, start: number, end: number): number[] {
  let found: number[] | null = null;
  eachMatch(matcher, bytes, start, end, (from, to) => {
    // Usually there is one, and an array that is pushed to allocates for many.
    if (found === null) found = [from - start, to - start];
    else found.push(from - start, to - start);
    return found.length <= 2 * MAX_RANGES;
  });
  return found ?? [];
}

/** Whether there are more than are reported. */
export function hasTooMany(ranges: readonly number[]): boolean {
  return ranges.length > 2 * MAX_RANGES;
}

/** Returns the part of the list to report. */
export function reportedRanges(ranges: readonly number[]): number {
  return Math.min(ranges.length, 2 * MAX_RANGES);
}

/** Like `rangesIn`, but for a single line: ripgrep searches context lines this way. */
export function rangesAlone(matcher: Matcher, line: Uint8Array): number[] {
  return rangesIn(matcher, line, 0, line.length);
}

export function countMatches(matcher: Matcher, bytes: Uint8Array, start: number, end: number): number {
  let count = 0;
  eachMatch(matcher, bytes, start, end, () => ++count > 0);
  return count;
}

function eachMatch(
  matcher: Matcher,
  bytes: Uint8Array,
  start: number,
  end: number,
  take: (from: number, to: number) => boolean,
): void {
  const bare = end > start && bytes[end - 1] === LF ? end - 1 : end;
  const span = matcher.spansLines
    ? { bytes, start: 0, end: Math.min(bytes.length, end + LOOK_AHEAD) }
    : { bytes, start: 0, end: bare };
  let last = -1;
  for (let from = start; from <= span.end; ) {
    const match = matcher.find(span, from);
    if (match === null || match[0] >= end) return;
    const [at, to] = match;
    if (at === to) {
      from = to + 1;
      // An empty match right after a match does not count.
      if (to === last) continue;
    } else from = to;
    last = to;
    if (!take(at, to)) return;
  }
}
