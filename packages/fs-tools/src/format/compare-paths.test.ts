import { expect, it } from "vitest";
import { compareAsWalked, comparePaths } from "./compare-paths.ts";

it("comparePaths is the order of bytes, compareAsWalked that of a walk", () => {
  const paths = ["/a", "/a/b", "/a/b/c", "/a-b", "/a.b", "/a0", "/ab", "/\u{1f600}", "/\uffff"];
  const sorted = (compare: (a: string, b: string) => number) => paths.toSorted(compare).join(" ");
  expect(sorted(comparePaths)).toBe("/a /a-b /a.b /a/b /a/b/c /a0 /ab /\uffff /\u{1f600}");
  expect(sorted(compareAsWalked)).toBe("/a /a/b /a/b/c /a-b /a.b /a0 /ab /\uffff /\u{1f600}");
  expect([compareAsWalked("/a", "/a"), comparePaths("/a", "/a")]).toEqual([0, 0]);
});
