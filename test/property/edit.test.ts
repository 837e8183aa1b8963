/** An applied edit changes exactly the bytes that were matched: everything before and after stays, whatever the match strategy. */
import { applyEdits, fuzzyFindText } from "@cloudflare/fs-tools";
import fc from "fast-check";
import { expect, it } from "vitest";

const line = fc.oneof(
  fc.constantFrom(
    "",
    "  a",
    "\tb",
    "x = 1;",
    "it\u2019s",
    "\u201Cq\u201D",
    "é",
    "e\u0301",
    "$&",
    "}",
    "same",
    "same",
    "a - b",
    "a \u2013 b",
  ),
  fc.string({ maxLength: 12 }).map((text) => text.replace(/[\r\n]/g, "")),
);
const ending = fc.constantFrom("\n", "\r\n", "  \n", "\t\r\n");
const file = fc.array(fc.tuple(line, ending), { minLength: 1, maxLength: 12 });

/** What a model makes of a text on its way. */
const drift = fc.constantFrom(
  (text: string) => text,
  (text: string) => text.replaceAll("\r\n", "\n"),
  (text: string) => text.replace(/[ \t]+(?=\r?\n|$)/g, "").replaceAll("\r\n", "\n"),
  (text: string) =>
    text
      .replace(/[\u2018\u2019]/g, "'")
      .replace(/[\u201C\u201D]/g, '"')
      .replace(/\u2013/g, "-")
      .replaceAll("\r\n", "\n"),
  (text: string) => text.normalize("NFD").replaceAll("\r\n", "\n"),
);

it("applyEdits changes exactly the matched bytes", () => {
  fc.assert(
    fc.property(
      file,
      fc.nat(),
      fc.nat(),
      drift,
      fc.string({ maxLength: 20 }),
      (lines, from, count, change, newText) => {
        const text = lines.map(([body, end]) => body + end).join("");
        const start = from % lines.length;
        const chosen = lines.slice(start, start + 1 + (count % (lines.length - start)));
        const oldText = change(chosen.map(([body, end]) => body + end).join(""));
        if (!newText.isWellFormed() || !text.isWellFormed()) return;
        const match = fuzzyFindText(text, oldText);
        let result: string;
        try {
          result = applyEdits(text, [{ oldText, newText }]).text;
        } catch (error) {
          const { code } = error as { code: string };
          expect(["NO_MATCH", "AMBIGUOUS_MATCH", "NO_CHANGE", "INVALID_INPUT"]).toContain(code);
          if (match.found) expect(["NO_CHANGE", "INVALID_INPUT", "NO_MATCH"]).toContain(code);
          return;
        }
        expect(match.found).toBe(true);
        const before = text.slice(0, match.index);
        const after = text.slice(match.index + match.matchLength);
        expect(result.startsWith(before)).toBe(true);
        expect(result.endsWith(after)).toBe(true);
        expect(result.length).toBeGreaterThanOrEqual(before.length + after.length);
      },
    ),
    { numRuns: 5000 },
  );
});

it("applyEdits with an exact match replaces a single occurrence", () => {
  fc.assert(
    fc.property(fc.string(), fc.string({ minLength: 1 }), fc.string(), fc.string(), (before, old, next, after) => {
      const text = (before + old + after).replace(/[\r\n]/g, "");
      const oldText = old.replace(/[\r\n]/g, "");
      const newText = next.replace(/[\r\n]/g, "");
      if (oldText === "" || oldText === newText || !newText.isWellFormed()) return;
      if (text.split(oldText).length !== 2 || text.indexOf(oldText) !== text.lastIndexOf(oldText)) return;
      expect(applyEdits(text, [{ oldText, newText }]).text).toBe(text.split(oldText).join(newText));
    }),
    { numRuns: 2000 },
  );
});
