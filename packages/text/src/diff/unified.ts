/** A hunk as lines of a unified diff, with git's "\ No newline at end of file". */

import { joinBytes } from "../join-bytes.ts";
import { isIncomplete, lineBytes, type TextLines } from "../text-lines.ts";
import { type DiffLinesOptions, diffLines, type LineChange } from "./diff-lines.ts";
import { groupHunks, type Hunk, type HunkOptions } from "./hunks.ts";

export type HunkLineKind = " " | "-" | "+";

/** Calls `emit` for each line of a hunk, in order. Context is taken from the new text, as git takes it. */
export function walkHunk(hunk: Hunk, emit: (kind: HunkLineKind, line: number) => void): void {
  let newLine = hunk.newStart;
  for (const change of hunk.changes) {
    while (newLine < change.newStart) emit(" ", newLine++);
    for (let i = 0; i < change.oldCount; i++) emit("-", change.oldStart + i);
    for (let i = 0; i < change.newCount; i++) emit("+", change.newStart + i);
    newLine = change.newStart + change.newCount;
  }
  const end = hunk.newStart + hunk.newCount;
  while (newLine < end) emit(" ", newLine++);
}

/** "@@ -1,2 +1,3 @@", without the heading. */
export function hunkRange({ oldStart, oldCount, newStart, newCount }: Omit<Hunk, "changes" | "heading">): string {
  return `@@ -${position(oldStart, oldCount)} +${position(newStart, newCount)} @@`;
}

function position(start: number, count: number): string {
  // An empty range is named by the line before it.
  const first = count === 0 ? start : start + 1;
  return count === 1 ? `${first}` : `${first},${count}`;
}

const encoder = new TextEncoder();
const NO_NEWLINE = encoder.encode("\n\\ No newline at end of file\n");

export interface UnifiedOptions extends DiffLinesOptions, HunkOptions {
  /** Number of lines of both texts that were skipped before these; hunk headers count them. */
  linesBefore?: number;
}

/** The hunks of a unified diff, without file headers. Empty: no difference. */
export function unifiedHunks(oldLines: TextLines, newLines: TextLines, options: UnifiedOptions = {}) {
  const { linesBefore = 0 } = options;
  const parts: Uint8Array[] = [];
  const trimTail = options.context === 0 && !options.functionContext;
  const changes: readonly LineChange[] = diffLines(oldLines, newLines, { trimTail, ...options });
  for (const hunk of groupHunks(oldLines, newLines, changes, options)) {
    const { oldStart, oldCount, newStart, newCount } = hunk;
    const range = { oldStart: oldStart + linesBefore, oldCount, newStart: newStart + linesBefore, newCount };
    parts.push(encoder.encode(hunkRange(range) + (hunk.heading.length > 0 ? " " : "")), hunk.heading, LINE_FEED);
    walkHunk(hunk, (kind, line) => {
      const lines = kind === "-" ? oldLines : newLines;
      parts.push(MARKERS[kind], lineBytes(lines, line));
      if (line === lines.count - 1 && isIncomplete(lines)) parts.push(NO_NEWLINE);
    });
  }
  return joinBytes(parts);
}

const LINE_FEED = encoder.encode("\n");
const MARKERS: Record<HunkLineKind, Uint8Array> = {
  " ": encoder.encode(" "),
  "-": encoder.encode("-"),
  "+": encoder.encode("+"),
};
