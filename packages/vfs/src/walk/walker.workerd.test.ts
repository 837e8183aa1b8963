/** A walk alone: its order, its reads, that it yields, and the effect of concurrent writes. */
import { Counter } from "@workspace/testing/counting-storage";
import { type Inside, inObject } from "@workspace/testing/in-object";
import { describe, expect, it } from "vitest";
import type { Limits } from "../api/limits.ts";
import { compareNames, parsePath } from "../tree/path.ts";
import { resolveExisting } from "../tree/resolve.ts";
import { walkDirectory } from "../volume/internal/walk-directory.ts";
import type { ReadView } from "../volume/views.ts";
import { Walker, type WalkerOptions } from "./walker.ts";

const ROOT = "/workspace";
/** Around a slash in byte order, and above the first plane, where UTF-16 sorts otherwise. */
const NAMES = ["a", "a-b", "a.ts", "a b", "a0", "A", ".a", "é", "\u{1f600}", "\uff41", "a-", "a-b.c", "z"];
const SMALL: Partial<Limits> = { cachedDirectoryEntries: 4, listPage: 3 };

function walker(volume: ReadView, options: Partial<WalkerOptions<undefined>> = {}) {
  const { inode } = resolveExisting(volume.ensureOpen().cache, parsePath(ROOT, "walk"), "walk", "follow");
  return new Walker(volume, inode, { what: "names", limit: 1e6, ...options });
}

function everything(volume: ReadView, options: Partial<WalkerOptions<undefined>> = {}): string[] {
  const walk = walker(volume, options);
  const seen: string[] = [];
  while (walk.next()) {
    seen.push(walk.relative);
    if (options.what === "inodes") expect(walk.inode.ino).toBe(walk.ino);
    if (walk.isDirectory) walk.enter();
  }
  return seen;
}

/** Every name in every directory, three levels deep; half of them directories. */
async function plant({ fs }: Inside): Promise<string[]> {
  const planted: string[] = [];
  const grow = (prefix: string, depth: number) => {
    for (const [i, name] of NAMES.entries()) {
      planted.push(prefix + name);
      if (depth < 3 && (i + depth) % 2 === 0) grow(`${prefix}${name}/`, depth + 1);
    }
  };
  grow("", 1);
  const parents = new Set(planted.map((path) => path.slice(0, Math.max(0, path.lastIndexOf("/")))));
  await fs.writeMany(
    planted.map((path) =>
      parents.has(path) ? { path: `${ROOT}/${path}`, type: "dir" } : { path: `${ROOT}/${path}`, content: "" },
    ),
  );
  return planted;
}

const byNames = (a: string, b: string) => compareNames(a.replaceAll("/", "\0"), b.replaceAll("/", "\0"));

describe("Walker", () => {
  for (const [where, limits] of [
    ["in memory", {}],
    ["page by page", SMALL],
  ] as const) {
    it(`goes in the order of names, or of paths, ${where}`, () =>
      inObject(
        async (inside) => {
          const planted = await plant(inside);
          const { volume } = inside;
          for (const what of ["names", "inodes"] as const) {
            for (const dropped of [false, true]) {
              if (dropped) volume.store.invalidateCaches();
              expect(everything(volume, { what })).toEqual(planted.toSorted(byNames));
              if (dropped) volume.store.invalidateCaches();
              expect(everything(volume, { what, order: "paths" })).toEqual(planted.toSorted(compareNames));
            }
          }
        },
        { limits },
      ));
  }

  it("goes no deeper than it was told, and refuses more entries than its limit", () =>
    inObject(async (inside) => {
      const planted = await plant(inside);
      const { volume } = inside;
      const depthOf = (path: string) => path.split("/").length;
      for (const maxDepth of [0, 1, 2, 3, 4]) {
        const expected = planted.filter((path) => depthOf(path) <= maxDepth).toSorted(byNames);
        expect(everything(volume, { maxDepth })).toEqual(expected);
      }
      expect(everything(volume, { limit: planted.length })).toHaveLength(planted.length);
      expect(() => everything(volume, { limit: planted.length - 1 })).toThrow(/EFBIG/);
    }));

  it("stops only where it was told to, and enters from there", () =>
    inObject(async (inside) => {
      await plant(inside);
      const isPicked = (name: string) => name === "a" || name === "a-b";
      const pick: WalkerOptions<undefined>["pick"] = ({ listing }) =>
        [...listing.names.keys()].filter((i) => isPicked(listing.names[i] as string));
      const expected = everything(inside.volume).filter((path) => path.split("/").every(isPicked));
      expect(expected.length).toBeGreaterThan(4);
      for (const order of ["names", "paths"] as const) {
        const sorted = expected.toSorted(order === "names" ? byNames : compareNames);
        expect(everything(inside.volume, { pick, order })).toEqual(sorted);
      }
    }));
});

