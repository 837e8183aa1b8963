/**
 * git's default algorithm on a range of two texts. Before Myers runs, it drops lines that cannot or should not match: common
 * ends, lines the other side lacks, and very frequent lines among such lines, where a match would be accidental.
 */

import type { ChangedLines, Range } from "./changed-lines.ts";
import type { InternedLines } from "./intern-lines.ts";
import { myers, roughSquareRoot } from "./myers.ts";

const MAX_FREQUENT = 1024;
/** How many neighbors of a frequent line are examined. */
const WINDOW = 100;
/** A frequent line is dropped if fewer than one in this many of its neighbors is frequent and the others have no match. */
const FREQUENT_SHARE = 4;

const MATCHLESS = 0;
const UNCHANGED = 1;
const FREQUENT = 2;

/** Counters per class, reset after each use so that many small ranges do not pay for all classes. */
export class ClassicDiff {
  readonly #oldCounts: Int32Array;
  readonly #newCounts: Int32Array;

  constructor(
    readonly lines: InternedLines,
    readonly minimal: boolean,
  ) {
    this.#oldCounts = new Int32Array(lines.classes);
    this.#newCounts = new Int32Array(lines.classes);
  }

  mark(marks: ChangedLines, { oldStart, oldEnd, newStart, newEnd }: Range): void {
    const a = this.lines.old;
    const b = this.lines.new;
    let [a0, a1, b0, b1] = [oldStart, oldEnd, newStart, newEnd];
    while (a0 < a1 && b0 < b1 && a[a0] === b[b0]) {
      a0++;
      b0++;
    }
    while (a0 < a1 && b0 < b1 && a[a1 - 1] === b[b1 - 1]) {
      a1--;
      b1--;
    }
    if (a0 === a1 || b0 === b1) {
      marks.old.fill(1, a0, a1);
      marks.new.fill(1, b0, b1);
      return;
    }
    for (let i = oldStart; i < oldEnd; i++) (this.#oldCounts[a[i] as number] as number)++;
    for (let i = newStart; i < newEnd; i++) (this.#newCounts[b[i] as number] as number)++;
    const retainedOld = keep(a, a0, a1, this.#newCounts, oldEnd - oldStart, marks.old);
    const retainedNew = keep(b, b0, b1, this.#oldCounts, newEnd - newStart, marks.new);
    for (let i = oldStart; i < oldEnd; i++) this.#oldCounts[a[i] as number] = 0;
    for (let i = newStart; i < newEnd; i++) this.#newCounts[b[i] as number] = 0;
    myers(sequence(a, retainedOld, marks.old), sequence(b, retainedNew, marks.new), this.minimal);
  }
}

function sequence(lines: Int32Array, retained: Int32Array, marks: Uint8Array) {
  const ids = new Int32Array(retained.length);
  for (let i = 0; i < retained.length; i++) ids[i] = lines[retained[i] as number] as number;
  return {
    ids,
    mark: (position: number) => {
      marks[retained[position] as number] = 1;
    },
  };
}

/** Selects the lines of [start, end) that take part; marks the others. */
function keep(
  lines: Int32Array,
  start: number,
  end: number,
  countsThere: Int32Array,
  total: number,
  marks: Uint8Array,
): Int32Array {
  const frequent = Math.min(roughSquareRoot(total), MAX_FREQUENT);
  const fates = new Uint8Array(end - start);
  for (let i = start; i < end; i++) {
    const matches = countsThere[lines[i] as number] as number;
    fates[i - start] = matches === 0 ? MATCHLESS : matches >= frequent ? FREQUENT : UNCHANGED;
  }
  const retained = new Int32Array(end - start);
  let count = 0;
  for (let i = 0; i < fates.length; i++) {
    const fate = fates[i];
    if (fate === UNCHANGED || (fate === FREQUENT && !isNoise(fates, i))) retained[count++] = start + i;
    else marks[start + i] = 1;
  }
  return retained.subarray(0, count);
}

/** Whether a frequent line is surrounded, on both sides, by lines without a match. */
function isNoise(fates: Uint8Array, at: number): boolean {
  const before = neighbours(fates, at, -1, Math.max(0, at - WINDOW));
  if (before.matchless === 0) return false;
  const after = neighbours(fates, at, 1, Math.min(fates.length - 1, at + WINDOW));
  if (after.matchless === 0) return false;
  const frequent = before.frequent + after.frequent;
  return frequent * FREQUENT_SHARE < frequent + before.matchless + after.matchless;
}

/** Counts until the first line that takes part; the line itself counts as frequent. */
function neighbours(fates: Uint8Array, at: number, step: 1 | -1, last: number) {
  let matchless = 0;
  let frequent = 1;
  for (let i = at + step; step < 0 ? i >= last : i <= last; i += step) {
    if (fates[i] === MATCHLESS) matchless++;
    else if (fates[i] === FREQUENT) frequent++;
    else break;
  }
  return { matchless, frequent };
}
