/**
 * Histogram diff: fixes the longest common run that contains the rarest line, then recurses above and below. Where every common
 * line is too frequent, the classic algorithm decides. Equal lines have equal numbers, so occurrences are stored in plain tables by
 * number, filled for a range and cleared again.
 */

import { type ChangedLines, markRange, type Range } from "./changed-lines.ts";
import type { ClassicDiff } from "./classic.ts";

/** A line that occurs more often is too frequent to serve as an anchor. */
const MAX_OCCURRENCES = 64;
const NONE = -1;

export function histogram(classic: ClassicDiff, marks: ChangedLines): void {
  const { old, new: fresh } = classic.lines;
  const search = new RunSearch(old, fresh);
  const stack: Range[] = [{ oldStart: 0, oldEnd: old.length, newStart: 0, newEnd: fresh.length }];
  for (let range = stack.pop(); range !== undefined; range = stack.pop()) {
    const isOneSided = range.oldStart >= range.oldEnd || range.newStart >= range.newEnd;
    const run = isOneSided ? null : search.best(range);
    if (run === "too frequent") classic.mark(marks, range);
    else if (run === null) markRange(marks, range);
    else {
      stack.push({ ...range, oldStart: run.old + run.length, newStart: run.new + run.length });
      stack.push({ ...range, oldEnd: run.old, newEnd: run.new });
    }
  }
}

interface Run {
  old: number;
  new: number;
  length: number;
  /** How often its rarest line occurs in the old range. */
  rarity: number;
}

class RunSearch {
  readonly #old: Int32Array;
  readonly #fresh: Int32Array;
  /** By line's number: where it first occurs in the old range, and how often. */
  readonly #first: Int32Array;
  readonly #count: Int32Array;
  /** By old line: the next that equals it. */
  readonly #next: Int32Array;

  constructor(old: Int32Array, fresh: Int32Array) {
    this.#old = old;
    this.#fresh = fresh;
    let max = 0;
    for (const lines of [old, fresh]) for (const id of lines) if (id > max) max = id;
    this.#first = new Int32Array(max + 1).fill(NONE);
    this.#count = new Int32Array(max + 1);
    this.#next = new Int32Array(old.length);
  }

  /** Null: the two ranges have no line in common. */
  best(range: Range): Run | null | "too frequent" {
    this.#fill(range);
    let best: Run | null = null;
    let anyCommon = false;
    for (let line = range.newStart; line < range.newEnd; ) {
      const id = this.#fresh[line] as number;
      let after = line + 1;
      if (this.#first[id] !== NONE) {
        anyCommon = true;
        const limit = best === null ? MAX_OCCURRENCES + 1 : best.rarity;
        if ((this.#count[id] as number) <= limit) [best, after] = this.#through(range, line, best);
      }
      line = after;
    }
    this.#empty(range);
    return best !== null && best.rarity > MAX_OCCURRENCES
      ? "too frequent"
      : (best ?? (anyCommon ? "too frequent" : null));
  }

  /** The best of `best` and the runs that contain the new line, and the line after the longest of them. */
  #through(range: Range, line: number, given: Run | null): [best: Run | null, after: number] {
    let best = given;
    let after = line + 1;
    let match = this.#first[this.#fresh[line] as number] as number;
    while (match !== NONE) {
      const run = this.#grow(range, match, line);
      after = Math.max(after, run.new + run.length);
      const isLonger = run.length > (best?.length ?? 1);
      if (isLonger || run.rarity < (best?.rarity ?? MAX_OCCURRENCES + 1)) best = run;
      // Lines inside the run were examined with it.
      const end = run.old + run.length;
      do match = this.#next[match] as number;
      while (match !== NONE && match < end);
    }
    return [best, after];
  }

  /** Extends the run up and down while both sides are equal. */
  #grow({ oldStart, oldEnd, newStart, newEnd }: Range, old: number, fresh: number): Run {
    let rarity = this.#count[this.#old[old] as number] as number;
    let length = 1;
    const rarer = (line: number) => {
      rarity = Math.min(rarity, this.#count[this.#old[line] as number] as number);
    };
    let up = 0;
    while (old - up > oldStart && fresh - up > newStart && this.#old[old - up - 1] === this.#fresh[fresh - up - 1])
      rarer(old - ++up);
    while (old + length < oldEnd && fresh + length < newEnd && this.#old[old + length] === this.#fresh[fresh + length])
      rarer(old + length++);
    return { old: old - up, new: fresh - up, length: up + length, rarity };
  }

  #fill({ oldStart, oldEnd }: Range): void {
    for (let line = oldEnd - 1; line >= oldStart; line--) {
      const id = this.#old[line] as number;
      this.#next[line] = this.#first[id] as number;
      this.#first[id] = line;
      (this.#count[id] as number)++;
    }
  }

  #empty({ oldStart, oldEnd }: Range): void {
    for (let line = oldStart; line < oldEnd; line++) {
      const id = this.#old[line] as number;
      this.#first[id] = NONE;
      this.#count[id] = 0;
    }
  }
}
