/**
 * Texts for property tests: generated from a seed, with few distinct lines so that matches are ambiguous, or edited from one
 * another.
 */
import type { Random } from "../../support/random.ts";

const WORDS = [
  "if (x) {",
  "}",
  "",
  "return x;",
  "else {",
  "foo();",
  "/* a */",
  "int main()",
  "\tint y;",
  "    bar(1);",
  "$z",
  "  ",
];

function randomLine(random: Random, kinds: number): string {
  if (random.next() < 0.5) return random.pick(WORDS);
  const indent = random.pick(["", "", "  ", "\t", "    ", "\t\t", "        "]);
  const tail = random.next() < 0.1 ? random.pick([" ", "\t", "\r", "  \r"]) : "";
  return `${indent}${random.pick(["a", "b c", "b  c", "bc", "f(x)", "x"])}${random.below(kinds)}${tail}`;
}

export function randomLines(random: Random, max: number): string[] {
  const kinds = random.pick([1, 2, 5, 50, 1000]);
  return Array.from({ length: random.below(max) }, () => randomLine(random, kinds));
}

/** A few insertions, deletions, replacements and moves. */
export function edited(random: Random, lines: readonly string[], edits = random.below(8)): string[] {
  const next = [...lines];
  for (let i = 0; i < edits; i++) {
    const at = random.below(next.length + 1);
    const count = random.pick([0, 1, 1, 2, 5, 20]);
    const what = random.next();
    if (what < 0.3) next.splice(at, count);
    else if (what < 0.6) next.splice(at, 0, ...Array.from({ length: count }, () => randomLine(random, 50)));
    else if (what < 0.7) next.splice(at, count, ...Array.from({ length: count }, () => randomLine(random, 50)));
    else if (what < 0.8) next.splice(random.below(next.length + 1), 0, ...next.splice(at, count));
    else if (what < 0.9) next.splice(at, 0, ...next.slice(at, at + count));
    else if (next[at] !== undefined)
      next[at] = random.pick([`${next[at]} `, ` ${next[at]}`, (next[at] as string).trim()]);
  }
  return next;
}

export function toText(random: Random, lines: readonly string[]): string {
  const text = lines.join("\n");
  return text === "" || random.next() < 0.1 ? text : `${text}\n`;
}
