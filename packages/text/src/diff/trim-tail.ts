/** Drops the common end of two texts, in steps of a kilobyte and back to a line's end: git's shortcut, which affects results. */
import type { TextLines } from "../text-lines.ts";

const BLOCK = 1024;
const LF = 10;

export function withoutCommonTail(a: TextLines, b: TextLines): [TextLines, TextLines] {
  const [aEnd, bEnd] = [a.starts[a.count] as number, b.starts[b.count] as number];
  const shorter = Math.min(aEnd, bEnd);
  let trimmed = 0;
  while (trimmed + BLOCK <= shorter && equalBlock(a.bytes, aEnd - trimmed, b.bytes, bEnd - trimmed)) trimmed += BLOCK;
  if (trimmed === 0) return [a, b];
  let recovered = 0;
  while (recovered < trimmed) if (a.bytes[aEnd - trimmed + recovered++] === LF) break;
  return [cut(a, aEnd - trimmed + recovered), cut(b, bEnd - trimmed + recovered)];
}

function equalBlock(a: Uint8Array, aEnd: number, b: Uint8Array, bEnd: number): boolean {
  for (let i = 1; i <= BLOCK; i++) if (a[aEnd - i] !== b[bEnd - i]) return false;
  return true;
}

/** `end` is a line's end. */
function cut(lines: TextLines, end: number): TextLines {
  let count = lines.count;
  while (count > 0 && (lines.starts[count] as number) > end) count--;
  return { bytes: lines.bytes, starts: lines.starts.subarray(0, count + 1), count };
}
