/**
 * The index is never wrong: after any sequence of changes, rollbacks, collections and restarts, a search with it finds what one
 * without it finds. And its cost: no statement of a write, less than 40 % of the text, few rows of a search.
 */
import { Counter } from "@workspace/testing/counting-storage";
import { type Inside, inObject } from "@workspace/testing/in-object";
import { createFileSystem, gc } from "@workspace/vfs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { searchLimits } from "../../api/limits.ts";
import { createLocalEngine } from "../local-engine.ts";
import { parseGrepOptions } from "../query.ts";
import { runQuery } from "../run-query.ts";
import { buildSearchIndex, dropSearchIndex, searchIndexUsage } from "./search-index.ts";

const WORDS = ["alpha", "Beta", "gamma delta", "TODO: fix", "ſilent K", "task", "été", "x".repeat(40), "needle"];
const QUERIES: [pattern: string, options: Parameters<typeof parseGrepOptions>[2]][] = [
  ["needle", {}],
  ["TODO", {}],
  ["todo", { ignoreCase: true }],
  ["silent k", { ignoreCase: true }],
  ["task|needle", { regex: true }],
  ["gam+a\\s+delta", { regex: true }],
  ["été", {}],
  ["(alpha|Beta).*\\n.*task", { regex: true, multiline: true }],
  ["absent", {}],
  ["be", {}],
];

/** Enough of them make a group: texts of one length, so that a content's number used again is not given away by it. */
function textOf(seed: number, lines: number): string {
  let state = seed * 2654435761;
  const next = () => (state = (Math.imul(state, 1103515245) + 12345) >>> 0) >>> 8;
  const words = WORDS.filter(() => next() % 7 === 0);
  return Array.from({ length: lines }, (_, i) =>
    i % 5 === 2 && words.length > 0
      ? `${words[next() % words.length]} ${next() % 100}`
      : `line ${next() % 1000} of file`,
  )
    .join("\n")
    .padEnd(lines * 24, ".")
    .slice(0, lines * 24);
}

type Step =
  | { op: "write" | "append"; file: number; seed: number }
  | { op: "remove" | "truncate"; file: number }
  | { op: "rename" | "copy"; file: number; to: number }
  | { op: "rollback"; file: number; seed: number }
  | { op: "build" | "drop" | "collect" | "restart" | "search" };

const file = fc.integer({ min: 0, max: 79 });
const seed = fc.integer({ min: 1, max: 1e6 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ op: fc.constantFrom("write" as const, "append" as const), file, seed }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constantFrom("remove" as const, "truncate" as const), file }) },
  { weight: 3, arbitrary: fc.record({ op: fc.constantFrom("rename" as const, "copy" as const), file, to: file }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constant("rollback" as const), file, seed }) },
  {
    weight: 4,
    arbitrary: fc.record({
      op: fc.constantFrom("build" as const, "drop" as const, "collect" as const, "restart" as const, "search" as const),
    }),
  },
);

const pathOf = (n: number) => `/workspace/d${n % 7}/f${n}.txt`;

async function play({ fs, volume, storage }: Inside, played: Step): Promise<void> {
  const quietly = (work: Promise<unknown>) => work.catch(() => {});
  switch (played.op) {
    case "write":
      return void (await fs.writeFile(pathOf(played.file), textOf(played.seed, 40)));
    case "append":
      return void (await quietly(fs.appendFile(pathOf(played.file), textOf(played.seed, 3))));
    case "remove":
      return void (await quietly(fs.unlink(pathOf(played.file))));
    case "truncate":
      return void (await quietly(fs.truncate(pathOf(played.file), 300)));
    case "rename":
      return void (await quietly(fs.rename(pathOf(played.file), pathOf(played.to))));
    case "copy":
      return void (await quietly(fs.copyFile(pathOf(played.file), pathOf(played.to))));
    case "rollback":
      await quietly(
        storage.transaction(async () => {
          await fs.writeFile(pathOf(played.file), textOf(played.seed, 40));
          await buildSearchIndex(volume);
          await compare(volume);
          throw new Error("rolled back");
        }),
      );
      return;
    case "build":
      return void (await buildSearchIndex(volume));
    case "drop":
      return dropSearchIndex(volume);
    case "collect":
      return void (await gc(volume, { retention: { entries: 0 } }));
    case "restart":
      return volume.store.invalidateCaches();
    case "search":
      return compare(volume);
    default:
      return played satisfies never;
  }
}

