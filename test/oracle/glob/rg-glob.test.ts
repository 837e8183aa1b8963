// compileOverrides and the file types against the real ripgrep 15.0.0: `rg --files -g … --iglob …` on real trees, hidden files on,
// errors included.

import { compileOverrides, compileTypes, fileTypes, GlobError, type Override, type Overrides } from "@workspace/glob";
import { afterAll, expect, test } from "vitest";
import { TYPE_LIST } from "../../../packages/glob/src/type-list.ts";
import { Random } from "../../support/random.ts";
import { ripgrep } from "./real-ripgrep.ts";
import { makeTree, type RealTree } from "./real-tree.ts";

const NAMES = [
  ...["a", "b", "c", "ab", ".a", "a.ts", "x.ts", ".ts", "1", "-", "a.b", "A", "Ab", "X.TS", "é", "éa", "[a]", "a!b"],
  ...["#a", "!a", "a ", "a,b", "{a}", "a\\b", "b.", "*", "a\nb"],
];
const ATOMS = [
  ...["a", "b", "c", "ab", ".", "*", "?", "**", "1", ".ts", "\\*", "\\a", "é", "A", "!", "#", " ", ",", "\\ ", "b."],
  ...["[ab]", "[!a]", "[a-c]", "[]a]", "[a-]", "[-a]", "[é]", "[A-Z]", "[^.]", "[+-9]", "[!b-é]"],
];

function glob(random: Random): string {
  const odd = random.chance(0.05) ? random.pick(["[", "{", "\\", "}", "  ", "[z-a]", "[é-à]"]) : "";
  const sign = `${random.chance(0.3) ? "!" : ""}${random.chance(0.15) ? "/" : ""}`;
  return `${sign}${path(random, 0)}${random.chance(0.12) ? "/" : ""}${odd}`;
}

function path(random: Random, depth: number): string {
  return random.list(1, depth > 0 ? 2 : 3, () => (random.chance(0.2) ? "**" : segment(random, depth))).join("/");
}

function segment(random: Random, depth: number): string {
  if (random.chance(0.3)) return random.pick(NAMES);
  const part = () => {
    if (depth > 1 || random.chance(0.85)) return random.pick(ATOMS);
    return `{${random.list(1, 3, () => path(random, depth + 1)).join(",")}}`;
  };
  return random.list(depth > 0 ? 0 : 1, 3, part).join("");
}

interface Case {
  readonly tree: RealTree;
  readonly globs: { glob: string; ignoreCase: boolean }[];
}

/** The files ripgrep lists, or "refused". */
async function realFiles({ tree, globs }: Case): Promise<string[] | "refused"> {
  const flags = globs.map((entry) => `${entry.ignoreCase ? "--iglob" : "--glob"}=${entry.glob}`);
  const { status, stdout } = await ripgrep(tree.root, ["--files", "--hidden", "--no-ignore", "-0", ...flags]);
  return status === 2 ? "refused" : splitPaths(stdout);
}

function ourFiles({ tree, globs }: Case): string[] | "refused" {
  // ripgrep adds all of --glob before any of --iglob.
  const ordered: Override[] = [
    ...globs.filter((entry) => !entry.ignoreCase),
    ...globs.filter((entry) => entry.ignoreCase),
  ];
  try {
    return retainedFiles(tree, compileOverrides(ordered));
  } catch (error) {
    if (error instanceof GlobError) return "refused";
    throw error;
  }
}

function retainedFiles(tree: RealTree, overrides: Overrides): string[] {
  const closed = new Set<string>();
  const retained: string[] = [];
  for (const [entry, isDirectory] of tree.entries) {
    const parent = entry.slice(0, Math.max(0, entry.lastIndexOf("/")));
    const isOut = closed.has(parent) || overrides.decide(entry, isDirectory) === "exclude";
    if (isDirectory && (isOut || !overrides.mayContain(entry))) closed.add(entry);
    if (!isDirectory && !isOut) retained.push(entry);
  }
  return retained.sort();
}

function splitPaths(text: string): string[] {
  return text.split("\0").slice(0, -1).sort();
}

const trees = [1, 2, 3, 4, 5, 6, 7, 8].map((seed) => makeTree(new Random(seed), NAMES));
afterAll(() => {
  for (const tree of trees) tree.remove();
});

test("compileOverrides keeps the files that rg --files -g keeps, for 480 generated lists of globs", async () => {
  const random = new Random(2024);
  const cases: Case[] = random.list(480, 480, () => ({
    tree: random.pick(trees),
    globs: random.list(1, 3, () => ({ glob: glob(random), ignoreCase: random.chance(0.2) })),
  }));
  let retained = 0;
  for (let i = 0; i < cases.length; i += 8) {
    const batch = cases.slice(i, i + 8);
    const real = await Promise.all(batch.map(realFiles));
    batch.forEach((one, index) => {
      const files = ourFiles(one);
      expect({ globs: one.globs, files }).toEqual({ globs: one.globs, files: real[index] });
      if (files !== "refused") retained += files.length;
    });
  }
  expect(retained).toBeGreaterThan(2_000);
});

test("fileTypes is the list that rg --type-list prints", async () => {
  const { stdout } = await ripgrep(".", ["--type-list"]);
  expect(TYPE_LIST.trim()).toBe(stdout.trim());
  expect([...fileTypes()].map(([name, globs]) => `${name}: ${globs.join(", ")}`).join("\n")).toBe(stdout.trim());
});

test("compileTypes keeps the files that rg --files -t and -T keep", async () => {
  const tree = makeTree(new Random(7), [
    "a.ts",
    "b.tsx",
    "README.md",
    "Makefile",
    "x.c",
    "x.H",
    "LICENSE-MIT",
    ".ts",
    "a.py",
    "d.rs",
    "é.py",
  ]);
  try {
    for (const flags of [
      ["-tts"],
      ["-Tts"],
      ["-tts", "-tmd"],
      ["-tc", "-Tmake"],
      ["-tall"],
      ["-Tall"],
      ["-tlicense", "-Tmd", "-trust"],
    ]) {
      const { stdout } = await ripgrep(tree.root, ["--files", "--hidden", "-0", ...flags]);
      const filter = compileTypes(flags.map((flag) => ({ type: flag.slice(2), exclude: flag.startsWith("-T") })));
      if (filter instanceof GlobError) throw filter;
      const files = [...tree.entries].filter(
        ([entry, isDirectory]) => !isDirectory && filter.decide(entry) !== "exclude",
      );
      expect({ flags, files: files.map(([entry]) => entry).sort() }).toEqual({ flags, files: splitPaths(stdout) });
    }
  } finally {
    tree.remove();
  }
});

test("compileTypes and rg both refuse an unknown type", async () => {
  const { status } = await ripgrep(".", ["--files", "-tnope"]);
  expect(status).toBe(2);
  expect(compileTypes([{ type: "nope" }])).toBeInstanceOf(GlobError);
});
