/**
 * Diffs two texts: by lines, with the code of git's diffs, and within them by letters. The editor's own comparison goes letter by
 * letter from the start and stops on large files, where it then marks everything after the first difference as changed.
 */
import { Change, presentableDiff } from "@codemirror/merge";
import { diffLines, splitLines } from "@workspace/text";

/** Longer parts are marked as lines, without a letter diff. */
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

/** The start of each line, and the end of the last one. */
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
