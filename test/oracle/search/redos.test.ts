/** The table of catastrophes is one: V8 itself, in a context that can be stopped, does not come back from them in time. */
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { attack, redosPatterns } from "./redos-patterns.ts";

const TIMEOUT_MS = 400;

function comesBack(pattern: string, text: string): boolean {
  try {
    runInNewContext("new RegExp(pattern, 'm').test(text)", { pattern, text }, { timeout: TIMEOUT_MS });
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === "ERR_SCRIPT_EXECUTION_TIMEOUT") return false;
    throw error;
  }
}

describe("V8 hangs on", () => {
  it.each(redosPatterns.filter(({ hopeless }) => hopeless !== undefined))("$pattern", (redosPattern) => {
    expect(comesBack(redosPattern.pattern, attack(redosPattern, redosPattern.hopeless as number))).toBe(false);
  });

  it("redosPatterns has at least 24 patterns that hang V8", () => {
    expect(redosPatterns.filter(({ hopeless }) => hopeless !== undefined).length).toBeGreaterThanOrEqual(24);
  });
});
