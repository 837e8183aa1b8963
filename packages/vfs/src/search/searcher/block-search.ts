/**
 * Finds matches that may span lines, in a whole text. The lines of adjoining matches are reported as one block, as ripgrep does,
 * with context around it.
 */
import type { Matcher } from "../matcher.ts";
import { countLines, lineEnd, lineEndWith, lineStart, precedingLine } from "./lines.ts";
import { countMatches, rangesAlone, rangesIn } from "./ranges.ts";
import type { LineSink, SearcherOptions } from "./searcher-options.ts";

export class BlockSearch {
  readonly #matcher: Matcher;
  readonly #settings: SearcherOptions;
  readonly #sink: LineSink;
  readonly #bytes: Uint8Array;
  #lineNumber = 1;
  #counted = 0;
  #visited = 0;
  #afterLeft = 0;
  #reported = false;
  #stopped = false;
  #binaryAt: number | null = null;
  readonly #nul: "quit" | "note" | "text";
  #count = 0;

  /** `nul`: the effect of a NUL byte in reported lines. */
  constructor(
    matcher: Matcher,
    settings: SearcherOptions,
    sink: LineSink,
    bytes: Uint8Array,
    nul: "quit" | "note" | "text",
  ) {
    this.#matcher = matcher;
    this.#settings = settings;
    this.#sink = sink;
    this.#bytes = bytes;
    this.#nul = nul;
  }

  get limited(): boolean {
    return this.#count >= this.#settings.maxPerFile;
  }

  get binaryOffset(): number | null {
    return this.#binaryAt;
  }

  search(): void {
    const { invert } = this.#settings;
    const bytes = this.#bytes;
    let pending: [number, number] | null = null;
    for (let pos = 0; pos < bytes.length && !this.#stopped; ) {
      // As ripgrep, which continues with the rest as if the text began there.
      const match: readonly [number, number] | null = this.limited
        ? null
        : this.#matcher.find({ bytes, start: pos, end: bytes.length }, pos);
      if (match !== null) this.#count++;
      if (invert) {
        pos = this.#inverted(match, pos);
        continue;
      }
      if (match === null) break;
      pos = match[0] === match[1] ? match[1] + 1 : match[1];
      // With many matches in one long line, each must not search for the line's ends.
      if (pending !== null && isWithin(match, pending)) continue;
      const lines = this.#linesOf(match, pending?.[1]);
      if (pending !== null && pending[1] >= lines[0]) pending[1] = Math.max(pending[1], lines[1]);
      else {
        if (pending !== null) this.#block(pending);
        pending = lines;
      }
    }
    if (pending !== null && !this.#stopped) this.#block(pending);
    if (!this.#stopped) this.#contextAfter(bytes.length);
  }

  /** Reports the lines before the next match, each as a hit; returns where to continue. */
  #inverted(match: readonly [number, number] | null, pos: number): number {
    const bytes = this.#bytes;
    const lines = match === null ? null : this.#linesOf(match);
    const end = lines === null ? bytes.length : lines[0];
    if (pos < end) {
      this.#contextAfter(pos);
      this.#contextBefore(pos);
      for (let at = pos; at < end && !this.#stopped; ) {
        const next = lineEndWith(bytes, at, end);
        // As ripgrep: past the limit, matching lines are among these.
        this.#matched(at, next, this.#rangesOf(at, next));
        at = next;
      }
    }
    if (lines === null) return bytes.length;
    return lines[1] > lines[0] ? lines[1] : lines[1] + 1;
  }

  /** `known`: where a line starts. */
  #linesOf([start, end]: readonly [number, number], known = 0): [number, number] {
    const bytes = this.#bytes;
    const first = start < known ? known : lineStart(bytes, known, start);
    // A match that ends after a line ending does not extend into the next line.
    const last = end > start ? end - 1 : end;
    return [first, Math.max(end, lineEndWith(bytes, last, bytes.length))];
  }

  #block([start, end]: readonly [number, number]): void {
    this.#contextAfter(start);
    this.#contextBefore(start);
    // An empty match after the last line ending is in no line.
    if (start === end) this.#stopped = true;
    if (this.#stopped) return;
    this.#matched(start, end, this.#rangesOf(start, end));
  }

  /** Computed even if the ranges are not wanted: their number is the count of the block. */
  #rangesOf(start: number, end: number): number[] {
    if (this.#settings.ranges) return rangesIn(this.#matcher, this.#bytes, start, end);
    return Array<number>(2 * countMatches(this.#matcher, this.#bytes, start, end)).fill(0);
  }

  #isMatch(start: number, end: number): boolean {
    const span = { bytes: this.#bytes, start, end: lineEnd(this.#bytes, start, end) };
    return (this.#matcher.find(span, start) !== null) !== this.#settings.invert;
  }

  #contextBefore(upTo: number): void {
    const { before } = this.#settings;
    if (before === 0 || this.#visited >= upTo || this.#stopped) return;
    let at = precedingLine(this.#bytes, this.#visited, upTo, before - 1);
    while (at < upTo && !this.#stopped) {
      const next = lineEndWith(this.#bytes, at, upTo);
      this.#breakBefore(at);
      this.#report(at, next, "before");
      at = next;
    }
  }

  #contextAfter(upTo: number): void {
    let at = this.#visited;
    while (at < upTo && this.#afterLeft > 0 && !this.#stopped) {
      const next = lineEndWith(this.#bytes, at, upTo);
      const left = this.#afterLeft - 1;
      // Past the limit a line that would be a hit is still reported as one, in the context of the last.
      if (this.limited && this.#isMatch(at, next)) this.#matched(at, next, this.#rangesOf(at, next));
      else this.#report(at, next, "after");
      this.#afterLeft = left;
      at = next;
    }
  }

  #matched(start: number, end: number, ranges: readonly number[]): void {
    if (this.#isBinary(start, end)) return;
    this.#breakBefore(start);
    if (!this.#sink.matched(this.#line(start, end, ranges))) this.#stopped = true;
    this.#visited = end;
    this.#afterLeft = this.#settings.after;
    this.#reported = true;
  }

  #report(start: number, end: number, kind: "before" | "after"): void {
    if (this.#isBinary(start, end)) return;
    const { ranges, invert } = this.#settings;
    const found = ranges && invert ? rangesAlone(this.#matcher, this.#bytes.subarray(start, end)) : [];
    this.#sink.context(this.#line(start, end, found), kind);
    this.#visited = end;
    this.#reported = true;
  }

  #isBinary(start: number, end: number): boolean {
    if (this.#nul === "text") return false;
    if (this.#binaryAt === null) {
      const at = this.#bytes.subarray(start, end).indexOf(0);
      if (at < 0) return false;
      this.#binaryAt = start + at;
    }
    if (this.#nul === "quit") this.#stopped = true;
    return this.#stopped;
  }

  #breakBefore(start: number): void {
    const { before, after } = this.#settings;
    if (before + after > 0 && this.#reported && this.#visited < start) this.#sink.gap();
  }

  #line(start: number, end: number, ranges: readonly number[]) {
    if (this.#counted < start) {
      this.#lineNumber += countLines(this.#bytes, this.#counted, start);
      this.#counted = start;
    }
    return { number: this.#lineNumber, offset: start, bytes: this.#bytes.subarray(start, end), ranges };
  }
}

/** Whether a match is in the lines to report; an empty one at their end belongs to the next. */
function isWithin([start, end]: readonly [number, number], lines: readonly [number, number]): boolean {
  return end < lines[1] || (end === lines[1] && start < end);
}
