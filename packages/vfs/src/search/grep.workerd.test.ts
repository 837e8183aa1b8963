/** What `grep` guarantees besides ripgrep's results: reported limits, resumable cursors, yielding, stopping. */
import { type Inside, inObject } from "@workspace/testing/in-object";
import { createFileSystem, type GrepOptions, type SearchableFileSystem } from "@workspace/vfs";
import { describe, expect, it } from "vitest";

function inWorkspace(body: (fs: SearchableFileSystem, inside: Inside) => Promise<void>): Promise<void> {
  return inObject((inside) => body(createFileSystem(inside.volume), inside));
}

const numbered = (count: number) => Array.from({ length: count }, (_, i) => `line ${i + 1}`).join("\n");

describe("grep", () => {
  it("tells path, line, column, ranges and context of every hit", () =>
    inWorkspace(async (fs) => {
      await fs.mkdir("/workspace/src");
      await fs.writeFile("/workspace/src/a.ts", "one\ntwo TODO three TODO\nfour\nfive\nsix TODO\n");
      const answer = await fs.grep("todo", "/workspace", { ignoreCase: true, context: 1 });
      expect(answer).toMatchObject({ engine: "local", truncated: false, truncatedBy: null, cursor: null });
      expect(answer.hits).toEqual([
        {
          path: "/workspace/src/a.ts",
          line: 2,
          text: "two TODO three TODO",
          column: 5,
          offset: 4,
          ranges: [
            { start: 4, end: 8 },
            { start: 15, end: 19 },
          ],
          before: [{ line: 1, text: "one" }],
          after: [{ line: 3, text: "four" }],
        },
        {
          path: "/workspace/src/a.ts",
          line: 5,
          text: "six TODO",
          column: 5,
          offset: 34,
          ranges: [{ start: 4, end: 8 }],
          before: [{ line: 4, text: "five" }],
          after: [],
        },
      ]);
    }));

  it("orders files as a walk does, and leaves out what is ignored, hidden or binary", () =>
    inWorkspace(async (fs) => {
      const files = ["b.txt", "a/z.txt", "a.txt", ".hidden", "node_modules/x.js", "bin"];
      await fs.writeMany(
        files.map((name) => ({ path: `/workspace/${name}`, content: name === "bin" ? "x\0" : "x\n" })),
      );
      await fs.writeFile("/workspace/.gitignore", "node_modules/\n");
      const search = async (options: GrepOptions) =>
        (await fs.grep("x", "/workspace", options)).hits.map((hit) => hit.path.slice(11));
      expect(await search({})).toEqual(["a/z.txt", "a.txt", "b.txt"]);
      expect(await search({ ignore: false })).toEqual(["a/z.txt", "a.txt", "b.txt", "node_modules/x.js"]);
      expect(await search({ hidden: true })).toContain(".hidden");
      expect(await search({ include: "*.txt", exclude: "a/**" })).toEqual(["a.txt", "b.txt"]);
      expect(await search({ types: ["txt"], maxDepth: 1 })).toEqual(["a.txt", "b.txt"]);
      const { stats } = await fs.grep("x", "/workspace");
      expect(stats).toMatchObject({ filesSearched: 4, skippedBinary: 1, filesIgnored: 1, filesWithHits: 3 });
    }));

  it.each(["lines", "json", "files", "count"] as const)(
    "continues from its cursor until the end, in the mode %s",
    (mode) =>
      inWorkspace(async (fs) => {
        for (let i = 0; i < 7; i++) await fs.writeFile(`/workspace/f${i}`, `${"hit\n".repeat(i)}end`);
        const whole = await fs.grep("hit", "/workspace", { mode, context: 1 });
        const parts: unknown[] = [];
        let cursor: string | undefined;
        do {
          const part = await fs.grep("hit", "/workspace", { mode, context: 1, maxHits: 2, cursor });
          expect(part.truncated).toBe(part.cursor !== null);
          parts.push(
            ...(mode === "json"
              ? part.messages.filter(({ type }) => type === "match")
              : mode === "lines"
                ? part.hits.map(({ line, path }) => ({ line, path }))
                : part.files),
          );
          cursor = part.cursor ?? undefined;
        } while (cursor !== undefined);
        const all =
          mode === "json"
            ? whole.messages.filter(({ type }) => type === "match")
            : mode === "lines"
              ? whole.hits.map(({ line, path }) => ({ line, path }))
              : whole.files;
        expect(parts).toEqual(all);
        expect(all.length).toBe(mode === "lines" || mode === "json" ? 21 : 6);
      }),
  );

  it("skips as many hits as the offset says", () =>
    inWorkspace(async (fs) => {
      await fs.writeFile("/workspace/a", numbered(10));
      const { hits, truncated } = await fs.grep("line", "/workspace", { offset: 4, maxHits: 3 });
      expect(hits.map(({ line }) => line)).toEqual([5, 6, 7]);
      expect(truncated).toBe(true);
    }));

  it("is not truncated by a limit that it just meets", () =>
    inWorkspace(async (fs) => {
      await fs.writeFile("/workspace/a", numbered(3));
      expect(await fs.grep("line", "/workspace", { maxHits: 3 })).toMatchObject({ truncated: false, cursor: null });
      expect(await fs.grep("line", "/workspace", { maxHits: 2 })).toMatchObject({
        truncated: true,
        truncatedBy: "hits",
      });
      expect((await fs.grep("line", "/workspace", { maxPerFile: 2 })).stats.filesLimited).toBe(1);
    }));

  it("cuts long lines between characters, and says so", () =>
    inWorkspace(async (fs) => {
      await fs.writeFile("/workspace/a", `é${"é".repeat(5000)} needle`);
      const [hit] = (await fs.grep("needle", "/workspace", { maxBytesPerLine: 11 })).hits;
      expect(hit).toMatchObject({ text: "ééééé", cut: true, column: 10_004 });
    }));

  it("tells twenty thousand matches of a line, and says when there are more", () =>
    inWorkspace(async (fs) => {
      await fs.writeFile("/workspace/a", `${"x".repeat(20_000)}\n${"x".repeat(20_001)}\n`);
      const { hits } = await fs.grep("x", "/workspace", { maxBytesPerLine: 100_000 });
      expect(hits.map(({ ranges, cut }) => [ranges.length, ranges.at(-1), cut])).toEqual([
        [20_000, { start: 19_999, end: 20_000 }, undefined],
        [20_000, { start: 19_999, end: 20_000 }, true],
      ]);
      const { messages } = await fs.grep("x", "/workspace", { mode: "json" });
      const reported = messages.filter(({ type }) => type === "match").map(({ data }) => data);
      expect(
        reported.map(({ submatches, submatches_cut }) => [(submatches as unknown[]).length, submatches_cut]),
      ).toEqual([
        [20_000, undefined],
        [20_000, true],
      ]);
      const [whole] = (await fs.grep("x+", "/workspace", { regex: true, multiline: true })).hits;
      expect(whole?.ranges).toEqual([{ start: 0, end: 20_000 }]);
      const [across] = (await fs.grep("x\\n?", "/workspace", { regex: true, multiline: true })).hits;
      expect([across?.ranges.length, across?.cut]).toEqual([20_000, true]);
    }));

  it("stops at its budget of bytes, and skips files that are too large", () =>
    inWorkspace(async (fs) => {
      for (let i = 0; i < 5; i++) await fs.writeFile(`/workspace/f${i}`, "x".repeat(1000));
      const cut = await fs.grep("y", "/workspace", { budget: { bytes: 2500 } });
      expect(cut).toMatchObject({ truncated: true, truncatedBy: "bytes", cursor: "0:/workspace/f2" });
      expect((await fs.grep("x", "/workspace", { maxFileBytes: 999 })).stats).toMatchObject({
        filesSearched: 0,
        skippedTooLarge: 5,
      });
    }));

  it("searches a file of many megabytes in windows, across their borders", () =>
    inWorkspace(async (fs) => {
      const line = `${"filler ".repeat(20)}\n`;
      const text = `${line.repeat(80_000)}needle at the end\n${line.repeat(70_000)}last needle`;
      await fs.writeFile("/workspace/large", text);
      const { hits } = await fs.grep("needle", "/workspace", { context: 1 });
      expect(hits.map(({ line: at, offset }) => [at, offset])).toEqual([
        [80_001, line.length * 80_000],
        [150_002, line.length * 150_000 + 18],
      ]);
      expect(hits[0]?.before[0]?.line).toBe(80_000);
      expect((await fs.grep("needle\\n", "/workspace", { multiline: true, regex: true })).stats.skippedTooLarge).toBe(
        1,
      );
    }));

  it("lets others in at least every 4 MiB", () =>
    inWorkspace(async (fs) => {
      for (let i = 0; i < 40; i++) await fs.writeFile(`/workspace/f${i}`, "no such thing here\n".repeat(50_000));
      let turns = 0;
      let going = true;
      const others = (async () => {
        while (going) {
          await new Promise((resolve) => setTimeout(resolve, 0));
          turns++;
        }
      })();
      const { stats } = await fs.grep("needle", "/workspace");
      going = false;
      await others;
      expect(turns).toBeGreaterThanOrEqual(Math.floor(stats.bytesSearched / (4 * 1024 * 1024)) - 1);
    }));

  it("ends when its signal fires", () =>
    inWorkspace(async (fs) => {
      for (let i = 0; i < 40; i++) await fs.writeFile(`/workspace/f${i}`, "no such thing here\n".repeat(50_000));
      const controller = new AbortController();
      setTimeout(() => controller.abort(), 1);
      const searching = fs.grep("needle|thang", "/workspace", { regex: true, signal: controller.signal });
      await expect(searching).rejects.toMatchObject({ code: "ABORT_ERR", name: "AbortError" });
      await expect(fs.grep("x", "/workspace", { signal: AbortSignal.abort() })).rejects.toMatchObject({
        code: "ABORT_ERR",
      });
    }));

  it.each<[what: string, pattern: string, options: GrepOptions]>([
    ["look-around", "(?=a)", { regex: true }],
    ["backreferences", "(a)\\1", { regex: true }],
    ["a type that is none", "a", { types: "nonsense" }],
    ["a glob that is none", "a", { include: "[a" }],
    ["a negative number", "a", { maxHits: -1 }],
    ["a mode that is none", "a", { mode: "some" as "lines" }],
    ["a cursor that is none", "a", { cursor: "here" }],
  ])("refuses %s with EINVAL", (_what, pattern, options) =>
    inWorkspace(async (fs) => {
      await fs.mkdir("/workspace", { recursive: true });
      await expect(fs.grep(pattern, "/workspace", options)).rejects.toMatchObject({ code: "EINVAL" });
    }),
  );

  it("fails where there is nothing", () =>
    inWorkspace(async (fs) => {
      await expect(fs.grep("a", "/none")).rejects.toMatchObject({ code: "ENOENT", path: "/none" });
    }));
});

