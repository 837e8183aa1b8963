/** glob, find, du, watch and statfs, as far as Node and the interface agree on them. */
import type { FileSystem } from "@workspace/vfs";
import { describe, expect } from "vitest";
import { fails, type Make, pattern, testsOn } from "./subject.ts";

async function furnish(fs: FileSystem, root: string): Promise<void> {
  const files = [
    "a.ts",
    "b.js",
    "c.d.ts",
    ".hidden.ts",
    "src/d.ts",
    "src/deep/e.ts",
    "src/deep/f.js",
    "test/g.ts",
    "[x].ts",
    ".git/h.ts",
  ];
  await fs.writeMany(files.map((name) => ({ path: `${root}/${name}`, content: name })));
  await fs.mkdir(`${root}/empty`);
}

export function searchContract(make: Make): void {
  const it = testsOn(make);

  describe("glob", () => {
    const patterns: [pattern: string | string[], expected: string[]][] = [
      ["*.ts", ["[x].ts", "a.ts", "c.d.ts"]],
      ["a.ts", ["a.ts"]],
      ["none.ts", []],
      ["*", ["[x].ts", "a.ts", "b.js", "c.d.ts", "empty", "src", "test"]],
      ["src/*", ["src/d.ts", "src/deep"]],
      ["**/*.ts", ["[x].ts", "a.ts", "c.d.ts", "src/d.ts", "src/deep/e.ts", "test/g.ts"]],
      ["src/**/*.ts", ["src/d.ts", "src/deep/e.ts"]],
      ["**/deep/*", ["src/deep/e.ts", "src/deep/f.js"]],
      ["?.{ts,js}", ["a.ts", "b.js"]],
      ["[ab].*", ["a.ts", "b.js"]],
      ["[!a].*", ["b.js", "c.d.ts"]],
      ["{src,test}/*.ts", ["src/d.ts", "test/g.ts"]],
      [".*.ts", [".hidden.ts"]],
      ["src/deep/../d.ts", ["src/d.ts"]],
      ["[[]x].ts", ["[x].ts"]],
      [
        ["*.js", "src/*.ts", "a.*"],
        ["a.ts", "b.js", "src/d.ts"],
      ],
    ];
    for (const [requested, expected] of patterns) {
      it(`glob finds ${JSON.stringify(requested)} relative to cwd`, async ({ fs, root }) => {
        await furnish(fs, root);
        expect((await fs.glob(requested, { cwd: root })).sort()).toEqual(expected.sort());
      });
    }

    it("glob leaves out what exclude matches, and all below a directory", async ({ fs, root }) => {
      await furnish(fs, root);
      const find = async (exclude: string | string[] | ((path: string) => boolean)) =>
        (await fs.glob("**/*.ts", { cwd: root, exclude })).sort();
      expect(await find("src/**")).toEqual(["[x].ts", "a.ts", "c.d.ts", "test/g.ts"]);
      expect(await find(["**/*.d.ts", "test/**"])).toEqual(["[x].ts", "a.ts", "src/d.ts", "src/deep/e.ts"]);
      expect(await find((path) => path === "deep" || path.endsWith("/deep"))).toEqual([
        "[x].ts",
        "a.ts",
        "c.d.ts",
        "src/d.ts",
        "test/g.ts",
      ]);
    });

    it("glob without directories gives files only", async ({ fs, root }) => {
      await furnish(fs, root);
      expect((await fs.glob("*", { cwd: root, dirs: false })).sort()).toEqual(["[x].ts", "a.ts", "b.js", "c.d.ts"]);
    });

    it("glob does not walk through links under **", async ({ fs, root }) => {
      await furnish(fs, root);
      await fs.symlink("..", `${root}/src/deep/up`);
      expect((await fs.glob("src/**/*.ts", { cwd: root })).sort()).toEqual(["src/d.ts", "src/deep/e.ts"]);
    });

    it("glob finds nothing where there is no directory", async ({ fs, root }) => {
      expect(await fs.glob("**/*", { cwd: `${root}/none` })).toEqual([]);
    });
  });

  describe("find and du", () => {
    it("find walks from the start, with absolute paths, by name, type, size and depth", async ({ fs, root }) => {
      await furnish(fs, root);
      await fs.writeFile(`${root}/big`, pattern(5000));
      const paths = async (options: Parameters<FileSystem["find"]>[1]) =>
        (await fs.find(root, options)).map(({ path }) => path.slice(root.length + 1)).sort();
      expect(await paths({ name: "*.js" })).toEqual(["b.js", "src/deep/f.js"]);
      expect(await paths({ type: "dir", minDepth: 1 })).toEqual([".git", "empty", "src", "src/deep", "test"]);
      expect(await paths({ larger: 4999, type: "file" })).toEqual(["big"]);
      expect(await paths({ type: "file", maxDepth: 1, name: "*.ts" })).toEqual(["[x].ts", "a.ts", "c.d.ts"]);
      expect(await paths({ path: "src/*/e.ts" })).toEqual(["src/deep/e.ts"]);
    });

    it("find fails when there is no start", async ({ fs, root }) => {
      await fails(fs.find(`${root}/none`), { code: "ENOENT" });
    });

    it("du counts bytes, files, directories and links below and at the start", async ({ fs, root }) => {
      await fs.mkdir(`${root}/d/e`, { recursive: true });
      await fs.writeFile(`${root}/d/f`, pattern(1000));
      await fs.writeFile(`${root}/d/e/g`, pattern(2_000_000));
      await fs.symlink("f", `${root}/d/l`);
      await fs.writeFile(`${root}/outside`, "xxx");
      const use = await fs.du(`${root}/d`);
      expect([use.bytes, use.files, use.symlinks]).toEqual([2_001_000, 2, 1]);
      await fails(fs.du(`${root}/none`), { code: "ENOENT" });
    });
  });

  describe("watch", () => {
    it("watch reports changes in a directory until the loop ends", async ({ fs, root }) => {
      await fs.mkdir(`${root}/d`);
      const seen: string[] = [];
      const watching = (async () => {
        for await (const { filename, eventType } of fs.watch(`${root}/d`)) {
          expect(["rename", "change"]).toContain(eventType);
          if (!seen.includes(filename)) seen.push(filename);
          if (seen.includes("last")) break;
        }
      })();
      // It watches from some moment on: write until it reports.
      while (!seen.includes("first")) {
        await fs.writeFile(`${root}/outside`, "");
        await fs.writeFile(`${root}/d/first`, "abc");
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      await fs.writeFile(`${root}/d/last`, "abc");
      await watching;
      expect(seen).toEqual(["first", "last"]);
    });

    it("watch ends with an AbortError when its signal fires", async ({ fs, root }) => {
      const controller = new AbortController();
      const watching = (async () => {
        for await (const _ of fs.watch(root, { signal: controller.signal }));
      })();
      setTimeout(() => controller.abort(), 30);
      await expect(watching).rejects.toMatchObject({ name: "AbortError", code: "ABORT_ERR" });
    });

    it("watch fails when there is nothing to watch", async ({ fs, root }) => {
      const first = async () => {
        for await (const event of fs.watch(`${root}/none`)) return event;
      };
      await fails(first(), { code: "ENOENT", syscall: "watch", path: `${root}/none` });
    });
  });

  describe("statfs", () => {
    it("statfs gives block size and counts", async ({ fs, root }) => {
      const stat = await fs.statfs(root);
      for (const key of ["type", "bsize", "blocks", "bfree", "bavail", "files", "ffree"] as const) {
        expect([key, typeof stat[key]]).toEqual([key, "number"]);
      }
      expect(stat.bsize).toBeGreaterThan(0);
      expect(stat.blocks).toBeGreaterThanOrEqual(stat.bfree);
    });
  });

  describe("writeMany", () => {
    it("writeMany makes files, directories and links with their parents, in order", async ({ fs, root }) => {
      await fs.writeFile(`${root}/gone`, "x");
      const { written, versions } = await fs.writeMany([
        { path: `${root}/a/b/f`, content: "f" },
        { path: `${root}/a/run`, content: new Uint8Array([1, 2, 3]), mode: 0o755 },
        { path: `${root}/d`, type: "dir", mode: 0o700 },
        { path: `${root}/l`, type: "symlink", target: "a/b/f" },
        { path: `${root}/gone`, type: "remove" },
        { path: `${root}/a/b/f`, content: "f again", mtime: 1_000_000 },
      ]);
      expect([written, versions.length, versions[4]]).toEqual([6, 6, null]);
      expect(await fs.readFile(`${root}/l`, "utf8")).toBe("f again");
      const stats = await Promise.all(["a/run", "d", "a/b/f"].map((name) => fs.stat(`${root}/${name}`)));
      expect(stats.map(({ mode }) => mode)).toEqual([0o100755, 0o40700, 0o100644]);
      expect(stats[2]?.mtimeMs).toBe(1_000_000_000);
      expect(await fs.exists(`${root}/gone`)).toBe(false);
    });

    it("writeMany replaces content and keeps the inode", async ({ fs, root }) => {
      await fs.writeFile(`${root}/f`, "older and longer");
      await fs.link(`${root}/f`, `${root}/h`);
      await fs.writeMany([{ path: `${root}/f`, content: "new" }]);
      expect(await fs.readFile(`${root}/h`, "utf8")).toBe("new");
    });

    it("writeMany of nothing does nothing", async ({ fs }) => {
      expect((await fs.writeMany([])).versions).toEqual([]);
    });
  });
}
