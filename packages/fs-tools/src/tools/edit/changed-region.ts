/**
 * The region in which two texts differ, with enough surrounding lines for the diff to equal that of the whole: most edits change a
 * line or two of a long file, and shared lines need no second comparison.
 */
export interface ChangedRegion {
  before: string;
  after: string;
  /** Lines of both texts before the region. */
  linesBefore: number;
}

/** More than the shown context, with room for a change to slide to where git would put it. */
const CONTEXT_LINES = 50;

export function changedRegion(before: string, after: string): ChangedRegion {
  const max = Math.min(before.length, after.length);
  const head = commonHead(before, after, max);
  const tail = commonTail(before, after, max - head);
  const start = headAbove(before, linesUp(before, head));
  const end = linesDown(before, before.length - tail);
  return {
    before: before.slice(start, end),
    after: after.slice(start, after.length - (before.length - end)),
    linesBefore: linesIn(before, start),
  };
}

/** Compares block by block while blocks are equal: each is one memory comparison. */
const BLOCK = 512;

function commonHead(before: string, after: string, max: number): number {
  let head = 0;
  while (head + BLOCK <= max && before.slice(head, head + BLOCK) === after.slice(head, head + BLOCK)) head += BLOCK;
  while (head < max && before.charCodeAt(head) === after.charCodeAt(head)) head++;
  return head;
}

function commonTail(before: string, after: string, max: number): number {
  const [a, b] = [before.length, after.length];
  let tail = 0;
  while (tail + BLOCK <= max && before.slice(a - tail - BLOCK, a - tail) === after.slice(b - tail - BLOCK, b - tail))
    tail += BLOCK;
  while (tail < max && before.charCodeAt(a - 1 - tail) === after.charCodeAt(b - 1 - tail)) tail++;
  return tail;
}

/** The start of the line `CONTEXT_LINES` above the one at `at`. */
function linesUp(text: string, at: number): number {
  let start = at;
  for (let lines = 0; lines <= CONTEXT_LINES && start > 0; lines++) start = lineStart(text, start - 1);
  return start;
}

/** A hunk header shows the nearest line above that starts with a letter, as in git. */
function headAbove(text: string, at: number): number {
  let start = at;
  while (start > 0 && !startsHead(text.charCodeAt(start))) start = lineStart(text, start - 1);
  return start;
}

function lineStart(text: string, at: number): number {
  return at <= 0 ? 0 : text.lastIndexOf("\n", at - 1) + 1;
}

function linesDown(text: string, at: number): number {
  let end = at;
  for (let lines = 0; lines <= CONTEXT_LINES && end < text.length; lines++) {
    const next = text.indexOf("\n", end);
    end = next < 0 ? text.length : next + 1;
  }
  return end;
}

function linesIn(text: string, end: number): number {
  let lines = 0;
  for (let at = text.indexOf("\n"); at >= 0 && at < end; at = text.indexOf("\n", at + 1)) lines++;
  return lines;
}

/** A letter, `_` or `$`. */
function startsHead(code: number): boolean {
  return (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95 || code === 36;
}
