/**
 * Histogram: finds the common run whose lines occur least often in the old text, matches it, and goes on above and below it. A
 * range where every common line is too frequent falls back to the classic algorithm. The table is git's, chain limit included,
 * since which run wins depends on the order in which it is searched.
 */
import type { ClassicDiff } from "./classic.ts";
import { type Marks, markRange, type Range } from "./marks.ts";

const MAX_CHAIN = 64;
const NONE = -1;

export function histogram(classic: ClassicDiff, marks: Marks): void {
  const { old, new: fresh } = classic.lines;
  const room = workRoom(old.length);
  const stack: Range[] = [{ oldStart: 0, oldEnd: old.length, newStart: 0, newEnd: fresh.length }];
  for (let range = stack.pop(); range !== undefined; range = stack.pop()) {
    if (range.oldStart >= range.oldEnd || range.newStart >= range.newEnd) {
      markRange(marks, range);
      continue;
    }
    const run = rarestRun(room, old, fresh, range);
    if (run === "too frequent") classic.mark(marks, range);
    else if (run === null) markRange(marks, range);
    else {
      stack.push({ ...range, oldStart: run.oldEnd + 1, newStart: run.newEnd + 1 });
      stack.push({ ...range, oldEnd: run.oldStart, newEnd: run.newStart });
    }
  }
}

/** Both ends inclusive. */
interface Run {
  oldStart: number;
  oldEnd: number;
  newStart: number;
  newEnd: number;
}

function rarestRun(room: OldIndex, old: Int32Array, fresh: Int32Array, range: Range): Run | null | "too frequent" {
  const index = indexOld(room, old, range);
  if (index === null) return "too frequent";
  const search: RunSearch = { run: null, count: MAX_CHAIN + 1, anyCommon: false };
  for (let at = range.newStart; at < range.newEnd; ) at = tryLine(index, search, old, fresh, range, at);
  if (search.anyCommon && search.count > MAX_CHAIN) return "too frequent";
  return search.run;
}

/** The old range's lines by value: one record per different line, chained by hash; its occurrences chained upwards. */
interface OldIndex {
  readonly heads: Int32Array;
  readonly bits: number;
  readonly recordNext: Int32Array;
  readonly recordFirst: Int32Array;
  readonly recordCount: Int32Array;
  /** Per line, from the range's start: its record, and the next line that equals it. */
  readonly recordOf: Int32Array;
  readonly nextEqual: Int32Array;
}

/** For the largest range there is. Every range uses it anew: there may be thousands of them, each nearly as large. */
function workRoom(count: number): OldIndex {
  const lists = Array.from({ length: 5 }, () => new Int32Array(count));
  const [recordNext, recordFirst, recordCount, recordOf, nextEqual] = lists as [
    Int32Array,
    Int32Array,
    Int32Array,
    Int32Array,
    Int32Array,
  ];
  const bits = bitsFor(count);
  return { heads: new Int32Array(2 ** bits), bits, recordNext, recordFirst, recordCount, recordOf, nextEqual };
}

function bitsFor(count: number): number {
  let bits = 1;
  while (2 ** bits < count) bits++;
  return bits;
}

function indexOld(room: OldIndex, old: Int32Array, { oldStart, oldEnd }: Range): OldIndex | null {
  const bits = bitsFor(oldEnd - oldStart);
  const index: OldIndex = { ...room, bits };
  index.heads.fill(NONE, 0, 2 ** bits);
  let records = 0;
  for (let line = oldEnd - 1; line >= oldStart; line--) {
    const slot = slotOf(old[line] as number, bits);
    let record = index.heads[slot] as number;
    let length = 0;
    while (record !== NONE && old[index.recordFirst[record] as number] !== old[line]) {
      record = index.recordNext[record] as number;
      length++;
    }
    if (record !== NONE) {
      index.nextEqual[line - oldStart] = index.recordFirst[record] as number;
      (index.recordCount[record] as number)++;
    } else {
      if (length === MAX_CHAIN) return null;
      record = records++;
      index.nextEqual[line - oldStart] = NONE;
      index.recordCount[record] = 1;
      index.recordNext[record] = index.heads[slot] as number;
      index.heads[slot] = record;
    }
    index.recordFirst[record] = line;
    index.recordOf[line - oldStart] = record;
  }
  return index;
}

function slotOf(id: number, bits: number): number {
  return (id + (id >>> bits)) & (2 ** bits - 1);
}

interface RunSearch {
  run: Run | null;
  /** How often the rarest line of the run occurs. */
  count: number;
  anyCommon: boolean;
}

/** Grows every match of new line `at`, keeps the best, and returns the next line worth trying. */
function tryLine(
  index: OldIndex,
  search: RunSearch,
  old: Int32Array,
  fresh: Int32Array,
  { oldStart, oldEnd, newStart, newEnd }: Range,
  at: number,
): number {
  let next = at + 1;
  const id = fresh[at] as number;
  let record = index.heads[slotOf(id, index.bits)] as number;
  for (; record !== NONE; record = index.recordNext[record] as number) {
    if (old[index.recordFirst[record] as number] !== id) continue;
    search.anyCommon = true;
    if ((index.recordCount[record] as number) > search.count) continue;
    let candidate = index.recordFirst[record] as number;
    while (candidate !== NONE) {
      let following = index.nextEqual[candidate - oldStart] as number;
      let a0 = candidate;
      let a1 = candidate;
      let b0 = at;
      let b1 = at;
      let count = index.recordCount[record] as number;
      while (oldStart < a0 && newStart < b0 && old[a0 - 1] === fresh[b0 - 1]) {
        a0--;
        b0--;
        if (count > 1) count = Math.min(count, index.recordCount[index.recordOf[a0 - oldStart] as number] as number);
      }
      while (a1 < oldEnd - 1 && b1 < newEnd - 1 && old[a1 + 1] === fresh[b1 + 1]) {
        a1++;
        b1++;
        if (count > 1) count = Math.min(count, index.recordCount[index.recordOf[a1 - oldStart] as number] as number);
      }
      if (next <= b1) next = b1 + 1;
      const length = search.run === null ? 0 : search.run.oldEnd - search.run.oldStart;
      if (length < a1 - a0 || count < search.count) {
        search.run = { oldStart: a0, oldEnd: a1, newStart: b0, newEnd: b1 };
        search.count = count;
      }
      while (following !== NONE && following <= a1) following = index.nextEqual[following - oldStart] as number;
      candidate = following;
    }
  }
  return next;
}
