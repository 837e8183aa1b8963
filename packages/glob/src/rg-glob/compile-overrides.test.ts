/**
 * ripgrep's -g by example, and what it refuses. That it agrees with ripgrep is in test/rg-glob.oracle.test.ts. An error names the
 * glob as the user wrote it, and the offset in that.
 */
import { expect, test } from "vitest";
import { GlobError } from "../errors.ts";
import { compileOverrides } from "./compile-overrides.ts";

test("compileOverrides lets the last match win", () => {
  const overrides = compileOverrides(["*.ts", "!*.test.ts", "keep.test.ts"]);
  expect(overrides.decide("src/a.ts", false)).toBe("include");
  expect(overrides.decide("src/a.test.ts", false)).toBe("exclude");
  expect(overrides.decide("src/keep.test.ts", false)).toBe("include");
});

test("compileOverrides excludes what no glob takes in, directories apart", () => {
  const overrides = compileOverrides(["*.ts"]);
  expect(overrides.decide("a.md", false)).toBe("exclude");
  expect(overrides.decide("src", true)).toBe(null);
});

test("compileOverrides with exclusions alone says nothing of the rest", () => {
  const overrides = compileOverrides(["!*.md"]);
  expect(overrides.decide("a.md", false)).toBe("exclude");
  expect(overrides.decide("a.ts", false)).toBe(null);
});

test("compileOverrides says nothing at all without globs", () => {
  for (const globs of [[], [""], ["# comment"], ["   "]]) expect(compileOverrides(globs).decide("a", false)).toBe(null);
});

test.each([
  ["/a", "a", true],
  ["/a", "x/a", false],
  ["a/b", "x/a/b", false],
  ["a/**", "a", false],
  ["a/**", "a/b/c", true],
  ["{a,b/c}/*.ts", "b/c/x.ts", true],
  ["a{,b}", "a", false],
  ["a[!x]b", "a/b", true],
  ["x/a[!x]b", "x/a/b", true],
  ["?", "é", false],
  ["??", "é", true],
  ["\\{a\\}", "{a}", true],
])("compileOverrides([%j]) on %j includes: %j", (glob, path, expected) => {
  expect(compileOverrides([glob]).decide(path, false) === "include").toBe(expected);
});

test("compileOverrides ignores case for all globs, or for one", () => {
  expect(compileOverrides(["*.TS"], { ignoreCase: true }).decide("a.ts", false)).toBe("include");
  const mixed = compileOverrides(["!a", { glob: "B", ignoreCase: true }]);
  expect([mixed.decide("A", false), mixed.decide("b", false), mixed.decide("a", false)]).toEqual([
    "exclude",
    "include",
    "exclude",
  ]);
});

test("compileOverrides tells where a file could still be taken in", () => {
  const overrides = compileOverrides(["src/**/*.ts", "!*.md"]);
  expect(overrides.mayContain("")).toBe(true);
  expect(overrides.mayContain("src/deep")).toBe(true);
  expect(overrides.mayContain("lib")).toBe(false);
  expect(compileOverrides(["src/*.ts"]).mayContain("lib")).toBe(false);
  expect(compileOverrides(["!*.md"]).mayContain("lib")).toBe(true);
});

test.each([
  ["[a", 2, "unclosed character class; missing ']'"],
  ["a{b", 3, "unclosed alternate group; missing '}'"],
  ["a}", 2, "unopened alternate group; missing '{'"],
  ["!/x[z-a]", 7, "invalid range z-a"],
  ["a/b\\", 4, "dangling '\\'"],
])("compileOverrides refuses %j at offset %i", (glob, position, reason) => {
  const error = catchError(() => compileOverrides([glob]));
  expect(error).toBeInstanceOf(GlobError);
  expect(error).toMatchObject({ code: "EINVAL", pattern: glob, position, reason });
});

function catchError(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}
