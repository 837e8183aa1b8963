/** What the search suite works on: a small and a large tree of source-like text, and what is to be found in them. */
import type { Params } from "../../suite.ts";
import { SourceText, type SourceTree } from "./source-text.ts";

export const SMALL = "/workspace/small";
const LARGE = "/workspace/large";
/** The large tree has so many times the files, each a little smaller: 20 000 files and 100 MB beside 2 000 and 12 MB. */
const LARGE_FILES = 10;
const LARGE_SIZE = 5 / 6;
const HITS = 3;

/** A function's head, about one or two in each file. */
export const MANY_HITS = "export (?:async )?function\\s+\\w+\\(";
/** In V8 this never comes back; it is what the issue names. */
export const HARD = "(?:\\w+\\s?)+;$";
/** The same lines, said so that V8 can count them: before the semicolon stands a word character, and a blank at most. */
const HARD_AS_LITERAL = /[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\u200c\u200d]\s?;$/u;
export const NAMES = "**/*.ts";

export interface SearchTree extends SourceTree {
  root: string;
  /** Never the same twice: a cached result is no search. */
  rare: readonly string[];
  /** Lines with each rare name. */
  rareLines: number;
  manyLines: number;
  hardLines: number;
  /** Files that `NAMES` matches. */
  named: number;
}

export interface Load {
  readonly small: SearchTree;
  readonly large: SearchTree;
}

/** Creates the large tree on demand: counting does not need it. */
export function load({ seed, files, size }: Params): Load {
  let large: SearchTree | undefined;
  return {
    small: makeTree(SMALL, seed, files, size),
    get large() {
      large ??= makeTree(LARGE, seed + 1, files * LARGE_FILES, size * LARGE_SIZE);
      return large;
    },
  };
}

function makeTree(root: string, seed: number, count: number, size: number): SearchTree {
  const source = new SourceText(seed);
  const tree = source.tree(root, count, size);
  const rare = Array.from({ length: 4 }, () => source.rareName());
  for (const [at, name] of rare.entries()) {
    for (let hit = 0; hit < HITS; hit++) {
      const file = tree.files[Math.floor(((hit + 0.5) * count) / HITS) + at - 2];
      if (file) source.plant(file, `  ${name}(this.${name}Of);`);
    }
  }
  const lines = countLines(tree);
  return {
    ...tree,
    root,
    rare,
    rareLines: HITS,
    ...lines,
    named: tree.files.filter(({ path }) => path.endsWith(".ts")).length,
  };
}

function countLines({ files }: SourceTree): Pick<SearchTree, "manyLines" | "hardLines"> {
  const many = new RegExp(MANY_HITS);
  let [manyLines, hardLines] = [0, 0];
  for (const { text } of files) {
    for (const line of text.split("\n")) {
      if (line.includes("function") && many.test(line)) manyLines++;
      if (line.endsWith(";") && HARD_AS_LITERAL.test(line)) hardLines++;
    }
  }
  return { manyLines, hardLines };
}
