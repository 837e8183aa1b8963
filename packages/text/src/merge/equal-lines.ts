/** Whether two lines of different texts are equal under a whitespace rule. */
import type { TextLines } from "../text-lines.ts";
import { normalizedLine, type WhitespaceRule } from "../whitespace.ts";

export function equalLines(a: TextLines, i: number, b: TextLines, j: number, rule: WhitespaceRule): boolean {
  const left = one(a, i, rule);
  const right = one(b, j, rule);
  if (left.length !== right.length) return false;
  for (let k = 0; k < left.length; k++) if (left[k] !== right[k]) return false;
  return true;
}

function one(lines: TextLines, index: number, rule: WhitespaceRule): Uint8Array {
  return normalizedLine(lines.bytes.subarray(lines.starts[index], lines.starts[index + 1]), rule);
}
