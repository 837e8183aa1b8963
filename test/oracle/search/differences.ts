/**
 * Where ours is not as ripgrep on purpose: at most ten, for exotic syntax only, each with its reason and examples that the
 * suite holds both sides to. A query that one of them covers is not compared elsewhere.
 */
import type { Query, Tree } from "./question.ts";

export interface Deliberate {
  name: string;
  reason: string;
  /** Whether a query falls under it; absent where it is the tree that does: no generator makes such trees. */
  covers?(query: Query): boolean;
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
    reason:
      "We read ignore files as git does: ripgrep 15 expands braces, knows no [[:digit:]], and takes some rules otherwise.",
    examples: [
      rule("{a,b}\n", ["a", "b", "{a,b}"], ["{a,b}"], ["a", "b"]),
      rule("[[:digit:]]\n", ["5", "a"], ["5", "a"], ["a"]),
      rule("d\\  \n", ["d", "d "], ["d", "d "], ["d"]),
    ],
  },
];

export function isDeliberate(query: Query): boolean {
  return differences.some((difference) => difference.covers?.(query));
}
