/** Why an edit found nothing: the closest place in the file, with line numbers, and in which way it differs. */
import { ToolError } from "../errors.ts";
import type { Edit } from "./apply-edits.ts";
import { normalizeToLF } from "./line-endings.ts";
import { isTypographic } from "./normal-text.ts";

const SHOWN_LINES = 12;
const SHOWN_LENGTH = 200;
const SCORED_LINES = 20_000;

/** `hint` is what to do instead of sending the text anew. */
export function explainMiss(text: string, edit: Edit, name: string, path: string, hint = ""): ToolError {
  const { oldText, newText } = edit;
  const reasons: string[] = [];
  if (newText.trim() !== "" && text.includes(newText) && newText.length >= 3)
    reasons.push("the new text is already there: the edit may have been applied before");
  const unescaped = unescapedText(oldText);
  if (unescaped !== oldText && normalizeToLF(text).includes(normalizeToLF(unescaped)))
    reasons.push('your text is escaped (\\n, \\t or \\" written out): send the characters themselves');
  const numbered = withoutLineNumbers(oldText);
  if (numbered !== null && normalizeToLF(text).includes(numbered))
    reasons.push("your text has line numbers in it: leave them out");
  const place = closestPlace(text, reasons.length > 0 && unescaped !== oldText ? unescaped : oldText);
  if (place !== null) reasons.push(...differences(place.lines, linesOf(oldText)));
  const shown = place === null ? "" : `\nThe closest place is line ${place.line}:\n${showLines(place)}`;
  const why = reasons.length === 0 ? "" : ` It differs: ${reasons.join("; ")}.`;
  const message = `${name} is not in ${path}; nothing was changed.${why} Copy the text exactly as read shows it.${hint}${shown}`;
  return new ToolError("NO_MATCH", message, {
    differences: reasons,
    ...(place === null
      ? {}
      : { closest: { line: place.line, text: place.lines.slice(0, SHOWN_LINES).join("\n").slice(0, 2000) } }),
  });
}

interface Place {
  /** From 1. */
  line: number;
  lines: string[];
}

function linesOf(text: string): string[] {
  const lines = text.split("\n");
  if (lines.length > 1 && lines.at(-1) === "") lines.pop();
  return lines;
}

/** The stretch of lines that shares most with the old text: by equal lines first, by similar ones when none is. */
function closestPlace(text: string, oldText: string): Place | null {
  const lines = linesOf(text);
  const wanted = linesOf(oldText);
  const at = byEqualLines(lines, wanted) ?? bySimilarLine(lines, wanted);
  if (at === null) return null;
  const start = Math.max(at, 0);
  return { line: start + 1, lines: lines.slice(start, start + wanted.length) };
}

function fingerprint(line: string): string {
  return line
    .normalize("NFKC")
    .replace(/[\s"'`\u2018-\u201F\u00AB\u00BB]+/g, "")
    .replace(/[\u2010-\u2015\u2212]/g, "-")
    .toLowerCase();
}

/** Every equal line votes for where the text would start. */
function byEqualLines(lines: readonly string[], wanted: readonly string[]): number | null {
  const where = new Map<string, number[]>();
  for (const [i, line] of wanted.entries()) {
    const key = fingerprint(line);
    if (key !== "") where.set(key, [...(where.get(key) ?? []), i]);
  }
  const votes = new Map<number, number>();
  let best: number | null = null;
  for (const [i, line] of lines.entries()) {
    for (const j of where.get(fingerprint(line)) ?? []) {
      const start = i - j;
      const count = (votes.get(start) ?? 0) + 1;
      votes.set(start, count);
      if (best === null || count > (votes.get(best) ?? 0)) best = start;
    }
  }
  return best;
}

function bySimilarLine(lines: readonly string[], wanted: readonly string[]): number | null {
  const longest = wanted.reduce(
    (best, line, i) => (line.trim().length > (wanted[best] ?? "").trim().length ? i : best),
    0,
  );
  const pairs = bigrams(wanted[longest] ?? "");
  if (pairs.size === 0) return null;
  let best: number | null = null;
  let score = 0.4;
  for (const [i, line] of lines.slice(0, SCORED_LINES).entries()) {
    const other = bigrams(line);
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

function differences(there: readonly string[], wanted: readonly string[]): string[] {
  const reasons = new Set<string>();
  for (const [i, given] of wanted.entries()) {
    const own = there[i];
    if (own === undefined) {
      reasons.add("your text has more lines than the file there");
      continue;
    }
    if (own === given) continue;
    const reason = lineDifference(own, given);
    if (reason !== null) reasons.add(reason);
  }
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
  if (a.normalize("NFC").trim() === b.normalize("NFC").trim()) return "composed and decomposed letters (NFC, NFD)";
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

/** As `read` numbers them. */
function withoutLineNumbers(text: string): string | null {
  const lines = text.split("\n");
  const pattern = /^\s*\d+(?:\t|: ?|\| ?|→)/;
  if (!lines.every((line) => line === "" || pattern.test(line))) return null;
  return lines.map((line) => line.replace(pattern, "")).join("\n");
}

function showLines({ line, lines }: Place): string {
  const shown = lines.slice(0, SHOWN_LINES).map((text, i) => {
    const visible = text.replace(/\r$/, "␍").replaceAll("\t", "→");
    return `${String(line + i).padStart(6)}\t${visible.length > SHOWN_LENGTH ? `${visible.slice(0, SHOWN_LENGTH)}…` : visible}`;
  });
  if (lines.length > SHOWN_LINES) shown.push(`        … ${lines.length - SHOWN_LINES} more lines`);
  return shown.join("\n");
}
