/** One round of the oracle: some queries, and a tree grown so that they find something in it. */
import type { Random } from "../../bench/worker/random.ts";
import { growRegex } from "./grow-regex.ts";
import { growTree } from "./grow-tree.ts";
import type { Entry, Query } from "./question.ts";
import { printed, type Regex, sampled } from "./regex-tree.ts";

/** A query and, when its pattern was grown, the tree it was printed from. */
export interface Grown {
  query: Query;
  regex?: Regex;
}

export interface Round {
  tree: Entry[];
  grown: Grown[];
}

const LITERALS = [
  "foo",
  "abc",
  "a.b",
  "(x)",
  "$&",
  "\\n",
  "a|b",
  "",
  " ",
  "ß",
  "σ",
  "K",
  "été",
  "TODO",
  "x=1;",
  "[y]",
  "日本",
  "^",
  "a",
];
const GLOBS = [
  ...["*.ts", "**/*.ts", "*.{ts,md}", "*.{py,rs,log}", "src/**", "/a", "a", "a/", "[ab].*", "?.ts", "**/b/**", "a*"],
  ...["*.TS", "!*.md", "/*.ts", "**", ".*", "{a,b}/*", "é*", "[!a]*", "a/**/*.md", "\\[x].ts"],
];
const TYPES = [
  ["ts"],
  ["md"],
  ["py", "rust"],
  ["js", "json"],
  ["txt"],
  ["make"],
  ["log"],
  ["all"],
  ["!ts"],
  ["ts", "!md"],
];

export function growRound(random: Random, queries: number): Round {
  const grown = Array.from({ length: queries }, () => growQuery(random));
  const samples = grown.flatMap(({ query, regex }) =>
    regex ? Array.from({ length: 4 }, () => sampled(regex, random)) : query.pattern,
  );
  const tree = growTree(random, { samples });
  for (const one of grown) if (random.next() < 0.2) one.query.path = pickPath(random, tree);
  return { tree, grown };
}

function growQuery(random: Random): Grown {
  const flags = growFlags(random);
  if (random.next() < 0.2) return { query: { pattern: random.pick(LITERALS), ...flags } };
  if (random.next() < 0.06) {
    const several = [1, 2, 3].map(() => printed(growRegex(random, { multiline: false })));
    return { query: { pattern: several, regex: true, ...flags } };
  }
  const multiline = random.next() < 0.18;
  const regex = growRegex(random, { multiline });
  return {
    regex,
    query: {
      pattern: printed(regex),
      regex: true,
      ...(multiline && { multiline, ...(random.next() < 0.2 && { dotAll: true }) }),
      ...flags,
    },
  };
}

function growFlags(random: Random): Omit<Query, "pattern"> {
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
    ...chance(0.1, () => ({ exclude: globs(random).filter((glob) => !glob.startsWith("!")) })),
    ...chance(0.08, () => ({ types: random.pick(TYPES) })),
    ...chance(0.2, () => ({ hidden: true })),
    ...chance(0.15, () => ({ ignore: false as const })),
    ...chance(0.05, () => ({ binary: true })),
    ...chance(0.05, () => ({ maxDepth: random.between(0, 3) })),
    ...chance(0.12, () => ({ maxPerFile: random.between(1, 3) })),
    ...(mode === "lines" ? growContext(random) : {}),
  };
}

/** Where a context is cut at the last hit is ours to say, so a limit over all files goes without. */
function growContext(random: Random): Omit<Query, "pattern"> {
  const roll = random.next();
  if (roll < 0.1) return { context: random.between(1, 3) };
  if (roll < 0.16) return { before: random.between(1, 2) };
  if (roll < 0.22) return { after: random.between(1, 2), before: random.between(0, 1) };
  return roll < 0.32 ? { maxHits: random.between(1, 5) } : {};
}

function globs(random: Random): string[] {
  return Array.from({ length: random.between(1, 2) }, () => random.pick(GLOBS));
}

function pickPath(random: Random, tree: readonly Entry[]): string {
  const entry = random.pick(tree);
  const folders = entry.path.split("/").slice(0, -1);
  if (folders.length === 0 || random.next() < 0.3) return "directory" in entry ? "" : entry.path;
  return folders.slice(0, random.between(1, folders.length)).join("/");
}
