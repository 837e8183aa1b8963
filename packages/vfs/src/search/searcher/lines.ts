/** Lines in bytes: where one starts and ends, how many there are. */
import { ByteScan } from "../byte-scan.ts";

const LF = 0x0a;

/** Start of the line that contains `at`, not before `min`. */
export function lineStart(bytes: Uint8Array, min: number, at: number): number {
  let i = at;
  while (i > min && bytes[i - 1] !== LF) i--;
  return i;
}

/** End of the line that contains `at`: its line ending, or `end`. */
export function lineEnd(bytes: Uint8Array, at: number, end: number): number {
  let i = at;
  while (i < end && bytes[i] !== LF) i++;
  return i;
}

/** Like `lineEnd`, but after the line ending. */
export function lineEndWith(bytes: Uint8Array, at: number, end: number): number {
  const stop = lineEnd(bytes, at, end);
  return stop < end ? stop + 1 : stop;
}

export function countLines(bytes: Uint8Array, from: number, to: number): number {
  return new ByteScan(bytes).countLines(from, to);
}

/** Start of the line that is `count` lines before the one that ends at `end`; not before `min`. */
export function precedingLine(bytes: Uint8Array, min: number, end: number, count: number): number {
  if (end <= min) return min;
  let at = bytes[end - 1] === LF ? end - 1 : end;
  for (let i = 0; ; i++) {
    at = lineStart(bytes, min, at);
    if (at <= min || i >= count) return at;
    at--;
  }
}
