/**
 * The lines of a merged file compared with each parent: which lines are new to which parents, and which parent lines were
 * removed before them. Selects the hunks to show: in the dense form only those where the result differs from every parent.
 */
import {
  type DiffLinesOptions,
  diffLines,
  isSpace,
  lineBytes,
  type TextLines,
  type WhitespaceRule,
} from "@workspace/text";
import { equalBytes } from "../text/bytes.ts";

/** A line that is in parents (a bit each) but not in the result. */
interface LostLine {
  readonly line: Uint8Array;
  parents: number;
}

export interface CombinedLine {
  /** Parents that do not have it. */
  added: number;
  /** Before it. */
  lost: LostLine[];
  displayed: boolean;
  /** Shown as context only: lines removed before it are not shown. */
  hidesLost: boolean;
  /** For each parent, its current line number. */
  readonly numbers: number[];
}

/** Limited by the bits of a number. */
export const MAX_PARENTS = 30;

/** One more than the result has: lines removed at the end belong to the last. */
export function combineLines(
  result: TextLines,
  parents: readonly TextLines[],
  options: DiffLinesOptions,
): CombinedLine[] {
  const lines: CombinedLine[] = Array.from({ length: result.count + 2 }, () => ({
    added: 0,
    lost: [],
    displayed: false,
    hidesLost: false,
    numbers: [],
  }));
  for (const [n, parent] of parents.entries()) addParent(lines, result, parent, n, options);
  return lines;
}

function addParent(
  lines: CombinedLine[],
  result: TextLines,
  parent: TextLines,
  n: number,
  options: DiffLinesOptions,
): void {
  const bit = 1 << n;
  const lost = new Map<number, LostLine[]>();
  for (const { oldStart, oldCount, newStart, newCount } of diffLines(parent, result, options)) {
    const gone: LostLine[] = [];
    for (let i = 0; i < oldCount; i++) gone.push({ line: plain(lineBytes(parent, oldStart + i)), parents: bit });
    if (gone.length > 0) lost.set(newStart, gone);
    for (let i = 0; i < newCount; i++) (lines[newStart + i] as CombinedLine).added |= bit;
  }
  let number = 1;
  for (let i = 0; i <= result.count; i++) {
    const line = lines[i] as CombinedLine;
    line.numbers[n] = number;
    const gone = lost.get(i);
    if (gone) line.lost = mergeLost(line.lost, gone, bit, options.whitespace ?? "none");
    for (const { parents } of line.lost) if (parents & bit) number++;
    if (i < result.count && !(line.added & bit)) number++;
  }
  (lines[result.count + 1] as CombinedLine).numbers[n] = number;
}

function plain(line: Uint8Array): Uint8Array {
  return line[line.length - 1] === 10 ? line.subarray(0, -1) : line;
}

/** Above this product the common removed lines are not searched: the lists are concatenated. */
const MAX_TABLE = 4_000_000;

/** Merges two lists of removed lines: common ones once, in an order that fits both. */
function mergeLost(
  base: readonly LostLine[],
  more: readonly LostLine[],
  bit: number,
  rule: WhitespaceRule,
): LostLine[] {
  if (base.length === 0) return [...more];
  if (base.length * more.length > MAX_TABLE) return [...base, ...more];
  const width = more.length + 1;
  const lengths = new Int32Array((base.length + 1) * width);
  const steps = new Uint8Array(lengths.length);
  const [MATCH, BASE, NEW] = [0, 1, 2];
  for (let i = 1; i <= base.length; i++) steps[i * width] = BASE;
  for (let j = 1; j <= more.length; j++) steps[j] = NEW;
  for (let i = 1; i <= base.length; i++) {
    for (let j = 1; j <= more.length; j++) {
      const at = i * width + j;
      const [up, left] = [lengths[at - width] as number, lengths[at - 1] as number];
      if (isSameLost((base[i - 1] as LostLine).line, (more[j - 1] as LostLine).line, rule)) {
        lengths[at] = (lengths[at - width - 1] as number) + 1;
        steps[at] = MATCH;
      } else if (left >= up) {
        lengths[at] = left;
        steps[at] = NEW;
      } else {
        lengths[at] = up;
        steps[at] = BASE;
      }
    }
  }
  const merged: LostLine[] = [];
  let [i, j] = [base.length, more.length];
  while (i > 0 || j > 0) {
    const step = steps[i * width + j];
    if (step === NEW) merged.push(more[--j] as LostLine);
    else {
      const line = base[--i] as LostLine;
      if (step === MATCH) {
        line.parents |= bit;
        j--;
      }
      merged.push(line);
    }
  }
  return merged.reverse();
}

