/**
 * `glob` and `find` compared with a naive implementation that matches every path of the tree with the compiled pattern. Trees,
 * patterns and changes are generated; the walk is cold or warm, in memory or page by page.
 */
import { compileExclude, compileGlob } from "@workspace/glob";
import { type Inside, inObject } from "@workspace/testing/in-object";
import { expect, it } from "vitest";
import { fsck } from "../maintenance/fsck.ts";
import { compareNames } from "../tree/path.ts";

const ROOT = "/workspace";
const NAMES = [
  "a",
  "b",
  "ab",
  "a.ts",
  "b.ts",
  "x.tsx",
  ".a",
  ".ts",
  "a-b",
  "a-b.ts",
  "test",
  "é.ts",
  "\u{1f600}",
  "src",
];
const SEGMENTS = [
  ...[
    "**",
    "**",
    "**",
    "*",
    "*.ts",
    "*.{ts,tsx}",
    "a*",
    "*b",
    ".*",
    "a",
    "src",
    "test",
    "a.ts",
    "?",
    "?.ts",
    "[ab].ts",
  ],
  ...["[!a]*", "!(*.ts)", "@(a|b)", "*-*", "*(a|b).ts", "{a,b}*", "{src,test}", "é*", "*a*.ts", "[[:alpha:]].ts", ".a"],
];
const ROUNDS = 20;
/** Fixed: this runs on every commit. */
const SEED = 2_026;

/** A small generator: the same numbers for the same seed. */
function randomFrom(seed: number) {
  let state = seed;
  const next = () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
  const below = (count: number) => Math.floor(next() * count);
  const pick = <T>(values: readonly T[]): T => values[below(values.length)] as T;
  const list = <T>(max: number, make: () => T): T[] => Array.from({ length: 1 + below(max) }, make);
  return { below, pick, list, chance: (part: number) => next() < part };
}

type Random = ReturnType<typeof randomFrom>;

const randomPath = (random: Random, depth: number) => random.list(depth, () => random.pick(NAMES)).join("/");

function randomPattern(random: Random): string {
  const segments = random.list(4, () => random.pick(SEGMENTS)).join("/");
  return `${random.chance(0.1) ? `${ROOT}/` : ""}${segments}${random.chance(0.1) ? "/" : ""}`;
}

/** Files, directories and links where there is room for them; removals and moves where there is something. */
async function change({ fs, volume }: Inside, random: Random): Promise<void> {
  const path = `${ROOT}/${randomPath(random, 4)}`;
  const other = `${ROOT}/${randomPath(random, 4)}`;
  const changes = [
    () => fs.writeMany([{ path, content: "x" }]),
    () => fs.writeMany([{ path, content: "x" }]),
    () => fs.mkdir(path, { recursive: true }),
    () => fs.symlink(random.pick(["a", "..", "none"]), path),
    () => fs.link(path, other),
    () => fs.rename(path, other),
    () => fs.rm(path, { recursive: true, force: true }),
    async () => (random.chance(0.1) ? volume.store.invalidateCaches() : undefined),
  ];
  // What cannot be done is not done: the tree is what it is.
  await random
    .pick(changes)()
    .catch(() => {});
}

interface Entry {
  path: string;
  isDirectory: boolean;
}

async function treeOf({ fs }: Inside, root: string): Promise<Entry[]> {
  const entries: Entry[] = [];
  const visit = async (prefix: string) => {
    for (const { name, stat } of await fs.scan(`${root}/${prefix}`)) {
      entries.push({ path: prefix + name, isDirectory: stat.isDirectory() });
      if (stat.isDirectory()) await visit(`${prefix}${name}/`);
    }
  };
  await visit("");
  return entries;
}

function ancestorsOf(path: string): string[] {
  return [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index)).filter((ancestor) => ancestor !== "");
}

async function expectedGlob(inside: Inside, patterns: string[], excludes: string[], dirs: boolean): Promise<string[]> {
  const relative = [{ path: ".", isDirectory: true }, ...(await treeOf(inside, ROOT))];
  const absolute = (await treeOf(inside, "")).map(({ path, isDirectory }) => ({ path: `/${path}`, isDirectory }));
  const globs = patterns.map(compileGlob);
  const excluding = excludes.map(compileExclude);
  const found = [...relative, { path: "/", isDirectory: true }, ...absolute].filter(({ path, isDirectory }) => {
    if (isDirectory && !dirs) return false;
    if (excluding.some((exclude) => exclude.match(path, false))) return false;
    if (ancestorsOf(path).some((above) => excluding.some((exclude) => exclude.match(above, true)))) return false;
    return globs.some((glob) => glob.pattern.startsWith("/") === path.startsWith("/") && glob.match(path, isDirectory));
  });
  return found.map(({ path }) => path).sort(compareNames);
}

