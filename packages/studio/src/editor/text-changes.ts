/**
 * Where two texts differ: which lines, by the code that git's diffs use, and within them which letters. The editor's own comparison goes
 * letter by letter from the start and gives up on large files, where it then calls everything after the first difference changed.
 */
import { Change, presentableDiff } from "@codemirror/merge";
import { diffLines, splitLines } from "@workspace/text";

/** Longer stretches are marked as lines, and not searched for letters. */
const MAX_LETTERS = 5000;

export function textChanges(before: string, after: string): readonly Change[] {
  const [old, fresh] = [lineStarts(before), lineStarts(after)];
  return diffLines(splitLines(before), splitLines(after)).flatMap(({ oldStart, oldCount, newStart, newCount }) => {
    const [fromA, toA] = [old[oldStart] as number, old[oldStart + oldCount] as number];
    const [fromB, toB] = [fresh[newStart] as number, fresh[newStart + newCount] as number];
    if (oldCount === 0 || newCount === 0 || Math.max(toA - fromA, toB - fromB) > MAX_LETTERS)
      return [new Change(fromA, toA, fromB, toB)];
    return presentableDiff(before.slice(fromA, toA), after.slice(fromB, toB), { scanLimit: 500 }).map(
      (one) => new Change(one.fromA + fromA, one.toA + fromA, one.fromB + fromB, one.toB + fromB),
    );
  });
}

/** Where each line begins, and where the last one ends. */
function lineStarts(text: string): number[] {
  const starts: number[] = [];
  let at = 0;
  while (at < text.length) {
    starts.push(at);
    const end = text.indexOf("\n", at);
    at = end === -1 ? text.length : end + 1;
  }
  starts.push(text.length);
  return starts;
}
