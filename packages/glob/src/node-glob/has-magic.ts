/**
 * Tests whether a Node glob can match anything but the one path that it spells. `a[b]` cannot: a class of one character is a quote.
 * It parses the pattern as `compileGlob` does, so the two never disagree.
 */
import { parsePattern } from "./parse-pattern.ts";

/** Throws a GlobError where `compileGlob` would. */
export function hasMagic(pattern: string): boolean {
  const alternatives = parsePattern(pattern);
  if (alternatives.length !== 1) return pattern !== "";
  return alternatives[0]!.some(({ kind }) => kind !== "literal");
}
