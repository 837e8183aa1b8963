/**
 * A window of lines out of a stream of chunks. One chunk is held beside the window, and reading stops at the window's end; a line
 * that does not fit is cut at a character and goes on by bytes, so that going on always gets further.
 */
import { charBoundary } from "./cut-text.ts";

export interface LineWindow {
  bytes: Uint8Array;
  /** From 1. */
  startLine: number;
  /** The last line in the window; `startLine - 1` when there is none. */
  endLine: number;
  /** Known when the end of the file was seen. */
  totalLines?: number;
  nextOffset?: number;
  nextByteOffset?: number;
}

export interface LineBounds {
  offset: number;
  limit: number;
  maxBytes: number;
  /** Bytes that a line takes in the answer beyond its own, for line numbers. */
  perLine: number;
}

const LF = 10;

export async function lineWindow(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  bounds: LineBounds,
): Promise<LineWindow> {
  const reader = new WindowReader(bounds);
  for await (const chunk of chunks) {
    const done = reader.take(chunk);
    if (done !== null) return done;
  }
  return reader.end();
}

/** Lines of a text: the last one need not end. */
export function countLines(text: string): number {
  let lines = text === "" || text.endsWith("\n") ? 0 : 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines++;
  return lines;
}

/** The window is one run of bytes, so that it is copied by chunk and not by line. */
class WindowReader {
  readonly #bounds: LineBounds;
  /** From the window's first byte on. */
  readonly #parts: Uint8Array[] = [];
  /** Bytes of the lines that are in the window for good. */
  #taken = 0;
  #room: number;
  #lines = 0;
  /** The line being read, where it starts in the file, and how much of it the window would take so far. */
  #line = 1;
  #lineStart = 0;
  #open = false;
  #pending = 0;
  #at = 0;

  constructor(bounds: LineBounds) {
    this.#bounds = bounds;
    this.#room = bounds.maxBytes;
  }

  /** The window, as soon as it is complete and there is more after it. */
  take(chunk: Uint8Array): LineWindow | null {
    const { offset, limit, perLine } = this.#bounds;
    let first = -1;
    let from = 0;
    while (from < chunk.length) {
      if (this.#lines >= limit) {
        this.#keep(chunk, first, from);
        return this.#window({ nextOffset: this.#line });
      }
      const end = chunk.indexOf(LF, from);
      const stop = end < 0 ? chunk.length : end + 1;
      this.#open = true;
      if (this.#line >= offset) {
        if (first < 0) first = from;
        this.#pending += stop - from;
        if (this.#pending + perLine > this.#room) {
          this.#keep(chunk, first, stop);
          return this.#full();
        }
      }
      if (end >= 0) this.#endLine(this.#at + stop);
      from = stop;
    }
    this.#keep(chunk, first, chunk.length);
    this.#at += chunk.length;
    return null;
  }

  end(): LineWindow {
    if (this.#open) this.#endLine(this.#at);
    return this.#window({ totalLines: this.#line - 1 });
  }

  /** A copy: the chunk is its owner's, who may fill it anew. */
  #keep(chunk: Uint8Array, first: number, end: number): void {
    if (first >= 0 && first < end) this.#parts.push(chunk.slice(first, end));
  }

  #endLine(nextStart: number): void {
    if (this.#line >= this.#bounds.offset) {
      this.#taken += this.#pending;
      this.#room -= this.#pending + this.#bounds.perLine;
      this.#lines++;
    }
    this.#pending = 0;
    this.#open = false;
    this.#line++;
    this.#lineStart = nextStart;
  }

  /** The line does not fit: it is for the next call, unless it would never fit. */
  #full(): LineWindow {
    if (this.#lines > 0) return this.#window({ nextOffset: this.#line });
    const keep = Math.max(charBoundary(concat(this.#parts), Math.max(this.#room - this.#bounds.perLine, 4)), 1);
    this.#taken = keep;
    this.#lines = 1;
    return this.#window({ nextByteOffset: this.#lineStart + keep });
  }

  #window(more: Partial<LineWindow>): LineWindow {
    const { offset } = this.#bounds;
    const bytes = concat(this.#parts).subarray(0, this.#taken);
    return { bytes, startLine: offset, endLine: offset + this.#lines - 1, ...more };
  }
}

export function concat(parts: readonly Uint8Array[]): Uint8Array {
  if (parts.length === 1) return parts[0] as Uint8Array;
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
