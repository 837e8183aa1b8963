/** Patterns that make a backtracking matcher hang: here the number of steps of each grows only with the text. */
import { inObject } from "@workspace/testing/in-object";
import { createFileSystem } from "@workspace/vfs";
import { describe, expect, it } from "vitest";

const EVIL = [
  "(?:\\w+\\s?)+;$",
  "(a+)+$",
  "(a|aa)+$",
  "(.*a){25}",
  "(a*)*b",
  "(a|a?)+b",
  "(a+)*b",
  "(?:a*a*)*b",
  "a*a*a*a*a*a*a*a*b",
  "(a?){30}a{30}b",
  "(?:a?a?a?a?a?){20}b",
  "([a-z]+)*[A-Z]",
  "(\\w+\\d*)+!",
  "(.+)+,",
  "(.*)*=",
  "(?:.*?,){12}x",
  "^(([a-z])+.)+[A-Z]([a-z])+$",
  "(\\w+\\s*,\\s*){3}\\w+\\s*\\)",
  "([a-zA-Z0-9._-]+)*@",
  "(x+x+)+y",
  "((ab)*)*c",
  "(a|b|ab)*bc!",
  "[01]*1[01]{12}z",
  "(?:(?:a{1,10}){1,10}){1,10}b",
  "(\\s*\\w+\\s*)*#",
  "\\b(\\w+\\b\\s*)+\\?",
  "(?i)(k+ſ*)+#",
  "(?:a|b|c|d|e)*(?:a|b|c|d|e)*f!",
];

const LINES = [
  "a".repeat(5000),
  "ab".repeat(2500),
  "word word_1, word 22 ".repeat(250),
  "01".repeat(2500),
  "x,".repeat(2500),
];

describe("a pattern that makes others hang", () => {
  it.each(EVIL)("grep answers %j within a bounded number of steps a byte", async (pattern) => {
    await inObject(async ({ volume }) => {
      const fs = createFileSystem(volume);
      const cost = async (times: number) => {
        const text = `${LINES.join("\n")}\n`.repeat(times);
        await fs.writeFile("/workspace/t.txt", text);
        const { truncated, stats } = await fs.grep(pattern, "/workspace", { regex: true, mode: "count" });
        expect(truncated).toBe(false);
        return stats.steps / text.length;
      };
      const once = await cost(1);
      expect(once).toBeLessThan(2000);
      // Four times the text is about four times the work: a second pass up to the first hit is all that may come on top.
      expect(await cost(4)).toBeLessThan(Math.max(4, once * 1.5));
    });
  });

  it("grep stops at its budget of steps, says so, and can go on", async () => {
    await inObject(async ({ volume }) => {
      const fs = createFileSystem(volume);
      for (let i = 0; i < 8; i++) await fs.writeFile(`/workspace/${i}.txt`, "needle abc\n".repeat(2000));
      const options = { regex: true, maxHits: 1e6, budget: { steps: 200_000 } } as const;
      let cursor: string | undefined;
      let found = 0;
      let rounds = 0;
      do {
        const answer = await fs.grep("[n]\\w+e a", "/workspace", { ...options, cursor });
        if (answer.truncated) expect(answer.truncatedBy).toBe("steps");
        found += answer.hits.length;
        cursor = answer.cursor ?? undefined;
        expect(++rounds).toBeLessThan(40);
      } while (cursor !== undefined);
      expect(found).toBe(16_000);
      expect(rounds).toBeGreaterThan(2);
    });
  });
});
