import { describe, expect, it } from "vitest";
import { textChanges } from "./text-changes.ts";

/** The removed and inserted texts, in order. */
const shown = (before: string, after: string) =>
  textChanges(before, after).map(({ fromA, toA, fromB, toB }) => [before.slice(fromA, toA), after.slice(fromB, toB)]);

describe("textChanges", () => {
  it("textChanges marks letters within lines, whole lines that came or went, and nothing else", () => {
    expect(shown("one\ntwo\nthree\n", "one\ntwo!\nthree\n")).toEqual([["", "!"]]);
    expect(shown("a\nb\n", "a\nnew\nb\n")).toEqual([["", "new\n"]]);
    expect(shown("a\ngone\nb\n", "a\nb\n")).toEqual([["gone\n", ""]]);
    expect(shown("", "all\n")).toEqual([["", "all\n"]]);
    expect(shown("ä💥 x\nend", "ä💥 y\nend")).toEqual([["x", "y"]]);
    expect(shown("same\n", "same\n")).toEqual([]);
  });

  it("textChanges finds each of a thousand small changes in a large file, and leaves what is between them alone", () => {
    const lines = Array.from({ length: 10_000 }, (_, i) => `"key-${i}": "1.${i}.0",`);
    const changed = lines.map((line, i) => (i % 10 === 3 ? line.replace('"1.', '"2.') : line));
    const found = shown(lines.join("\n"), changed.join("\n"));
    expect(found).toHaveLength(1000);
    expect(Math.max(...found.map(([gone = ""]) => gone.length))).toBeLessThan(12);
  });
});
