/**
 * After an inexact match, the new text would bring the model's spelling of lines it did not mean to change (its quotes, its
 * trailing space). So lines that the old and the new text share keep the file's own bytes, and so do the ends of a changed line.
 */
import { diffLines, splitLines } from "@workspace/text";
import { ToolError } from "../../errors.ts";
import { MAX_DIFF_LINES } from "./diff-string.ts";
import { normalizeToLF } from "./line-endings.ts";
import { type Normalization, normalText } from "./normal-text.ts";

/** `segment` is the match in the file; `ending` is the line ending of new lines. */
export function preserveUnchanged(
  segment: string,
  oldText: string,
  newText: string,
  ending: string,
  rules: Normalization,
): string {
  const own = segment.split("\n");
  const before = normalizeToLF(oldText).split("\n");
  const after = normalizeToLF(newText).split("\n");
  if (own.length !== before.length) return after.join(ending);
  if (Math.max(before.length, after.length) > MAX_DIFF_LINES) throw tooLong();
  const terminated = (lines: readonly string[]) => splitLines(`${lines.join("\n")}\n`);
  const changes = diffLines(terminated(before), terminated(after));
  /** For each new line: the equal line of the file, if any. */
  const source = new Array<number | null>(after.length).fill(null);
  let [from, to] = [0, 0];
  for (const { oldStart, newStart, oldCount, newCount } of [
    ...changes,
    { oldStart: before.length, newStart: after.length, oldCount: 0, newCount: 0 },
  ]) {
    while (from < oldStart && to < newStart) source[to++] = from++;
    if (oldCount === 1 && newCount === 1)
      after[newStart] = keepEnds(bare(own[oldStart]!), before[oldStart]!, after[newStart]!, rules);
    from = oldStart + oldCount;
    to = newStart + newCount;
  }
  const parts: string[] = [];
  for (const [i, line] of after.entries()) {
    const at = source[i];
    const retained = at === null || at === undefined ? undefined : own[at];
    const isLast = i === after.length - 1;
    parts.push(retained === undefined ? line : bare(retained));
    if (isLast) continue;
    parts.push(retained !== undefined && at! < own.length - 1 ? (retained.endsWith("\r") ? "\r\n" : "\n") : ending);
  }
  return parts.join("");
}

function tooLong(): ToolError {
  const message = `The old text is not exactly as in the file, and more than ${MAX_DIFF_LINES} lines are not compared; nothing was changed. Copy it exactly as read shows it, or send it in parts.`;
  return new ToolError("TOO_LARGE", message);
}

function bare(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}

/** For one line that changed in its middle: keeps the file's beginning and end. */
function keepEnds(own: string, before: string, after: string, rules: Normalization): string {
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < before.length - head && tail < after.length - head && before.at(-1 - tail) === after.at(-1 - tail))
    tail++;
  const normal = normalText(own, rules);
  const headLength = normalText(`${before.slice(0, head)}|`, rules).text.length - 1;
  const tailLength = normalText(before.slice(before.length - tail), rules).text.length;
  const whole = normalText(before, rules).text;
  if (normal.text !== whole || headLength + tailLength > whole.length) return after;
  const start = headLength === 0 ? { end: 0 } : normal.range(0, headLength);
  const end = tailLength === 0 ? { start: own.length } : normal.range(whole.length - tailLength, whole.length);
  if (start === null || end === null || start.end > end.start) return after;
  return own.slice(0, start.end) + after.slice(head, after.length - tail) + own.slice(end.start);
}
