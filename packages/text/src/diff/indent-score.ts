/**
 * Rates a change boundary between two lines by indentation and blank lines alone. git's authors fitted the weights to a corpus of
 * hand-rated diffs; they decide the final position of a change that can slide, so they are git's.
 */
import type { TextLines } from "../text-lines.ts";
import { isSpace } from "../whitespace.ts";

export interface SplitScore {
  indent: number;
  penalty: number;
}

const MAX_INDENT = 200;
const MAX_BLANKS = 20;
const START_OF_FILE = 1;
const END_OF_FILE = 21;
const TOTAL_BLANK = -30;
const BLANK_AFTER = 6;
const INDENTED = -4;
const INDENTED_WITH_BLANK = 10;
const OUTDENTED = 24;
const OUTDENTED_WITH_BLANK = 17;
const DEDENTED = 23;
const DEDENTED_WITH_BLANK = 17;
const INDENT_WEIGHT = 60;

/** Positive: `a` is worse. */
export function compareScores(a: SplitScore, b: SplitScore): number {
  return INDENT_WEIGHT * Math.sign(a.indent - b.indent) + (a.penalty - b.penalty);
}

/** Adds the score of a boundary right before line `at` to `score`. */
export function addSplit(lines: TextLines, at: number, score: SplitScore): void {
  const atEnd = at >= lines.count;
  const own = atEnd ? -1 : lineIndent(lines, at);
  const before = nearestIndent(lines, at - 1, -1);
  const after = nearestIndent(lines, at + 1, 1);

  if (before.indent === -1 && before.blanks === 0) score.penalty += START_OF_FILE;
  if (atEnd) score.penalty += END_OF_FILE;
  const blanksAfter = own === -1 ? 1 + after.blanks : 0;
  const blanks = before.blanks + blanksAfter;
  score.penalty += TOTAL_BLANK * blanks + BLANK_AFTER * blanksAfter;

  const indent = own === -1 ? after.indent : own;
  score.indent += indent;
  if (indent === -1 || before.indent === -1 || indent === before.indent) return;
  if (indent > before.indent) score.penalty += blanks ? INDENTED_WITH_BLANK : INDENTED;
  // Indented less than the line before, with more following: the head of a new block such as `else`. Otherwise the end of a
  // block.
  else if (after.indent !== -1 && after.indent > indent) score.penalty += blanks ? OUTDENTED_WITH_BLANK : OUTDENTED;
  else score.penalty += blanks ? DEDENTED_WITH_BLANK : DEDENTED;
}

function nearestIndent(lines: TextLines, from: number, step: 1 | -1): { indent: number; blanks: number } {
  let blanks = 0;
  for (let at = from; at >= 0 && at < lines.count; at += step) {
    const indent = lineIndent(lines, at);
    if (indent !== -1) return { indent, blanks };
    if (++blanks === MAX_BLANKS) return { indent: 0, blanks };
  }
  return { indent: -1, blanks };
}

/** In columns; -1 for a blank line. */
function lineIndent(lines: TextLines, line: number): number {
  let indent = 0;
  const end = lines.starts[line + 1] as number;
  for (let at = lines.starts[line] as number; at < end; at++) {
    const byte = lines.bytes[at];
    if (!isSpace(byte)) return indent;
    if (byte === 32) indent++;
    else if (byte === 9) indent += 8 - (indent % 8);
    if (indent >= MAX_INDENT) return MAX_INDENT;
  }
  return -1;
}
