/** Writes the body of a textual diff: the hunks according to the options, and the line counts for statistics. */
import {
  type DiffLinesOptions,
  diffLines,
  type FunctionName,
  groupHunks,
  hunkRange,
  isIncomplete,
  type LineChange,
  lineBytes,
  splitLines,
  type TextLines,
  walkHunk,
} from "@workspace/text";
import type { DiffOptions } from "../diff/diff-options.ts";
import type { WhitespaceRules } from "../diff/whitespace-rules.ts";
import { encode } from "../text/bytes.ts";
import type { OutputBuffer } from "./output-buffer.ts";
import { writeHunkHeader, writeLine, writeNoNewline } from "./patch-lines.ts";

export interface TextDiff {
  readonly old: TextLines;
  readonly new: TextLines;
  readonly changes: readonly LineChange[];
}

export function diffText(before: Uint8Array, after: Uint8Array, options: DiffOptions): TextDiff {
  const [old, fresh] = [splitLines(before), splitLines(after)];
  return { old, new: fresh, changes: diffLines(old, fresh, lineOptions(options)) };
}

export function lineOptions(options: DiffOptions): DiffLinesOptions {
  const { ignoreLines } = options;
  return {
    algorithm: options.algorithm,
    indentHeuristic: options.indentHeuristic,
    whitespace: options.whitespace,
    ignoreBlankLines: options.ignoreBlankLines,
    anchors: options.anchors.map(encode),
    trimTail: options.context === 0 && !options.functionContext,
    ...(ignoreLines.length > 0
      ? { ignoreLine: (line) => ignoreLines.some((regex) => regex.test(new TextDecoder().decode(line))) }
      : {}),
  };
}

export function hunksOf(diff: TextDiff, options: DiffOptions, functionName?: FunctionName | null) {
  return groupHunks(diff.old, diff.new, diff.changes, {
    context: options.context,
    interHunkContext: options.interHunkContext,
    functionContext: options.functionContext,
    ...(functionName ? { functionName } : {}),
  });
}

/** Lines added and removed. Ignored changes count only where they are shown. */
export function countLines(diff: TextDiff, options: DiffOptions): { added: number; deleted: number } {
  const displayed = diff.changes.some(({ ignorable }) => ignorable)
    ? hunksOf(diff, options).flatMap(({ changes }) => changes)
    : diff.changes;
  let added = 0;
  let deleted = 0;
  for (const { oldCount, newCount } of displayed) {
    added += newCount;
    deleted += oldCount;
  }
  return { added, deleted };
}

interface HunkStyle {
  readonly functionName?: FunctionName | null;
  readonly rules?: WhitespaceRules | null;
  /** Called before the first hunk. */
  readonly before: () => void;
}

/** False: no hunk. */
export function writeHunks(sink: OutputBuffer, diff: TextDiff, options: DiffOptions, style: HunkStyle): boolean {
  const hunks = hunksOf(diff, options, style.functionName);
  if (hunks.length === 0) return false;
  style.before();
  const rules = style.rules ?? null;
  const blankFrom = options.color && rules?.blankAtEof ? blankTailStart(diff) : Number.POSITIVE_INFINITY;
  for (const hunk of hunks) {
    writeHunkHeader(sink, hunkRange(hunk), hunk.heading, options);
    walkHunk(hunk, (sign, line) => {
      const lines = sign === "-" ? diff.old : diff.new;
      const kind = sign === "-" ? "old" : sign === "+" ? "new" : "context";
      const blankAtEof = kind === "new" && line >= blankFrom;
      writeLine(sink, lineBytes(lines, line), { kind, rules, blankAtEof }, options);
      if (line === lines.count - 1 && isIncomplete(lines)) writeNoNewline(sink, options);
    });
  }
  return true;
}

/** The first line of the new blank lines at the end; infinite if the old text has as many. */
export function blankTailStart({ old, new: fresh }: TextDiff): number {
  const blanks = (lines: TextLines) => {
    let count = 0;
    while (count < lines.count && isBlank(lineBytes(lines, lines.count - 1 - count))) count++;
    return count;
  };
  const [before, after] = [blanks(old), blanks(fresh)];
  return after > before ? fresh.count - after : Number.POSITIVE_INFINITY;
}

function isBlank(line: Uint8Array): boolean {
  return line.every((byte) => byte === 32 || byte === 9 || byte === 10 || byte === 13);
}
