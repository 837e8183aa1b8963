import { describe, expect, it } from "vitest";
import { resolvePath } from "./resolve-path.ts";

describe("resolvePath", () => {
  it.each([
    ["src", "..", ""],
    ["src/deep", "../other/./x", "src/other/x"],
    ["src", "/workspace/docs", "docs"],
    ["src", "~", ""],
    ["", "../../..", ""],
  ])("resolvePath from %j to %j is %j", (from, to, path) => {
    expect(resolvePath(from, to)).toBe(path);
  });
});
