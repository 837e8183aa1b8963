import { describe, expect, it } from "vitest";
import { fuzzyScore } from "./fuzzy-score.ts";

describe("fuzzyScore", () => {
  it("fuzzyScore ranks a file's own name before its folders, whole words before scattered letters, and no match as nothing", () => {
    const order = (query: string, ...paths: string[]) =>
      paths.toSorted((a, b) => fuzzyScore(b, query) - fuzzyScore(a, query));
    expect(order("tree", "tree/view.ts", "files/tree.ts")).toEqual(["files/tree.ts", "tree/view.ts"]);
    expect(order("wf", "a/wolf.ts", "a/write-file.ts")).toEqual(["a/write-file.ts", "a/wolf.ts"]);
    expect(fuzzyScore("src/index.ts", "zzz")).toBe(0);
  });
});