describe("grepStream", () => {
  it("gives every hit in order, and stops the search when it is left", () =>
    inWorkspace(async (fs) => {
      for (let i = 0; i < 20; i++) await fs.writeFile(`/workspace/f${10 + i}`, "hit\n".repeat(500));
      const seen: string[] = [];
      for await (const hit of fs.grepStream("hit", "/workspace")) seen.push(`${hit.path}:${hit.line}`);
      expect(seen.length).toBe(10_000);
      expect(seen).toEqual(
        (await fs.grep("hit", "/workspace", { maxHits: 1e6 })).hits.map((hit) => `${hit.path}:${hit.line}`),
      );
      for await (const hit of fs.grepStream("hit", "/workspace")) if (hit.line === 3) break;
    }));

  it("holds few hits while its reader is slow, in one large file too", () =>
    inWorkspace(async (fs) => {
      await fs.writeFile("/workspace/large", "x\n".repeat(500_000));
      let seen = 0;
      let inOrder = true;
      for await (const hit of fs.grepStream("x", "/workspace")) {
        inOrder &&= hit.line === ++seen;
        if (seen === 100_000) break;
      }
      expect([seen, inOrder]).toEqual([100_000, true]);
    }));

  it("says what cut it short", () =>
    inWorkspace(async (fs) => {
      for (let i = 0; i < 5; i++) await fs.writeFile(`/workspace/f${i}`, "x\n".repeat(1000));
      const all = async () => {
        for await (const _ of fs.grepStream("x", "/workspace", { budget: { bytes: 3000 } }));
      };
      await expect(all()).rejects.toMatchObject({ code: "EFBIG" });
      const bad = async () => {
        for await (const _ of fs.grepStream("(", "/workspace", { regex: true }));
      };
      await expect(bad()).rejects.toMatchObject({ code: "EINVAL" });
    }));
});

