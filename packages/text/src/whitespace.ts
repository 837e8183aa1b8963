/**
 * Rules for ignoring whitespace. Lines that are equal under a rule get one normal form, so that later steps compare plain bytes.
 * Whitespace is git's: blank, tab, line feed, carriage return; not vertical tab nor form feed.
 */
import type { TextLines } from "./text-lines.ts";

/** In order of strength: the strongest given decides, as in git. */
export type WhitespaceRule = "all" | "change" | "at-eol" | "cr-at-eol" | "none";

const LF = 10;
const CR = 13;
const SPACE = 32;

export function isSpace(byte: number | undefined): boolean {
  return byte === 32 || byte === 9 || byte === 10 || byte === 13;
}

/** Empty, or only whitespace where a rule ignores it. */
export function isBlankLine(lines: TextLines, index: number, rule: WhitespaceRule): boolean {
  const start = lines.starts[index] as number;
  const end = lines.starts[index + 1] as number;
  if (rule === "none") return end - start <= 1;
  for (let at = start; at < end; at++) if (!isSpace(lines.bytes[at])) return false;
  return true;
}

export function normalizeLines(lines: TextLines, rule: WhitespaceRule): TextLines {
  if (rule === "none") return lines;
  const normalize = NORMALIZERS[rule];
  const bytes = new Uint8Array(lines.bytes.length);
  const starts = new Uint32Array(lines.count + 1);
  let end = 0;
  for (let i = 0; i < lines.count; i++) {
    starts[i] = end;
    end = normalize(lines.bytes, lines.starts[i] as number, lines.starts[i + 1] as number, bytes, end);
  }
  starts[lines.count] = end;
  return { bytes, starts, count: lines.count };
}

/** One line, with or without its "\n". */
export function normalizedLine(bytes: Uint8Array, rule: WhitespaceRule): Uint8Array {
  if (rule === "none") return bytes;
  const normal = normalizeLines({ bytes, starts: Uint32Array.of(0, bytes.length), count: 1 }, rule);
  return normal.bytes.subarray(0, normal.starts[1]);
}

/** Writes the normal form of from[start, end) to `to` at `at`, and returns where it ends. */
type Normalize = (from: Uint8Array, start: number, end: number, to: Uint8Array, at: number) => number;

const NORMALIZERS: Record<Exclude<WhitespaceRule, "none">, Normalize> = {
  all: dropAll,
  change: collapseRuns,
  "at-eol": dropTrailing,
  "cr-at-eol": dropLineEnd,
};

function dropAll(from: Uint8Array, start: number, end: number, to: Uint8Array, at: number): number {
  let next = at;
  for (let i = start; i < end; i++) {
    const byte = from[i] as number;
    if (!isSpace(byte)) to[next++] = byte;
  }
  return next;
}

function collapseRuns(from: Uint8Array, start: number, end: number, to: Uint8Array, at: number): number {
  let next = at;
  let pending = false;
  for (let i = start; i < end; i++) {
    const byte = from[i] as number;
    if (isSpace(byte)) {
      pending = true;
      continue;
    }
    if (pending) to[next++] = SPACE;
    pending = false;
    to[next++] = byte;
  }
  return next;
}

function dropTrailing(from: Uint8Array, start: number, end: number, to: Uint8Array, at: number): number {
  let stop = end;
  while (stop > start && isSpace(from[stop - 1])) stop--;
  return copy(from, start, stop, to, at);
}

/** A carriage return belongs to the line's end only when a line feed follows it. */
function dropLineEnd(from: Uint8Array, start: number, end: number, to: Uint8Array, at: number): number {
  if (end === start || from[end - 1] !== LF) return copy(from, start, end, to, at);
  const stop = end - start > 1 && from[end - 2] === CR ? end - 2 : end - 1;
  return copy(from, start, stop, to, at);
}

function copy(from: Uint8Array, start: number, end: number, to: Uint8Array, at: number): number {
  for (let i = start; i < end; i++) to[at + i - start] = from[i] as number;
  return at + end - start;
}
