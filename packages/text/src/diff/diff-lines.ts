/**
 * The difference of two texts as a list of changes, identical to git's: same algorithms, same shortcuts, same position for a
 * change that can slide.
 */
import { lineBytes, type TextLines } from "../text-lines.ts";
import { isBlankLine, normalizeLines, type WhitespaceRule } from "../whitespace.ts";
import type { ChangedLines } from "./changed-lines.ts";
import { ClassicDiff } from "./classic.ts";
import { histogram } from "./histogram.ts";
import { internLines } from "./intern-lines.ts";
import { patience } from "./patience.ts";
import { slideChanges } from "./slide-changes.ts";
import { withoutCommonTail } from "./trim-tail.ts";

export type DiffAlgorithm = "myers" | "minimal" | "patience" | "histogram";

export interface DiffLinesOptions {
  algorithm?: DiffAlgorithm;
  whitespace?: WhitespaceRule;
  /** Default true, as in `git diff`; git's merges run without it. */
  indentHeuristic?: boolean;
  /** Changes that only add or remove blank lines are flagged `ignorable`. */
  ignoreBlankLines?: boolean;
  /** Changes whose every line (without its line feed) matches are flagged `ignorable`. */
  ignoreLine?: (line: Uint8Array) => boolean;
  /** Skip a long common end, as git does without context lines; a change then cannot slide into it. */
  trimTail?: boolean;
  /** With patience: lines with these prefixes are matched before others. */
  anchors?: readonly Uint8Array[];
}

/** Lines count from 0. Lines between changes are equal in both texts. */
export interface LineChange {
  readonly oldStart: number;
  readonly oldCount: number;
  readonly newStart: number;
  readonly newCount: number;
  readonly ignorable?: boolean;
}

export function diffLines(before: TextLines, after: TextLines, options: DiffLinesOptions = {}): LineChange[] {
  const [oldLines, newLines] = options.trimTail ? withoutCommonTail(before, after) : [before, after];
  const { algorithm = "myers", whitespace = "none", indentHeuristic = true } = options;
  const lines = internLines(normalizeLines(oldLines, whitespace), normalizeLines(newLines, whitespace));
  const marks: ChangedLines = { old: new Uint8Array(oldLines.count), new: new Uint8Array(newLines.count) };
  const classic = new ClassicDiff(lines, algorithm === "minimal");
  if (algorithm === "patience") patience(classic, marks, anchorTest(oldLines, options.anchors));
  else if (algorithm === "histogram") histogram(classic, marks);
  else classic.mark(marks, { oldStart: 0, oldEnd: oldLines.count, newStart: 0, newEnd: newLines.count });

  const oldSide = { ids: lines.old, marks: marks.old };
  const newSide = { ids: lines.new, marks: marks.new };
  slideChanges(oldSide, newSide, indentHeuristic ? oldLines : null);
  slideChanges(newSide, oldSide, indentHeuristic ? newLines : null);
  const changes = changesOf(marks);
  if (!options.ignoreBlankLines && !options.ignoreLine) return changes;
  return changes.map((change) => ({ ...change, ignorable: isIgnorable(oldLines, newLines, change, options) }));
}

function changesOf(marks: ChangedLines): LineChange[] {
  const changes: LineChange[] = [];
  const { old, new: fresh } = marks;
  let i = 0;
  let j = 0;
  while (i < old.length || j < fresh.length) {
    if (old[i] !== 1 && fresh[j] !== 1) {
      i++;
      j++;
      continue;
    }
    const oldStart = i;
    const newStart = j;
    while (old[i] === 1) i++;
    while (fresh[j] === 1) j++;
    changes.push({ oldStart, oldCount: i - oldStart, newStart, newCount: j - newStart });
  }
  return changes;
}

function anchorTest(lines: TextLines, anchors: readonly Uint8Array[] = []): (line: number) => boolean {
  if (anchors.length === 0) return () => false;
  return (index) => {
    const line = lineBytes(lines, index);
    return anchors.some((anchor) => anchor.length <= line.length && anchor.every((byte, i) => byte === line[i]));
  };
}

function isIgnorable(oldLines: TextLines, newLines: TextLines, change: LineChange, options: DiffLinesOptions): boolean {
  const { oldStart, oldCount, newStart, newCount } = change;
  const every = (lines: TextLines, start: number, count: number, test: (lines: TextLines, i: number) => boolean) => {
    for (let i = start; i < start + count; i++) if (!test(lines, i)) return false;
    return true;
  };
  const all = (test: (lines: TextLines, i: number) => boolean) =>
    every(oldLines, oldStart, oldCount, test) && every(newLines, newStart, newCount, test);
  if (options.ignoreBlankLines && all((lines, i) => isBlankLine(lines, i, options.whitespace ?? "none"))) return true;
  const { ignoreLine } = options;
  return ignoreLine !== undefined && all((lines, i) => ignoreLine(withoutLineFeed(lineBytes(lines, i))));
}

function withoutLineFeed(line: Uint8Array): Uint8Array {
  return line[line.length - 1] === 10 ? line.subarray(0, -1) : line;
}