describe("glob and find with ignore: true", () => {
  it("leave out what ignore files say, and only then", () =>
    inWorkspace(async (fs) => {
      const files = ["a.ts", "dist/b.ts", "src/c.ts", "src/gen/d.ts", "src/.gitignore", ".gitignore"];
      await fs.writeMany(
        files.map((name) => ({
          path: `/workspace/${name}`,
          content: name === ".gitignore" ? "dist\n" : name === "src/.gitignore" ? "gen/\n" : "x",
        })),
      );
      expect(await fs.glob("**/*.ts", { cwd: "/workspace" })).toEqual([
        "a.ts",
        "dist/b.ts",
        "src/c.ts",
        "src/gen/d.ts",
      ]);
      expect(await fs.glob("**/*.ts", { cwd: "/workspace", ignore: true })).toEqual(["a.ts", "src/c.ts"]);
      const found = async (ignore: boolean) =>
        (await fs.find("/workspace", { name: "*.ts", ignore })).map(({ path }) => path.slice(11));
      expect(await found(false)).toEqual(["a.ts", "dist/b.ts", "src/c.ts", "src/gen/d.ts"]);
      expect(await found(true)).toEqual(["a.ts", "src/c.ts"]);
      // Rules of directories above the start hold too.
      expect(await fs.glob("**/*.ts", { cwd: "/workspace/src", ignore: true })).toEqual(["c.ts"]);
    }));
});
