/**
 * Texts for property tests: generated from a seed, with few distinct lines so that matches are ambiguous, or edited from one
 * another.
 */

export type Random = () => number;

/** mulberry32. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export function below(random: Random, limit: number): number {
  return Math.floor(random() * limit);
}

export function pick<T>(random: Random, values: readonly T[]): T {
  return values[below(random, values.length)] as T;
}

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

export function randomLine(random: Random, kinds: number): string {
  if (random() < 0.5) return pick(random, WORDS);
  const indent = pick(random, ["", "", "  ", "\t", "    ", "\t\t", "        "]);
  const tail = random() < 0.1 ? pick(random, [" ", "\t", "\r", "  \r"]) : "";
  return `${indent}${pick(random, ["a", "b c", "b  c", "bc", "f(x)", "x"])}${below(random, kinds)}${tail}`;
}

export function randomLines(random: Random, max: number): string[] {
  const kinds = pick(random, [1, 2, 5, 50, 1000]);
  return Array.from({ length: below(random, max) }, () => randomLine(random, kinds));
}

/** A few insertions, deletions, replacements and moves. */
export function edited(random: Random, lines: readonly string[], edits = below(random, 8)): string[] {
  const next = [...lines];
  for (let i = 0; i < edits; i++) {
    const at = below(random, next.length + 1);
    const count = pick(random, [0, 1, 1, 2, 5, 20]);
    const what = random();
    if (what < 0.3) next.splice(at, count);
    else if (what < 0.6) next.splice(at, 0, ...Array.from({ length: count }, () => randomLine(random, 50)));
    else if (what < 0.7) next.splice(at, count, ...Array.from({ length: count }, () => randomLine(random, 50)));
    else if (what < 0.8) next.splice(below(random, next.length + 1), 0, ...next.splice(at, count));
    else if (what < 0.9) next.splice(at, 0, ...next.slice(at, at + count));
    else if (next[at] !== undefined)
      next[at] = pick(random, [`${next[at]} `, ` ${next[at]}`, (next[at] as string).trim()]);
  }
  return next;
}

export function toText(random: Random, lines: readonly string[]): string {
  const text = lines.join("\n");
  return text === "" || random() < 0.1 ? text : `${text}\n`;
}
