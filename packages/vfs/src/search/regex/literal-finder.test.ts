/** Finding several strings at once, compared with `indexOf` of each. */
import { expect, test } from "vitest";
import { LiteralFinder } from "./literal-finder.ts";

const encoder = new TextEncoder();
const text = `${"abracadabra ".repeat(40)}Needles and NEEDLES ${"x".repeat(300)}needle`;
const bytes = encoder.encode(text);
const first = (needles: readonly string[], within: string, from: number) =>
  Math.min(...needles.map((needle) => within.indexOf(needle, from)).map((at) => (at < 0 ? Infinity : at)));

test.each([
  ["a"],
  ["ra"],
  ["cad"],
  ["needle"],
  ["bra a"],
  ["none"],
  ["x".repeat(300)],
  [`${"x".repeat(290)}n`],
  [text],
  ["cad", "needle"],
  ["needle", "x"],
  ["dabra a", "cadabra", "ada"],
  ["none", "nothing", "nowhere"],
  ["z", "needles", "NEEDLES"],
])("Needles finds the first of %j", (...needles) => {
  const found = new LiteralFinder(needles.map((needle) => encoder.encode(needle)));
  for (const from of [0, 1, 7, 100, 475, 480, 495, 600, 806]) {
    const at = first(needles, text, from);
    expect([from, found.find(bytes, from, bytes.length)]).toEqual([from, at === Infinity ? -1 : at]);
  }
});

test("Needles looks at every place of a byte that is rare, and leaves it where it is not", () => {
  const needle = new LiteralFinder([encoder.encode("xn")]);
  expect(["xn", "xxn", "xxxn", "x"].map((within) => needle.find(encoder.encode(within), 0, within.length))).toEqual([
    0, 1, 2, -1,
  ]);
  const many = encoder.encode(`${"x ".repeat(500)}xn`);
  expect([needle.find(many, 0, many.length), needle.find(many, 1001, many.length)]).toEqual([1000, -1]);
});

test("Needles stops at its end offset", () => {
  const needles = new LiteralFinder([encoder.encode("cad"), encoder.encode("cadab")]);
  expect([6, 7, 9].map((to) => needles.find(bytes, 0, to))).toEqual([-1, 4, 4]);
  expect(new LiteralFinder([encoder.encode("cadab")]).find(bytes, 0, 8)).toBe(-1);
});

test("Needles ignores the case of A to Z", () => {
  const needles = new LiteralFinder([encoder.encode("needles "), encoder.encode("xx")], true);
  const at = text.indexOf("Needles");
  expect(needles.find(bytes, 0, bytes.length)).toBe(at);
  expect(needles.find(bytes, at + 1, bytes.length)).toBe(text.indexOf("NEEDLES"));
  expect(new LiteralFinder([encoder.encode("needles ")]).find(bytes, 0, bytes.length)).toBe(-1);
});
