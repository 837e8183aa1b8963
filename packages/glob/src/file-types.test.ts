/**
 * ripgrep's types by example; that the table is ripgrep's own is in test/rg-glob.oracle.test.ts. An unknown type is a value, never
 * a throw.
 */
import { expect, test } from "vitest";
import { GlobError } from "./errors.ts";
import { compileTypes, fileTypes, globsForType } from "./file-types.ts";

test("globsForType gives ripgrep's globs of a type", () => {
  expect(globsForType("ts")).toEqual(["*.cts", "*.mts", "*.ts", "*.tsx"]);
  expect(globsForType("rust")).toEqual(["*.rs"]);
});

test("globsForType returns a GlobError for a type that is not there, Object's own names included", () => {
  for (const name of ["nope", "", "constructor", "__proto__"]) {
    const result = globsForType(name);
    expect(result).toBeInstanceOf(GlobError);
    expect(result).toMatchObject({ code: "EINVAL", pattern: name });
  }
});

test("fileTypes has ripgrep's 217 types, each with a glob", () => {
  expect(fileTypes().size).toBe(217);
  for (const globs of fileTypes().values()) expect(globs.length).toBeGreaterThan(0);
});

test("compileTypes lets the last selection win and excludes what none selects", () => {
  const filter = compileTypes([{ type: "ts" }, { type: "md" }, { type: "ts", exclude: true }]);
  if (filter instanceof GlobError) throw filter;
  expect([filter.decide("a/b.ts"), filter.decide("README.md"), filter.decide("x.c")]).toEqual([
    "exclude",
    "include",
    "exclude",
  ]);
});

test("compileTypes says nothing of what it does not exclude", () => {
  const filter = compileTypes([{ type: "ts", exclude: true }]);
  if (filter instanceof GlobError) throw filter;
  expect([filter.decide("a.ts"), filter.decide("a.md")]).toEqual(["exclude", null]);
});
