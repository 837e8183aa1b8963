/**
 * The machine alone, built by hand: the last rule takes precedence, memory is bounded without changing a result, a negation ends
 * with its segment.
 */
import { expect, test } from "vitest";
import { anySymbol, notSlash } from "./char-set.ts";
import { Matcher } from "./matcher.ts";
import { ACCEPT, ACCEPT_DIRECTORY, Nfa, SEGMENT_END } from "./nfa.ts";

test("Matcher answers with the last rule that matches, and counts rules for directories only for those", () => {
  const nfa = new Nfa("");
  nfa.starts.push(nfa.text("a", ACCEPT), nfa.segment(ACCEPT), nfa.text("a", ACCEPT_DIRECTORY));
  const matcher = new Matcher(nfa);
  expect([
    matcher.match("a", false),
    matcher.match("a", true),
    matcher.match("b", true),
    matcher.match("a/b", true),
  ]).toEqual([1, 2, 1, -1]);
});

test("Matcher reads from an offset", () => {
  const nfa = new Nfa("");
  nfa.starts.push(nfa.text("b", ACCEPT));
  expect(new Matcher(nfa).match("a/b", false, 2)).toBe(0);
});

test("Matcher forgets its rows when there are too many, and answers the same", () => {
  // The thirteenth symbol decides. Read from the end, each row has to remember thirteen symbols: 2^13 rows.
  const nfa = new Nfa("");
  let start = nfa.text("1", nfa.star(anySymbol, ACCEPT));
  for (let i = 0; i < 12; i++) start = nfa.consume(anySymbol, start);
  nfa.starts.push(start);
  const matcher = new Matcher(nfa);
  for (let number = 0; number < 5_000; number++) {
    const text = ((number * 2_654_435_761) % 2 ** 32).toString(2).padStart(32, "0");
    expect(matcher.match(text, false)).toBe(text[12] === "1" ? 0 : -1);
  }
});

test("Matcher takes a negation for the rest of its segment only", () => {
  const nfa = new Nfa("");
  const forbidden = nfa.text("a", SEGMENT_END);
  nfa.starts.push(nfa.not(forbidden, nfa.segment(nfa.slash(nfa.text("x", ACCEPT)))));
  const matcher = new Matcher(nfa);
  expect(["a/x", "ab/x", "b/x", "b/y"].map((text) => matcher.match(text, false))).toEqual([-1, 0, 0, -1]);
});

test("Matcher repeats a body that may be empty", () => {
  const nfa = new Nfa("");
  const { loop } = nfa.loop(
    ACCEPT,
    (outer) => nfa.loop(outer, (inner) => nfa.split(inner, nfa.text("ab", inner))).loop,
  );
  nfa.starts.push(nfa.not(nfa.text("abab", SEGMENT_END), loop));
  const matcher = new Matcher(nfa);
  expect(["", "ab", "abab", "ababab", "aba"].map((text) => matcher.match(text, false))).toEqual([0, 0, -1, 0, -1]);
});

test("Matcher sees a surrogate pair as one symbol when told to", () => {
  const build = (codePoints: boolean) => {
    const nfa = new Nfa("");
    nfa.starts.push(nfa.consume(notSlash, ACCEPT));
    return new Matcher(nfa, { codePoints });
  };
  expect([build(true).match("😀", false), build(false).match("😀", false)]).toEqual([0, -1]);
});
