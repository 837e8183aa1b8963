/**
 * Random regular expressions in ripgrep's syntax, plain and nasty: what JavaScript reads otherwise, or not at all, is
 * over-represented. Few are refused; refusals have a table of their own.
 */
import type { Random } from "../../support/random.ts";
import { generateClass } from "./generate-class.ts";
import type { Regex } from "./regex-tree.ts";

const atom = (text: string, ...samples: string[]): Regex => ({ atom: text, samples });
/** Stands for itself. */
const same = (text: string) => atom(text, text);

const LITERALS: readonly Regex[] = [
  ...["a", "b", "c", "d", "A", "B", "x", "k", "s", "S", "1", "2", "_", " ", "-", "foo", "bar", "abc", "TODO"].map(same),
  ...[
    "é",
    "É",
    "ß",
    "ẞ",
    "σ",
    "ς",
    "Σ",
    "ſ",
    "K",
    "İ",
    "ı",
    "i",
    "I",
    "Ⅷ",
    "ⅷ",
    "日",
    "😀",
    "ǆ",
    "ǅ",
    "Ω",
    "Ω",
    "å",
    ...["θ", "ϑ", "ϴ", "ꙋ", "Ꭰ", "ꭰ", "ﬅ", "ﬆ", "µ", "μ", "𐐀", "𐐨", "ﬀ", "ᾳ", "ι", "\u0345", "ẛ", "ṡ"],
  ].map(same),
  ...[",", ";", ":", "=", "<", ">", "/", "#", "&", "~", "!", "@", "%", "'", '"', "`", "}", "]"].map(same),
];

const ESCAPES: readonly Regex[] = [
  ...[
    ".",
    "*",
    "+",
    "?",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "^",
    "$",
    "|",
    "\\",
    "-",
    "/",
    "#",
    "&",
    "~",
    " ",
    "!",
    ";",
  ].map((character) => atom(`\\${character}`, character)),
  atom("\\t", "\t"),
  atom("\\x41", "A"),
  atom("\\x{e9}", "é"),
  atom("\\x{1F600}", "😀"),
  atom("\\u0062", "b"),
  atom("\\u{00DF}", "ß"),
  atom("\\U0001F600", "😀"),
  atom("\\U{41}", "A"),
];

const CLASSES: readonly Regex[] = [
  ...repeated(3, atom(".", "a", "é", "😀", " ", "1", "\t")),
  ...repeated(3, atom("\\w", "a", "Z", "_", "5", "é", "σ", "日", "٣")),
  atom("\\W", " ", "-", "😀", ";"),
  ...repeated(2, atom("\\d", "1", "9", "٣")),
  atom("\\D", "a", " ", "é"),
  ...repeated(2, atom("\\s", " ", "\t", "\u00a0", "\u2003")),
  atom("\\S", "a", "é", "-"),
  atom("\\pL", "a", "É", "日"),
  atom("\\PL", "1", " ", "😀"),
  atom("\\p{Lu}", "A", "É", "Σ"),
  atom("\\p{Lowercase}", "a", "é", "ß"),
  atom("\\P{Lu}", "a", "1"),
  atom("\\p{Greek}", "σ", "Ω"),
  atom("\\p{sc=Han}", "日"),
  atom("\\p{Script=Latin}", "a", "é"),
  atom("\\P{Greek}", "a"),
  atom("\\p{Alphabetic}", "a", "Ⅷ"),
  atom("\\p{gc:Nd}", "1", "٣"),
  atom("\\p{Emoji}", "😀", "1"),
  atom("\\pN", "1", "Ⅷ"),
  atom("[ab]", "a", "b"),
  atom("[^ab]", "c", "é", " "),
  atom("[a-d]", "a", "d"),
  atom("[A-Za-z_]", "Q", "q", "_"),
  atom("[é-σ]", "é", "ß", "σ"),
  atom("[^\\x00-\\x7F]", "é", "😀"),
  atom("[[:alpha:]]", "a", "Z"),
  atom("[[:^alpha:]]", "1", "é"),
  atom("[[:word:]-]", "a", "-", "_"),
  atom("[[:space:][:digit:]]", " ", "7"),
  atom("[[:punct:]]", ";", "$"),
  atom("[:alpha:]", "a", ":"),
  atom("[a-z&&[^aeiou]]", "b", "z"),
  atom("[\\w&&\\D]", "a", "_"),
  atom("[\\w--\\d]", "a", "é"),
  atom("[a-f~~d-z]", "a", "z"),
  atom("[\\pL--[a-z]]", "A", "é"),
  atom("[a-d&&c-f]", "c", "d"),
  atom("[^a-c[x-z]]", "d", "1"),
  atom("[[ab][cd]]", "a", "c"),
  atom("[]a]", "]", "a"),
  atom("[^]a]", "b"),
  atom("[a-]", "a", "-"),
  atom("[-a]", "a", "-"),
  atom("[a^]", "a", "^"),
  atom("[.*+?]", ".", "?"),
  atom("[\\]\\[\\\\]", "]", "["),
  atom("[\\s\\S]", "a", " "),
  atom("[\\x{1F600}-\\x{1F64F}]", "😀"),
  atom("[\\t -]", "\t", " ", "-"),
  atom("[$^]", "$"),
  atom("[&~]", "&", "~"),
  atom("(?-u:\\w)", "a", "_"),
  atom("(?-u:\\d)", "5"),
  atom("(?-u:[^a])", "b", " "),
];

