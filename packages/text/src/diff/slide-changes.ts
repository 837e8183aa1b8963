/**
 * A run of changed lines can often lie a little higher or lower with the same meaning. Slides each run of one text so that it
 * joins neighbours it touches, stands beside a change of the other text when it can, and else where indentation says.
 */
import type { TextLines } from "../text-lines.ts";
import { addSplit, compareScores, type SplitScore } from "./indent-score.ts";

const MAX_SLIDE = 100;

export interface Side {
  readonly ids: Int32Array;
  readonly marks: Uint8Array;
}

/** `lines` of `side`, for their indentation; null: without the indent heuristic. */
export function slideChanges(side: Side, other: Side, lines: TextLines | null): void {
  const group = new Group(side);
  const mirror = new Group(other);
  do {
    if (group.end > group.start) settle(group, mirror, lines);
    mirror.next();
  } while (group.next());
}

function settle(group: Group, mirror: Group, lines: TextLines | null): void {
  let size: number;
  let earliest: number;
  let aligned: boolean;
  do {
    size = group.end - group.start;
    while (group.slideUp()) mirror.previous();
    earliest = group.end;
    aligned = mirror.end > mirror.start;
    while (group.slideDown()) {
      mirror.next();
      if (mirror.end > mirror.start) aligned = true;
    }
  } while (size !== group.end - group.start);

  if (group.end === earliest) return;
  if (aligned) {
    while (mirror.end === mirror.start) {
      group.slideUp();
      mirror.previous();
    }
    return;
  }
  if (lines === null) return;
  const best = bestEnd(group, lines, earliest, size);
  while (group.end > best) {
    group.slideUp();
    mirror.previous();
  }
}

function bestEnd(group: Group, lines: TextLines, earliest: number, size: number): number {
  let best = -1;
  let bestScore: SplitScore = { indent: 0, penalty: 0 };
  for (let end = Math.max(earliest, group.end - size - 1, group.end - MAX_SLIDE); end <= group.end; end++) {
    const score: SplitScore = { indent: 0, penalty: 0 };
    addSplit(lines, end, score);
    addSplit(lines, end - size, score);
    if (best !== -1 && compareScores(score, bestScore) > 0) continue;
    best = end;
    bestScore = score;
  }
  return best;
}

/** A maximal run of marked lines, possibly empty: there is one before every unmarked line, and one at the end. */
class Group {
  start = 0;
  end = 0;

  constructor(readonly side: Side) {
    while (this.#marked(this.end)) this.end++;
  }

  next(): boolean {
    if (this.end === this.side.ids.length) return false;
    this.start = this.end + 1;
    this.end = this.start;
    while (this.#marked(this.end)) this.end++;
    return true;
  }

  previous(): boolean {
    if (this.start === 0) return false;
    this.end = this.start - 1;
    this.start = this.end;
    while (this.#marked(this.start - 1)) this.start--;
    return true;
  }

  slideDown(): boolean {
    const { ids, marks } = this.side;
    if (this.end >= ids.length || ids[this.start] !== ids[this.end]) return false;
    marks[this.start++] = 0;
    marks[this.end++] = 1;
    while (this.#marked(this.end)) this.end++;
    return true;
  }

  slideUp(): boolean {
    const { ids, marks } = this.side;
    if (this.start === 0 || ids[this.start - 1] !== ids[this.end - 1]) return false;
    marks[--this.start] = 1;
    marks[--this.end] = 0;
    while (this.#marked(this.start - 1)) this.start--;
    return true;
  }

  #marked(line: number): boolean {
    return this.side.marks[line] === 1;
  }
}
