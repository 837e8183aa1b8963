/**
 * Patience diff: matches lines that occur once in both texts first, in their longest common order, then recurses between
 * them; a range without such lines falls back to the classic algorithm.
 */

import { type ChangedLines, markRange, type Range } from "./changed-lines.ts";
import type { ClassicDiff } from "./classic.ts";

const NONE = -1;
const NOT_UNIQUE = -2;

export function patience(classic: ClassicDiff, marks: ChangedLines, isAnchor: (oldLine: number) => boolean): void {
  const { old, new: fresh, classes } = classic.lines;
  const table: Table = { entryOf: new Int32Array(classes).fill(NONE) };
  const stack: Range[] = [{ oldStart: 0, oldEnd: old.length, newStart: 0, newEnd: fresh.length }];
  for (let range = stack.pop(); range !== undefined; range = stack.pop()) {
    if (range.oldStart === range.oldEnd || range.newStart === range.newEnd) {
      markRange(marks, range);
      continue;
    }
    const { entries, anyMatch } = uniqueLines(table, old, fresh, range);
    if (!anyMatch) {
      markRange(marks, range);
      continue;
    }
    const common = longestCommonOrder(entries, isAnchor);
    if (common.length === 0) classic.mark(marks, range);
    else pushGaps(stack, old, fresh, range, common);
  }
}

/** A line of the old text and where the new text has it, or why not. */
interface UniqueLine {
  readonly oldLine: number;
  newLine: number;
  previous: UniqueLine | null;
}

interface Table {
  /** Per class: its index among the entries of the current range. */
  readonly entryOf: Int32Array;
}

function uniqueLines(table: Table, old: Int32Array, fresh: Int32Array, range: Range) {
  const entries: UniqueLine[] = [];
  const { entryOf } = table;
  let anyMatch = false;
  for (let i = range.oldStart; i < range.oldEnd; i++) {
    const known = entryOf[old[i] as number] as number;
    if (known !== NONE) (entries[known] as UniqueLine).newLine = NOT_UNIQUE;
    else entryOf[old[i] as number] = entries.push({ oldLine: i, newLine: NONE, previous: null }) - 1;
  }
  for (let i = range.newStart; i < range.newEnd; i++) {
    const known = entryOf[fresh[i] as number] as number;
    if (known === NONE) continue;
    anyMatch = true;
    const entry = entries[known] as UniqueLine;
    entry.newLine = entry.newLine === NONE ? i : NOT_UNIQUE;
  }
  for (const { oldLine } of entries) entryOf[old[oldLine] as number] = NONE;
  return { entries, anyMatch };
}

/** Patience sorting: `piles[i]` ends the best sequence of length i + 1. An anchor, once chosen, is final. */
function longestCommonOrder(entries: readonly UniqueLine[], isAnchor: (oldLine: number) => boolean): UniqueLine[] {
  const piles: UniqueLine[] = [];
  let longest = 0;
  let anchored = -1;
  for (const entry of entries) {
    if (entry.newLine < 0) continue;
    const below =
      longest === 0 || entry.newLine > (piles[longest - 1] as UniqueLine).newLine
        ? longest - 1
        : lastBelow(piles, longest, entry.newLine);
    entry.previous = below < 0 ? null : (piles[below] as UniqueLine);
    const at = below + 1;
    if (at <= anchored) continue;
    piles[at] = entry;
    if (isAnchor(entry.oldLine)) {
      anchored = at;
      longest = at + 1;
    } else if (at === longest) longest++;
  }
  const order: UniqueLine[] = [];
  for (
    let entry: UniqueLine | null = longest > 0 ? (piles[longest - 1] as UniqueLine) : null;
    entry;
    entry = entry.previous
  ) {
    order.push(entry);
  }
  return order.reverse();
}

function lastBelow(piles: readonly UniqueLine[], length: number, newLine: number): number {
  let left = -1;
  let right = length;
  while (left + 1 < right) {
    const middle = (left + right) >> 1;
    if ((piles[middle] as UniqueLine).newLine > newLine) right = middle;
    else left = middle;
  }
  return left;
}

/** Extends each match over equal neighbors and leaves the rest between them for the next round. */
function pushGaps(
  stack: Range[],
  old: Int32Array,
  fresh: Int32Array,
  range: Range,
  common: readonly UniqueLine[],
): void {
  let oldLine = range.oldStart;
  let newLine = range.newStart;
  for (let k = 0; k <= common.length; k++) {
    const entry = common[k];
    let oldNext = entry ? entry.oldLine : range.oldEnd;
    let newNext = entry ? entry.newLine : range.newEnd;
    if (entry) {
      while (oldNext > oldLine && newNext > newLine && old[oldNext - 1] === fresh[newNext - 1]) {
        oldNext--;
        newNext--;
      }
    }
    while (oldLine < oldNext && newLine < newNext && old[oldLine] === fresh[newLine]) {
      oldLine++;
      newLine++;
    }
    if (oldNext > oldLine || newNext > newLine) {
      stack.push({ oldStart: oldLine, oldEnd: oldNext, newStart: newLine, newEnd: newNext });
    }
    if (!entry) return;
    let last = entry;
    for (let next = common[k + 1]; next; next = common[k + 1]) {
      if (next.oldLine !== last.oldLine + 1 || next.newLine !== last.newLine + 1) break;
      last = next;
      k++;
    }
    oldLine = last.oldLine + 1;
    newLine = last.newLine + 1;
  }
}