/**
 * git's comparison of removed lines: from the end, runs of whitespace as one, but byte for byte at the very start of a line.
 */
function isSameLost(a: Uint8Array, b: Uint8Array, rule: WhitespaceRule): boolean {
  if (rule === "none") return equalBytes(a, b);
  const isBlank = (bytes: Uint8Array, at: number) => isSpace(bytes[at]);
  const trimmed = (bytes: Uint8Array, from: number) => {
    let end = from;
    while (end > 0 && isBlank(bytes, end - 1)) end--;
    return end;
  };
  let [i, j] = [trimmed(a, a.length), trimmed(b, b.length)];
  if (rule !== "all" && rule !== "change") return equalBytes(a.subarray(0, i), b.subarray(0, j));
  while (i > 0 && j > 0) {
    i--;
    j--;
    if (isBlank(a, i) || isBlank(b, j)) {
      if (rule === "change" && !(isBlank(a, i) && isBlank(b, j))) return false;
      while (i > 0 && isBlank(a, i)) i--;
      while (j > 0 && isBlank(b, j)) j--;
    }
    if (a[i] !== b[j]) return false;
  }
  return rule === "all" ? trimmed(a, i) === 0 && trimmed(b, j) === 0 : i === 0 && j === 0;
}

/** Marks the lines to show. False: none. `count` lines of the result. */
export function chooseHunks(
  lines: CombinedLine[],
  count: number,
  parents: number,
  context: number,
  dense: boolean,
): boolean {
  for (let i = 0; i <= count; i++) {
    const line = lines[i] as CombinedLine;
    line.displayed = line.added !== 0 || line.lost.length > 0;
  }
  if (dense) dropUninteresting(lines, count, 2 ** parents - 1, context);
  return addContext(lines, count, context);
}

/** Drops hunks in which the result equals one parent, or all but one parent are equal. */
function dropUninteresting(lines: CombinedLine[], count: number, all: number, context: number): void {
  let i = 0;
  for (;;) {
    while (i <= count && !(lines[i] as CombinedLine).displayed) i++;
    if (i > count) return;
    const end = hunkEnd(lines, count, i, context);
    if (isDull(lines, i, end, all)) for (let j = i; j < end; j++) (lines[j] as CombinedLine).displayed = false;
    i = end;
  }
}

function hunkEnd(lines: readonly CombinedLine[], count: number, start: number, context: number): number {
  let j = start + 1;
  for (; j <= count; j++) {
    if ((lines[j] as CombinedLine).displayed) continue;
    let ahead = Math.min(withoutTail(lines, start, j) + context, count + 1);
    let goesOn = false;
    while (ahead > 0 && j <= --ahead) {
      if (!(lines[ahead] as CombinedLine).displayed) continue;
      goesOn = true;
      break;
    }
    if (!goesOn) break;
    j = ahead;
  }
  return j;
}

/** A last line that only carries removed lines is context already. */
function withoutTail(lines: readonly CombinedLine[], start: number, end: number): number {
  return start + 1 <= end && (lines[end - 1] as CombinedLine).added === 0 ? end - 1 : end;
}

function isDull(lines: readonly CombinedLine[], start: number, end: number, all: number): boolean {
  let same = 0;
  for (let j = start; j < end; j++) {
    const { added, lost } = lines[j] as CombinedLine;
    for (const parents of [added, ...lost.map((line) => line.parents)]) {
      if (parents === 0) continue;
      if (same === 0) same = parents;
      else if (same !== parents) return false;
    }
  }
  return same !== all;
}

function addContext(lines: CombinedLine[], count: number, context: number): boolean {
  const find = (from: number, displayed: boolean) => {
    let at = from;
    while (at <= count && (lines[at] as CombinedLine).displayed !== displayed) at++;
    return at;
  };
  const show = (from: number, to: number) => {
    for (let at = from; at < to; at++) (lines[at] as CombinedLine).displayed = true;
  };
  let i = find(0, true);
  if (i > count) return false;
  while (i <= count) {
    for (let j = Math.max(i - context, 0); j < i; j++) {
      const line = lines[j] as CombinedLine;
      if (!line.displayed) line.hidesLost = true;
      line.displayed = true;
    }
    for (;;) {
      const end = find(i, false);
      if (end > count) return true;
      const next = find(end, true);
      const tail = withoutTail(lines, i, end);
      if (next < tail + context) {
        show(tail, next);
        i = next;
        continue;
      }
      i = next;
      show(tail, Math.min(tail + context, count + 1));
      break;
    }
  }
  return true;
}
