// Whether a pattern of Node's glob can match anything but the one path it spells. `a[b]` cannot: a class of one is a quote.
// It reads the pattern as `compileGlob` does, so the two never disagree.
import { parsePattern } from "./parse-pattern.ts";

/** Throws a GlobError where `compileGlob` would. */
export function hasMagic(pattern: string): boolean {
  const alternatives = parsePattern(pattern);
  if (alternatives.length !== 1) return pattern !== "";
  return alternatives[0]!.some(({ kind }) => kind !== "literal");
}
