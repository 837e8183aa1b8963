/** `find` and `glob` with ignore rules, and `grep` in parts, beside what they must add up to. */
import { env } from "cloudflare:workers";
import type { GrepHit } from "@workspace/protocol";
import { createFileSystem, type GrepOptions, type SearchableFileSystem } from "@workspace/vfs";
import { expect, it } from "vitest";
import { Random } from "../../support/random.ts";
import { inObject } from "../../support/workerd/in-object.ts";
import type { SearchSettings } from "../../support/workerd/real-rg.ts";
import { difference } from "./difference.ts";
import { generateRound } from "./generate-question.ts";
import { hardCases } from "./hard-cases/index.ts";
import { ROOT, runOurs, writeTree } from "./our-answer.ts";
import type { Answer, Entry, Query, Tree } from "./question.ts";

const ROUNDS = 60;
const QUERIES = 6;
/** Each is a search of its own. */
const MAX_PAGES = 100;

async function seedOf(): Promise<number> {
  const settings = (await (await env.REAL_RG.fetch("http://real-rg")).json()) as SearchSettings;
  const seed = settings.seed;
  console.log(`search in parts: SEARCH_SEED=${seed}`);
  return seed;
}

it("find and glob skip what ripgrep skips", { timeout: 1_800_000 }, async () => {
  const seed = await seedOf();
  const grown = Array.from({ length: ROUNDS }, (_, round) => generateRound(new Random(seed + round), 1).tree);
  const trees = [...grown, ...hardCases.filter(({ name }) => name.startsWith("ignores")).map(({ tree }) => tree)];
  const queries: Query[] = [
    { pattern: "", mode: "names", hidden: true },
    { pattern: "", mode: "names", hidden: true, ignore: false },
  ];
  const wrong: string[] = [];
  for (const tree of trees) {
    const response = await env.REAL_RG.fetch("http://real-rg", {
      method: "POST",
      body: JSON.stringify({ tree, queries }),
    });
    const real = (await response.json()) as Answer[];
    await inObject(async ({ volume }) => {
      const fs = createFileSystem(volume);
      await writeTree(fs, tree);
      for (const [at, query] of queries.entries()) {
        const found = difference(await runOurs(fs, query), real[at]!);
        if (found) wrong.push(`${found}\n  ${JSON.stringify(query)} in ${JSON.stringify(tree.map(describeEntry))}`);
      }
    });
  }
  expect(wrong.slice(0, 5).join("\n")).toBe("");
});

/** Names decide, and what ignore files say. */
function describeEntry(entry: Entry): Entry {
  return /ignore$|exclude$/.test(entry.path) || !("text" in entry || "bytes" in entry)
    ? entry
    : { path: entry.path, text: "" };
}

it("grep gives the same result in pages, by offset, as a stream and at once", { timeout: 1_800_000 }, async () => {
  const random = new Random(await seedOf());
  let compared = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const { tree, grown } = generateRound(random, QUERIES);
    const queries = grown.map(({ query }) => query);
    compared += await inObject(({ volume }) => compareParts(createFileSystem(volume), tree, queries, random));
  }
  expect(compared).toBeGreaterThan(500);
});

async function compareParts(fs: SearchableFileSystem, tree: Tree, queries: readonly Query[], random: Random) {
  await writeTree(fs, tree);
  let compared = 0;
  for (const { pattern, path, mode, maxHits, ...flags } of queries) {
    const where = path ? `${ROOT}/${path}` : ROOT;
    const options: GrepOptions = { ...flags, mode: mode === "names" ? "lines" : mode };
    const whole = await fs.grep(pattern, where, { ...options, maxHits: 1e6 }).catch(() => null);
    // Refused, or a link that leads nowhere.
    if (whole === null) continue;
    const all = mode ? whole.files.map(describeFile) : whole.hits.map(describeHit);
    const most = random.between(1, 4) * Math.max(1, Math.ceil(all.length / MAX_PAGES));
    const name = JSON.stringify({ pattern, path, ...options, most, tree });
    expect({ name, parts: await inPages(fs, pattern, where, { ...options, maxHits: most }) }).toEqual({
      name,
      parts: all,
    });
    const offset = random.between(0, all.length);
    const rest = await fs.grep(pattern, where, { ...options, offset, maxHits: 1e6 });
    expect({ name, offset, rest: mode ? rest.files.map(describeFile) : rest.hits.map(describeHit) }).toEqual({
      name,
      offset,
      rest: all.slice(offset),
    });
    if (!mode) {
      const streamed: string[] = [];
      for await (const hit of fs.grepStream(pattern, where, flags)) streamed.push(describeHit(hit));
      expect({ name, streamed }).toEqual({ name, streamed: all });
    }
    compared += all.length;
  }
  return compared;
}

async function inPages(fs: SearchableFileSystem, pattern: Query["pattern"], path: string, options: GrepOptions) {
  const parts: string[] = [];
  let cursor: string | undefined;
  for (;;) {
    const page = await fs.grep(pattern, path, { ...options, cursor });
    const items = options.mode ? page.files.map(describeFile) : page.hits.map(describeHit);
    expect(items.length).toBeLessThanOrEqual(options.maxHits as number);
    parts.push(...items);
    expect(page.truncated).toBe(page.cursor !== null);
    if (page.cursor === null) return parts;
    expect(page.truncatedBy).toBe("hits");
    cursor = page.cursor;
  }
}

/** Without its context, which belongs to the answer as a whole. */
function describeHit({ path, line, offset, text, ranges }: GrepHit): string {
  return `${path}:${line} @${offset} ${ranges.map(({ start, end }) => `[${start},${end}]`).join("")} ${text}`;
}

function describeFile({ path, count }: { path: string; count: number }): string {
  return `${path}:${count}`;
}

it("grep cuts long lines between characters, and reports it", async () => {
  await inObject(async ({ volume }) => {
    const fs = createFileSystem(volume);
    const lines = [
      "needle",
      "é".repeat(40),
      "😀".repeat(30),
      "ascii ".repeat(20),
      "日本".repeat(7),
      `${"x".repeat(50)}é`,
    ];
    await writeTree(fs, [{ path: "a.txt", text: `${lines.join("\n")}\n` }]);
    for (const max of [1, 3, 10, 50, 51, 52, 120, 1000]) {
      const { hits } = await fs.grep("", ROOT, { maxBytesPerLine: max });
      const cut = hits.map((hit) => [hit.text, hit.cut ?? false]);
      expect(cut).toEqual(lines.map((line) => [prefixOf(line, max), bytesOf(line) > max]));
    }
  });
});

const bytesOf = (text: string) => new TextEncoder().encode(text).length;

function prefixOf(text: string, max: number): string {
  let prefix = "";
  for (const character of text) {
    if (bytesOf(prefix + character) > max) break;
    prefix += character;
  }
  return prefix;
}
