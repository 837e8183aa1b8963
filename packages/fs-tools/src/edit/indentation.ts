/**
 * Whole lines that differ in nothing but their indentation (and trailing space). They match only when there is one way to carry
 * the indentation over to the new text: the same depth added or taken off everywhere, tabs for a fixed number of blanks or the
 * reverse, or every indent of the new text already seen in the old.
 */
import type { Match } from "./ladder.ts";

interface Line {
  start: number;
  /** Before and after its line ending. */
  end: number;
  next: number;
  indent: string;
  body: string;
}

export function findIndented(text: string, oldText: string, limit: number): Match[] {
  const wanted = linesOf(oldText);
  const endsLine = oldText.endsWith("\n");
  const first = wanted.findIndex(({ body }) => body !== "");
  if (first < 0) return [];
  const lines = linesOf(text);
  const found: Match[] = [];
  for (let at = 0; at + wanted.length <= lines.length && found.length < limit; at++) {
    if (lines[at + first]?.body !== wanted[first]?.body) continue;
    if (!wanted.every(({ body }, i) => lines[at + i]?.body === body)) continue;
    const carry = carryIndent(wanted, lines.slice(at, at + wanted.length));
    if (carry === null) continue;
    const [start, last] = [lines[at] as Line, lines[at + wanted.length - 1] as Line];
    if (endsLine && last.next === last.end) continue;
    found.push({
      rung: "indentation",
      start: start.start,
      end: endsLine ? last.next : last.end,
      reindent: (next) => reindent(next, carry),
    });
  }
  return found;
}

function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  for (let start = 0; start < text.length; ) {
    const feed = text.indexOf("\n", start);
    const next = feed < 0 ? text.length : feed + 1;
    const end = feed < 0 ? text.length : text[feed - 1] === "\r" && feed > start ? feed - 1 : feed;
    const line = text.slice(start, end);
    const indent = /^[ \t]*/.exec(line)?.[0] ?? "";
    const body = line.slice(indent.length).replace(/[ \t]+$/, "");
    lines.push({ start, end, next, indent: body === "" ? "" : indent, body });
    start = next;
  }
  return lines;
}

/** An indent of the old text as it is in the file; null: unknown. */
type Carry = (indent: string) => string | null;

function carryIndent(wanted: readonly Line[], there: readonly Line[]): Carry | null {
  const known = new Map<string, string>();
  for (const [i, { indent, body }] of wanted.entries()) {
    if (body === "") continue;
    const own = (there[i] as Line).indent;
    if ((known.get(indent) ?? own) !== own) return null;
    known.set(indent, own);
  }
  const pairs = [...known];
  return deeper(pairs) ?? shallower(pairs) ?? otherUnit(pairs) ?? ((indent) => known.get(indent) ?? null);
}

type Pairs = readonly (readonly [given: string, own: string])[];

function deeper(pairs: Pairs): Carry | null {
  const [given, own] = pairs[0] as readonly [string, string];
  if (!own.endsWith(given)) return null;
  const more = own.slice(0, own.length - given.length);
  return pairs.every(([a, b]) => b === more + a) ? (indent) => more + indent : null;
}

function shallower(pairs: Pairs): Carry | null {
  const [given, own] = pairs[0] as readonly [string, string];
  if (!given.endsWith(own)) return null;
  const less = given.slice(0, given.length - own.length);
  if (!pairs.every(([a, b]) => a === less + b)) return null;
  return (indent) => (indent.startsWith(less) ? indent.slice(less.length) : less.startsWith(indent) ? "" : null);
}

/** Tabs there and blanks here, or the reverse, always as many. */
function otherUnit(pairs: Pairs): Carry | null {
  const sample = pairs.find(([a, b]) => a !== "" && b !== "");
  if (sample === undefined) return null;
  const [given, own] = sample;
  if (/^ +$/.test(given) && /^\t+$/.test(own)) {
    const width = given.length / own.length;
    if (!Number.isInteger(width) || !pairs.every(([a, b]) => a === " ".repeat(b.length * width) && !b.includes(" ")))
      return null;
    return (indent) => {
      if (indent.includes("\t")) return null;
      return "\t".repeat(Math.floor(indent.length / width)) + " ".repeat(indent.length % width);
    };
  }
  if (/^\t+$/.test(given) && /^ +$/.test(own)) {
    const width = own.length / given.length;
    if (!Number.isInteger(width) || !pairs.every(([a, b]) => b === " ".repeat(a.length * width) && !a.includes(" ")))
      return null;
    return (indent) => indent.replaceAll("\t", " ".repeat(width));
  }
  return null;
}

function reindent(text: string, carry: Carry): string | null {
  const lines: string[] = [];
  for (const line of text.split("\n")) {
    const indent = /^[ \t]*/.exec(line)?.[0] ?? "";
    const body = line.slice(indent.length);
    if (body === "" || body === "\r") {
      lines.push(body);
      continue;
    }
    const own = carry(indent);
    if (own === null) return null;
    lines.push(own + body);
  }
  return lines.join("\n");
}
