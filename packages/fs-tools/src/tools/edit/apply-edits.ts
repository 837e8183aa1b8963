/**
 * Applies several replacements to one text, each matched against the original text. Everything outside the matches stays the same,
 * to the byte. Edits that overlap, match twice or change nothing are refused, and then none is applied.
 */
import type { FuzzyMatchStrategy } from "../../definition/tool-context.ts";
import { finish, type Work } from "../../definition/work.ts";
import { ToolError } from "../../errors.ts";
import { allIndexes } from "../../format/text-search.ts";
import { explainMismatch } from "./explain-mismatch.ts";
import { detectLineEnding, hasOnlyCrlf, normalizeToLF, restoreLineEndings } from "./line-endings.ts";
import { lineAt, type MatchStrategy, strategyRules, type TextMatch, TextMatcher } from "./match-text.ts";
import { preserveUnchanged } from "./preserve-unchanged.ts";

export interface Edit {
  oldText: string;
  newText: string;
}

export interface EditResult {
  text: string;
  applied: { rung: MatchStrategy; line: number }[];
}

export interface EditOptions {
  /** For error messages. */
  path?: string;
  disabledStrategies?: readonly FuzzyMatchStrategy[];
  /** Of the result, in characters; default about all that fits in memory. */
  maxLength?: number;
}

const MAX_EDITS = 1000;
/** About half the maximum length of a string. */
const MAX_LENGTH = 256 * 1024 * 1024;

/** `text` is the file's, without a byte-order mark. */
export function applyEdits(text: string, edits: readonly Edit[], options: EditOptions = {}): EditResult {
  return finish(editing(text, edits, options));
}

/** The same as resumable work, so that a long edit can yield. */
export function* editing(text: string, edits: readonly Edit[], options: EditOptions = {}): Work<EditResult> {
  const { path = "the file", disabledStrategies = [], maxLength = MAX_LENGTH } = options;
  if (edits.length === 0)
    throw new ToolError("INVALID_INPUT", "edits is empty: give at least one.", { field: "edits" });
  if (edits.length > MAX_EDITS)
    throw new ToolError("INVALID_INPUT", `At most ${MAX_EDITS} edits fit in one call.`, { field: "edits" });
  const haystack = new TextMatcher(text);
  const found: FoundEdit[] = [];
  for (const [i, edit] of edits.entries()) {
    const name = edits.length === 1 ? "oldText" : `edits[${i}].oldText`;
    checkEdit(edit, name);
    const match = yield* single(haystack, edit, name, path, disabledStrategies);
    yield edit.oldText.length + edit.newText.length;
    found.push({ match, replacement: replacementFor(haystack, match, edit), index: i });
  }
  return yield* replaceRanges(text, found, path, maxLength);
}

/** Replaces every exact occurrence, or the only one. */
export function* replaceExact(
  text: string,
  edit: Edit,
  replaceAll: boolean,
  { path = "the file", maxLength = MAX_LENGTH }: EditOptions = {},
): Work<EditResult> {
  checkEdit(edit, "oldString");
  const positions = yield* allIndexes(text, edit.oldText, MAX_REPLACED + 1);
  if (positions.length === 0) throw yield* explainMismatch(text, edit, "oldString", path, yield* hintOf(text, edit));
  if (positions.length > 1 && !replaceAll) throw ambiguous(text, positions, "oldString", path, "or pass replaceAll");
  if (positions.length > MAX_REPLACED)
    throw new ToolError(
      "TOO_LARGE",
      `oldString matches more than ${MAX_REPLACED} places in ${path}; nothing was changed. Use a longer oldString.`,
    );
  const found: FoundEdit[] = [];
  // A replacement within a line gets the file's line endings if it has only one kind; explicit endings in the edit are respected.
  const keepsEndings = !edit.oldText.includes("\n") && hasOnlyCrlf(text);
  const replacement = keepsEndings ? restoreLineEndings(edit.newText, "\r\n") : edit.newText;
  let last = -1;
  for (const start of positions) {
    if (start < last) continue;
    last = start + edit.oldText.length;
    found.push({ match: { rung: "exact", start, end: last }, replacement, index: found.length });
  }
  return yield* replaceRanges(text, found, path, maxLength);
}

const MAX_REPLACED = 1_000_000;

/** If the exact form finds nothing but another match strategy would, the error says so. */
function* hintOf(text: string, { oldText }: Edit): Work<string> {
  const [match, ...others] = yield* new TextMatcher(text).find(oldText);
  if (match === undefined || others.length > 0) return "";
  return ` Sent as edits: [{ oldText, newText }] it would match line ${lineAt(text, match.start)} (${match.rung}).`;
}

interface FoundEdit {
  match: TextMatch;
  replacement: string;
  /** Index among the matches. */
  index: number;
}

