/**
 * Applies hunks to a text: each where its old lines are, the place named in its header first and then ever further away from it,
 * below and above in turn. As git does it: all context must match unless less is allowed, and no hunk may touch what another one
 * has already changed.
 */

import { joinBytes } from "../join-bytes.ts";
import { lineBytes, splitLines, type TextLines } from "../text-lines.ts";
import { normalizedLine, type WhitespaceRule } from "../whitespace.ts";
import type { PatchHunk, PatchLine } from "./file-patch.ts";

export interface ApplyHunksOptions {
  /** Swap what is removed and what is added. */
  reverse?: boolean;
  /** Least lines of context that must match around a change; default all there are. */
  context?: number;
  /** Hunks without context: a place is right wherever it matches. */
  unidiffZero?: boolean;
  /** Hunks may touch each other's lines. */
  allowOverlap?: boolean;
  /** Old lines match when only the amount of white space differs; the text's own white space then stays. */
  ignoreSpaceChange?: boolean;
  /** Adds nothing. */
  noAdd?: boolean;
  /** Changes an added line, for instance its white space. */
  fixLine?: (line: Uint8Array) => Uint8Array;
  /** Old lines match when they are the same after this; the text's own lines become so too. */
  fixContext?: (line: Uint8Array) => Uint8Array;
  /** What is a blank line, for those who want to know of new ones at the end of the text. */
  isBlank?: (line: Uint8Array) => boolean;
  /** Leaves those out. */
  dropsBlanks?: boolean;
  /** Goes on after a hunk that does not apply. */
  reject?: boolean;
}

export interface AppliedHunk {
  readonly hunk: PatchHunk;
  /** The line it went to, from 0; null: it did not apply. */
  readonly at: number | null;
  /** Where it was expected. */
  readonly expected: number;
  /** Context that had to match in the end. */
  readonly leading: number;
  readonly trailing: number;
  /** Of the patch: the first of blank lines that it put to the end of the text. */
  readonly blankLine?: number;
}

export interface AppliedHunks {
  readonly content: Uint8Array;
  /** Without `reject` it ends with the first that failed. */
  readonly hunks: readonly AppliedHunk[];
}

export function applyHunks(
  content: Uint8Array,
  hunks: readonly PatchHunk[],
  options: ApplyHunksOptions = {},
): AppliedHunks {
  const image = new Image(content);
  const applied: AppliedHunk[] = [];
  for (const hunk of hunks) {
    const result = applyOne(image, hunk, options);
    applied.push(result);
    if (result.at === null && !options.reject) break;
  }
  return { content: image.content(), hunks: applied };
}

/** The text while hunks are put into it: lines are numbers, those of the text from 0 up, those that a hunk put there from -1 down. */
class Image {
  readonly #text: TextLines;
  readonly #put: Uint8Array[] = [];
  readonly #lines: number[] = [];

