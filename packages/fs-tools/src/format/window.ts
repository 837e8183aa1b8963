/**
 * Reads a window of lines from a stream of chunks. Memory holds one chunk beside the window, and reading stops at the window's end.
 * A line that does not fit is cut at a character and continued by bytes, so that every call makes progress.
 */
import { charBoundary } from "./cut-text.ts";

export interface LineWindow {
  bytes: Uint8Array;
  /** From 1. */
  startLine: number;
  /** The last line in the window; `startLine - 1` if there is none. */
  endLine: number;
  /** Known if the end of the file was reached. */
  totalLines?: number;
  nextOffset?: number;
  nextByteOffset?: number;
}

export interface LineBounds {
  offset: number;
  limit: number;
  maxBytes: number;
  /** Extra bytes per line in the result, for line numbers. */
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

/** Counts the lines of a text: the last one need not end in a line feed. */
export function countLines(text: string): number {
  let lines = text === "" || text.endsWith("\n") ? 0 : 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines++;
  return lines;
}

/** The window is one run of bytes, so it is copied by chunk, not by line. */
class WindowReader {
  readonly #bounds: LineBounds;
  /** Starts at the window's first byte. */
  readonly #parts: Uint8Array[] = [];
  /** Bytes of the lines that are final in the window. */
  #taken = 0;
  #room: number;
  #lines = 0;
  /** The current line, its start in the file, and the bytes it would take of the window so far. */
  #line = 1;
  #lineStart = 0;
  #open = false;
  #pending = 0;
  #at = 0;

  constructor(bounds: LineBounds) {
    this.#bounds = bounds;
    this.#room = bounds.maxBytes;
  }

  /** Returns the window once it is complete and more follows. */
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

  /** Copies: the chunk's owner may reuse it. */
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

  /** The line does not fit: the next call returns it, unless it would never fit. */
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
