/**
 * Linear time: patterns that make V8 backtrack without bound return here, within their budget, with ripgrep's answer or with
 * a word that the budget was spent. A hang would block the isolate, so the process around it stands guard.
 */
import { env } from "cloudflare:workers";
import { createFileSystem } from "@workspace/vfs";
import { describe, expect, it } from "vitest";
import { inObject } from "../../support/workerd/in-object.ts";
import type { Guard } from "../../support/workerd/real-rg.ts";
import { difference } from "./difference.ts";
import { ROOT, runOurs, writeTree } from "./our-answer.ts";
import type { Answer, Entry, Query } from "./question.ts";
import { attack, type RedosPattern, redosPatterns } from "./redos-patterns.ts";

const CHARACTERS = 100_000;
const SMALL_BUDGET = { steps: 1_000_000 };
/** Of one search: a backtracking engine takes years, and a busy machine does not take this long. */
const HANG_MS = 100_000;

function treeFor(redosPattern: RedosPattern): Entry[] {
  const lines = [
    attack(redosPattern, CHARACTERS),
    redosPattern.hit,
    attack(redosPattern, 50),
    attack(redosPattern, 1000),
  ];
  return [{ path: "attack.txt", text: `${lines.join("\n")}\n` }];
}

async function guarded<T>(what: unknown, action: () => Promise<T>): Promise<T> {
  const guard: Guard = { what: JSON.stringify(what), ms: HANG_MS };
  await env.REAL_RG.fetch("http://real-rg", { method: "PUT", body: JSON.stringify(guard) });
  const result = await action();
  await env.REAL_RG.fetch("http://real-rg", { method: "DELETE" });
  return result;
}

const VARIANTS: readonly Omit<Query, "pattern">[] = [{}, { ignoreCase: true }, { word: true }, { mode: "count" }];

describe("grep returns in time, with ripgrep's answer", () => {
  it.each(redosPatterns)("$pattern", { timeout: 120_000 }, async (redosPattern) => {
    const { pattern, multiline } = redosPattern;
    const tree = treeFor(redosPattern);
    const queries = VARIANTS.map(
      (flags): Query => ({ pattern, regex: true, ...(multiline && { multiline }), ...flags }),
    );
    const real = await env.REAL_RG.fetch("http://real-rg", { method: "POST", body: JSON.stringify({ tree, queries }) });
    const expected = (await real.json()) as Answer[];
    await inObject(async ({ volume }) => {
      const fs = createFileSystem(volume);
      await writeTree(fs, tree);
      for (const [at, query] of queries.entries()) {
        const ours = await guarded(query, () => runOurs(fs, query));
        if ("truncated" in ours && ours.truncated) continue;
        expect(`${JSON.stringify(query)} ${difference(ours, expected[at]!)}`).toBe(
          `${JSON.stringify(query)} undefined`,
        );
      }
      const options = { regex: true, multiline, budget: SMALL_BUDGET };
      const small = await guarded({ pattern, ...options }, () => fs.grep(pattern, ROOT, options));
      expect([null, "steps"]).toContain(small.truncatedBy);
      expect(small.truncated).toBe(small.truncatedBy !== null);
    });
  });

  it("redosPatterns has at least 24 patterns", () => {
    expect(new Set(redosPatterns.map(({ pattern }) => pattern)).size).toBeGreaterThanOrEqual(24);
  });
});
