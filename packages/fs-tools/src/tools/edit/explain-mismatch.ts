/** Explains why an edit found nothing: the closest place in the file, with line numbers, and how it differs. */

import type { Work } from "../../definition/work.ts";
import { ToolError } from "../../errors.ts";
import { includesText } from "../../format/text-search.ts";
import type { Edit } from "./apply-edits.ts";
import { normalizeToLF } from "./line-endings.ts";
import { isTypographic, normalizeUnicode } from "./normal-text.ts";

const SHOWN_LINES = 12;
const SHOWN_LENGTH = 200;
const SCORED_LINES = 20_000;
/** Lines of the old text that are compared to describe the difference. */
const COMPARED_LINES = 2000;
/** A line that the old text repeats more often does not help to locate it. */
const MAX_VOTES = 32;
const TURN_LINES = 1024;

/** `hint` is an alternative to sending the text again. */
export function* explainMismatch(text: string, edit: Edit, name: string, path: string, hint = ""): Work<ToolError> {
  const { oldText, newText } = edit;
  const reasons: string[] = [];
  const plain = normalizeToLF(text);
  if (newText.length >= 3 && newText.trim() !== "" && (yield* includesText(text, newText)))
    reasons.push("the new text is already there: the edit may have been applied before");
  const unescaped = unescapedText(oldText);
  if (unescaped !== oldText && (yield* includesText(plain, normalizeToLF(unescaped))))
    reasons.push('your text is escaped (\\n, \\t or \\" written out): send the characters themselves');
  const numbered = withoutLineNumbers(oldText);
  if (numbered !== null && (yield* includesText(plain, numbered)))
    reasons.push("your text has line numbers in it: leave them out");
  const position = yield* closestPlace(text, reasons.length > 0 && unescaped !== oldText ? unescaped : oldText);
  if (position !== null) reasons.push(...(yield* differences(position.lines, splitLines(oldText))));
  const shown = position === null ? "" : `\nThe closest place is line ${position.line}:\n${showLines(position)}`;
  const why = reasons.length === 0 ? "" : ` It differs: ${reasons.join("; ")}.`;
  const message = `${name} is not in ${path}; nothing was changed.${why} Copy the text exactly as read shows it.${hint}${shown}`;
  return new ToolError("NO_MATCH", message, {
    differences: reasons,
    ...(position === null
      ? {}
      : { closest: { line: position.line, text: position.lines.slice(0, SHOWN_LINES).join("\n").slice(0, 2000) } }),
  });
}

interface Candidate {
  /** From 1. */
  line: number;
  lines: string[];
}

function splitLines(text: string): string[] {
  const lines = text.split("\n");
  if (lines.length > 1 && lines.at(-1) === "") lines.pop();
  return lines;
}

/** The run of lines that shares most with the old text: by equal lines first, by similar ones if none is equal. */
function* closestPlace(text: string, oldText: string): Work<Candidate | null> {
  const lines = splitLines(text);
  const wanted = splitLines(oldText);
  yield text.length + oldText.length;
  const at = (yield* byEqualLines(lines, wanted)) ?? (yield* bySimilarLine(lines, wanted));
  if (at === null) return null;
  const start = Math.max(at, 0);
  return { line: start + 1, lines: lines.slice(start, start + wanted.length) };
}

