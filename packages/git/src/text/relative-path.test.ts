import { describe, expect, it } from "vitest";
import { joinPrefix, relativePath } from "./relative-path.ts";

describe("relativePath", () => {
  it.each([
    ["a", "", "a"],
    ["d/a", "d/", "a"],
    ["a", "d/", "../a"],
    ["d/x", "d/e/", "../x"],
    ["dx/y", "d/e/", "../../dx/y"],
    ["d/", "d/", "./"],
    ["d", "d/e/", "../"],
  ])("shows %s from %s as %s", (path, prefix, displayed) => {
    expect(relativePath(path, prefix)).toBe(displayed);
  });
});

describe("joinPrefix", () => {
  it.each([
    ["", "a", "a"],
    ["d/", "a", "d/a"],
    ["d/", "../a", "a"],
    ["d/e/", "../..", ""],
    ["d/", "./a//b/", "d/a/b/"],
    ["d/", ".", "d/"],
    ["", "..", null],
    ["d/", "../../x", null],
  ])("joins %s and %s to %s", (prefix, path, joined) => {
    expect(joinPrefix(prefix, path)).toBe(joined);
  });
});