/** The first entries, and whether there are more. */
function below(volume: ReadView, path: string, { maxDepth, limit }: { maxDepth: number; limit: number }) {
  const entries: Record<string, unknown>[] = [];
  let more = false;
  walkDirectory(volume, path, maxDepth, ({ name, prefix, depth, type, size, mtimeMs }) => {
    more = entries.length >= limit;
    if (!more) entries.push({ name, relative: prefix + name, depth, type, size, mtimeMs });
    return !more;
  });
  return { entries, more };
}

describe("walkDirectory", () => {
  for (const [where, limits] of [
    ["in memory", {}],
    ["page by page", SMALL],
  ] as const)
    it(`yields the entries of a walk until the callback stops it, ${where}`, () =>
      inObject(
        async (inside) => {
          await plant(inside);
          const { fs, volume } = inside;
          await fs.symlink(`${ROOT}/a-b`, `${ROOT}/link`);
          for (const maxDepth of [1, 2, 9]) {
            const all = await fs.find(ROOT, { minDepth: 1, maxDepth });
            const expected = all.map(({ path, type, size, mtimeMs }) => {
              const relative = path.slice(ROOT.length + 1);
              const parts = relative.split("/");
              return { name: parts.at(-1), relative, depth: parts.length, type, size, mtimeMs };
            });
            for (const limit of [1, 5, all.length - 1, all.length, all.length + 1]) {
              volume.store.invalidateCaches();
              const { entries, more } = below(volume, ROOT, { maxDepth, limit });
              expect(entries).toEqual(expected.slice(0, limit));
              expect(more).toBe(limit < all.length);
            }
          }
          // By a link to it, a directory's entries are spelled from there.
          const through = below(volume, `${ROOT}/link`, { maxDepth: 1, limit: 100 });
          expect(through).toEqual(below(volume, `${ROOT}/a-b`, { maxDepth: 1, limit: 100 }));
          expect(through.entries.length).toBeGreaterThan(0);
          await fs.writeFile(`${ROOT}/file`, "x");
          expect(() => below(volume, `${ROOT}/file`, { maxDepth: 1, limit: 1 })).toThrow(/ENOTDIR/);
          expect(() => below(volume, `${ROOT}/none`, { maxDepth: 1, limit: 1 })).toThrow(/ENOENT/);
        },
        { limits },
      ));
});

/** 400 directories, three deep, ten files in each. */
async function plantMany({ fs }: Inside): Promise<void> {
  await fs.writeMany(
    Array.from({ length: 4000 }, (_, i) => {
      const at = i % 400;
      return { path: `${ROOT}/top${at % 8}/mid${at % 40}/low${at}/file${i}.ts`, content: "" };
    }),
  );
}

describe("a cold walk", () => {
  it("reads many directories with one statement, names without inodes", () =>
    inObject(async (inside) => {
      await plantMany(inside);
      const { fs, volume, storage } = inside;
      const counter = new Counter(storage);
      volume.store.invalidateCaches();
      await fs.stat(ROOT);
      const names = await counter.of(() => fs.glob("**/*.ts"));
      expect(names.statements).toBeLessThanOrEqual(12);
      // 4 448 names, and each directory's number in the list that was asked for; some are cut at a limit and read again.
      expect(names.rowsRead).toBeLessThan(5500);
      expect(await counter.of(() => fs.glob("**/*.ts"))).toMatchObject({ statements: 0 });
      volume.store.invalidateCaches();
      await fs.stat(ROOT);
      const inodes = await counter.of(() => fs.du(ROOT));
      expect(inodes.statements).toBeLessThanOrEqual(10);
      // The two statements read the size of history from the log; the walk itself runs none.
      expect(await counter.of(() => fs.du(ROOT))).toMatchObject({ statements: 2 });
    }));

  it("reads nothing of what the pattern leaves out", () =>
    inObject(async (inside) => {
      await plantMany(inside);
      const { fs, volume, storage } = inside;
      const counter = new Counter(storage);
      for (const options of [{}, { exclude: "top1/{mid1,mid9}/**" }]) {
        volume.store.invalidateCaches();
        await fs.stat(ROOT);
        let found: string[] = [];
        const cost = await counter.of(async () => (found = await fs.glob("top1/**/*.ts", options)));
        expect([found.length, cost.rowsRead < 1.5 * found.length]).toEqual([options.exclude ? 300 : 500, true]);
      }
    }));

  it("leaves a file's inode one statement away, and those of its directory another", () =>
    inObject(async (inside) => {
      await plantMany(inside);
      const { fs, volume, storage } = inside;
      const counter = new Counter(storage);
      volume.store.invalidateCaches();
      const found = await fs.glob("top1/mid1/low1/*");
      expect(found).toHaveLength(10);
      const statAll = async () => {
        for (const path of found) await fs.stat(`${ROOT}/${path}`);
      };
      // The first with the directories above it, the second, then all.
      expect(await counter.of(statAll)).toMatchObject({ statements: 3 });
      expect(await counter.of(statAll)).toMatchObject({ statements: 0 });
      expect(await counter.of(() => fs.readdir(`${ROOT}/top1/mid1/low1`))).toMatchObject({ statements: 0 });
    }));
});

