/** `unifiedHunks` against `git diff --no-index`: random and edited texts, every algorithm, every rule of white space. Zero differences. */

import { splitLines, unifiedHunks } from "@workspace/text";
import { describe, expect, it } from "vitest";
import { Random } from "../../support/random.ts";
import { gitHunks, type Pair } from "./git-hunks.ts";
import { edited, randomLines, toText } from "./random-text.ts";

type Options = Parameters<typeof unifiedHunks>[2];

const VARIANTS: [string, string[], Options][] = [
  ["the default", [], {}],
  ["--no-indent-heuristic", ["--no-indent-heuristic"], { indentHeuristic: false }],
  ["--minimal", ["--minimal"], { algorithm: "minimal" }],
  ["--patience", ["--patience"], { algorithm: "patience" }],
  ["--histogram", ["--histogram"], { algorithm: "histogram" }],
  ["-w", ["-w"], { whitespace: "all" }],
  ["-b", ["-b"], { whitespace: "change" }],
  ["--ignore-space-at-eol", ["--ignore-space-at-eol"], { whitespace: "at-eol" }],
  ["--ignore-cr-at-eol", ["--ignore-cr-at-eol"], { whitespace: "cr-at-eol" }],
  ["--ignore-blank-lines", ["--ignore-blank-lines"], { ignoreBlankLines: true }],
  ["-w --ignore-blank-lines", ["-w", "--ignore-blank-lines"], { whitespace: "all", ignoreBlankLines: true }],
  ["-b --patience", ["-b", "--patience"], { whitespace: "change", algorithm: "patience" }],
  ["-U0", ["-U0"], { context: 0 }],
  ["-U1 --inter-hunk-context=4", ["-U1", "--inter-hunk-context=4"], { context: 1, interHunkContext: 4 }],
  ["-W", ["-W"], { functionContext: true }],
  ["-W --ignore-blank-lines", ["-W", "--ignore-blank-lines"], { functionContext: true, ignoreBlankLines: true }],
  ["--anchored", ["--anchored=a1", "--anchored=b c"], { algorithm: "patience", anchors: anchors("a1", "b c") }],
  ["-I", ["-I", "^a[0-9]"], { ignoreLine: (line) => /^a[0-9]/.test(new TextDecoder().decode(line)) }],
];
const ROUNDS = Number(process.env.TEXT_ORACLE_PAIRS ?? 400);
const LARGE = Math.ceil(ROUNDS / 40);
const SEED = Number(process.env.TEXT_ORACLE_SEED ?? 20240117);

function anchors(...texts: string[]): Uint8Array[] {
  return texts.map((text) => new TextEncoder().encode(text));
}

function pairs(seed: number, count: number): Pair[] {
  const random = new Random(seed);
  return Array.from({ length: count }, () => {
    const size = [4, 12, 40, 200, 600][random.below(5)] as number;
    const lines = randomLines(random, size);
    const other = random.next() < 0.25 ? randomLines(random, size) : edited(random, lines, random.below(2 + size / 8));
    return { old: toText(random, lines), new: toText(random, other) };
  });
}

function expectSame(all: readonly Pair[], gitOptions: readonly string[], options: Options): void {
  const expected = gitHunks(all, gitOptions);
  all.forEach((pair, i) => {
    const ours = Buffer.from(unifiedHunks(splitLines(pair.old), splitLines(pair.new), options)).toString("latin1");
    if (ours !== expected[i]) expect({ pair, hunks: ours }).toEqual({ pair, hunks: expected[i] });
  });
}

describe("unifiedHunks", () => {
  it.each(VARIANTS)(`equals git with %s (seed ${SEED})`, (_, gitOptions, options) => {
    expectSame(pairs(SEED, ROUNDS), gitOptions, options);
  });

  it("equals git with -U0 where the end is the same for a kilobyte", () => {
    const random = new Random(SEED + 3);
    const pairs = Array.from({ length: ROUNDS }, (): Pair => {
      const lines = Array.from({ length: 400 }, () => `\tsome line ${random.below(3)}`);
      const other = edited(random, lines.slice(0, 150), 3).concat(lines.slice(150));
      return { old: toText(random, lines), new: toText(random, other) };
    });
    expectSame(pairs, ["-U0"], { context: 0 });
  });

  it.each([
    ["the default", [], {}],
    ["--minimal", ["--minimal"], { algorithm: "minimal" }],
    ["--patience", ["--patience"], { algorithm: "patience" }],
    ["--histogram", ["--histogram"], { algorithm: "histogram" }],
  ] satisfies [string, string[], Options][])(
    "equals git with %s where the short cuts of the search decide",
    (_, flags, options) => {
      const random = new Random(SEED + 1);
      expectSame(
        Array.from({ length: LARGE }, () => shuffledBlocks(random)),
        flags,
        options,
      );
    },
  );

  it("equals git where a text is long enough for a common run to end the search", () => {
    const random = new Random(SEED + 2);
    expectSame(
      Array.from({ length: 3 }, () => editedEverywhere(random, 40_000)),
      [],
      {},
    );
  });
});

/** Blocks of one text in another order, with noise from its own lines between: no line can be dropped, and no match is near. */
function shuffledBlocks(random: Random): Pair {
  const kinds = random.pick([200, 800, 3000]);
  const noise = (count: number) => Array.from({ length: count }, () => `line ${random.below(kinds)}`);
  const lines = noise(1500 + random.below(2500));
  const other: string[] = [];
  for (let at = 0; at < lines.length; ) {
    const block = 1 + random.below(random.pick([3, 20, 60]));
    if (random.next() < 0.8) other.push(...lines.slice(at, at + block));
    if (random.next() < 0.7) other.push(...noise(random.below(random.pick([5, 60, 300]))));
    at += block + (random.next() < 0.5 ? random.below(100) : 0);
  }
  return { old: toText(random, lines), new: toText(random, other) };
}

/** A few lines changed every twenty or so, by lines that occur elsewhere. */
function editedEverywhere(random: Random, size: number): Pair {
  const noise = (count: number) => Array.from({ length: count }, () => `line ${random.below(8000)}`);
  const lines = noise(size);
  const other: string[] = [];
  for (let at = 0; at < size; at += random.below(4)) {
    const block = 10 + random.below(25);
    other.push(...lines.slice(at, at + block), ...noise(random.below(4)));
    at += block;
  }
  return { old: toText(random, lines), new: toText(random, other) };
}
