/**
 * From a query to what finds its matches in bytes: ripgrep's matcher. One compiled pattern, and when every match has some text in
 * it, a needle that is looked for first, so that the automaton sees only lines that have it.
 */
import type { GrepQuery } from "@workspace/protocol";
import { concat, type Node, some } from "./regex/ast.ts";
import { has, NEWLINE } from "./regex/char-set.ts";
import { spend, type Work } from "./regex/dfa.ts";
import { bytesOf, type Clause, requiredLiterals, strongest, wholeLiteral } from "./regex/literals.ts";
import { Needle } from "./regex/needle.ts";
import { parseRegex } from "./regex/parse.ts";
import { Regex, type Span } from "./regex/regex.ts";
import { lineEnd, lineStart } from "./searcher/lines.ts";

export interface Matcher {
  /** A match may hold the end of a line: whole texts are searched, not lines. */
  readonly spansLines: boolean;
  /** Of each clause, every text with a match has at least one string, once both have A–Z as a–z. */
  readonly clauses: readonly Clause[];
  /** Bytes that every match has, if there are such. */
  readonly needle: Needle | null;
  /** The first line at or after `from`, the start of a line, that matches: start and end without its line ending; null when none does. */
  nextLine(bytes: Uint8Array, from: number, end: number): readonly [number, number] | null;
  matchesLine(bytes: Uint8Array, start: number, end: number): boolean;
  find(span: Span, from: number): readonly [number, number] | null;
}

/** A shorter needle is in too many lines. */
const LEAST_NEEDLE = 3;
const TRIED = 64;
const FAR = 400;

export function compileMatcher(query: GrepQuery, work: Work): Matcher {
  const source = query.patterns.join("\n");
  const { node, spansLines } = compile(query);
  const regex = new Regex(node, source, spansLines, work);
  const best = strongest(requiredLiterals(node, "exact").filter((clause) => clause.length === 1));
  const needle = best === null ? null : new Needle(bytesOf(best[0] as string));
  const perLine = some(node, isTextLook);
  /** Lines that had the needle and did not match, and how far apart they were: a needle in every other line only costs. */
  let misses = 0;
  let missed = 0;
  const literal = wholeLiteral(node);
  const sure = literal !== null && needle !== null && literal.length === needle.bytes.length;
  const matchesLine = (bytes: Uint8Array, start: number, end: number) =>
    sure ? needle.find(bytes, start, end) >= 0 : regex.earliest({ bytes, start, end }, start) >= 0;
  return {
    spansLines,
    clauses: requiredLiterals(node, "folded"),
    needle,
    matchesLine,
    nextLine: needle === null || (!sure && needle.bytes.length < LEAST_NEEDLE) ? nextByRegex : nextByNeedle,
    find: sure ? findLiteral : (span, from) => regex.find(span, from),
  };

  function nextByNeedle(bytes: Uint8Array, from: number, end: number) {
    const { find } = needle as Needle;
    for (let at = from; at < end; ) {
      const found = find.call(needle, bytes, at, end);
      if (found < 0) break;
      spend(work, found - at);
      const start = lineStart(bytes, at, found);
      const stop = lineEnd(bytes, found, end);
      if (sure || regex.earliest({ bytes, start, end: stop }, start) >= 0) return [start, stop] as const;
      misses++;
      missed += stop - at;
      at = stop + 1;
      if (misses > TRIED && missed < misses * FAR) return nextByRegex(bytes, at, end);
    }
    return null;
  }

  function nextByRegex(bytes: Uint8Array, from: number, end: number) {
    if (from >= end) return null;
    if (perLine) return nextByLine(bytes, from, end);
    const found = regex.earliest({ bytes, start: from, end }, from);
    // Behind the last line ending there is no line.
    if (found < 0 || (found === end && end > from && bytes[end - 1] === NEWLINE)) return null;
    return [lineStart(bytes, from, found), lineEnd(bytes, found, end)] as const;
  }

  /** For patterns that ask for the ends of the text: each line is one. */
  function nextByLine(bytes: Uint8Array, from: number, end: number) {
    for (let start = from; start < end; ) {
      const stop = lineEnd(bytes, start, end);
      if (regex.earliest({ bytes, start, end: stop }, start) >= 0) return [start, stop] as const;
      start = stop + 1;
    }
    return null;
  }

  function findLiteral({ bytes, end }: Span, from: number) {
    const start = (needle as Needle).find(bytes, from, end);
    return start < 0 ? null : ([start, start + (needle as Needle).bytes.length] as const);
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
  // A pattern that has nothing to do with the ends of lines is searched line by line, as ripgrep does.
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
