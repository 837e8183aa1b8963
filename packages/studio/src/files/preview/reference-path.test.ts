import { describe, expect, it } from "vitest";
import { referencePath } from "./reference-path.ts";

describe("referencePath", () => {
  it.each([
    ["b.md", "docs/b.md"],
    ["./b.md#x", "docs/b.md"],
    ["../a.md?x", "a.md"],
    ["/a.md", "a.md"],
    ["a%20b.md", "docs/a b.md"],
    ["../../../a.md", "a.md"],
    ["..%2f..%2fa.md", "a.md"],
    ["%zz.md", "docs/%zz.md"],
    ["#part", ""],
    ["", ""],
  ])("referencePath(%j) is the file %j", (reference, path) =>
    expect(referencePath(reference, "docs/x y.md")).toBe(path),
  );

  it.each([
    "https://evil.example",
    "//evil.example",
    "\\\\evil.example",
    "/\\evil.example",
    "\\/evil.example",
    "/\t/evil.example",
    "\n//evil.example",
    " //evil.example",
    "ht\ntps://evil.example",
    "https:/\\evil.example",
    "mailto:a@evil.example",
    "javascript:alert(1)",
    "//evil.example@workspace.invalid",
  ])("referencePath(%j) is elsewhere, as browsers read it", (reference) =>
    expect(referencePath(reference, "docs/x.md")).toBeNull(),
  );
});
