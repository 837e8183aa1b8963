/**
 * Splits a text into windows of whole lines, filled as ripgrep fills its buffer. Their sizes are visible in a few places: a NUL
 * byte ends the search before its window, so the window borders decide which lines before it are hits.
 */
import type { LineSearch } from "./line-search.ts";

/** Bytes of a text from `start` on: as many as requested, fewer at its end, none after it. */
export type ReadBytes = (start: number, length: number) => Uint8Array;

/** The effect of a NUL byte: "quit" (files found by a walk), "note" it and continue (an explicitly named file), or none: "text". */
export type BinaryPolicy = "quit" | "note" | "text";

export interface WindowedEnd {
  readonly binaryOffset: number | null;
  /** A line was too long for memory. */
  readonly tooLong: boolean;
  readonly bytesSearched: number;
}

const CAPACITY = 64 * 1024;
/** A window grows for a long line, but not beyond this. */
const MAX_CAPACITY = 8 * 1024 * 1024;
const LF = 0x0a;

/** `step` is called after each window; false ends the search. */
export async function searchWindows(
  search: LineSearch,
  read: ReadBytes,
  nul: BinaryPolicy,
  step: (bytes: number) => Promise<void>,
): Promise<WindowedEnd> {
  let buffer = new Uint8Array(CAPACITY);
  let held = 0;
  let position = 0;
  let binaryOffset: number | null = null;
  for (;;) {
    const before = held;
    let lines = 0;
    let ended = false;
    while (lines === 0 && !ended) {
      if (held === buffer.length) {
        if (buffer.length >= MAX_CAPACITY) return { binaryOffset, tooLong: true, bytesSearched: position };
        const larger = new Uint8Array(buffer.length * 2);
        larger.set(buffer);
        buffer = larger;
      }
      const bytes = read(position, buffer.length - held);
      const found = nul === "text" ? -1 : bytes.indexOf(0);
      if (found >= 0) binaryOffset ??= position + found;
      if (found >= 0 && nul === "quit") return { binaryOffset, tooLong: false, bytesSearched: position };
      buffer.set(bytes, held);
      position += bytes.length;
      ended = bytes.length === 0;
      const fresh = buffer.subarray(held, held + bytes.length);
      // As ripgrep: if a NUL does not end the search, it ends a line.
      for (let at = found; at >= 0; at = fresh.indexOf(0, at + 1)) fresh[at] = LF;
      const last = fresh.lastIndexOf(LF);
      lines = ended ? held : last < 0 ? 0 : held + last + 1;
      held += bytes.length;
    }
    const window = buffer.subarray(0, lines);
    const idle = ended && held === before && lines === 0;
    const goOn = !idle && search.search(window);
    await step(lines);
    if (ended || !goOn) return { binaryOffset, tooLong: false, bytesSearched: position };
    const consumed = search.roll(window);
    buffer.copyWithin(0, consumed, held);
    held -= consumed;
  }
}
