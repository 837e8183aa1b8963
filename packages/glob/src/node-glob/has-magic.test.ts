/** The two helpers that inspect a pattern without compiling it. Both parse it as compileGlob does, and throw where it does. */
import { expect, test } from "vitest";
import { GlobError } from "../errors.ts";
import { hasMagic } from "./has-magic.ts";
import { literalPrefix } from "./literal-base.ts";

test.each([
  ["a", false],
  ["src/a.ts", false],
  ["a[b]", false],
  ["a{b}", false],
  ["", false],
  ["a{b,c}", true],
  ["*", true],
  ["a/**", true],
  ["[ab]", true],
  ["@(a)", true],
  ["a?", true],
])("hasMagic(%j) is %j", (pattern, expected) => {
  expect(hasMagic(pattern)).toBe(expected);
});

test.each([
  ["src/**/*.ts", "src"],
  ["*.ts", ""],
  ["/a/b/*", "/a/b"],
  ["./a/b", "a"],
  ["a/{b,c}/d/*", "a"],
])("literalPrefix(%j) is %j", (pattern, expected) => {
  expect(literalPrefix(pattern)).toBe(expected);
});

test("hasMagic and literalPrefix throw a GlobError where compileGlob does", () => {
  expect(() => hasMagic("a\0")).toThrow(GlobError);
  expect(() => literalPrefix("**/..")).toThrow(GlobError);
});