function fingerprint(line: string): string {
  return normalizeUnicode(line, "NFKC")
    .replace(/[\s"'`\u2018-\u201F\u00AB\u00BB]+/g, "")
    .replace(/[\u2010-\u2015\u2212]/g, "-")
    .toLowerCase();
}

/** Every equal line votes for a start position of the text. */
function* byEqualLines(lines: readonly string[], wanted: readonly string[]): Work<number | null> {
  const where = new Map<string, number[]>();
  for (const [i, line] of wanted.entries()) {
    if (i % TURN_LINES === 0) yield* sumLengths(wanted, i);
    const key = fingerprint(line);
    if (key === "") continue;
    const positions = where.get(key);
    if (positions === undefined) where.set(key, [i]);
    else if (positions.length < MAX_VOTES) positions.push(i);
  }
  const votes = new Int32Array(lines.length + wanted.length);
  let best: number | null = null;
  for (const [i, line] of lines.entries()) {
    if (i % TURN_LINES === 0) yield* sumLengths(lines, i);
    for (const j of where.get(fingerprint(line)) ?? []) {
      const start = i - j + wanted.length;
      const count = ((votes[start] as number) += 1);
      if (best === null || count > (votes[best] as number)) best = start;
    }
  }
  return best === null ? null : best - wanted.length;
}

/** The steps that the next lines cost. */
function* sumLengths(lines: readonly string[], from: number): Work<void> {
  let length = 0;
  for (let i = from; i < Math.min(from + TURN_LINES, lines.length); i++) length += (lines[i] as string).length + 30;
  yield length;
}

function* bySimilarLine(lines: readonly string[], wanted: readonly string[]): Work<number | null> {
  let longest = 0;
  let length = -1;
  for (const [i, line] of wanted.entries()) {
    const own = line.trim().length;
    if (own > length) [longest, length] = [i, own];
  }
  const pairs = bigrams(wanted[longest] ?? "");
  if (pairs.size === 0) return null;
  let best: number | null = null;
  let score = 0.4;
  for (const [i, line] of lines.slice(0, SCORED_LINES).entries()) {
    const other = bigrams(line);
    yield other.size * 10;
    let shared = 0;
    for (const pair of other) if (pairs.has(pair)) shared++;
    const similarity = (2 * shared) / (pairs.size + other.size || 1);
    if (similarity > score) {
      score = similarity;
      best = i - longest;
    }
  }
  return best;
}

function bigrams(line: string): Set<string> {
  const text = line.trim().slice(0, 500).toLowerCase();
  const pairs = new Set<string>();
  for (let i = 0; i + 1 < text.length; i++) pairs.add(text.slice(i, i + 2));
  return pairs;
}

function* differences(there: readonly string[], wanted: readonly string[]): Work<string[]> {
  const reasons = new Set<string>();
  for (const [i, given] of wanted.slice(0, COMPARED_LINES).entries()) {
    const own = there[i];
    if (own === undefined) break;
    if (own === given) continue;
    yield own.length + given.length;
    const reason = lineDifference(own, given);
    if (reason !== null) reasons.add(reason);
  }
  if (wanted.length > there.length) reasons.add("your text has more lines than the file there");
  return [...reasons];
}

function lineDifference(own: string, given: string): string | null {
  const [a, b] = [own.replace(/\r$/, ""), given.replace(/\r$/, "")];
  if (a === b) return "the file has CRLF line endings";
  if (a.trimEnd() === b.trimEnd()) return "trailing space";
  if (a.trim() === b.trim()) {
    const tabs = (text: string) => /^\s*\t/.test(text);
    if (tabs(a) !== tabs(b))
      return tabs(a)
        ? "the file is indented with tabs, your text with spaces"
        : "the file is indented with spaces, your text with tabs";
    return "indentation";
  }
  if (normalizeUnicode(a, "NFC").trim() === normalizeUnicode(b, "NFC").trim())
    return "composed and decomposed letters (NFC, NFD)";
  if (fold(a) === fold(b) && (isTypographic(a) || isTypographic(b))) return "typographic quotes, dashes or spaces";
  if (a.trim().toLowerCase() === b.trim().toLowerCase()) return "upper and lower case";
  if (quotes(a) === quotes(b)) return "another kind of quote";
  if (a.replace(/\s+/g, "") === b.replace(/\s+/g, "")) return "white space inside the line";
  return null;
}

function fold(line: string): string {
  return fingerprint(line);
}

function quotes(line: string): string {
  return line.trim().replace(/["'`\u2018-\u201F]/g, '"');
}

function unescapedText(text: string): string {
  const plain: Record<string, string> = { n: "\n", t: "\t", r: "\r", '"': '"', "'": "'", "\\": "\\", "/": "/" };
  return text.replace(/\\([ntr"'\\/])/g, (_, letter: string) => plain[letter] as string);
}

/** Removes line numbers in the format of `read`. */
function withoutLineNumbers(text: string): string | null {
  const lines = text.split("\n");
  const pattern = /^\s*\d+(?:\t|: ?|\| ?|→)/;
  if (!lines.every((line) => line === "" || pattern.test(line))) return null;
  return lines.map((line) => line.replace(pattern, "")).join("\n");
}

function showLines({ line, lines }: Candidate): string {
  const shown = lines.slice(0, SHOWN_LINES).map((text, i) => {
    const visible = text.replace(/\r$/, "␍").replaceAll("\t", "→");
    return `${String(line + i).padStart(6)}\t${visible.length > SHOWN_LENGTH ? `${visible.slice(0, SHOWN_LENGTH)}…` : visible}`;
  });
  if (lines.length > SHOWN_LINES) shown.push(`        … ${lines.length - SHOWN_LINES} more lines`);
  return shown.join("\n");
}
