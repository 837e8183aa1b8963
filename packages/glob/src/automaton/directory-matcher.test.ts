/** Queried by directory and name, the machine gives the result for the whole path, even if it resets its rows on the way. */
import { expect, test } from "vitest";
import { anySymbol } from "./char-set.ts";
import { DirectoryMatcher } from "./directory-matcher.ts";
import { Matcher } from "./matcher.ts";
import { ACCEPT, ACCEPT_DIRECTORY, Nfa, SEGMENT_END } from "./nfa.ts";

const NAMES = ["a", "b", "ab", "ba", ".a", "a.b", "é", "😀", "b😀"];
const DIRECTORIES = ["", "/", "a/", "b/a/", "ab/.a/b/", "/a/é/"];

/** From "" or "/" down, name by name. */
function enter(matcher: Matcher, path: string): DirectoryMatcher {
  const [, start = "", names = ""] = /^(\/?)(.*)$/.exec(path) ?? [];
  const parts = names.split("/").slice(0, -1);
  return parts.reduce((directory, name) => directory.enter(name), new DirectoryMatcher(matcher, start));
}

function answers(nfa: Nfa, codePoints = false) {
  const whole = new Matcher(nfa, { codePoints });
  const parted = new Matcher(nfa, { codePoints });
  const expected: number[] = [];
  const actual: number[] = [];
  for (const prefix of DIRECTORIES) {
    const directory = enter(parted, prefix);
    for (const name of NAMES) {
      expected.push(whole.match(prefix + name, false), whole.match(prefix + name, true));
      expected.push(whole.matchBelow(prefix + name));
      actual.push(directory.match(name, "file"), directory.match(name, "directory"), directory.match(name, "below"));
    }
  }
  return { expected, actual };
}

test("DirectoryMatcher answers as Matcher does for the whole path", () => {
  const nfa = new Nfa("");
  nfa.starts.push(
    nfa.text("a/", nfa.segment(ACCEPT)),
    nfa.segment(nfa.text("/a", ACCEPT_DIRECTORY)),
    nfa.segment(nfa.slash(nfa.segment(nfa.text("/b", ACCEPT)))),
    nfa.consume(anySymbol, ACCEPT),
  );
  for (const codePoints of [false, true]) {
    const { expected, actual } = answers(nfa, codePoints);
    expect(actual).toEqual(expected);
    expect(new Set(actual).size).toBe(5);
  }
});

test("DirectoryMatcher answers as Matcher does where a negation reaches over the name", () => {
  const nfa = new Nfa("");
  nfa.starts.push(nfa.not(nfa.text("a", SEGMENT_END), nfa.star(anySymbol, ACCEPT)));
  const { expected, actual } = answers(nfa);
  expect(actual).toEqual(expected);
  expect(new Set(actual)).toEqual(new Set([0, -1]));
});

test("DirectoryMatcher answers the same when rows are forgotten between two names, or while it reads one", () => {
  // The thirteenth symbol decides. Read from the end, each row has to remember thirteen symbols: 2^13 rows.
  const nfa = new Nfa("");
  let start = nfa.text("1", nfa.star(anySymbol, ACCEPT));
  for (let i = 0; i < 12; i++) start = nfa.consume(anySymbol, start);
  nfa.starts.push(start);
  const matcher = new Matcher(nfa);
  const directories = ["", "1/", "0110/10/"].map((prefix) => ({ prefix, matcher: enter(matcher, prefix) }));
  const before = matcher.resets;
  for (let number = 0; number < 3_000; number++) {
    const name = ((number * 2_654_435_761) % 2 ** 32).toString(2).padStart(32, "0");
    for (const { prefix, matcher: directory } of directories) {
      expect(directory.match(name, "file")).toBe((prefix + name)[12] === "1" ? 0 : -1);
    }
  }
  expect(matcher.resets - before).toBeGreaterThan(5);
});
