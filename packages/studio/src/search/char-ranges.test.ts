import { describe, expect, it } from "vitest";
import { charRanges } from "./char-ranges.ts";

describe("charRanges", () => {
  it("charRanges leaves ranges of ASCII as they are", () => {
    expect(charRanges("a needle", [{ start: 2, end: 8 }])).toEqual([{ start: 2, end: 8 }]);
  });

  it("charRanges counts characters where bytes are more, astral ones as the two units a string has", () => {
    const text = "é 🦊 needle";
    expect(charRanges(text, [{ start: 8, end: 14 }])).toEqual([{ start: 5, end: 11 }]);
    expect(text.slice(5, 11)).toBe("needle");
  });
});
