/**
 * Builds the automaton states of a ripgrep glob, over bytes. As in ripgrep, a class may contain "/", case folding is ASCII only,
 * and a class with non-ASCII letters is a class of their bytes.
 */
import { anySymbol, type CharSet, notSlash, rangeSet } from "../automaton/char-set.ts";
import type { Nfa } from "../automaton/nfa.ts";
import { toByteString } from "../bytes.ts";
import { GlobError } from "../errors.ts";
import type { Token } from "./parse-glob.ts";

export interface GlobSettings {
  readonly ignoreCase: boolean;
}

export function buildGlob(nfa: Nfa, tokens: readonly Token[], accept: number, settings: GlobSettings): number {
  if (tokens.length === 1 && tokens[0]!.kind === "recursivePrefix") return nfa.star(anySymbol, accept);
  return buildTokens(nfa, tokens, accept, settings);
}

function buildTokens(nfa: Nfa, tokens: readonly Token[], next: number, settings: GlobSettings): number {
  return tokens.reduceRight((state, token) => buildToken(nfa, token, state, settings), next);
}

function buildToken(nfa: Nfa, token: Token, next: number, settings: GlobSettings): number {
  const anyThenSlash = () => nfa.star(anySymbol, nfa.slash(next));
  switch (token.kind) {
    case "literal":
      return buildText(nfa, toByteString(token.text), next, settings);
    case "any":
      return nfa.consume(notSlash, next);
    case "star":
      return nfa.segment(next);
    case "recursivePrefix":
      return nfa.anyOf([next, nfa.slash(next), anyThenSlash()]);
    case "recursiveSuffix":
      return nfa.slash(nfa.star(anySymbol, next));
    case "recursive":
      return nfa.slash(nfa.split(next, anyThenSlash()));
    case "class":
      return nfa.consume(classSet(nfa.subject, token, settings), next);
    case "alternates": {
      const branches = token.branches.filter((branch) => !isEmpty(branch));
      if (branches.length === 0) return next;
      return nfa.anyOf(branches.map((branch) => buildTokens(nfa, branch, next, settings)));
    }
    default:
      return token satisfies never;
  }
}

/** An empty alternative is ignored: `a{,b}` is `ab`. */
function isEmpty(branch: readonly Token[]): boolean {
  return branch.every((token) => token.kind === "alternates" && token.branches.every(isEmpty));
}

function buildText(nfa: Nfa, bytes: string, next: number, { ignoreCase }: GlobSettings): number {
  if (!ignoreCase) return nfa.text(bytes, next);
  let state = next;
  for (let i = bytes.length - 1; i >= 0; i--) state = nfa.consume(inEitherCase(bytes.charCodeAt(i)), state);
  return state;
}

/** By byte. */
const eitherCase: CharSet[] = [];

function inEitherCase(byte: number): CharSet {
  eitherCase[byte] ??= rangeSet({ bounds: [byte, byte], negated: false, slash: true, ignoreCase: true });
  return eitherCase[byte];
}

function classSet(pattern: string, token: Token & { kind: "class" }, { ignoreCase }: GlobSettings): CharSet {
  const bounds: number[] = [];
  for (const [low, high] of token.ranges) {
    const lowBytes = [...toByteString(low)].map((unit) => unit.charCodeAt(0));
    const highBytes = low === high ? [] : [...toByteString(high)].map((unit) => unit.charCodeAt(0));
    // Expanded to bytes, only the neighbors of the "-" form a range.
    const from = lowBytes.pop()!;
    const to = highBytes.shift() ?? from;
    if (to < from) throw new GlobError(pattern, 0, `invalid range ${low}-${high} when taken as bytes`);
    bounds.push(from, to);
    for (const byte of [...lowBytes, ...highBytes]) bounds.push(byte, byte);
  }
  return rangeSet({ bounds, negated: token.negated, slash: true, ignoreCase });
}
