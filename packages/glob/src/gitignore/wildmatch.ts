/**
 * Compiles a pattern of git's `wildmatch` to automaton states over bytes. `*` and `?` stop at "/", `**` crosses it if it is a whole
 * segment, a class never contains "/", and a backslash quotes. A pattern that git rejects (an unclosed class, an unknown class
 * name, a final backslash) matches nothing.
 */
import { anySymbol, type CharSet, notSlash, oneSymbol, rangeSet, SLASH } from "../automaton/char-set.ts";
import { FAIL, type Nfa } from "../automaton/nfa.ts";
import { parseClass } from "./parse-class.ts";

type Token =
  | { readonly kind: "set"; readonly set: CharSet }
  | { readonly kind: "star" }
  // `**`, any bytes at all.
  | { readonly kind: "deepStar" }
  // `**/`, any directories or none.
  | { readonly kind: "directories" };

/** `pattern` is a byte string. "name" is how git matches a pattern without a slash: against the last segment alone. */
export function buildWildmatch(nfa: Nfa, pattern: string, subject: "name" | "path", next: number): number {
  const tokens = parse(pattern, subject === "name" ? pattern.length : literalLength(pattern));
  return tokens ? tokens.reduceRight((state, token) => buildToken(nfa, token, state), next) : FAIL;
}

function buildToken(nfa: Nfa, token: Token, next: number): number {
  switch (token.kind) {
    case "set":
      return nfa.consume(token.set, next);
    case "star":
      return nfa.segment(next);
    case "deepStar":
      return nfa.star(anySymbol, next);
    case "directories":
      return nfa.split(next, nfa.star(anySymbol, nfa.slash(next)));
    default:
      return token satisfies never;
  }
}

// Git compares the text before the first wildcard separately and passes the rest to wildmatch, so a `**` right after that text is
// at a start: `foo**/bar` crosses slashes although `f*o**/bar` does not.
function literalLength(pattern: string): number {
  const special = pattern.search(/[*?[\\]/);
  return special < 0 ? pattern.length : special;
}

function parse(pattern: string, start: number): Token[] | null {
  const tokens: Token[] = [];
  for (let i = 0; i < pattern.length; ) {
    const char = pattern[i]!;
    if (char === "*") {
      const stars = readStars(pattern, i, start);
      tokens.push({ kind: stars.kind });
      i = stars.end;
    } else if (char === "[") {
      const parsed = parseClass(pattern, i);
      if (!parsed) return null;
      tokens.push({ kind: "set", set: rangeSet({ ...parsed, slash: false }) });
      i = parsed.end;
    } else if (char === "?") {
      tokens.push({ kind: "set", set: notSlash });
      i++;
    } else {
      const escaped = char === "\\" ? 1 : 0;
      if (i + escaped >= pattern.length) return null;
      tokens.push({ kind: "set", set: oneSymbol(pattern.charCodeAt(i + escaped)) });
      i += 1 + escaped;
    }
  }
  return tokens;
}

function readStars(pattern: string, from: number, start: number): { kind: Exclude<Token["kind"], "set">; end: number } {
  let end = from;
  while (pattern[end] === "*") end++;
  const opens = from === start || pattern.charCodeAt(from - 1) === SLASH;
  if (end - from < 2 || !opens) return { kind: "star", end };
  if (end === pattern.length || pattern.startsWith("\\/", end)) return { kind: "deepStar", end };
  return pattern.charCodeAt(end) === SLASH ? { kind: "directories", end: end + 1 } : { kind: "star", end };
}
