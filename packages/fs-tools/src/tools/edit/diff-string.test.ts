import { splitLines, unifiedHunks } from "@workspace/text";
import { expect, it } from "vitest";
import { changedRegion } from "./changed-region.ts";
import { generateDiffString, generateUnifiedPatch } from "./diff-string.ts";
import { applyEditsToNormalizedContent, fuzzyFindText } from "./fuzzy-find.ts";
import { detectLineEnding, normalizeToLF, restoreBom, restoreLineEndings, stripBom } from "./line-endings.ts";

it("generateDiffString numbers the lines and says where the first change is", () => {
  expect(generateDiffString("a\nb\nc\n", "a\nB\nc\n", 1)).toEqual({
    diff: " 1 a\n-2 b\n+2 B\n 3 c",
    firstChangedLine: 2,
  });
  expect(generateDiffString("a\n", "a\n")).toEqual({ diff: "", firstChangedLine: undefined });
});

it("generateUnifiedPatch is git's, and empty for equal texts", () => {
  expect(generateUnifiedPatch("/x/a.ts", "a\n", "b")).toBe(
    "--- a/x/a.ts\n+++ b/x/a.ts\n@@ -1 +1 @@\n-a\n+b\n\\ No newline at end of file\n",
  );
  expect(generateUnifiedPatch("a", "x", "x")).toBe("");
});

it("generateUnifiedPatch of a long text is that of the whole, though it looks at a part of it", () => {
  const whole = (before: string, after: string) =>
    new TextDecoder().decode(unifiedHunks(splitLines(before), splitLines(after)));
  let seed = 7;
  const random = (max: number) => {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
    return (seed >>> 8) % max;
  };
  for (let round = 0; round < 400; round++) {
    const lines = Array.from({ length: random(400) }, (_, i) =>
      random(12) === 0 ? `function f${i}() {` : `  line ${i} ünicode 🗂`,
    );
    const before = lines.join("\n") + (random(3) === 0 ? "" : "\n");
    const next = [...lines];
    for (let edits = 1 + random(3); edits > 0; edits--) {
      const fresh = Array.from({ length: random(3) }, (_, i) => `    new ${round} ${i}`);
      next.splice(random(next.length + 1), random(3), ...fresh);
    }
    const after = next.join("\n") + (random(3) === 0 ? "" : "\n");
    const hunks = whole(before, after);
    expect(generateUnifiedPatch("f", before, after)).toBe(hunks === "" ? "" : `--- a/f\n+++ b/f\n${hunks}`);
  }
});

it("changedRegion holds all that differs, also of very many very short lines, and equal blocks around it", () => {
  const text = (length: number) => Array.from({ length }, (_, i) => `${"abcdefg"[i % 7]}\n`).join("");
  for (const length of [0, 1, 255, 256, 257, 5000, 20_000])
    for (const at of [0, 3, Math.floor(length / 2), length - 300, length].filter((line) => line >= 0 && line <= length))
      for (const [removed, added] of [
        [1, "x\n"],
        [0, "a\nb\n"],
        [0, text(700)],
        [3, ""],
      ] as const) {
        const before = text(length);
        const after = before.slice(0, 2 * at) + added + before.slice(2 * (at + removed));
        const region = changedRegion(before, after);
        const start = before.split("\n", region.linesBefore).join("\n").length + (region.linesBefore > 0 ? 1 : 0);
        const end = start + region.before.length;
        expect(before.slice(start, end)).toBe(region.before);
        expect(before.slice(0, start) + region.after + before.slice(end)).toBe(after);
      }
});

it("applyEditsToNormalizedContent and fuzzyFindText apply the match strategies to plain texts", () => {
  expect(applyEditsToNormalizedContent("a\nb\n", [{ oldText: "b", newText: "$&" }])).toEqual({
    baseContent: "a\nb\n",
    newContent: "a\n$&\n",
  });
  expect(() => applyEditsToNormalizedContent("a\n", [{ oldText: "x", newText: "y" }], "p.ts")).toThrow("not in p.ts");
  expect(fuzzyFindText("a  \nb", "a\nb")).toEqual({
    found: true,
    count: 1,
    index: 0,
    matchLength: 5,
    rung: "trailing-space",
    usedFuzzyMatch: true,
  });
  expect(fuzzyFindText("a a", "a")).toMatchObject({ found: false, count: 2 });
});

it("marks and line endings go and come back", () => {
  expect(stripBom("\uFEFFa")).toEqual({ bom: "\uFEFF", text: "a" });
  expect(restoreBom("a", stripBom("\uFEFFa").bom)).toBe("\uFEFFa");
  expect([detectLineEnding("a\r\nb\r\nc\n"), detectLineEnding("a\nb"), detectLineEnding("")]).toEqual([
    "\r\n",
    "\n",
    "\n",
  ]);
  expect(restoreLineEndings(normalizeToLF("a\r\nb\n"), "\r\n")).toBe("a\r\nb\r\n");
});
