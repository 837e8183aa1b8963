/** Random bracketed classes: ranges, escapes, named classes, classes within classes and the operators between them. */
import type { Random } from "../../support/random.ts";
import type { Regex } from "./regex-tree.ts";

/** As they stand in a class, and the character they are. */
const MEMBERS: readonly [written: string, is: string][] = [
  ...["a", "b", "c", "k", "s", "x", "z", "A", "K", "S", "Z", "0", "5", "9", "_", " ", ".", "$", "é", "É", "ß", "σ"].map(
    (text): [string, string] => [text, text],
  ),
  ...["ς", "Σ", "ſ", "K", "ı", "İ", "日", "😀", "Å", "ǅ", "/", ":", "=", "!", "#", ","].map(
    (text): [string, string] => [text, text],
  ),
  ...["]", "[", "\\", "-", "^", "&", "~", "."].map((text): [string, string] => [`\\${text}`, text]),
  ["\\t", "\t"],
  ["\\x41", "A"],
  ["\\x{e9}", "é"],
  ["\\u212A", "K"],
  ["\\U0001F600", "😀"],
];
const NAMED: readonly [written: string, ...samples: string[]][] = [
  ["\\w", "a", "é"],
  ["\\W", " ", "-"],
  ["\\d", "1", "٣"],
  ["\\D", "x"],
  ["\\s", " ", "\u00a0"],
  ["\\S", "q"],
  ["\\pL", "a", "日"],
  ["\\PL", "1"],
  ["\\p{Lu}", "A"],
  ["\\P{Ll}", "A", " "],
  ["\\p{Greek}", "σ"],
  ["\\p{Lt}", "ǅ"],
  ["[:alpha:]", "a"],
  ["[:^digit:]", "x"],
  ["[:upper:]", "Q"],
  ["[:punct:]", "-"],
  ["[:space:]", "\t"],
  ["[:word:]", "_"],
];

export function generateClass(random: Random): Regex {
  const { text, samples } = bracketed(random, 2);
  return { atom: text, samples };
}

interface Grown {
  text: string;
  samples: string[];
}

function bracketed(random: Random, depth: number): Grown {
  const parts = Array.from({ length: random.next() < 0.3 ? 2 : 1 }, () => union(random, depth));
  const operator = random.pick(["&&", "--", "~~", ""]);
  const [open, close] = [random.pick(["[", "[", "[", "[^", "[]", "[-", "[^-"]), random.pick(["]", "]", "]", "-]"])];
  return {
    text: open + parts.map(({ text }) => text).join(operator) + close,
    samples: parts.flatMap(({ samples }) => samples).concat("-", "d"),
  };
}

function union(random: Random, depth: number): Grown {
  const items = Array.from({ length: random.between(1, 3) }, () => item(random, depth));
  return { text: items.map(({ text }) => text).join(""), samples: items.flatMap(({ samples }) => samples) };
}

function item(random: Random, depth: number): Grown {
  const roll = random.next();
  if (roll < 0.25) {
    const [text, ...samples] = random.pick(NAMED);
    return { text, samples };
  }
  if (depth > 0 && roll < 0.4) return bracketed(random, depth - 1);
  const [from, to] = [random.pick(MEMBERS), random.pick(MEMBERS)];
  if (roll < 0.6) return { text: from[0], samples: [from[1]] };
  // Few are the wrong way round, and refused.
  const isOrdered = from[1].codePointAt(0)! <= to[1].codePointAt(0)! || random.next() < 0.03;
  const [low, high] = isOrdered ? [from, to] : [to, from];
  return { text: `${low[0]}-${high[0]}`, samples: [low[1], high[1]] };
}
