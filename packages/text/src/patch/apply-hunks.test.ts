import { expect, it } from "vitest";
import { applyHunks } from "./apply-hunks.ts";
import { parsePatch } from "./parse-patch.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const hunksOf = (text: string) => parsePatch(`--- a/f\n+++ b/f\n${text}`)[0]?.hunks ?? [];

it("applyHunks changes no line twice, unless an option allows it", () => {
  const hunks = hunksOf("@@ -1 +1 @@\n-a\n+b\n@@ -1 +1 @@\n-b\n+c\n");
  const refused = applyHunks(bytes("a\n"), hunks);
  expect(refused.hunks.map(({ at }) => at)).toEqual([0, null]);
  const allowed = applyHunks(bytes("a\n"), hunks, { allowOverlap: true });
  expect([allowed.hunks.map(({ at }) => at), new TextDecoder().decode(allowed.content)]).toEqual([[0, 0], "c\n"]);
});

it("applyHunks keeps every other byte, wherever hunks fall", () => {
  const lines = Array.from({ length: 60 }, (_, i) => `line ${i}${i % 3 === 0 ? "\r" : ""}\n`);
  for (let at = 1; at < 58; at++) {
    const hunk = `@@ -${at},3 +${at},4 @@\n ${lines[at - 1]}-${lines[at]}+new 1\n+new 2\n ${lines[at + 1]}`;
    const next = [...lines.slice(0, at), "new 1\n", "new 2\n", ...lines.slice(at + 1)];
    for (const tail of ["", "no end"]) {
      const { content } = applyHunks(bytes(lines.join("") + tail), hunksOf(hunk));
      expect(new TextDecoder().decode(content)).toBe(next.join("") + tail);
    }
  }
});
