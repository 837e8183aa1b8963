/**
 * Compiles a query to a matcher over bytes, as in ripgrep: one compiled pattern, and a prefilter for the lines that can match at
 * all, so that the automaton sees few others.
 */
import type { GrepQuery } from "@workspace/protocol";
import { concat, type Node, some } from "./regex/ast.ts";
import { has, NEWLINE } from "./regex/char-set.ts";
import { LiteralFinder } from "./regex/literal-finder.ts";
import { type Clause, latin1Bytes, requiredLiterals, wholeLiteral } from "./regex/literals.ts";
import { parseRegex } from "./regex/parse.ts";
import { Prefilter } from "./regex/prefilter.ts";
import { Regex, type Span } from "./regex/regex.ts";
import { type StepBudget, spend } from "./regex/step-budget.ts";
import { lineEnd, lineStart } from "./searcher/lines.ts";

/** Start and end of a line, without its line ending. */
export type MatcherLine = readonly [start: number, end: number];

export interface Matcher {
  /** A match may contain a line ending: whole texts are searched, not lines. */
  readonly spansLines: boolean;
  /** The pattern refers to the ends of the text, and each line is a text. */
  readonly perLine: boolean;
  /** Every text with a match contains at least one string of each clause, once both have A–Z folded to a–z. */
  readonly clauses: readonly Clause[];
  /** Whether a cheap check proves that a text has no match. */
  lacks(bytes: Uint8Array): boolean;
  /** The first matching line at or after `from`, the start of a line; null when none matches. */
  nextLine(bytes: Uint8Array, from: number, end: number): MatcherLine | null;
  matchesLine(bytes: Uint8Array, start: number, end: number): boolean;
  find(span: Span, from: number): readonly [number, number] | null;
}

export function compileMatcher(query: GrepQuery, work: StepBudget): Matcher {
  const { node, spansLines } = compile(query);
  return new PatternMatcher(node, query.patterns.join("\n"), spansLines, work);
}

/** Comparing a longer text can take long at every byte of a repetitive input; the automaton never does. */
const MAX_LITERAL = 64;

/** A class and not closures, so that V8 reuses the compiled code for the next search. */
class PatternMatcher implements Matcher {
  readonly spansLines: boolean;
  readonly clauses: readonly Clause[];
  readonly #work: StepBudget;
  readonly #regex: Regex;
  readonly #guide: Prefilter;
  /** A pattern of plain text only needs no automaton. */
  readonly #literal: LiteralFinder | null;
  readonly #literalLength: number;
  readonly perLine: boolean;

  constructor(node: Node, source: string, spansLines: boolean, work: StepBudget) {
    this.spansLines = spansLines;
    this.clauses = requiredLiterals(node, "folded");
    this.#work = work;
    this.#regex = new Regex(node, source, spansLines, work);
    this.#guide = new Prefilter(node);
    const text = wholeLiteral(node) ?? "";
    this.#literal = text === "" || text.length > MAX_LITERAL ? null : new LiteralFinder([latin1Bytes(text)]);
    this.#literalLength = text.length;
    this.perLine = some(node, isTextLook);
  }

  lacks(bytes: Uint8Array): boolean {
    const needles = this.#guide.needlesFor(bytes);
    return needles !== null && needles.find(bytes, 0, bytes.length) < 0;
  }

  nextLine(bytes: Uint8Array, from: number, end: number): MatcherLine | null {
    for (let at = from; at < end; ) {
      const needles = this.#literal ?? this.#guide.needlesFor(bytes);
      if (needles === null) return this.#nextByRegex(bytes, at, end);
      const found = needles.find(bytes, at, end);
      if (found < 0) break;
      spend(this.#work, found - at);
      const start = lineStart(bytes, at, found);
      const stop = lineEnd(bytes, found, end);
      if (this.#literal !== null || this.#matchesWithin(bytes, start, stop, end)) return [start, stop];
      this.#guide.missed(stop - at);
      at = stop + 1;
    }
    return null;
  }

  /** Includes the line ending, which `(?R:^)` looks for, unless each line is a separate text. */
  #matchesWithin(bytes: Uint8Array, start: number, stop: number, end: number): boolean {
    const found = this.#regex.earliest({ bytes, start, end: this.perLine ? stop : Math.min(stop + 1, end) }, start);
    return found >= 0 && found <= stop;
  }

  matchesLine(bytes: Uint8Array, start: number, end: number): boolean {
    if (this.#literal !== null) return this.#literal.find(bytes, start, end) >= 0;
    return this.#regex.earliest({ bytes, start, end }, start) >= 0;
  }

  find(span: Span, from: number): readonly [number, number] | null {
    if (this.#literal === null) return this.#regex.find(span, from);
    const start = this.#literal.find(span.bytes, from, span.end);
    return start < 0 ? null : [start, start + this.#literalLength];
  }

  #nextByRegex(bytes: Uint8Array, from: number, end: number): MatcherLine | null {
    if (from >= end) return null;
    if (this.perLine) return this.#nextByLine(bytes, from, end);
    const found = this.#regex.earliest({ bytes, start: from, end }, from);
    // There is no line after the last line ending.
    if (found < 0 || (found === end && end > from && bytes[end - 1] === NEWLINE)) return null;
    return [lineStart(bytes, from, found), lineEnd(bytes, found, end)];
  }

  #nextByLine(bytes: Uint8Array, from: number, end: number): MatcherLine | null {
    for (let start = from; start < end; ) {
      const stop = lineEnd(bytes, start, end);
      if (this.#regex.earliest({ bytes, start, end: stop }, start) >= 0) return [start, stop];
      start = stop + 1;
    }
    return null;
  }
}

function compile(query: GrepQuery): { node: Node; spansLines: boolean } {
  const parse = (ignoreCase: boolean) =>
    parseRegex(query.patterns, {
      ignoreCase,
      newlines: query.multiline,
      dotAll: query.multiline && query.dotAll,
      literal: !query.regex,
      nul: query.binary,
    });
  let parsed = parse(query.ignoreCase);
  if (query.smartCase && !query.ignoreCase && parsed.anyLiteral && !parsed.anyUppercase) parsed = parse(true);
  const node = around(parsed.node, query);
  // A pattern that cannot match a line ending is searched line by line, as ripgrep does.
  const spansLines = query.multiline && some(node, (part) => isAnchor(part) || takesNewline(part));
  return { node, spansLines };
}

function around(node: Node, { line, word }: GrepQuery): Node {
  if (line) return concat([look("line-start"), node, look("line-end")]);
  if (word) return concat([look("word-start-half"), node, look("word-end-half")]);
  return node;
}

function look(kind: (Node & { kind: "look" })["look"]): Node {
  return { kind: "look", look: kind, ascii: false };
}

function isAnchor(node: Node): boolean {
  return node.kind === "look" && (node.look.startsWith("text-") || node.look.startsWith("line-"));
}

function isTextLook(node: Node): boolean {
  return node.kind === "look" && (node.look === "text-start" || node.look === "text-end");
}

function takesNewline(node: Node): boolean {
  return node.kind === "set" && has(node.set, NEWLINE);
}