const TURN_PLACES = 65_536;
/** Characters copied in the time of one step. */
const COPIED_PER_STEP = 16;

function checkEdit({ oldText, newText }: Edit, name: string): void {
  if (oldText === "")
    throw new ToolError("INVALID_INPUT", `${name} is empty: give the text to replace, or use write for a new file.`, {
      field: name,
    });
  if (oldText === newText)
    throw new ToolError("NO_CHANGE", `${name} and its replacement are the same: nothing would change.`, {
      field: name,
    });
  if (!newText.isWellFormed())
    throw new ToolError("INVALID_INPUT", "The new text holds half a surrogate pair.", { field: name });
}

function* single(
  haystack: TextMatcher,
  edit: Edit,
  name: string,
  path: string,
  disabledStrategies: readonly FuzzyMatchStrategy[],
): Work<TextMatch> {
  const matches = yield* haystack.find(edit.oldText, disabledStrategies);
  const [match] = matches;
  if (match === undefined) throw yield* explainMismatch(haystack.text, edit, name, path);
  if (matches.length > 1)
    throw ambiguous(
      haystack.text,
      matches.map(({ start }) => start),
      name,
      path,
      "so that it matches once",
    );
  if (match.reindent !== undefined && match.reindent(normalizeToLF(edit.newText)) === null)
    throw yield* explainMismatch(haystack.text, edit, name, path);
  return match;
}

function ambiguous(text: string, positions: readonly number[], name: string, path: string, how: string): ToolError {
  const lines = positions.slice(0, 10).map((at) => lineAt(text, at));
  const many = positions.length > 10 ? `${lines.join(", ")} …` : lines.join(", ");
  const message = `${name} matches ${positions.length} places in ${path} (lines ${many}); nothing was changed. Include more of the surrounding lines, ${how}.`;
  return new ToolError("AMBIGUOUS_MATCH", message, { lines });
}

/** New lines end as the file's do; in a file with mixed endings, as those of the replaced lines. */
function replacementFor(haystack: TextMatcher, match: TextMatch, { oldText, newText }: Edit): string {
  const { text } = haystack;
  const segment = text.slice(match.start, match.end);
  const hasLines = text.includes("\n");
  const ending = segment.includes("\n") ? detectLineEnding(segment) : haystack.lineEnding;
  if (!hasLines)
    return match.rung === "exact"
      ? newText
      : preserveUnchanged(segment, oldText, newText, "\n", strategyRules(match.rung));
  if (match.rung === "exact") return normalizeToLF(newText).replaceAll("\n", ending);
  const { reindent } = match;
  const [before, after] =
    reindent === undefined
      ? [oldText, newText]
      : [reindent(normalizeToLF(oldText))!, reindent(normalizeToLF(newText))!];
  return preserveUnchanged(segment, before, after, ending, strategyRules(match.rung));
}

function* replaceRanges(text: string, found: readonly FoundEdit[], path: string, maxLength: number): Work<EditResult> {
  const ordered = [...found].sort((a, b) => a.match.start - b.match.start || a.match.end - b.match.end);
  const length = found.reduce((sum, { match, replacement }) => sum + replacement.length - (match.end - match.start), 0);
  if (text.length + length > maxLength)
    throw new ToolError(
      "TOO_LARGE",
      `${path} would have ${text.length + length} characters, more than the ${maxLength} bytes that can be edited; nothing was changed.`,
    );
  yield found.length;
  const parts: string[] = [];
  const applied = new Array<EditResult["applied"][number]>(found.length);
  let at = 0;
  let line = 1;
  let feed = text.indexOf("\n");
  let previous: FoundEdit | undefined;
  for (const [i, one] of ordered.entries()) {
    if (previous !== undefined && one.match.start < previous.match.end) {
      const both = [previous, one].map(({ match }) => lineAt(text, match.start));
      const message = `edits[${previous.index}] and edits[${one.index}] overlap (lines ${both.join(" and ")} of ${path}); nothing was changed. All edits apply to the original file: join them into one.`;
      throw new ToolError("OVERLAP", message, { lines: both });
    }
    parts.push(text.slice(at, one.match.start), one.replacement);
    for (; feed >= 0 && feed < one.match.start; feed = text.indexOf("\n", feed + 1)) line++;
    applied[one.index] = { rung: one.match.rung, line };
    at = one.match.end;
    previous = one;
    if (i % TURN_PLACES === TURN_PLACES - 1) yield TURN_PLACES;
  }
  parts.push(text.slice(at));
  const result = parts.join("");
  yield (text.length + result.length) / COPIED_PER_STEP;
  if (result === text) throw new ToolError("NO_CHANGE", `The edits leave ${path} as it is: nothing was written.`);
  return { text: result, applied };
}
