/** Explains why a hunk does not apply: where it would nearly fit, and the first line that differs from the patch. */
import { lineBytes, type PatchHunk, splitLines } from "@workspace/text";
import { ToolError } from "../../errors.ts";

const SHOWN = 200;
const MAX_TRIED = 200_000;

export function explainHunk(
  name: string,
  content: Uint8Array,
  hunk: PatchHunk,
  number: number,
  decoder: TextDecoder,
): ToolError {
  const lines = splitLines(content);
  const text = (bytes: Uint8Array) => decoder.decode(bytes).replace(/\r?\n$/, "");
  const wanted = hunk.lines.filter(({ kind }) => kind !== "+");
  const expected = Math.max(hunk.oldStart - 1, 0);
  const there = (at: number) => (at >= 0 && at < lines.count ? text(lineBytes(lines, at)) : undefined);
  const numbers = new Map<string, number>();
  const given = Int32Array.from(wanted, (line) => textNumber(numbers, text(line.text).trim()));
  const own = new Int32Array(lines.count);
  for (let line = 0; line < lines.count; line++) own[line] = numbers.get((there(line) as string).trim()) ?? -1;
  let [best, score] = [expected, -1];
  const tried = Math.min(lines.count, MAX_TRIED);
  for (let at = 0; at < tried; at++) {
    let same = 0;
    for (let i = 0; i < given.length; i++) if (own[at + i] === given[i]) same++;
    if (same > score || (same === score && Math.abs(at - expected) < Math.abs(best - expected)))
      [best, score] = [at, same];
    if (wanted.length * at > MAX_TRIED * 10) break;
  }
  const first = wanted.findIndex((line, i) => there(best + i) !== text(line.text));
  if (first < 0 && wanted.length > 0) return sameButForItsEnd(name, content, number, best + wanted.length);
  const line = best + Math.max(first, 0) + 1;
  const ownLine = there(line - 1);
  const givenLine = text(wanted[Math.max(first, 0)]?.text ?? new Uint8Array(0));
  const found = ownLine === undefined ? `the file ends after line ${lines.count}` : `line ${line} is ${quote(ownLine)}`;
  const message = `Hunk ${number} of ${name} does not apply; nothing was changed. The patch expects ${quote(givenLine)}, but ${found}. Read the file and make the patch anew.`;
  return new ToolError("PATCH_FAILED", message, {
    path: name,
    hunk: number,
    line,
    expected: givenLine.slice(0, SHOWN),
    found: ownLine?.slice(0, SHOWN) ?? null,
  });
}

/** Equal texts have equal numbers. */
function textNumber(numbers: Map<string, number>, text: string): number {
  let number = numbers.get(text);
  if (number === undefined) numbers.set(text, (number = numbers.size));
  return number;
}

const LF = 10;

/** Every line reads the same: the difference is not visible in the lines. */
function sameButForItsEnd(name: string, content: Uint8Array, number: number, line: number): ToolError {
  const reason =
    content.at(-1) === LF
      ? "the lines are the same, but end otherwise (LF or CRLF), or stand at another place than the patch says"
      : "the file has no newline at its end: write `\\ No newline at end of file` behind its last line, on both sides";
  const message = `Hunk ${number} of ${name} does not apply; nothing was changed. Its text is right: ${reason}.`;
  return new ToolError("PATCH_FAILED", message, { path: name, hunk: number, line });
}

function quote(line: string): string {
  return JSON.stringify(line.length > SHOWN ? `${line.slice(0, SHOWN)}…` : line);
}
