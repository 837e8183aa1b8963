/**
 * Finds the matching lines of one text and their context, window by window: ripgrep's searcher, in its order of events. A window is
 * whole lines; `roll` returns how much of one is no longer needed, and the rest starts the next.
 */
import { ByteScan } from "../byte-scan.ts";
import type { Matcher, MatcherLine } from "../matcher.ts";
import { lineEnd, lineEndWith, precedingLine } from "./lines.ts";
import { rangesAlone, rangesIn } from "./ranges.ts";
import type { LineSink, SearcherOptions } from "./searcher-options.ts";

const RETURN = 0x0d;

export class LineSearch {
  readonly #matcher: Matcher;
  readonly #settings: SearcherOptions;
  readonly #sink: LineSink;
  #pos = 0;
  /** Offset of the window's first byte. */
  #offset = 0;
  #lineNumber = 1;
  #counted = 0;
  /** Of the window, once lines were counted in it. */
  #scan: ByteScan | null = null;
  /** The first matching line of the first window, if known. */
  #first: MatcherLine | null;
  /** End of the last line that was reported to the sink. */
  #visited = 0;
  #afterLeft = 0;
  #reported = false;
  #count = 0;
  #stopped = false;

  constructor(matcher: Matcher, settings: SearcherOptions, sink: LineSink, first: MatcherLine | null = null) {
    this.#first = first;
    this.#matcher = matcher;
    this.#settings = settings;
    this.#sink = sink;
  }

  /** The search of the file stopped at the limit of hits per file. */
  get limited(): boolean {
    return this.#count >= this.#settings.maxPerFile;
  }

  /** Searches the new part of the window. False: stop. */
  search(window: Uint8Array): boolean {
    const { invert } = this.#settings;
    this.#scan = null;
    if (this.#matcher.perLine) return this.#searchEach(window);
    while (this.#pos < window.length && !this.#stopped) {
      // As ripgrep: past the limit nothing matches, so the first line of a new window is an inverted hit.
      if (invert) this.#stepInverted(window);
      if (this.limited || (!invert && !this.#step(window))) break;
    }
    if (!this.#stopped) this.#contextAfter(window, window.length);
    this.#pos = window.length;
    return !this.#stopped && !(this.limited && this.#afterLeft === 0);
  }

  /**
   * Line by line, as ripgrep does if each is a separate text. Past the limit nothing matches, so all other lines are inverted hits.
   */
  #searchEach(window: Uint8Array): boolean {
    const { invert } = this.#settings;
    while (this.#pos < window.length && !this.#stopped) {
      if (this.limited && this.#afterLeft === 0) return false;
      const start = this.#pos;
      this.#pos = lineEndWith(window, start, window.length);
      const matched = !this.limited && this.#matcher.matchesLine(window, start, lineEnd(window, start, this.#pos));
      if (matched !== invert) {
        this.#count++;
        this.#contextBefore(window, start);
        this.#matched(window, start, this.#pos);
      } else if (this.#afterLeft > 0) {
        this.#report(window, start, this.#pos, "after");
        this.#afterLeft--;
      }
    }
    return !this.#stopped;
  }

  /** How many bytes of the window can be dropped; the rest must start the next one. */
  roll(window: Uint8Array): number {
    const { before, after } = this.#settings;
    const consumed =
      before + after === 0 ? window.length : Math.max(precedingLine(window, 0, window.length, before), this.#visited);
    this.#countTo(window, consumed);
    this.#offset += consumed;
    this.#counted = 0;
    this.#visited = 0;
    this.#pos = window.length - consumed;
    return consumed;
  }

  #step(window: Uint8Array): boolean {
    const line = this.#first ?? this.#matcher.nextLine(window, this.#pos, window.length);
    this.#first = null;
    if (line === null) return false;
    const start = line[0];
    const end = Math.min(line[1] + 1, window.length);
    this.#count++;
    this.#contextAfter(window, start);
    this.#contextBefore(window, start);
    this.#pos = end;
    this.#matched(window, start, end);
    return true;
  }

  #stepInverted(window: Uint8Array): void {
    const line = this.limited ? null : this.#matcher.nextLine(window, this.#pos, window.length);
    const start = this.#pos;
    const end = line === null ? window.length : line[0];
    this.#pos = line === null ? window.length : Math.min(line[1] + 1, window.length);
    if (start === end) return;
    this.#contextAfter(window, start);
    this.#contextBefore(window, start);
    for (let at = start; at < end && !this.#stopped; ) {
      const next = lineEndWith(window, at, end);
      this.#count++;
      this.#matched(window, at, next);
      at = next;
      if (this.limited) break;
    }
  }

  #contextBefore(window: Uint8Array, upTo: number): void {
    const { before } = this.#settings;
    if (before === 0 || this.#visited >= upTo) return;
    let at = precedingLine(window, this.#visited, upTo, before - 1);
    while (at < upTo) {
      const next = lineEndWith(window, at, upTo);
      this.#breakBefore(at);
      this.#report(window, at, next, "before");
      at = next;
    }
  }

  #contextAfter(window: Uint8Array, upTo: number): void {
    let at = this.#visited;
    while (at < upTo && this.#afterLeft > 0 && !this.#stopped) {
      const next = lineEndWith(window, at, upTo);
      const left = this.#afterLeft - 1;
      // Past the limit a line that would be a hit is still reported as one, in the context of the last.
      if (this.limited && this.#isMatch(window, at, next)) this.#matched(window, at, next);
      else this.#report(window, at, next, "after");
      this.#afterLeft = left;
      at = next;
    }
  }

  #isMatch(window: Uint8Array, start: number, end: number): boolean {
    return this.#matcher.matchesLine(window, start, lineEnd(window, start, end)) !== this.#settings.invert;
  }

  #matched(window: Uint8Array, start: number, end: number): void {
    const { ranges, invert, after } = this.#settings;
    this.#breakBefore(start);
    const found =
      ranges && (!invert || this.#mayHold(window, start, end)) ? rangesIn(this.#matcher, window, start, end) : [];
    if (!this.#sink.matched(this.#line(window, start, end, found))) this.#stopped = true;
    this.#visited = end;
    this.#afterLeft = after;
    this.#reported = true;
  }

  /**
   * Whether an inverted hit may still contain a match, as in ripgrep: past the limit, next to stray bytes at its start, and before
   * CRLF, where `(?R:^)` sees the end of the text once the line is searched alone.
   */
  #mayHold(window: Uint8Array, start: number, end: number): boolean {
    return this.limited || ((window[start] as number) & 0xc0) === 0x80 || window[end - 2] === RETURN;
  }

  #report(window: Uint8Array, start: number, end: number, kind: "before" | "after"): void {
    const { ranges, invert } = this.#settings;
    const found = ranges && invert ? rangesAlone(this.#matcher, window.subarray(start, end)) : [];
    this.#sink.context(this.#line(window, start, end, found), kind);
    this.#visited = end;
    this.#reported = true;
  }

  #breakBefore(start: number): void {
    const { before, after } = this.#settings;
    if (before + after > 0 && this.#reported && this.#visited < start) this.#sink.gap();
  }

  #line(window: Uint8Array, start: number, end: number, ranges: readonly number[]) {
    this.#countTo(window, start);
    return { number: this.#lineNumber, offset: this.#offset + start, bytes: window.subarray(start, end), ranges };
  }

  #countTo(window: Uint8Array, upTo: number): void {
    if (this.#counted >= upTo) return;
    this.#scan ??= new ByteScan(window);
    this.#lineNumber += this.#scan.countLines(this.#counted, upTo);
    this.#counted = upTo;
  }
}
