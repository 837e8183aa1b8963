/**
 * Groups changes into hunks with context, as git does: changes whose contexts touch share a hunk, changes flagged ignorable
 * are shown only close to others, and `functionContext` widens a hunk to the whole function.
 */
import type { TextLines } from "../text-lines.ts";
import { isSpace } from "../whitespace.ts";
import type { LineChange } from "./diff-lines.ts";
import { defaultFunctionName, type FunctionName } from "./function-name.ts";

export interface HunkOptions {
  /** Lines of context, default 3. */
  context?: number;
  /** Hunks with at most this many lines between their contexts are joined. */
  interHunkContext?: number;
  functionContext?: boolean;
  /** Detects function heads; default git's rule. */
  functionName?: FunctionName;
}

/** Lines from 0, context included. */
export interface Hunk {
  readonly oldStart: number;
  readonly oldCount: number;
  readonly newStart: number;
  readonly newCount: number;
  readonly changes: readonly LineChange[];
  /** The nearest function head above, for the header line; empty: none. */
  readonly heading: Uint8Array;
}

const NO_HEADING = new Uint8Array(0);

export function groupHunks(
  oldLines: TextLines,
  newLines: TextLines,
  changes: readonly LineChange[],
  options: HunkOptions = {},
): Hunk[] {
  const context = options.context ?? 3;
  const heads = new FunctionHeads(oldLines, newLines, options.functionName ?? defaultFunctionName);
  const hunks: Hunk[] = [];
  let next = 0;
  let heading = NO_HEADING as Uint8Array;
  let searchedFrom = -1;
  while (next < changes.length) {
    const beforeIgnored = next;
    const found = nextGroup(changes, next, context, options.interHunkContext ?? 0);
    if (found === null) break;
    let { first, last } = found;

    let oldStart = 0;
    let newStart = 0;
    for (;;) {
      const change = changes[first] as LineChange;
      oldStart = Math.max(change.oldStart - context, 0);
      newStart = Math.max(change.newStart - context, 0);
      if (!options.functionContext) break;
      const start = heads.contextStart(change);
      if (start === null || start >= oldStart) break;
      newStart = Math.max(newStart - (oldStart - start), 0);
      oldStart = start;
      // Context that reaches back into an ignored change shows that change after all.
      let reached = beforeIgnored;
      while (reached !== first && endsBefore(changes[reached] as LineChange, oldStart, newStart)) reached++;
      if (reached === first) break;
      first = reached;
    }

    let oldEnd = 0;
    let newEnd = 0;
    for (;;) {
      const change = changes[last] as LineChange;
      const oldStop = change.oldStart + change.oldCount;
      const newStop = change.newStart + change.newCount;
      const trailing = Math.min(context, oldLines.count - oldStop, newLines.count - newStop);
      oldEnd = oldStop + trailing;
      newEnd = newStop + trailing;
      if (!options.functionContext) break;
      const end = heads.contextEnd(oldStop);
      if (end > oldEnd) {
        newEnd = Math.min(newEnd + (end - oldEnd), newLines.count);
        oldEnd = end;
      }
      const following = changes[last + 1];
      if (!following) break;
      const line = Math.min(following.oldStart, oldLines.count - 1);
      if (line - context > oldEnd && heads.find(line, oldEnd) >= 0) break;
      last++;
    }

    const head = heads.find(oldStart - 1, searchedFrom);
    if (head >= 0) heading = heads.nameOf(head);
    searchedFrom = oldStart - 1;
    hunks.push({
      oldStart,
      oldCount: oldEnd - oldStart,
      newStart,
      newCount: newEnd - newStart,
      changes: changes.slice(first, last + 1),
      heading,
    });
    next = last + 1;
  }
  return hunks;
}

function endsBefore({ oldStart, oldCount, newStart, newCount }: LineChange, oldLine: number, newLine: number): boolean {
  return oldStart + oldCount <= oldLine && newStart + newCount <= newLine;
}

function distance(before: LineChange, after: LineChange): number {
  return after.oldStart - (before.oldStart + before.oldCount);
}

/** Selects the changes, from `from` on, that form one hunk. Null: only ignorable ones are left. */
function nextGroup(changes: readonly LineChange[], from: number, context: number, interHunk: number) {
  const maxCommon = 2 * context + interHunk;
  let first = from;
  for (let i = from; i < changes.length && (changes[i] as LineChange).ignorable; i++) {
    const after = changes[i + 1];
    if (!after || distance(changes[i] as LineChange, after) >= context) first = i + 1;
  }
  if (first >= changes.length) return null;

  let last = first;
  let ignoredLines = 0;
  for (let i = first + 1; i < changes.length; i++) {
    const change = changes[i] as LineChange;
    const gap = distance(changes[i - 1] as LineChange, change);
    if (gap > maxCommon) break;
    const near = gap < context;
    if (near && (!change.ignorable || last === i - 1)) {
      last = i;
      ignoredLines = 0;
    } else if (near) ignoredLines += change.newCount;
    else if (last !== i - 1 && distance(changes[last] as LineChange, change) + ignoredLines > maxCommon) break;
    else if (!change.ignorable) {
      last = i;
      ignoredLines = 0;
    } else ignoredLines += change.newCount;
  }
  return { first, last };
}

/** Searches function heads in the old text (and in the new one for appended text). */
class FunctionHeads {
  constructor(
    readonly old: TextLines,
    readonly fresh: TextLines,
    readonly match: FunctionName,
  ) {}

  nameOf(line: number): Uint8Array {
    return this.match(this.old, line) ?? NO_HEADING;
  }

  /** Searches from `start` to `limit`, exclusive; -1: none. */
  find(start: number, limit: number): number {
    const step = start > limit ? -1 : 1;
    for (let line = start; line !== limit && line >= 0 && line < this.old.count; line += step) {
      if (this.match(this.old, line) !== null) return line;
    }
    return -1;
  }

  /** Where the function around a change begins, including the comment above it; null: a whole function was appended. */
  contextStart(change: LineChange): number | null {
    let from = change.oldStart;
    if (from >= this.old.count) {
      for (let line = change.newStart; line < this.fresh.count; line++) {
        if (this.match(this.fresh, line) !== null) return null;
      }
      from = this.old.count - 1;
    }
    let start = this.find(from, -1);
    while (start > 0 && !this.#isEmpty(start - 1) && this.match(this.old, start - 1) === null) start--;
    return Math.max(start, 0);
  }

  /** Where the next function begins, without the blank lines before it. */
  contextEnd(from: number): number {
    let end = this.find(from, this.old.count);
    while (end > 0 && this.#isEmpty(end - 1)) end--;
    return end < 0 ? this.old.count : end;
  }

  #isEmpty(line: number): boolean {
    const end = this.old.starts[line + 1] as number;
    for (let at = this.old.starts[line] as number; at < end; at++) if (!isSpace(this.old.bytes[at])) return false;
    return true;
  }
}