/** Enough for a pause when it is read from the database: 6 000 files. */
async function plantPausing({ fs, volume }: Inside): Promise<void> {
  for (let d = 0; d < 60; d += 20) {
    await fs.writeMany(
      Array.from({ length: 2000 }, (_, i) => ({
        path: `${ROOT}/d${String(d + (i % 20)).padStart(2, "0")}/f${i}`,
        content: "",
      })),
    );
  }
  volume.store.invalidateCaches();
}

describe("a long walk", () => {
  const verbs: [name: string, walk: (inside: Inside) => Promise<unknown>][] = [
    ["glob", ({ fs }) => fs.glob("**/none")],
    ["glob that heeds ignore files", ({ fs }) => fs.glob("**/none", { ignore: true })],
    ["find", ({ fs }) => fs.find(ROOT, { name: "none" })],
    ["find by size", ({ fs }) => fs.find(ROOT, { larger: 10 })],
    ["du", ({ fs }) => fs.du(ROOT)],
  ];
  for (const [name, walk] of verbs) {
    it(`lets others in: ${name}`, () =>
      inObject(async (inside) => {
        await plantPausing(inside);
        const order: string[] = [];
        setTimeout(() => order.push("another"), 0);
        await walk(inside).then(() => order.push("the walk"));
        // From memory it is done at once.
        const again = walk(inside).then(() => order.push("the walk again"));
        const other = new Promise<void>((resolve) => setTimeout(() => resolve(void order.push("one more")), 0));
        await Promise.all([again, other]);
        expect(order).toEqual(["another", "the walk", "the walk again", "one more"]);
      }));
  }

  it("lets others in where one directory is too large to hold, and nothing in it is wanted", () =>
    inObject(async (inside) => {
      const { fs } = inside;
      for (let from = 0; from < 6000; from += 2000) {
        await fs.writeMany(
          Array.from({ length: 2000 }, (_, i) => ({ path: `${ROOT}/many/f${from + i}`, content: "" })),
        );
      }
      const order: string[] = [];
      setTimeout(() => order.push("another"), 0);
      await fs.glob("many/*.ts").then(() => order.push("the walk"));
      expect(order).toEqual(["another", "the walk"]);
    }));

  it("does not go into what was removed or moved meanwhile, and finds what was written ahead of it", () =>
    inObject(async (inside) => {
      await plantPausing(inside);
      const { fs } = inside;
      for (const search of [
        (pattern: string) => fs.glob(pattern),
        async (pattern: string) => (await fs.find(ROOT, { path: pattern })).map(({ path }) => path.slice(11)),
      ]) {
        inside.volume.store.invalidateCaches();
        const found = search("**/f*");
        await Promise.all([
          fs.rm(`${ROOT}/d58`, { recursive: true }),
          fs.rename(`${ROOT}/d57`, `${ROOT}/aside`),
          fs.mkdir(`${ROOT}/d59/fresh`),
        ]);
        const directories = new Set((await found).map((path) => path.slice(0, path.lastIndexOf("/"))));
        expect([directories.has("d56"), directories.has("d57"), directories.has("d58")]).toEqual([true, false, false]);
        expect((await found).length).toBe(58 * 100 + 1);
        await fs.rmdir(`${ROOT}/d59/fresh`);
        await fs.rename(`${ROOT}/aside`, `${ROOT}/d57`);
        await fs.writeMany(Array.from({ length: 100 }, (_, i) => ({ path: `${ROOT}/d58/f${i}`, content: "" })));
      }
    }));

  it("leaves a directory that is removed while it is in it", () =>
    inObject(async (inside) => {
      const { fs, volume } = inside;
      for (let d = 0; d < 60; d += 20) {
        await fs.writeMany(
          Array.from({ length: 2000 }, (_, i) => ({ path: `${ROOT}/in/d${d + (i % 20)}/f${i}`, content: "" })),
        );
      }
      await fs.writeFile(`${ROOT}/last`, "");
      volume.store.invalidateCaches();
      const found = fs.glob("**/*");
      await fs.rm(`${ROOT}/in`, { recursive: true });
      const paths = await found;
      expect(paths.length).toBeLessThan(6000);
      expect(paths.at(-1)).toBe("last");
    }));

  it("continues after the enclosing transaction is rolled back", () =>
    inObject(async (inside) => {
      await plantPausing(inside);
      const { fs, storage } = inside;
      const found = fs.glob("**/f*");
      const failed = storage.transaction(async () => {
        await fs.rm(`${ROOT}/d58`, { recursive: true });
        throw new Error("rolled back");
      });
      await expect(failed).rejects.toThrow("rolled back");
      expect(await found).toHaveLength(6000);
    }));
});
