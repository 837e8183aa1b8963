/** One round of the oracle: some queries, and a tree grown so that they find something in it. */
import type { Random } from "../../support/random.ts";
import { generateGlob } from "./generate-glob.ts";
import { generateRegex } from "./generate-regex.ts";
import { generateSoup } from "./generate-soup.ts";
import { generateTree } from "./generate-tree.ts";
import type { Entry, Query } from "./question.ts";
import { printed, type Regex, sampled } from "./regex-tree.ts";
import { words } from "./words.ts";

/** A query and, when its pattern was grown, the tree it was printed from. */
export interface Grown {
  query: Query;
  regex?: Regex;
}

export interface Round {
  tree: Entry[];
  grown: Grown[];
}

const LITERALS = [...words`foo abc a.b (x) $& \n a|b ß σ K été TODO x=1; [y] 日本 ^ a`, "", " "];
const TYPES = words`ts md py rust js json txt make log all c cpp html yaml sh go docker`;

export function generateRound(random: Random, queries: number): Round {
  const grown = Array.from({ length: queries }, () => generateQuery(random));
  const samples = grown.flatMap(({ query, regex }) =>
    regex ? Array.from({ length: 4 }, () => sampled(regex, random)) : query.pattern,
  );
  const tree = generateTree(random, { samples });
  for (const one of grown) if (random.next() < 0.2) one.query.path = pickPath(random, tree);
  return { tree, grown };
}

function generateQuery(random: Random): Grown {
  const flags = generateFlags(random);
  const across = random.next() < 0.18;
  const multiline = {
    ...(across && { multiline: true }),
    ...(random.next() < (across ? 0.2 : 0.03) && { dotAll: true }),
  };
  if (random.next() < 0.2) return { query: { pattern: generateLiteral(random), ...multiline, ...flags } };
  if (random.next() < 0.07) {
    const several = Array.from({ length: random.between(2, 4) }, () => printed(generateAny(random, across)));
    return { query: { pattern: several, regex: true, ...multiline, ...flags } };
  }
  const regex = generateAny(random, across);
  return { regex, query: { pattern: printed(regex), regex: true, ...multiline, ...flags } };
}

function generateAny(random: Random, multiline: boolean): Regex {
  return random.next() < 0.12 ? generateSoup(random) : generateRegex(random, { multiline });
}

/** One, or several; made of syntax, too. */
function generateLiteral(random: Random): string | string[] {
  const one = () => {
    if (random.next() < 0.6) return random.pick(LITERALS);
    if (random.next() < 0.3) return printed(generateAny(random, false));
    return random.pick(LITERALS) + random.pick([" ", "", "\n", "\t", "."]) + random.pick(LITERALS);
  };
  return random.next() < 0.15 ? [one(), one()] : one();
}

function generateFlags(random: Random): Omit<Query, "pattern"> {
  const chance = <T extends object>(probability: number, make: () => T): T | object =>
    random.next() < probability ? make() : {};
  const mode = random.pick(["lines", "lines", "lines", "lines", "lines", "lines", "files", "count"] as const);
  return {
    ...(mode !== "lines" && { mode }),
    ...chance(0.22, () => ({ ignoreCase: true })),
    ...chance(0.1, () => ({ smartCase: true })),
    ...chance(0.12, () => ({ word: true })),
    ...chance(0.06, () => ({ line: true })),
    ...chance(0.1, () => ({ invert: true })),
    ...chance(0.14, () => ({ include: globs(random) })),
    ...chance(0.1, () => ({ exclude: globs(random) })),
    ...chance(0.08, () => ({ types: generateTypes(random) })),
    ...chance(0.2, () => ({ hidden: true })),
    ...chance(0.15, () => ({ ignore: false as const })),
    ...chance(0.05, () => ({ binary: true })),
    ...chance(0.05, () => ({ maxDepth: random.between(0, 3) })),
    ...chance(0.12, () => ({ maxPerFile: random.pick([0, 1, 1, 1, 2, 2, 3, 4, 10]) })),
    ...generateContext(random, mode === "lines"),
  };
}

/** Where a context is cut at the last hit is ours to say, so a limit over all files goes without. */
function generateContext(random: Random, lines: boolean): Omit<Query, "pattern"> {
  const roll = random.next();
  if (roll < 0.1) return { context: random.pick([1, 1, 2, 2, 3, 50]) };
  if (roll < 0.16) return { before: random.between(1, 2) };
  if (roll < 0.22) return { after: random.between(1, 2), before: random.between(0, 1) };
  return lines && roll < 0.32 ? { maxHits: random.between(1, 5) } : {};
}

function generateTypes(random: Random): string[] {
  return Array.from({ length: random.between(1, 3) }, () => (random.next() < 0.3 ? "!" : "") + random.pick(TYPES));
}

function globs(random: Random): string[] {
  return Array.from({ length: random.between(1, 2) }, () => generateGlob(random));
}

function pickPath(random: Random, tree: readonly Entry[]): string {
  if (random.next() < 0.03) return "nowhere";
  const { path } = random.pick(tree);
  const folders = path.split("/").slice(0, -1);
  if (folders.length === 0 || random.next() < 0.3) return path;
  return folders.slice(0, random.between(1, folders.length)).join("/");
}
