/**
 * The text after "@@": a line that looks like a function's head. Without a driver, that is a line that begins with a letter, "_" or
 * "$".
 */
import type { TextLines } from "../text-lines.ts";
import { isSpace } from "../whitespace.ts";

/** The text to show for line `index`, or null if it is not a function's head. */
export type FunctionName = (lines: TextLines, index: number) => Uint8Array | null;

/** git truncates longer headings. */
export const MAX_HEADING = 80;

export const defaultFunctionName: FunctionName = (lines, index) => {
  const start = lines.starts[index] as number;
  const length = (lines.starts[index + 1] as number) - start;
  if (length === 0 || !beginsHead(lines.bytes[start] as number)) return null;
  let end = start + Math.min(length, MAX_HEADING);
  while (end > start && isSpace(lines.bytes[end - 1])) end--;
  return lines.bytes.subarray(start, end);
};

function beginsHead(byte: number): boolean {
  return (byte >= 97 && byte <= 122) || (byte >= 65 && byte <= 90) || byte === 95 || byte === 36;
}
