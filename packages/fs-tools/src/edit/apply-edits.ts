/**
 * Several replacements in one text, each found in the text as it is before any of them. Everything outside the matches stays as it
 * was, to the byte; edits that overlap, match twice or change nothing are refused, and then none is applied.
 */
import type { EditRung } from "../definition/tool-context.ts";
import { ToolError } from "../errors.ts";
import { explainMiss } from "./explain-miss.ts";
import { keepUnchanged } from "./keep-unchanged.ts";
import { allIndexes, Haystack, lineAt, type Match, type Rung, rulesOf } from "./ladder.ts";
import { detectLineEnding, hasOnlyCrlf, normalizeToLF, restoreLineEndings } from "./line-endings.ts";

export interface Edit {
  oldText: string;
  newText: string;
}

export interface EditResult {
  text: string;
  applied: { rung: Rung; line: number }[];
}

export interface EditOptions {
  /** For messages. */
  path?: string;
  rungsOff?: readonly EditRung[];
}

const MAX_EDITS = 1000;

/** `text` is the file's, without a byte-order mark. */
export function applyEdits(
  text: string,
  edits: readonly Edit[],
  { path = "the file", rungsOff = [] }: EditOptions = {},
): EditResult {
  if (edits.length === 0)
    throw new ToolError("INVALID_INPUT", "edits is empty: give at least one.", { field: "edits" });
  if (edits.length > MAX_EDITS)
    throw new ToolError("INVALID_INPUT", `At most ${MAX_EDITS} edits fit in one call.`, { field: "edits" });
  const haystack = new Haystack(text);
  const found = edits.map((edit, i) => {
    const name = edits.length === 1 ? "oldText" : `edits[${i}].oldText`;
    checkEdit(edit, name);
    const match = single(haystack, edit, name, path, rungsOff);
    return { match, replacement: replacementFor(text, match, edit), index: i };
  });
  return replaceRanges(text, found, path);
}

/** Every exact occurrence, or the only one. */
export function replaceExact(text: string, edit: Edit, replaceAll: boolean, path = "the file"): EditResult {
  checkEdit(edit, "oldString");
  const places = allIndexes(text, edit.oldText, MAX_REPLACED);
  if (places.length === 0) throw explainMiss(text, edit, "oldString", path, hintOf(text, edit));
  if (places.length > 1 && !replaceAll) throw ambiguous(text, places, "oldString", path, "or pass replaceAll");
  const found: Found[] = [];
  // What takes the place of a part of a line has the file's line endings, where there is but one kind; who names them has a reason.
  const keepsEndings = !edit.oldText.includes("\n") && hasOnlyCrlf(text);
  const replacement = keepsEndings ? restoreLineEndings(edit.newText, "\r\n") : edit.newText;
  let last = -1;
  for (const start of places) {
    if (start < last) continue;
    last = start + edit.oldText.length;
    found.push({ match: { rung: "exact", start, end: last }, replacement, index: 0 });
  }
  return replaceRanges(text, found, path);
}

const MAX_REPLACED = 1_000_000;

/** Where the exact form finds nothing and the ladder would, the model is told of it. */
function hintOf(text: string, { oldText }: Edit): string {
  const [match, ...others] = new Haystack(text).find(oldText);
  if (match === undefined || others.length > 0) return "";
  return ` Sent as edits: [{ oldText, newText }] it would match line ${lineAt(text, match.start)} (${match.rung}).`;
}

interface Found {
  match: Match;
  replacement: string;
  index: number;
}

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

function single(haystack: Haystack, edit: Edit, name: string, path: string, rungsOff: readonly EditRung[]): Match {
  const matches = haystack.find(edit.oldText, rungsOff);
  const [match] = matches;
  if (match === undefined) throw explainMiss(haystack.text, edit, name, path);
  if (matches.length > 1)
    throw ambiguous(
      haystack.text,
      matches.map(({ start }) => start),
      name,
      path,
      "so that it matches once",
    );
  if (match.reindent !== undefined && match.reindent(normalizeToLF(edit.newText)) === null)
    throw explainMiss(haystack.text, edit, name, path);
  return match;
}

function ambiguous(text: string, places: readonly number[], name: string, path: string, how: string): ToolError {
  const lines = places.slice(0, 10).map((at) => lineAt(text, at));
  const many = places.length > 10 ? `${lines.join(", ")} …` : lines.join(", ");
  const message = `${name} matches ${places.length} places in ${path} (lines ${many}); nothing was changed. Include more of the surrounding lines, ${how}.`;
  return new ToolError("AMBIGUOUS_MATCH", message, { lines });
}

/** New lines end as the file's do; in a file that mixes endings, as those of the replaced lines. */
function replacementFor(text: string, match: Match, { oldText, newText }: Edit): string {
  const segment = text.slice(match.start, match.end);
  const hasLines = text.includes("\n");
  const ending = segment.includes("\n") ? detectLineEnding(segment) : detectLineEnding(text);
  if (!hasLines)
    return match.rung === "exact" ? newText : keepUnchanged(segment, oldText, newText, "\n", rulesOf(match.rung));
  if (match.rung === "exact") return normalizeToLF(newText).replaceAll("\n", ending);
  const { reindent } = match;
  const [before, after] =
    reindent === undefined
      ? [oldText, newText]
      : [reindent(normalizeToLF(oldText))!, reindent(normalizeToLF(newText))!];
  return keepUnchanged(segment, before, after, ending, rulesOf(match.rung));
}

function replaceRanges(text: string, found: readonly Found[], path: string): EditResult {
  const ordered = [...found].sort((a, b) => a.match.start - b.match.start || a.match.end - b.match.end);
  let result = "";
  let at = 0;
  let previous: Found | undefined;
  for (const one of ordered) {
    if (previous !== undefined && one.match.start < previous.match.end) {
      const lines = [previous, one].map(({ match }) => lineAt(text, match.start));
      const message = `edits[${previous.index}] and edits[${one.index}] overlap (lines ${lines.join(" and ")} of ${path}); nothing was changed. All edits apply to the original file: join them into one.`;
      throw new ToolError("OVERLAP", message, { lines });
    }
    result += text.slice(at, one.match.start) + one.replacement;
    at = one.match.end;
    previous = one;
  }
  result += text.slice(at);
  if (result === text) throw new ToolError("NO_CHANGE", `The edits leave ${path} as it is: nothing was written.`);
  return { text: result, applied: found.map(({ match }) => ({ rung: match.rung, line: lineAt(text, match.start) })) };
}
