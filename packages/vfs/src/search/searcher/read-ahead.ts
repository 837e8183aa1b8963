/** Reads more than requested, so that windows smaller than the rows of a file cost few statements and read few rows twice. */
import type { ReadBytes } from "./windows.ts";

/** Slightly more is read if a row begins before it. */
export const AHEAD_BYTES = 1024 * 1024;
/** Rows of large files begin at multiples of this, unless a write split one. */
const ROW_BYTES = 128 * 1024;

export function readAhead(read: ReadBytes): ReadBytes {
  let block: Uint8Array = new Uint8Array(0);
  let first = 0;
  return (start, length) => {
    if (start < first || start + length > first + block.length) {
      first = start - (start % ROW_BYTES);
      block = read(first, Math.max(start + length - first, AHEAD_BYTES));
    }
    return block.subarray(start - first, start - first + length);
  };
}
