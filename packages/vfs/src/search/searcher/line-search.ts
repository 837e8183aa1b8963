/**
 * Finds the matching lines of one text and the context around them, window by window: ripgrep's searcher, whose order of events
 * this follows. A window is whole lines; `roll` says how much of one is no longer needed, and what is kept starts the next.
 */
import type { Matcher } from "../matcher.ts";
import { countLines, lineEnd, lineEndWith, precedingLine } from "./lines.ts";
import { rangesAlone, rangesIn } from "./ranges.ts";
import type { LineSink, Settings } from "./settings.ts";

export class LineSearch {
  readonly #matcher: Matcher;
  readonly #settings: Settings;
  readonly #sink: LineSink;
  #pos = 0;
  /** Of the window's first byte. */
  #offset = 0;
  #lineNumber = 1;
  #counted = 0;
  /** End of the last line that the sink was told of. */
  #visited = 0;
  #afterLeft = 0;
  #told = false;
  #count = 0;
  #stopped = false;

  constructor(matcher: Matcher, settings: Settings, sink: LineSink) {
    this.#matcher = matcher;
    this.#settings = settings;
    this.#sink = sink;
  }

  /** The file was left at the limit of hits per file. */
  get limited(): boolean {
    return this.#count >= this.#settings.maxPerFile;
  }

  /** Searches what is new in the window. False: nothing more is wanted. */
  search(window: Uint8Array): boolean {
    const { invert } = this.#settings;
    while (this.#pos < window.length && !this.#stopped && !this.limited) {
      if (invert) this.#stepInverted(window);
      else if (!this.#step(window)) break;
    }
    if (!this.#stopped) this.#contextAfter(window, window.length);
    this.#pos = window.length;
    return !this.#stopped && !(this.limited && this.#afterLeft === 0);
  }

  /** How many bytes of the window can go; the rest must start the next one. */
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
    const line = this.#matcher.nextLine(window, this.#pos, window.length);
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
    const line = this.#matcher.nextLine(window, this.#pos, window.length);
    const start = this.#pos;
    const end = line === null ? window.length : line[0];
    this.#pos = line === null ? window.length : Math.min(line[1] + 1, window.length);
    if (start === end) return;
    this.#contextAfter(window, start);
    this.#contextBefore(window, start);
    for (let at = start; at < end && !this.#stopped && !this.limited; ) {
      const next = lineEndWith(window, at, end);
      this.#count++;
      this.#matched(window, at, next);
      at = next;
    }
  }

  #contextBefore(window: Uint8Array, upTo: number): void {
    const { before } = this.#settings;
    if (before === 0 || this.#visited >= upTo) return;
    let at = precedingLine(window, this.#visited, upTo, before - 1);
    while (at < upTo) {
      const next = lineEndWith(window, at, upTo);
      this.#breakBefore(at);
      this.#tell(window, at, next, "before");
      at = next;
    }
  }

  #contextAfter(window: Uint8Array, upTo: number): void {
    let at = this.#visited;
    while (at < upTo && this.#afterLeft > 0 && !this.#stopped) {
      const next = lineEndWith(window, at, upTo);
      const left = this.#afterLeft - 1;
      // Past the limit a line that would match is still shown as what it is, in the context of the last.
      if (this.limited && this.#isMatch(window, at, next)) this.#matched(window, at, next);
      else this.#tell(window, at, next, "after");
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
    // As ripgrep: next to stray bytes at its start, a line that does not match may still hold a match.
    const stray = ((window[start] as number) & 0xc0) === 0x80;
    const found = ranges && (!invert || stray) ? rangesIn(this.#matcher, window, start, end) : [];
    if (!this.#sink.matched(this.#line(window, start, end, found))) this.#stopped = true;
    this.#visited = end;
    this.#afterLeft = after;
    this.#told = true;
  }

  #tell(window: Uint8Array, start: number, end: number, kind: "before" | "after"): void {
    const { ranges, invert } = this.#settings;
    const found = ranges && invert ? rangesAlone(this.#matcher, window.subarray(start, end)) : [];
    this.#sink.context(this.#line(window, start, end, found), kind);
    this.#visited = end;
    this.#told = true;
  }

  #breakBefore(start: number): void {
    const { before, after } = this.#settings;
    if (before + after > 0 && this.#told && this.#visited < start) this.#sink.gap();
  }

  #line(window: Uint8Array, start: number, end: number, ranges: readonly number[]) {
    this.#countTo(window, start);
    return { number: this.#lineNumber, offset: this.#offset + start, bytes: window.subarray(start, end), ranges };
  }

  #countTo(window: Uint8Array, upTo: number): void {
    if (this.#counted >= upTo) return;
    this.#lineNumber += countLines(window, this.#counted, upTo);
    this.#counted = upTo;
  }
}
