import { mergeText } from "@workspace/text";
import { describe, expect, it } from "vitest";
import { findConflicts, resolveConflict } from "./conflicts.ts";

describe("findConflicts", () => {
  it("findConflicts finds a merge's conflicts, and each resolution gives a text without markers", () => {
    const merge = mergeText("a\nb\nc\n", "a\nmine\nc\n", "a\ntheirs\nc\n", { labels: { ours: "mine", theirs: "now" } });
    const text = new TextDecoder().decode(merge.content);
    const [block, ...more] = findConflicts(text);
    expect(more).toEqual([]);
    const after = (take: "mine" | "theirs" | "both") =>
      text.slice(0, block?.from) + resolveConflict(block!, take) + text.slice(block?.to);
    expect(after("mine")).toBe("a\nmine\nc\n");
    expect(after("theirs")).toBe("a\ntheirs\nc\n");
    expect(after("both")).toBe("a\nmine\ntheirs\nc\n");
  });

  it("findConflicts ignores text that only looks like a conflict", () => {
    expect(findConflicts("<<<<<<< no end\n=======\n")).toEqual([]);
    expect(findConflicts("heading\n=======\n")).toEqual([]);
  });
});