for (const [where, limits] of [
  ["in memory", {}],
  ["page by page", { cachedDirectoryEntries: 4, listPage: 3 }],
  ["in little memory", { cacheBytes: 4000 }],
] as const) {
  it(`glob and find give what every path held against the pattern gives, ${where}`, { timeout: 120_000 }, async () => {
    const random = randomFrom(SEED);
    let found = 0;
    await inObject(
      async (inside) => {
        const paths = Array.from({ length: 100 }, () => `${ROOT}/${randomPath(random, 4)}`);
        for (const path of paths) await inside.fs.writeMany([{ path, content: "" }]).catch(() => {});
        for (let round = 0; round < ROUNDS; round++) {
          for (let i = 0; i < 12; i++) await change(inside, random);
          found += await compare(inside, random);
        }
        expect((await fsck(inside.volume)).problems).toEqual([]);
      },
      { limits },
    );
    expect(found).toBeGreaterThan(300);
  });
}

async function compare(inside: Inside, random: Random): Promise<number> {
  const { fs, volume } = inside;
  const patterns = random.list(2, () => randomPattern(random));
  const excludes = random.chance(0.4) ? random.list(2, () => randomPattern(random)) : [];
  const dirs = random.chance(0.8);
  if (random.chance(0.2)) volume.store.invalidateCaches();
  // Asked first: to look at the tree brings the cache up to date.
  const found = await fs.glob(patterns, { exclude: excludes, dirs });
  const unfiltered = await fs.glob(patterns, { exclude: () => false, dirs });
  const about = { patterns, excludes };
  const expected = await expectedGlob(inside, patterns, excludes, dirs);
  expect({ ...about, found }).toEqual({ ...about, found: expected });
  const all = await expectedGlob(inside, patterns, [], dirs);
  expect({ ...about, found: unfiltered }).toEqual({ ...about, found: all });
  return expected.length + (await compareFind(inside, random));
}

async function compareFind(inside: Inside, random: Random): Promise<number> {
  const { fs, volume } = inside;
  const name = random.chance(0.5) ? random.pick(SEGMENTS) : undefined;
  const path = random.chance(0.5) ? randomPattern(random) : undefined;
  const type = random.chance(0.5) ? random.pick(["file", "dir", "symlink"] as const) : undefined;
  const smaller = random.chance(0.2) ? 1 : undefined;
  const minDepth = random.below(3);
  const maxDepth = random.chance(0.3) ? random.below(4) : undefined;
  if (random.chance(0.2)) volume.store.invalidateCaches();
  const options = { name, path, type, smaller, minDepth: Math.max(1, minDepth), maxDepth };
  const found = (await fs.find(ROOT, options)).map((hit) => `${hit.path} ${hit.type} ${hit.size} ${hit.version}`);
  const tree = await treeOf(inside, ROOT);
  const stats = await Promise.all(tree.map((entry) => fs.lstat(`${ROOT}/${entry.path}`)));
  const names = name === undefined ? null : compileGlob(name);
  const paths = path === undefined ? null : compileGlob(path);
  const expected = tree.filter((entry, at) => {
    const stat = stats[at]!;
    const depth = entry.path.split("/").length;
    const kind = stat.isDirectory() ? "dir" : stat.isSymbolicLink() ? "symlink" : "file";
    if (depth < minDepth || depth > (maxDepth ?? depth) || (type ?? kind) !== kind) return false;
    if (names?.match(entry.path.slice(entry.path.lastIndexOf("/") + 1), entry.isDirectory) === false) return false;
    return paths?.match(entry.path, entry.isDirectory) !== false && (smaller === undefined || stat.size < smaller);
  });
  const reported = expected.map((entry) => {
    const { size, version, ...stat } = stats[tree.indexOf(entry)]!;
    const kind = entry.isDirectory ? "dir" : (stat.mode & 0o170000) === 0o120000 ? "symlink" : "file";
    return `${ROOT}/${entry.path} ${kind} ${size} ${version}`;
  });
  expect({ options, found }).toEqual({ options, found: reported });
  return found.length;
}
