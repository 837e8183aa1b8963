import { expect, it } from "vitest";
import { isIncomplete, lineBytes, splitLines } from "./text-lines.ts";

it("splitLines finds every line, short and long, with and without an end", () => {
  const decoder = new TextDecoder();
  for (let length = 0; length <= 200; length++) {
    const lines = ["x".repeat(length), "", "y".repeat((length * 7) % 200), "z".repeat(200 - length)];
    for (const text of [lines.join("\n"), `${lines.join("\n")}\n`]) {
      const found = splitLines(text);
      const expected = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
      expect(Array.from({ length: found.count }, (_, i) => decoder.decode(lineBytes(found, i)))).toEqual(expected);
      expect(isIncomplete(found)).toBe(text !== "" && !text.endsWith("\n"));
    }
  }
});
