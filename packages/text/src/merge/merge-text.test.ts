/** Cases that `git merge-file` cannot cover: levels, algorithms, and equal texts. The rest is in test/merge.oracle.test.ts. */
import { describe, expect, it } from "vitest";
import { mergeText } from "../index.ts";

const text = (content: Uint8Array) => new TextDecoder().decode(content);

describe("mergeText", () => {
  it("takes what only one side changed", () => {
    const merged = mergeText("a\nb\nc\n", "A\nb\nc\n", "a\nb\nC\n");
    expect([text(merged.content), merged.conflicts]).toEqual(["A\nb\nC\n", 0]);
  });

  it("gives the other side whole when one side changed nothing", () => {
    expect(text(mergeText("a\n", "a\n", "b").content)).toBe("b");
    expect(text(mergeText("a\n", "b", "a\n").content)).toBe("b");
  });

  it("leaves markers bare without labels", () => {
    const { content, conflicts } = mergeText("a\n", "b\n", "c\n");
    expect([text(content), conflicts]).toEqual(["<<<<<<<\nb\n=======\nc\n>>>>>>>\n", 1]);
  });

  it("counts the same change on both sides as a conflict only at the minimal level", () => {
    expect(mergeText("a\n", "b\n", "b\n").conflicts).toBe(0);
    expect(mergeText("a\n", "b\n", "b\n", { level: "minimal" }).conflicts).toBe(1);
  });

  it("joins conflicts over punctuation only at the alnum level", () => {
    const between = "}\n{\n}\n{\n";
    const sides = [`a\n${between}b\n`, `1\n${between}2\n`, `3\n${between}4\n`] as const;
    expect(mergeText(...sides, { level: "zealous" }).conflicts).toBe(2);
    expect(mergeText(...sides, { level: "alnum" }).conflicts).toBe(1);
  });

  it("shows the base in the diff3 styles, under its label", () => {
    const options = { labels: { ours: "o", base: "b", theirs: "t" }, style: "diff3" } as const;
    const expected = "<<<<<<< o\nx\n||||||| b\na\n=======\ny\n>>>>>>> t\n";
    expect(text(mergeText("a\n", "x\n", "y\n", options).content)).toBe(expected);
  });

  it("ends markers like the lines around them", () => {
    const { content } = mergeText("a\r\nb\r\n", "a\r\nx\r\n", "a\r\ny\r\n");
    expect(text(content)).toBe("a\r\n<<<<<<<\r\nx\r\n=======\r\ny\r\n>>>>>>>\r\n");
  });
});
