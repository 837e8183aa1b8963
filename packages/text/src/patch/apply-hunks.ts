/**
 * Applies hunks to a text: each at the lines that match its old lines, starting at the position in its header and moving
 * outward, below and above in turn. As in git, all context must match unless less is allowed, and no hunk may touch lines that
 * another hunk changed.
 */

import { normalizedLine, type WhitespaceRule } from "../whitespace.ts";
import type { PatchHunk, PatchLine } from "./file-patch.ts";
import { equalBytes, PatchImage } from "./patch-image.ts";

export interface ApplyHunksOptions {
  /** Swap removed and added lines. */
  reverse?: boolean;
  /** Minimum number of context lines that must match around a change; default all. */
  context?: number;
  /** Hunks without context apply at any position that matches. */
  unidiffZero?: boolean;
  /** Hunks may touch each other's lines. */
  allowOverlap?: boolean;
  /** Old lines match if only the amount of whitespace differs; the text's own whitespace is preserved. */
  ignoreSpaceChange?: boolean;
  /** Adds nothing. */
  noAdd?: boolean;
  /** Transforms an added line, for instance its whitespace. */
  fixLine?: (line: Uint8Array) => Uint8Array;
  /** Old lines match if they are equal after this transformation; it then also applies to the text's own lines. */
  fixContext?: (line: Uint8Array) => Uint8Array;
  /** Recognizes a blank line, to report new blank lines at the end of the text. */
  isBlank?: (line: Uint8Array) => boolean;
  /** Drops those, and matches blank lines of a hunk beyond the end of the text. */
  dropsBlanks?: boolean;
  /** Continues after a hunk that does not apply. */
  reject?: boolean;
  /** Limit of lines compared and moved; beyond it a `PatchError`. Hunks far from their stated position cost the most. */
  maxSteps?: number;
}

const MAX_STEPS = 200_000_000;

export interface AppliedHunk {
  readonly hunk: PatchHunk;
  /** The line it was applied at, from 0; null: it did not apply. */
  readonly at: number | null;
  /** Where it was expected. */
  readonly expected: number;
  /** Number of context lines that matched in the end. */
  readonly leading: number;
  readonly trailing: number;
  /** Line of the patch: the first of the blank lines that it added at the end of the text. */
  readonly blankLine?: number;
}

export interface AppliedHunks {
  readonly content: Uint8Array;
  /** Without `reject` the list ends with the first hunk that failed. */
  readonly hunks: readonly AppliedHunk[];
  readonly steps: number;
}

export function applyHunks(
  content: Uint8Array,
  hunks: readonly PatchHunk[],
  options: ApplyHunksOptions = {},
): AppliedHunks {
  const image = new PatchImage(content, options.maxSteps ?? MAX_STEPS);
  const applied: AppliedHunk[] = [];
  for (const hunk of hunks) {
    const result = applyOne(image, hunk, options);
    applied.push(result);
    if (result.at === null && !options.reject) break;
  }
  return { content: image.content(), hunks: applied, steps: image.steps };
}

interface HunkSides {
  readonly before: Uint8Array[];
  /** `common` is the index in `before` of a context line. */
  readonly after: { readonly text: Uint8Array; readonly common: number | null }[];
}

function sidesOf(hunk: PatchHunk, { reverse, noAdd, fixLine }: ApplyHunksOptions): HunkSides {
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

function applyOne(image: PatchImage, hunk: PatchHunk, options: ApplyHunksOptions): AppliedHunk {
  const { before, after } = sidesOf(hunk, options);
  const oldStart = options.reverse ? hunk.newStart : hunk.oldStart;
  const newStart = options.reverse ? hunk.oldStart : hunk.newStart;
  const min = options.context ?? Number.POSITIVE_INFINITY;
  let { leading, trailing } = hunk;
  // A change at the very beginning has no context before it, and one at the end none after it.
  let atBeginning = oldStart === 0 || (oldStart === 1 && !options.unidiffZero);
  let atEnd = !options.unidiffZero && trailing === 0;
  let expected = newStart > 0 ? newStart - 1 : 0;
  let first = 0;
  for (;;) {
    const position = findPlace(image, before, expected, atBeginning, atEnd, options);
    if (position !== null) {
      const isAtEnd = position.at + before.length >= image.count;
      const blanks = options.isBlank && isAtEnd ? newBlanks(hunk, options.isBlank, options.reverse) : null;
      if (blanks && options.dropsBlanks) after.length -= blanks.count;
      replace(image, position.at, before, after, first, position.fixed ? options.fixContext : undefined);
      return { hunk, at: position.at, expected, leading, trailing, ...(blanks ? { blankLine: blanks.line } : {}) };
    }
    if (leading <= min && trailing <= min) return { hunk, at: null, expected, leading, trailing };
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

/** Blank lines of the context may occur among them. */
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
  image: PatchImage,
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
  image: PatchImage,
  before: readonly Uint8Array[],
  at: number,
  atBeginning: boolean,
  atEnd: boolean,
  options: ApplyHunksOptions,
  fix?: (line: Uint8Array) => Uint8Array,
): boolean {
  const isBeyond = before.length + at > image.count;
  const count = isBeyond ? linesBeforeEnd(image.count - at, before, options) : before.length;
  if (count === null || (isBeyond && fix === undefined)) return false;
  if (atEnd && !isBeyond && before.length + at !== image.count) return false;
  if (atBeginning && at > 0) return false;
  image.spend(1);
  for (let i = 0; i < count; i++) {
    if (!options.allowOverlap && image.isPatched(at + i)) return false;
    if (fix) {
      if (!equalBytes(fix(image.line(at + i)), fix(before[i] as Uint8Array))) return false;
    } else if (!isEqual(image, at + i, before[i] as Uint8Array, options.ignoreSpaceChange ? "change" : "none"))
      return false;
  }
  return true;
}

/** Where the lines beyond the end are blank and one of these is not; null: not requested, or not the case. */
function linesBeforeEnd(
  count: number,
  before: readonly Uint8Array[],
  { isBlank, dropsBlanks, ignoreSpaceChange }: ApplyHunksOptions,
): number | null {
  if (isBlank === undefined || !dropsBlanks || ignoreSpaceChange) return null;
  return before.slice(count).every(isBlank) && !before.slice(0, count).every(isBlank) ? count : null;
}

function isEqual(image: PatchImage, index: number, text: Uint8Array, rule: WhitespaceRule): boolean {
  if (rule === "none") return image.isLine(index, text);
  image.spend(1 + text.length);
  return equalBytes(normalizedLine(image.line(index), rule), normalizedLine(text, rule));
}

/** Context keeps the text's own lines, which may differ in whitespace; `fix` applies to them. */
function replace(
  image: PatchImage,
  at: number,
  before: readonly Uint8Array[],
  after: HunkSides["after"],
  dropped: number,
  fix = (line: Uint8Array) => line,
): void {
  const texts = after.map(({ text, common }) => {
    if (common === null) return text;
    const index = at + common - dropped;
    return fix(index < image.count ? image.line(index) : text);
  });
  image.replace(at, before.length, texts);
}
