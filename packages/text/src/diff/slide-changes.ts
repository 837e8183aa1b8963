/**
 * A run of changed lines can often lie a little higher or lower with the same meaning. Slides each run of one text so that it joins
 * neighbors it touches, aligns with a change of the other text if possible, and otherwise follows the indent heuristic.
 * The unchanged lines are the same in both texts, so a position between two of them is one number for both: place `n` comes before
 * the unchanged line `n`. A run that slides past an unchanged line moves to the next place, and that line to the run's other end.
 */
import type { TextLines } from "../text-lines.ts";
import { addSplit, compareScores, type SplitScore } from "./indent-score.ts";

const MAX_SLIDE = 100;

export interface ChangeSide {
  readonly ids: Int32Array;
  readonly marks: Uint8Array;
}

/** `lines` of `side`, for their indentation; null: without the indent heuristic. */
export function slideChanges(side: ChangeSide, other: ChangeSide, lines: TextLines | null): void {
  const own = new Places(side);
  const beside = new Places(other);
  for (let position = 0; position <= own.last; position++) {
    if (own.sizeAt(position) > 0) position = rest(own, beside, position, lines);
  }
  own.writeMarks();
}

/** The final position of the run at `position`. */
function rest(own: Places, beside: Places, start: number, lines: TextLines | null): number {
  let position = start;
  let highestEnd = 0;
  /** The lowest possible place that aligns with a change of the other text. */
  let companion = -1;
  // Sliding may join it with a neighbor, and a longer run may slide further.
  for (let size = -1; size !== own.sizeAt(position); ) {
    size = own.sizeAt(position);
    while (own.slideUp(position)) position--;
    highestEnd = own.endOf(position);
    companion = beside.sizeAt(position) > 0 ? position : -1;
    while (own.slideDown(position)) if (beside.sizeAt(++position) > 0) companion = position;
  }
  const lowestEnd = own.endOf(position);
  if (lowestEnd === highestEnd) return position;
  let wanted = lowestEnd;
  if (companion >= 0) wanted = lowestEnd - (position - companion);
  else if (lines !== null) wanted = bestEnd(lines, highestEnd, lowestEnd, own.sizeAt(position));
  while (own.endOf(position) > wanted && own.slideUp(position)) position--;
  return position;
}

/** Of all possible ends of the run, the one with the best indent score; among equals the lowest. */
function bestEnd(lines: TextLines, highest: number, lowest: number, size: number): number {
  let best = lowest;
  let bestScore: SplitScore | null = null;
  for (let end = Math.max(highest, lowest - size - 1, lowest - MAX_SLIDE); end <= lowest; end++) {
    const score: SplitScore = { indent: 0, penalty: 0 };
    addSplit(lines, end, score);
    addSplit(lines, end - size, score);
    if (bestScore !== null && compareScores(score, bestScore) > 0) continue;
    best = end;
    bestScore = score;
  }
  return best;
}

/** One text as the positions of its unchanged lines; between two of them is a run, possibly empty. */
class Places {
  readonly #side: ChangeSide;
  readonly #unchanged: Int32Array;
  /** The last place: after all unchanged lines. */
  readonly last: number;

  constructor(side: ChangeSide) {
    this.#side = side;
    const { marks, ids } = side;
    const retained = new Int32Array(ids.length);
    let count = 0;
    for (let line = 0; line < ids.length; line++) if (marks[line] !== 1) retained[count++] = line;
    this.#unchanged = retained;
    this.last = count;
  }

  startOf(position: number): number {
    return position === 0 ? 0 : (this.#unchanged[position - 1] as number) + 1;
  }

  endOf(place: number): number {
    return place === this.last ? this.#side.ids.length : (this.#unchanged[place] as number);
  }

  sizeAt(place: number): number {
    return this.endOf(place) - this.startOf(place);
  }

  /** Moves the unchanged line above to below, if the run ends with an equal one. The run is then at the previous place. */
  slideUp(place: number): boolean {
    if (place === 0) return false;
    const { ids } = this.#side;
    const [above, last] = [this.#unchanged[place - 1] as number, this.endOf(place) - 1];
    if (ids[above] !== ids[last]) return false;
    this.#unchanged[place - 1] = last;
    return true;
  }

  /** Moves the unchanged line below to above, if the run begins with an equal one. The run is then at the next place. */
  slideDown(place: number): boolean {
    if (place === this.last) return false;
    const { ids } = this.#side;
    const [first, below] = [this.startOf(place), this.#unchanged[place] as number];
    if (ids[first] !== ids[below]) return false;
    this.#unchanged[place] = first;
    return true;
  }

  writeMarks(): void {
    const { marks } = this.#side;
    marks.fill(1, 0, this.#side.ids.length);
    for (let i = 0; i < this.last; i++) marks[this.#unchanged[i] as number] = 0;
  }
}
