/**
 * Where ours is not as ripgrep on purpose: at most ten, for exotic syntax only, each with its reason and examples that the
 * suite holds both sides to.
 */
import type { Answer, Query, Tree } from "./question.ts";

export interface Deliberate {
  name: string;
  reason: string;
  /** The words of ours by which an answer falls under it; absent where it is the tree that does: none is generated. */
  refusal?: RegExp;
  examples: readonly Example[];
}

export interface Example {
  tree: Tree;
  query: Query;
  /** ripgrep's flags beyond those of the query. */
  flags?: readonly string[];
  rg: readonly string[] | "refused";
  ours: readonly string[] | "refused";
}

const LARGE = 200_000;
const FILES: Query = { pattern: "x", mode: "files" };

/** What is searched under one rule of .gitignore, for each side. */
function rule(text: string, names: readonly string[], rg: readonly string[], ours: readonly string[]): Example {
  const files = names.map((path) => ({ path, text: "x\n" }));
  return { tree: [{ path: ".gitignore", text }, ...files], query: FILES, rg, ours };
}

export const differences: readonly Deliberate[] = [
  {
    name: "ignore rules outside a repository",
    reason:
      "A workspace need not be a git repository; ripgrep does the same with --no-require-git, which the oracle passes.",
    examples: [
      {
        tree: [
          { path: ".gitignore", text: "a\n" },
          { path: "a", text: "x\n" },
        ],
        query: FILES,
        flags: ["--require-git"],
        rg: ["a"],
        ours: [],
      },
      {
        // With that flag ripgrep no longer sees where an inner repository begins; git and we do.
        tree: [
          { path: ".gitignore", text: "a\n" },
          { path: "inner/.git", directory: true },
          { path: "inner/a", text: "x\n" },
        ],
        query: FILES,
        flags: ["--no-require-git"],
        rg: [],
        ours: ["inner/a"],
      },
    ],
  },
  {
    name: "exotic rules in ignore files",
    reason: "We read ignore files as git does: ripgrep 15 expands braces and knows no [[:digit:]], among others.",
    examples: [
      rule("{a,b}\n", ["a", "b", "{a,b}"], ["{a,b}"], ["a", "b"]),
      rule("[[:digit:]]\n", ["5", "a"], ["5", "a"], ["a"]),
      rule("d\\  \n", ["d", "d "], ["d", "d "], ["d"]),
      rule("[a\n", ["[a", "b"], ["b"], ["[a", "b"]),
      rule("!\n", [".a", "b"], [".a", "b"], ["b"]),
      rule("a\t\n", ["a", "b"], ["b"], ["a", "b"]),
      rule("[!a][!a]*\n", ["B/a", "a"], ["a"], ["B/a", "a"]),
    ],
  },
  {
    name: "a file after one with a long line",
    reason:
      "For a line of more than 64 KiB ripgrep makes its buffer larger, and its thread reads the files after with it; what is found before a NUL byte depends on that. We read every file alike.",
    examples: [
      {
        tree: [
          { path: "a", text: `${"x".repeat(LARGE)}\n` },
          { path: "b", bytes: `needle\n${"y\n".repeat(LARGE / 2)}\0` },
        ],
        query: { pattern: "needle", mode: "files" },
        rg: [],
        ours: ["b"],
      },
    ],
  },
  {
    name: "more matches in one line than a result holds",
    reason:
      "A result must fit into memory: one line, or one multi-line match, reports at most 20 000 matches, and sets `cut`.",
    examples: [
      {
        tree: [{ path: "a", text: "x".repeat(20_001) }],
        query: { pattern: "x" },
        rg: [`a:1:M @0 ${submatches(20_001)} "${"x".repeat(20_001)}"`],
        ours: [`a:1:M @0 ${submatches(20_000)} "${"x".repeat(20_001)}"`],
      },
    ],
  },
  {
    name: "single bytes",
    reason:
      "(?-u) may match a byte of a character, which no text can show; where it means ASCII alone, as in (?-u:\\w), it works.",
    refusal: /not supported: \(\?-u\) where it would match single bytes/,
    examples: ["(?-u:.)", "(?-u:\\xFF)", "(?-u:[^a])", "(?-u:\\W)", "(?-u:\\B)", "a(?-u:\\D)"].map(refused),
  },
  {
    name: "Unicode properties that JavaScript has no tables of",
    reason: "Age, Grapheme_Cluster_Break, Word_Break and Sentence_Break would cost more bytes than they are worth.",
    refusal: /Unicode property not found/,
    examples: ["\\p{Age=6.0}", "\\p{gcb=ZWJ}", "\\p{wb=Numeric}", "\\p{sb=Lower}"].map(refused),
  },
  {
    name: "characters that are newer than ripgrep",
    reason: "What a character is we ask of the runtime, whose Unicode is 17; ripgrep 15 has that of Unicode 16.",
    examples: [
      {
        tree: [{ path: "file", text: "\ua7ce\n" }],
        query: { pattern: "\\p{Lu}", regex: true, mode: "files" },
        rg: [],
        ours: ["file"],
      },
    ],
  },
  {
    name: "very large patterns",
    reason:
      "What a pattern grows to is limited by what an object can hold: to 50 000 states and 250 groups in each other, where ripgrep counts the bytes of its own automaton and repetitions, choices and sequences as well.",
    refusal: /too large: more than \d+ states/,
    examples: [
      { ...refused("[aF6]{60000}"), rg: [] },
      { ...refused("\\w{5000}"), rg: "refused", ours: [] },
      { ...refused(`${"(?:x".repeat(200)}${")".repeat(200)}`), rg: "refused", ours: [] },
    ],
  },
];

function submatches(count: number): string {
  return Array.from({ length: count }, (_, at) => `[${at},${at + 1}]`).join("");
}

function refused(pattern: string): Example {
  const query: Query = { pattern, regex: true, mode: "files" };
  return { tree: [{ path: "file", bytes: "a\xff \xe2\x80\x8d \x46 6 \n" }], query, rg: ["file"], ours: "refused" };
}

export function isDeliberate(ours: Answer): boolean {
  return "refused" in ours && differences.some(({ refusal }) => refusal?.test(ours.refused));
}
