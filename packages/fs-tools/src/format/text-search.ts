/** Finds all occurrences of a text in time linear in both: `indexOf` compares repeatedly where a text repeats itself. */
import type { Work } from "../definition/work.ts";

/** At this length `indexOf` is linear enough. */
const SHORT = 16;

/** Includes overlapping occurrences. */
export function* allIndexes(text: string, needle: string, limit: number): Work<number[]> {
  const found: number[] = [];
  if (needle === "") return found;
  const head = needle.slice(0, SHORT);
  // Comparing with the whole needle is cheap while its head occurs rarely.
  let left = 4 * (text.length + needle.length);
  yield text.length;
  for (let at = text.indexOf(head); at >= 0 && found.length < limit; at = text.indexOf(head, at + 1)) {
    if (needle.length > SHORT) {
      if (left < 0) return yield* repeatedIndexes(text, needle, at, found, limit);
      left -= needle.length;
      yield needle.length;
      if (!text.startsWith(needle, at)) continue;
    }
    found.push(at);
    if (found.length % BLOCK === 0) yield BLOCK;
  }
  return found;
}

export function* includesText(text: string, needle: string): Work<boolean> {
  return needle === "" || (yield* allIndexes(text, needle, 1)).length > 0;
}

function* repeatedIndexes(text: string, needle: string, from: number, found: number[], limit: number): Work<number[]> {
  const codes = codesOf(needle);
  const links = borderLinks(codes);
  yield codes.length;
  let matched = 0;
  for (let at = from; at < text.length; at++) {
    if ((at - from) % BLOCK === BLOCK - 1) yield BLOCK;
    const code = text.charCodeAt(at);
    while (matched > 0 && (matched === codes.length || codes[matched] !== code)) matched = links[matched - 1] as number;
    if (codes[matched] === code) matched++;
    if (matched < codes.length) continue;
    found.push(at + 1 - codes.length);
    if (found.length >= limit) break;
  }
  return found;
}

const BLOCK = 65_536;

function codesOf(text: string): Int32Array {
  const codes = new Int32Array(text.length);
  for (let i = 0; i < text.length; i++) codes[i] = text.charCodeAt(i);
  return codes;
}

/** Knuth-Morris-Pratt failure links: for each prefix of the pattern, its longest proper prefix that is also a suffix. */
function borderLinks(pattern: Int32Array): Int32Array {
  const links = new Int32Array(pattern.length);
  let matched = 0;
  for (let i = 1; i < pattern.length; i++) {
    while (matched > 0 && pattern[matched] !== pattern[i]) matched = links[matched - 1] as number;
    if (pattern[matched] === pattern[i]) matched++;
    links[i] = matched;
  }
  return links;
}

/**
 * Visits the occurrences of a pattern of numbers at or after `from` until `visit` returns false. Returns the length of the longest
 * prefix found.
 */
export function* findNumbers(
  numbers: Int32Array,
  pattern: Int32Array,
  from: number,
  visit: (at: number) => boolean,
): Work<number> {
  const links = borderLinks(pattern);
  yield pattern.length;
  let longest = 0;
  let matched = 0;
  let at = from;
  for (; at < numbers.length; at++) {
    if ((at - from) % BLOCK === BLOCK - 1) yield BLOCK;
    const number = numbers[at] as number;
    while (matched > 0 && (matched === pattern.length || pattern[matched] !== number))
      matched = links[matched - 1] as number;
    if (pattern[matched] === number) matched++;
    if (matched > longest) longest = matched;
    if (matched === pattern.length && matched > 0 && !visit(at + 1 - matched)) break;
  }
  yield (at - from) % BLOCK;
  return longest;
}