  constructor(content: Uint8Array) {
    this.#text = splitLines(content);
    for (let i = 0; i < this.#text.count; i++) this.#lines.push(i);
  }

  get count(): number {
    return this.#lines.length;
  }

  isPatched(index: number): boolean {
    return (this.#lines[index] as number) < 0;
  }

  line(index: number): Uint8Array {
    const line = this.#lines[index] as number;
    return line < 0 ? (this.#put[-1 - line] as Uint8Array) : lineBytes(this.#text, line);
  }

  isLine(index: number, text: Uint8Array): boolean {
    const line = this.#lines[index] as number;
    if (line < 0) return equalBytes(this.#put[-1 - line] as Uint8Array, text);
    const { bytes, starts } = this.#text;
    const start = starts[line] as number;
    if ((starts[line + 1] as number) - start !== text.length) return false;
    for (let i = 0; i < text.length; i++) if (bytes[start + i] !== text[i]) return false;
    return true;
  }

  replace(at: number, count: number, texts: readonly Uint8Array[]): void {
    const fresh = texts.map((text) => -this.#put.push(text));
    const rest = this.#lines.splice(at).slice(count);
    for (const line of fresh) this.#lines.push(line);
    for (const line of rest) this.#lines.push(line);
  }

  /** Runs of lines that still follow each other are copied as one. */
  content(): Uint8Array {
    const parts: Uint8Array[] = [];
    const { bytes, starts } = this.#text;
    for (let i = 0; i < this.#lines.length; ) {
      const first = this.#lines[i] as number;
      if (first < 0) {
        parts.push(this.#put[-1 - first] as Uint8Array);
        i++;
        continue;
      }
      let last = first;
      while (this.#lines[++i] === last + 1) last++;
      parts.push(bytes.subarray(starts[first], starts[last + 1]));
    }
    return joinBytes(parts);
  }
}

interface Sides {
  readonly before: Uint8Array[];
  /** `common` is the index in `before` of a context line. */
  readonly after: { readonly text: Uint8Array; readonly common: number | null }[];
}

function sidesOf(hunk: PatchHunk, { reverse, noAdd, fixLine }: ApplyHunksOptions): Sides {
  const before: Uint8Array[] = [];
  const after: { text: Uint8Array; common: number | null }[] = [];
  const kindOf = ({ kind }: PatchLine) => (!reverse || kind === " " ? kind : kind === "-" ? "+" : "-");
  for (const line of hunk.lines) {
    const kind = kindOf(line);
    if (kind === "+") {
      if (!noAdd) after.push({ text: fixLine ? fixLine(line.text) : line.text, common: null });
      continue;
    }
    before.push(line.text);
    if (kind === " ") after.push({ text: line.text, common: before.length - 1 });
  }
  return { before, after };
}

function applyOne(image: Image, hunk: PatchHunk, options: ApplyHunksOptions): AppliedHunk {
  const { before, after } = sidesOf(hunk, options);
  const oldStart = options.reverse ? hunk.newStart : hunk.oldStart;
  const newStart = options.reverse ? hunk.oldStart : hunk.newStart;
  const least = options.context ?? Number.POSITIVE_INFINITY;
  let { leading, trailing } = hunk;
  // A change at the very beginning has no context before it, and one at the end none after it.
  let atBeginning = oldStart === 0 || (oldStart === 1 && !options.unidiffZero);
  let atEnd = !options.unidiffZero && trailing === 0;
  let expected = newStart > 0 ? newStart - 1 : 0;
  let first = 0;
  for (;;) {
    const place = findPlace(image, before, expected, atBeginning, atEnd, options);
    if (place !== null) {
      const isAtEnd = place.at + before.length >= image.count;
      const blanks = options.isBlank && isAtEnd ? newBlanks(hunk, options.isBlank, options.reverse) : null;
      if (blanks && options.dropsBlanks) after.length -= blanks.count;
      replace(image, place.at, before, after, first, place.fixed ? options.fixContext : undefined);
      return { hunk, at: place.at, expected, leading, trailing, ...(blanks ? { blankLine: blanks.line } : {}) };
    }
    if (leading <= least && trailing <= least) return { hunk, at: null, expected, leading, trailing };
    if (atBeginning || atEnd) {
      atBeginning = false;
      atEnd = false;
      continue;
    }
    if (leading >= trailing) {
      before.shift();
      after.shift();
      first++;
      expected--;
      leading--;
    }
    if (trailing > leading) {
      before.pop();
      after.pop();
      trailing--;
    }
  }
}

/** Blank lines of the context may stand among them. */
function newBlanks({ lines }: PatchHunk, isBlank: (line: Uint8Array) => boolean, reverse = false) {
  let [first, count] = [0, 0];
  for (const { kind, text, line } of lines) {
    const isNew = kind === (reverse ? "-" : "+");
    if (!isBlank(text) || (!isNew && kind !== " ")) count = 0;
    else if (isNew && count++ === 0) first = line;
  }
  return count === 0 ? null : { line: first, count };
}

function findPlace(
  image: Image,
  before: readonly Uint8Array[],
  expected: number,
  atBeginning: boolean,
  atEnd: boolean,
  options: ApplyHunksOptions,
): { at: number; fixed: boolean } | null {
  const { count } = image;
  const beginning = atBeginning && !(options.allowOverlap && atEnd && count !== before.length);
  let line = beginning ? 0 : atEnd ? count - before.length : expected;
  if (line < 0 || line > count) line = count;
  let fixed = false;
  const fits = (at: number) => {
    if (matches(image, before, at, beginning, atEnd, options)) return true;
    fixed =
      options.fixContext !== undefined && matches(image, before, at, beginning, atEnd, options, options.fixContext);
    return fixed;
  };
  if (fits(line)) return { at: line, fixed };
  let [above, below] = [line, line];
  for (let turn = 0; above > 0 || below < count; turn++) {
    if (turn % 2 === 0 ? below < count : above === 0) {
      if (below < count && fits(++below)) return { at: below, fixed };
    } else if (fits(--above)) return { at: above, fixed };
  }
  return null;
}

function matches(
  image: Image,
  before: readonly Uint8Array[],
  at: number,
  atBeginning: boolean,
  atEnd: boolean,
  options: ApplyHunksOptions,
  fix?: (line: Uint8Array) => Uint8Array,
): boolean {
  if (before.length + at > image.count) return false;
  if (atEnd && before.length + at !== image.count) return false;
  if (atBeginning && at > 0) return false;
  for (let i = 0; i < before.length; i++) {
    if (!options.allowOverlap && image.isPatched(at + i)) return false;
    if (fix) {
      if (!equalBytes(fix(image.line(at + i)), fix(before[i] as Uint8Array))) return false;
    } else if (!isEqual(image, at + i, before[i] as Uint8Array, options.ignoreSpaceChange ? "change" : "none"))
      return false;
  }
  return true;
}

function isEqual(image: Image, index: number, text: Uint8Array, rule: WhitespaceRule): boolean {
  if (rule === "none") return image.isLine(index, text);
  return equalBytes(normalizedLine(image.line(index), rule), normalizedLine(text, rule));
}

function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** Context keeps the text's own lines, which may differ in white space; `fix`: mended. */
function replace(
  image: Image,
  at: number,
  before: readonly Uint8Array[],
  after: Sides["after"],
  dropped: number,
  fix = (line: Uint8Array) => line,
): void {
  const texts = after.map(({ text, common }) => (common === null ? text : fix(image.line(at + common - dropped))));
  image.replace(at, before.length, texts);
}