const ANCHORS: readonly Regex[] = [
  ...["^", "$", "^", "$", "\\b", "\\b", "\\B", "\\<", "\\>", "\\b{start}", "\\b{end}", "\\b{start-half}"].map((text) =>
    atom(text),
  ),
  ...["\\b{end-half}", "(?-u:\\b)", "(?m:^)", "(?m:$)", "", "\\A", "\\z", "(?-m:^)", "(?-m:$)", "(?R:$)", "(?R:^)"].map(
    (text) => atom(text),
  ),
];

const INLINE_FLAGS: readonly Regex[] = [
  "(?i)",
  "(?-i)",
  "(?s)",
  "(?U)",
  "(?m)",
  "(?i-s)",
  "(?u)",
  "(?-m)",
  "(?R)",
  "(?sR)",
].map((text) => atom(text));

const OPENERS = [
  ...repeated(4, "("),
  ...repeated(6, "(?:"),
  ...["(?i:", "(?-i:", "(?s:", "(?x: ", "(?U:", "(?m:", "(?si:", "(?R:", "(?m-s:"],
];

const REPEATS: readonly [text: string, least: number, most: number][] = [
  ...repeated(3, ["*", 0, 3] as [string, number, number]),
  ...repeated(3, ["+", 1, 3] as [string, number, number]),
  ...repeated(3, ["?", 0, 1] as [string, number, number]),
  ["*?", 0, 3],
  ["+?", 1, 3],
  ["??", 0, 1],
  ["{2}", 2, 2],
  ["{0}", 0, 0],
  ["{1,3}", 1, 3],
  ["{2,}", 2, 4],
  ["{0,2}?", 0, 2],
  ["{3}?", 3, 3],
  ["{ 1 , 2 }", 1, 2],
  ["++", 1, 3],
  ["{1,}?", 1, 4],
  ["{5,9}", 5, 9],
  ["{20}", 20, 20],
  ["?*", 0, 3],
  ["{0,1}", 0, 1],
];

export interface Generating {
  /** May cross lines: `\n`, `\r` and classes that hold them; without multiline search they are refused or mean less. */
  multiline: boolean;
}

export function generateRegex(random: Random, generating: Generating): Regex {
  let names = 0;
  const generate = (depth: number): Regex => {
    const roll = random.next();
    if (depth === 0 || roll < 0.34) return leaf(random, generating);
    if (roll < 0.62) return { all: list(random, 2, 4, () => generate(depth - 1)) };
    if (roll < 0.74) return { any: list(random, 2, 3, () => generate(depth - 1)) };
    if (roll < 0.84) {
      const open = random.next() < 0.1 ? `(?${random.pick(["P", ""])}<n${names++}>` : random.pick(OPENERS);
      return { open, inner: generate(depth - 1) };
    }
    const [repeat, min, max] = random.pick(REPEATS);
    return { inner: generate(depth - 1), repeat, min, max };
  };
  const body = generate(random.between(1, 4));
  return random.next() < 0.08 ? { all: [random.pick(INLINE_FLAGS), body] } : body;
}

function leaf(random: Random, { multiline }: Generating): Regex {
  const roll = random.next();
  if (multiline && roll < 0.12) return random.pick(ACROSS_LINES);
  if (roll < 0.45) return random.pick(LITERALS);
  if (roll < 0.55) return random.pick(ESCAPES);
  if (roll < 0.81) return random.pick(CLASSES);
  if (roll < 0.87) return generateClass(random);
  return random.pick(ANCHORS);
}

const ACROSS_LINES: readonly Regex[] = [
  atom("\\n", "\n"),
  atom("\\r?\\n", "\n", "\r\n"),
  atom("\\s+", "\n", " \n"),
  atom("[^a]", "\n", "b"),
  atom("(?s:.)", "\n", "x"),
  atom("$\\n^", "\n"),
  atom("\\n\\n", "\n\n"),
];

function list<T>(random: Random, min: number, max: number, make: () => T): T[] {
  return Array.from({ length: random.between(min, max) }, make);
}

function repeated<T>(times: number, value: T): T[] {
  return Array<T>(times).fill(value);
}