async function compare(volume: Inside["volume"]): Promise<void> {
  for (const [pattern, options] of QUERIES) {
    const query = parseGrepOptions(pattern, "/workspace", options, searchLimits);
    const withIndex = await runQuery(createLocalEngine(volume), query);
    const without = await runQuery(createLocalEngine(volume, { index: false }), query);
    expect([pattern, withIndex.hits]).toEqual([pattern, without.hits]);
    expect(withIndex.stats.filesSearched).toBe(without.stats.filesSearched);
  }
  await volume.store.services.search.index.builds.idle();
}

describe("the index", () => {
  it("finds what a search without it finds, after any sequence of changes", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), (steps) =>
        inObject(async (inside) => {
          const { fs, volume } = inside;
          await fs.writeMany(Array.from({ length: 80 }, (_, i) => ({ path: pathOf(i), content: textOf(i + 1, 40) })));
          await buildSearchIndex(volume);
          expect(searchIndexUsage(volume).contents).toBeGreaterThan(60);
          for (const played of steps) await play(inside, played);
          await compare(volume);
        }),
      ),
      { numRuns: 25 },
    );
  }, 300_000);

  it("is built after a search that saw much, and then proves most files empty", async () => {
    await inObject(async ({ fs, volume }) => {
      await fs.writeMany(Array.from({ length: 600 }, (_, i) => ({ path: pathOf(i), content: textOf(i + 1, 300) })));
      await fs.writeFile("/workspace/one.txt", `${textOf(1, 300)}\na very rare needle-in-haystack\n`);
      const search = createFileSystem(volume);
      const first = await search.grep("needle-in-haystack", "/workspace");
      expect(first.stats.filesSkippedByIndex).toBe(0);
      await volume.store.services.search.index.builds.idle();
      const second = await search.grep("needle-in-haystack", "/workspace");
      expect(second.hits).toEqual(first.hits);
      expect(second.stats.filesSkippedByIndex).toBeGreaterThan(450);
      expect(second.stats.filesSearched).toBe(601);
      const { bytes, covered } = searchIndexUsage(volume);
      expect(bytes / covered).toBeLessThan(0.4);
    });
  });

  it("costs a write no statement, and a search few rows", async () => {
    await inObject(async ({ fs, volume, storage }) => {
      await fs.writeMany(Array.from({ length: 600 }, (_, i) => ({ path: pathOf(i), content: textOf(i + 1, 300) })));
      const counter = new Counter(storage);
      const before = await counter.of(() => fs.writeFile(pathOf(1), textOf(9, 300)));
      await buildSearchIndex(volume);
      expect(await counter.of(() => fs.writeFile(pathOf(2), textOf(9, 300)))).toEqual(before);
      const search = createFileSystem(volume);
      await search.grep("absent-altogether", "/workspace");
      const cost = await counter.of(() => search.grep("absent-altogether", "/workspace"));
      expect(cost.statements).toBeLessThanOrEqual(4);
      expect(cost.rowsRead).toBeLessThan(400);
      expect(cost.rowsWritten).toBe(0);
    });
  });

  it("joins small groups, and lets go of those whose contents are gone", async () => {
    await inObject(async ({ fs, volume }) => {
      for (let round = 0; round < 12; round++) {
        await fs.writeMany(
          Array.from({ length: 40 }, (_, i) => ({
            path: pathOf(i + 40 * (round % 2)),
            content: textOf(round * 100 + i, 40),
          })),
        );
        await buildSearchIndex(volume);
        await gc(volume, { retention: { entries: 0 } });
        await compare(volume);
      }
      expect(searchIndexUsage(volume).contents).toBeLessThan(40 * 10);
    });
  });

  it("sees what lies across the parts in which a large content is hashed", async () => {
    await inObject(async ({ fs, volume }) => {
      const part = 1024 * 1024;
      const filler = "plain\n".repeat(part / 5);
      const split = [1, 2, 3].map((before) => `${filler.slice(0, part - before)}qzwx${filler}`);
      await fs.writeMany(split.map((content, i) => ({ path: pathOf(i), content })));
      await buildSearchIndex(volume);
      expect(searchIndexUsage(volume).contents).toBe(3);
      for (const [pattern, found] of [["qzwx", 3] as const, ["qzwy", 0] as const]) {
        const { hits, stats } = await createFileSystem(volume).grep(pattern, "/workspace");
        expect([hits.length, stats.filesSkippedByIndex]).toEqual([found, 3 - found]);
      }
    });
  });

  it("asks again where few are left, and not where most texts have what was asked for", async () => {
    await inObject(async ({ fs, volume, storage }) => {
      const rare = "zqxjvkwb kxzvqjwb";
      const textOf = (i: number) => `${i % 8 === 0 ? rare : "plain words here"} ${i}\n`.repeat(2000);
      await fs.writeMany(Array.from({ length: 100 }, (_, i) => ({ path: pathOf(i), content: textOf(i) })));
      await buildSearchIndex(volume);
      const search = createFileSystem(volume);
      const counter = new Counter(storage);
      const requested = async (pattern: string) => {
        await search.grep("walk and keep the list", "/workspace");
        let proved = 0;
        const { statements } = await counter.of(async () => {
          proved = (await search.grep(pattern, "/workspace")).stats.filesSkippedByIndex;
        });
        return { proved, statements };
      };
      // The letters that are asked for first are in an eighth of the files, the others in none.
      expect(await requested(`${rare} atenies`)).toEqual({ proved: 100, statements: 2 });
      expect(await requested("plain words herein")).toMatchObject({ proved: 13 });
    });
  });

  /** A text of the same length as all the others, with the needle in it. */
  const withNeedle = `a needle ${textOf(3, 40)}`.slice(0, 40 * 24);
  const plain = (count: number) =>
    Array.from({ length: count }, (_, i) => ({ path: pathOf(i), content: `${i} `.padEnd(40 * 24, "plain ") }));

  it("does not vouch for a content whose number was used before", async () => {
    await inObject(async ({ fs, volume }) => {
      await fs.writeMany(plain(40));
      await buildSearchIndex(volume);
      await fs.unlink(pathOf(39));
      await gc(volume, { retention: { entries: 0 } });
      volume.store.invalidateCaches();
      await fs.writeFile(pathOf(39), withNeedle);
      const { hits } = await createFileSystem(volume).grep("needle", "/workspace");
      expect([...new Set(hits.map(({ path }) => path))]).toEqual([pathOf(39)]);
    });
  });

  it("is forgotten with the database", async () => {
    await inObject(async ({ fs, volume, storage }) => {
      await fs.writeMany(plain(40));
      await buildSearchIndex(volume);
      await createFileSystem(volume).grep("needle", "/workspace");
      await storage.deleteAll();
      await fs.writeMany([...plain(39), { path: pathOf(39), content: withNeedle }]);
      const { hits } = await createFileSystem(volume).grep("needle", "/workspace");
      expect([...new Set(hits.map(({ path }) => path))]).toEqual([pathOf(39)]);
    });
  });

  it("knows how much of a content it has seen", async () => {
    await inObject(async ({ fs, volume }) => {
      await fs.writeMany(plain(40));
      await fs.mkdir("/workspace/z");
      // A row grows at its end: the copies have the head of what the files have.
      for (let i = 0; i < 40; i++) await fs.copyFile(pathOf(i), `/workspace/z/${i}`);
      for (let i = 0; i < 40; i++) await fs.appendFile(pathOf(i), `\nneedle\n${"more ".repeat(600)}`);
      await buildSearchIndex(volume);
      expect(searchIndexUsage(volume).contents).toBeGreaterThanOrEqual(40);
      const { hits } = await createFileSystem(volume).grep("needle", "/workspace");
      expect(hits.length).toBe(40);
    });
  });
});
