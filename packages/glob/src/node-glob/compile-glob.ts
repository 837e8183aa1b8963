/**
 * Compiles the patterns of `fs.glob` once, to match many paths. Paths are as the walker yields them: relative to the start of the
 * walk ("src/a.ts"), absolute if the pattern is absolute, or starting with "..". The directory itself is "." or "".
 */
import { DirectoryMatcher } from "../automaton/directory-matcher.ts";
import { Matcher } from "../automaton/matcher.ts";
import { Nfa } from "../automaton/nfa.ts";
import { buildPath, type Reading } from "./build-path.ts";
import { DirectoryGlob } from "./directory-glob.ts";
import { commonBase, literalBases } from "./literal-base.ts";
import { nameTails } from "./name-tails.ts";
import { type Alternative, parsePattern } from "./parse-pattern.ts";
import type { Sequence } from "./parse-segment.ts";
import { parseSegmentText } from "./parse-segment-text.ts";

export interface Glob {
  readonly pattern: string;
  /**
   * Where all matches are: the literal leading directory, "" for the start of the walk, "/" for the root. It may itself match
   * ("src/**" does "src").
   */
  readonly base: string;
  /** The same per alternative, without those below another: the directories where walks start. Several only with braces. */
  readonly bases: readonly string[];
  match(path: string, isDirectory?: boolean): boolean;
  /** Whether anything below this directory could match. No false negatives. */
  mayContain(directory: string): boolean;
  /** The same for the entries of one directory, for a walker: `prefix` is "" or "/", where it starts. */
  within(prefix: "" | "/"): DirectoryGlob;
}

/**
 * Compiles a pattern to a glob that matches what `fs.glob(pattern)` yields. Throws a GlobError for a pattern that is too large, or
 * has `..` after `**`.
 */
export function compileGlob(pattern: string): Glob {
  return compile(pattern, pattern, "walk");
}

/**
 * A pattern of `fs.glob`'s `exclude`: `match(path)` means that the entry is not yielded, `match(path, true)` that the
 * directory is not entered. Also implements `path.matchesGlob` for normalized paths, where `isDirectory` represents a final
 * slash.
 */
export function compileExclude(pattern: string): Glob {
  let end = pattern.length;
  while (end > 1 && (pattern[end - 1] === "/" || pattern[end - 1] === "\\")) end--;
  return compile(pattern, pattern.slice(0, end), "match");
}

function compile(pattern: string, source: string, reading: Reading): Glob {
  const alternatives = parsePattern(source);
  const nfa = new Nfa(pattern);
  nfa.starts.push(nfa.anyOf(alternatives.map((one) => buildPath(nfa, withoutLeadingDot(one), reading))));
  const codePoints = alternatives.some(usesCodePoints);
  const matcher = new Matcher(nfa, { codePoints });
  // A literal suffix could begin in the middle of a code point.
  const tails = codePoints ? null : nameTails(alternatives);
  const bases = literalBases(alternatives);
  const yieldsStart = reading === "walk" && alternatives.some(isStartItself);
  return {
    pattern,
    base: commonBase(bases),
    bases,
    match: (path, isDirectory = false) => {
      if (path === "." || path === "") return yieldsStart;
      return matcher.match(path, isDirectory) >= 0;
    },
    mayContain: (directory) => {
      if (directory === "." || directory === "") return matcher.matchAny() >= 0;
      return matcher.matchBelow(directory === "/" ? "" : directory) >= 0;
    },
    within: (prefix) => DirectoryGlob.first(new DirectoryMatcher(matcher, prefix), tails),
  };
}

function withoutLeadingDot(alternative: Alternative): Alternative {
  const [first] = alternative;
  const isDotted = alternative.length > 1 && first?.kind === "literal" && first.text === ".";
  return isDotted ? alternative.slice(1) : alternative;
}

/** The patterns that yield ".": a `**` alone, with "./" before it or a slash behind. */
function isStartItself(alternative: Alternative): boolean {
  const [first, second, ...more] = withoutLeadingDot(alternative);
  if (first?.kind !== "globstar" || more.length > 0) return false;
  return second === undefined || (second.kind === "literal" && second.text === "");
}

function usesCodePoints(alternative: Alternative): boolean {
  return alternative.some((segment) => segment.kind === "magic" && hasUnicodeClass(segment.sequence));
}

function hasUnicodeClass(sequence: Sequence): boolean {
  return sequence.some((part) =>
    typeof part === "string" ? parseSegmentText(part).unicode : part.alternatives.some(hasUnicodeClass),
  );
}
