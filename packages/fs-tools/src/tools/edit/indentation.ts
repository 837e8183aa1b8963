/**
 * Matches whole lines that differ only in indentation (and trailing space). They match only if there is one way to apply the
 * indentation to the new text: the same depth added or removed everywhere, tabs for a fixed number of spaces or the reverse, or
 * every indent of the new text already present in the old. Lines are compared as numbers; equal bodies have equal numbers.
 */

import type { Work } from "../../definition/work.ts";
import { ToolError } from "../../errors.ts";
import { findNumbers } from "../../format/text-search.ts";
import type { TextMatch } from "./match-text.ts";

/** Lines examined to compare indents: where lines repeat, many places have the same bodies. */
const MAX_INDENT_STEPS = 20_000_000;

export function* findIndented(text: string, oldText: string, limit: number): Work<TextMatch[]> {
  const bodies = new Numbers();
  const wanted = yield* indexLines(oldText, (body) => bodies.add(body));
  if (!bodies.hasText) return [];
  const lines = yield* indexLines(text, (body) => bodies.get(body));
  const endsLine = oldText.endsWith("\n");
  const positions = new IndentedPlaces(oldText, wanted, text, lines);
  const found: TextMatch[] = [];
  yield* findNumbers(lines.bodies, wanted.bodies, 0, (at) => {
    const last = at + wanted.bodies.length - 1;
    const end = lines.ends[last] as number;
    const next = lines.starts[last + 1] as number;
    if (!positions.isConsistent(at) || (endsLine && next === end)) return true;
    const carry = positions.carryAt(at);
    const start = lines.starts[at] as number;
    const reindented = (fresh: string) => reindent(fresh, carry);
    found.push({ rung: "indentation", start, end: endsLine ? next : end, reindent: reindented });
    return found.length < limit;
  });
  return found;
}

/** Interns texts as numbers; equal texts have equal numbers. */
class Numbers {
  readonly #known = new Map<string, number>();

  add(text: string): number {
    let number = this.#known.get(text);
    if (number === undefined) this.#known.set(text, (number = this.#known.size));
    return number;
  }

  /** -1: not added. */
  get(text: string): number {
    return this.#known.get(text) ?? -1;
  }

  /** A text that is not blank was added. */
  get hasText(): boolean {
    return this.#known.size > (this.#known.has("") ? 1 : 0);
  }
}

interface Lines {
  /** One more than there are lines: the last is the text's length. */
  starts: Uint32Array;
  /** End of the line's indentation; the line's start if it is blank. */
  indentEnds: Uint32Array;
  /** End of the line, before its line ending. */
  ends: Uint32Array;
  bodies: Int32Array;
}

const TURN_LINES = 8192;

function* indexLines(text: string, numberOf: (body: string) => number): Work<Lines> {
  const count = countLines(text);
  const lines: Lines = {
    starts: new Uint32Array(count + 1),
    indentEnds: new Uint32Array(count),
    ends: new Uint32Array(count),
    bodies: new Int32Array(count),
  };
  let start = 0;
  let turn = 0;
  for (let line = 0; line < count; line++) {
    const feed = text.indexOf("\n", start);
    const next = feed < 0 ? text.length : feed + 1;
    const end = feed < 0 ? text.length : feed > start && text[feed - 1] === "\r" ? feed - 1 : feed;
    let first = start;
    while (first < end && isBlank(text.charCodeAt(first))) first++;
    let last = end;
    while (last > first && isBlank(text.charCodeAt(last - 1))) last--;
    lines.starts[line] = start;
    lines.indentEnds[line] = first === last ? start : first;
    lines.ends[line] = end;
    lines.bodies[line] = numberOf(text.slice(first, last));
    start = next;
    if (line % TURN_LINES < TURN_LINES - 1) continue;
    yield start - turn + TURN_LINES;
    turn = start;
  }
  lines.starts[count] = text.length;
  yield start - turn + (count % TURN_LINES);
  return lines;
}

function countLines(text: string): number {
  let count = text === "" || text.endsWith("\n") ? 0 : 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count++;
  return count;
}

function isBlank(code: number): boolean {
  return code === 32 || code === 9;
}

/** Maps an indent of the old text to the file's; null: unknown. */
type Carry = (indent: string) => string | null;

/** Places where the bodies of all lines are equal. */
class IndentedPlaces {
  /** For each line that is not blank. */
  readonly #given: { line: number; indent: number }[] = [];
  readonly #texts: string[] = [];
  readonly #text: string;
  readonly #lines: Lines;
  /** By the number of a given indent: the line of the file that has it, at which place. */
  readonly #seen: Int32Array;
  readonly #seenAt: Int32Array;
  #steps = 0;

  constructor(oldText: string, wanted: Lines, text: string, lines: Lines) {
    this.#text = text;
    this.#lines = lines;
    const numbers = new Numbers();
    for (let line = 0; line < wanted.bodies.length; line++) {
      const start = wanted.starts[line] as number;
      const end = wanted.indentEnds[line] as number;
      if (isBlankLine(oldText, wanted, line)) continue;
      const indent = oldText.slice(start, end);
      const number = numbers.add(indent);
      this.#texts[number] = indent;
      this.#given.push({ line, indent: number });
    }
    this.#seen = new Int32Array(this.#texts.length);
    this.#seenAt = new Int32Array(this.#texts.length).fill(-1);
  }

  /** Whether each given indent maps to one indent in the file. */
  isConsistent(at: number): boolean {
    for (const { line, indent } of this.#given) {
      if (++this.#steps > MAX_INDENT_STEPS) throw tooRepetitive();
      if (this.#seenAt[indent] !== at) {
        this.#seenAt[indent] = at;
        this.#seen[indent] = at + line;
      } else if (!this.#haveSameIndent(this.#seen[indent] as number, at + line)) return false;
    }
    return true;
  }

  carryAt(at: number): Carry {
    const known = new Map<string, string>();
    for (const { line, indent } of this.#given) known.set(this.#texts[indent] as string, this.#indentOf(at + line));
    const pairs = [...known];
    return deeper(pairs) ?? shallower(pairs) ?? otherUnit(pairs) ?? ((indent) => known.get(indent) ?? null);
  }

  #haveSameIndent(one: number, other: number): boolean {
    const { starts, indentEnds } = this.#lines;
    const length = (indentEnds[one] as number) - (starts[one] as number);
    if (length !== (indentEnds[other] as number) - (starts[other] as number)) return false;
    this.#steps += length;
    for (let i = 0; i < length; i++)
      if (this.#text[(starts[one] as number) + i] !== this.#text[(starts[other] as number) + i]) return false;
    return true;
  }

  #indentOf(line: number): string {
    return this.#text.slice(this.#lines.starts[line], this.#lines.indentEnds[line]);
  }
}

function isBlankLine(text: string, lines: Lines, line: number): boolean {
  const start = lines.indentEnds[line] as number;
  return start === lines.ends[line] || isBlank(text.charCodeAt(start));
}

function tooRepetitive(): ToolError {
  const message =
    "The old text has too many lines that repeat to be compared without their indentation; nothing was changed. Copy it exactly as read shows it, or send it in parts.";
  return new ToolError("TOO_LARGE", message);
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

/** Tabs there and spaces here, or the reverse, in a fixed ratio. */
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
