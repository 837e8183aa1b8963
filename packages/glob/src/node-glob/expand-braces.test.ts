/**
 * Braces by example, against Node's own expansion (seen through path.matchesGlob: a text matches exactly if it is one of the
 * alternatives), and at their limits.
 */
import { matchesGlob } from "node:path";
import { Random } from "@workspace/testing/random";
import { expect, test } from "vitest";
import { GlobError } from "../errors.ts";
import { expandBraces } from "./expand-braces.ts";

test.each([
  ["a{b,c}d", ["abd", "acd"]],
  ["{a,b}{1,2}", ["a1", "a2", "b1", "b2"]],
  ["a{b,{c,d}e}f", ["abf", "acef", "adef"]],
  ["{1..3}", ["1", "2", "3"]],
  ["{3..1}", ["3", "2", "1"]],
  ["{01..10..3}", ["01", "04", "07", "10"]],
  ["{-2..1}", ["-2", "-1", "0", "1"]],
  ["{a..e..2}", ["a", "c", "e"]],
  ["{a}", ["{a}"]],
  ["{a,b", ["{a,b"]],
  ["{{a,b}}", ["{a}", "{b}"]],
  ["{}a{b,c}", ["{}ab", "{}ac"]],
  ["$" + "{a,b}{c,d}", ["$" + "{a,b}c", "$" + "{a,b}d"]],
  ["{a},b}", ["a}", "b"]],
  ["x{,a,}", ["x", "xa"]],
  ["{,a}", ["a"]],
])("expandBraces turns %s into %j", (pattern, expected) => {
  expect(expandBraces(pattern)).toEqual(expected);
});

test("expandBraces expands as Node does, for 3 000 generated patterns", () => {
  for (let seed = 1; seed <= 3_000; seed++) {
    const random = new Random(seed);
    const pattern = random
      .list(1, 9, () => random.pick(["{", "}", ",", "a", "b", "1", "..", "{a,b}", "{1..3}", "$", "{,"]))
      .join("");
    const expanded = expandBraces(pattern).filter((text) => text !== "." && text !== "..");
    const others = random.list(8, 8, () =>
      random.list(1, 4, () => random.pick(["a", "b", "1", "2", "{", "}", ","])).join(""),
    );
    for (const text of [...expanded, ...others]) {
      const isExpanded = expanded.includes(text);
      expect({ seed, pattern, text, isExpanded }).toEqual({
        seed,
        pattern,
        text,
        isExpanded: matchesGlob(text, pattern),
      });
    }
  }
});

test.each([
  ["too many alternatives", "{1..100000}"],
  ["a product of alternatives", "{a,b}".repeat(20)],
  ["too many options that multiply inside", `{${"{1..9999},".repeat(500)}}`],
  ["too deep nesting", `${"{a,".repeat(200)}b${"}".repeat(200)}`],
  ["too many steps", `${"{a}".repeat(20_000)},}`],
])("expandBraces refuses %s with a GlobError", (_, pattern) => {
  expect(() => expandBraces(pattern)).toThrow(GlobError);
});
