/**
 * Myers' divide and conquer on line numbers, from both ends at once. To stay near linear on texts with little in common, it
 * trades optimality for speed as git does: after `HEURISTIC_COST` edits a long enough common run ends the search, after about
 * the square root of the diagonals the furthest path does. Those limits decide which diff results, so they are git's.
 */

/** A common run must be longer than this to end a search early. */
const SNAKE = 20;
const HEURISTIC_COST = 256;
const HEURISTIC_FACTOR = 4;
const MIN_COST_LIMIT = 256;
const FAR = 0x7fffffff;

export interface Sequence {
  /** Line numbers of the lines that are compared. */
  readonly ids: Int32Array;
  /** Calls back with positions in `ids`. */
  mark(position: number): void;
}

/** Marks lines that are not common to both sequences. */
export function myers(a: Sequence, b: Sequence, minimal: boolean): void {
  const search = new Search(a.ids, b.ids);
  const stack: Box[] = [{ a0: 0, a1: a.ids.length, b0: 0, b1: b.ids.length, minimal }];
  for (let box = stack.pop(); box !== undefined; box = stack.pop()) {
    let { a0, a1, b0, b1 } = box;
    while (a0 < a1 && b0 < b1 && a.ids[a0] === b.ids[b0]) {
      a0++;
      b0++;
    }
    while (a0 < a1 && b0 < b1 && a.ids[a1 - 1] === b.ids[b1 - 1]) {
      a1--;
      b1--;
    }
    if (a0 === a1) for (let i = b0; i < b1; i++) b.mark(i);
    else if (b0 === b1) for (let i = a0; i < a1; i++) a.mark(i);
    else {
      const split = search.split(a0, a1, b0, b1, box.minimal);
      stack.push({ a0: split.a, a1, b0: split.b, b1, minimal: split.minimalAfter });
      stack.push({ a0, a1: split.a, b0, b1: split.b, minimal: split.minimalBefore });
    }
  }
}

/** About the square root, always a power of two. */
export function roughSquareRoot(value: number): number {
  let root = 1;
  for (let rest = value; rest > 0; rest = Math.floor(rest / 4)) root *= 2;
  return root;
}

interface Box {
  readonly a0: number;
  readonly a1: number;
  readonly b0: number;
  readonly b1: number;
  readonly minimal: boolean;
}

interface Split {
  readonly a: number;
  readonly b: number;
  readonly minimalBefore: boolean;
  readonly minimalAfter: boolean;
}

class Search {
  /** Furthest position in `a` on each diagonal (a - b), forward from the start and backward from the end. */
  readonly #forward: Int32Array;
  readonly #backward: Int32Array;
  readonly #zero: number;
  readonly #costLimit: number;

  constructor(
    readonly a: Int32Array,
    readonly b: Int32Array,
  ) {
    const diagonals = a.length + b.length + 3;
    this.#forward = new Int32Array(diagonals);
    this.#backward = new Int32Array(diagonals);
    this.#zero = b.length + 1;
    this.#costLimit = Math.max(roughSquareRoot(diagonals), MIN_COST_LIMIT);
  }

  /** Where to split a box whose corners differ. */
  split(a0: number, a1: number, b0: number, b1: number, minimal: boolean): Split {
    const { a, b } = this;
    const forward = this.#forward;
    const backward = this.#backward;
    const zero = this.#zero;
    const lowest = a0 - b1;
    const highest = a1 - b0;
    const forwardMiddle = a0 - b0;
    const backwardMiddle = a1 - b1;
    const odd = ((forwardMiddle - backwardMiddle) & 1) !== 0;
    let forwardLow = forwardMiddle;
    let forwardHigh = forwardMiddle;
    let backwardLow = backwardMiddle;
    let backwardHigh = backwardMiddle;
    forward[zero + forwardMiddle] = a0;
    backward[zero + backwardMiddle] = a1;

    for (let cost = 1; ; cost++) {
      let longRun = false;

      if (forwardLow > lowest) forward[zero + --forwardLow - 1] = -1;
      else forwardLow++;
      if (forwardHigh < highest) forward[zero + ++forwardHigh + 1] = -1;
      else forwardHigh--;
      for (let d = forwardHigh; d >= forwardLow; d -= 2) {
        const left = forward[zero + d - 1] as number;
        const right = forward[zero + d + 1] as number;
        const from = left >= right ? left + 1 : right;
        let i = from;
        let j = i - d;
        while (i < a1 && j < b1 && a[i] === b[j]) {
          i++;
          j++;
        }
        if (i - from > SNAKE) longRun = true;
        forward[zero + d] = i;
        if (odd && backwardLow <= d && d <= backwardHigh && (backward[zero + d] as number) <= i) {
          return { a: i, b: j, minimalBefore: true, minimalAfter: true };
        }
      }

      if (backwardLow > lowest) backward[zero + --backwardLow - 1] = FAR;
      else backwardLow++;
      if (backwardHigh < highest) backward[zero + ++backwardHigh + 1] = FAR;
      else backwardHigh--;
      for (let d = backwardHigh; d >= backwardLow; d -= 2) {
        const left = backward[zero + d - 1] as number;
        const right = backward[zero + d + 1] as number;
        const from = left < right ? left : right - 1;
        let i = from;
        let j = i - d;
        while (i > a0 && j > b0 && a[i - 1] === b[j - 1]) {
          i--;
          j--;
        }
        if (from - i > SNAKE) longRun = true;
        backward[zero + d] = i;
        if (!odd && forwardLow <= d && d <= forwardHigh && i <= (forward[zero + d] as number)) {
          return { a: i, b: j, minimalBefore: true, minimalAfter: true };
        }
      }

      if (minimal) continue;
      if (longRun && cost > HEURISTIC_COST) {
        const found =
          this.#promisingForward(a0, a1, b0, b1, forwardLow, forwardHigh, cost) ??
          this.#promisingBackward(a0, a1, b0, b1, backwardLow, backwardHigh, cost);
        if (found) return found;
      }
      if (cost >= this.#costLimit) {
        return this.#furthest(a0, a1, b0, b1, forwardLow, forwardHigh, backwardLow, backwardHigh);
      }
    }
  }

  /** The forward path that has gone far for its cost and ends in a common run. */
  #promisingForward(a0: number, a1: number, b0: number, b1: number, low: number, high: number, cost: number) {
    let best = 0;
    let split: Split | null = null;
    for (let d = high; d >= low; d -= 2) {
      const i = this.#forward[this.#zero + d] as number;
      const j = i - d;
      const reach = i - a0 + (j - b0) - Math.abs(d - (a0 - b0));
      if (reach <= HEURISTIC_FACTOR * cost || reach <= best) continue;
      if (i < a0 + SNAKE || i >= a1 || j < b0 + SNAKE || j >= b1) continue;
      if (!this.#runs(i - SNAKE, j - SNAKE)) continue;
      best = reach;
      split = { a: i, b: j, minimalBefore: true, minimalAfter: false };
    }
    return split;
  }

  #promisingBackward(a0: number, a1: number, b0: number, b1: number, low: number, high: number, cost: number) {
    let best = 0;
    let split: Split | null = null;
    for (let d = high; d >= low; d -= 2) {
      const i = this.#backward[this.#zero + d] as number;
      const j = i - d;
      const reach = a1 - i + (b1 - j) - Math.abs(d - (a1 - b1));
      if (reach <= HEURISTIC_FACTOR * cost || reach <= best) continue;
      if (i <= a0 || i > a1 - SNAKE || j <= b0 || j > b1 - SNAKE) continue;
      if (!this.#runs(i, j)) continue;
      best = reach;
      split = { a: i, b: j, minimalBefore: false, minimalAfter: true };
    }
    return split;
  }

  #runs(i: number, j: number): boolean {
    for (let k = 0; k < SNAKE; k++) if (this.a[i + k] !== this.b[j + k]) return false;
    return true;
  }

  /** Cost limit reached: the end of the path that has covered the most lines, from either side. */
  #furthest(
    a0: number,
    a1: number,
    b0: number,
    b1: number,
    forwardLow: number,
    forwardHigh: number,
    backwardLow: number,
    backwardHigh: number,
  ): Split {
    let forwardSum = -1;
    let forwardAt = -1;
    for (let d = forwardHigh; d >= forwardLow; d -= 2) {
      let i = Math.min(this.#forward[this.#zero + d] as number, a1);
      if (b1 < i - d) i = b1 + d;
      if (forwardSum < 2 * i - d) {
        forwardSum = 2 * i - d;
        forwardAt = i;
      }
    }
    let backwardSum = FAR;
    let backwardAt = FAR;
    for (let d = backwardHigh; d >= backwardLow; d -= 2) {
      let i = Math.max(this.#backward[this.#zero + d] as number, a0);
      if (i - d < b0) i = b0 + d;
      if (2 * i - d < backwardSum) {
        backwardSum = 2 * i - d;
        backwardAt = i;
      }
    }
    if (a1 + b1 - backwardSum < forwardSum - (a0 + b0)) {
      return { a: forwardAt, b: forwardSum - forwardAt, minimalBefore: true, minimalAfter: false };
    }
    return { a: backwardAt, b: backwardSum - backwardAt, minimalBefore: false, minimalAfter: true };
  }
}
