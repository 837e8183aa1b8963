/** Trees: bulk writes that are all or nothing, streams and listings that are a snapshot, the exact form of `tree`, `find` and `du`. */
import type { FileSystem } from "@workspace/vfs";
import { describe, expect } from "vitest";
import { head, type MakeOurs, ourTestsOn } from "./extension-subject.ts";
import { expectBytes, fails, names, pattern, shape, text } from "./subject.ts";

export function treesContract(make: MakeOurs): void {
  const it = ourTestsOn(make);

  describe("writeMany", () => {
    it("writeMany with one bad entry changes nothing", async ({ fs, root }) => {
      await fs.writeFile(`${root}/f`, "kept");
      await fs.mkdir(`${root}/d`);
      const since = await head(fs);
      const good = [
        { path: `${root}/new`, content: "new" },
        { path: `${root}/f`, content: "changed" },
        { path: `${root}/d`, type: "remove" as const },
      ];
      const bad = [
        { path: `${root}/f/x`, content: "", code: "ENOTDIR" },
        { path: `${root}/${"n".repeat(256)}`, content: "", code: "ENAMETOOLONG" },
        { path: "relative", content: "", code: "EINVAL" },
        { path: "", content: "", code: "ENOENT" },
        { path: root, content: "", code: "EISDIR" },
        { path: `${root}/f`, content: "", ifVersion: null, code: "ESTALE" },
        { path: `${root}/l`, type: "symlink" as const, target: "", code: "ENOENT" },
      ];
      for (const { code, ...entry } of bad) {
        await fails(fs.writeMany([...good, entry]), { code });
        await fails(fs.writeMany([entry, ...good]), { code });
      }
      expect([await shape(fs, root), await head(fs)]).toEqual([["d/", "f = kept"], since]);
    });

    it("writeMany applies entries in order, the last word on a path winning", async ({ fs, root }) => {
      await fs.writeMany([
        { path: `${root}/a`, content: "first" },
        { path: `${root}/a`, content: "second" },
        { path: `${root}/b/c`, content: "gone" },
        { path: `${root}/b`, type: "remove" },
        { path: `${root}/b`, content: "a file now" },
        { path: `${root}/l`, type: "symlink", target: "a" },
        { path: `${root}/l`, type: "symlink", target: "b" },
      ]);
      expect(await shape(fs, root)).toEqual(["a = second", "b = a file now", "l -> b"]);
    });

    it("writeMany writes a thousand files, large ones among them", async ({ fs, root }) => {
      const entries = Array.from({ length: 1000 }, (_, i) => ({
        path: `${root}/${i % 13}/${i}`,
        content: pattern(i % 100 === 0 ? 1_200_000 : i, i),
      }));
      await fs.writeMany(entries);
      for (const i of [0, 1, 99, 100, 500, 999]) expectBytes(await fs.readFile(entries[i]!.path), entries[i]!.content);
      expect((await fs.du(root)).files).toBe(1000);
    });
  });

  describe("snapshots", () => {
    it("readStream gives the file as it was when it was opened", async ({ fs, root }) => {
      const size = 3_000_000;
      for (const change of [
        () => fs.writeFile(`${root}/f`, "replaced"),
        () => fs.truncate(`${root}/f`, 10),
        () => fs.appendFile(`${root}/f`, pattern(100_000, 9)),
        () => fs.writeFile(`${root}/f`, pattern(size, 5), { flag: "r+" }),
        () => fs.rm(`${root}/f`),
      ]) {
        await fs.writeFile(`${root}/f`, pattern(size));
        const reader = (await fs.readStream(`${root}/f`)).getReader();
        const first = await reader.read();
        await change();
        const whole = new Uint8Array(size);
        let at = 0;
        for (let part = first; !part.done; part = await reader.read()) {
          whole.set(part.value, at);
          at += part.value.length;
        }
        expect(at).toBe(size);
        expectBytes(whole, pattern(size));
      }
    });

    it("opendir lists every entry that exists throughout, while others are created and removed", async ({
      fs,
      root,
    }) => {
      const retained = Array.from({ length: 1500 }, (_, i) => `k${String(i).padStart(4, "0")}`);
      await fs.writeMany(retained.map((name) => ({ path: `${root}/d/${name}`, content: "" })));
      await fs.writeFile(`${root}/d/a-going`, "");
      const seen: string[] = [];
      for await (const { name } of await fs.opendir(`${root}/d`)) {
        seen.push(name);
        if (seen.length === 3) {
          await fs.rm(`${root}/d/a-going`);
          await fs.writeFile(`${root}/d/b-coming`, "");
        }
      }
      expect(seen.filter((name) => name.startsWith("k"))).toEqual(retained);
    });
  });

  describe("cp", () => {
    it("cp into a directory above copies the tree as it was before", async ({ fs, root }) => {
      await fs.writeMany([
        { path: `${root}/b/a/a/g`, content: "deep" },
        { path: `${root}/b/a/g`, content: "shallow" },
      ]);
      await fs.cp(`${root}/b/a`, `${root}/b`, { recursive: true });
      expect(await shape(fs, root)).toEqual([
        "b/",
        "b/a/",
        "b/a/a/",
        "b/a/a/g = deep",
        "b/a/g = deep",
        "b/g = shallow",
      ]);
    });
  });

  describe("tree, find, du, glob, scan", () => {
    const furnish = (fs: FileSystem, root: string) =>
      fs.writeMany([
        { path: `${root}/a.txt`, content: "12345", mtime: 1000 },
        { path: `${root}/d/b.txt`, content: "", mtime: 2000 },
        { path: `${root}/d/e/c.txt`, content: "x", mtime: 3000 },
        { path: `${root}/d/e/deep/f`, content: "x", mtime: 4000 },
        { path: `${root}/l`, type: "symlink", target: "d/e" },
      ]);

    it("tree indents, sorts, shows sizes and targets, and stops at the depth", async ({ fs, root }) => {
      await furnish(fs, root);
      expect(await fs.tree(root)).toEqual({
        text: [`${root}/`, "  a.txt (5)", "  d/", "    b.txt (0)", "    e/", "  l -> d/e", ""].join("\n"),
        files: 3,
        directories: 2,
        truncated: false,
      });
      expect((await fs.tree(root, { depth: 1 })).text).toBe(
        [`${root}/`, "  a.txt (5)", "  d/", "  l -> d/e", ""].join("\n"),
      );
    });

    it("tree reports that it was truncated", async ({ fs, root }) => {
      await furnish(fs, root);
      const { text: cut, truncated } = await fs.tree(root, { depth: 9, limit: 3 });
      expect([truncated, cut.trimEnd().split("\n").length]).toEqual([true, 4]);
    });

    it("tree fails on a file and on nothing", async ({ fs, root }) => {
      await furnish(fs, root);
      await fails(fs.tree(`${root}/a.txt`), { code: "ENOTDIR" });
      await fails(fs.tree(`${root}/none`), { code: "ENOENT" });
    });

    it("find is sorted as a walk goes, the start first, and does not follow links", async ({ fs, root }) => {
      await furnish(fs, root);
      const found = (await fs.find(root)).map(({ path }) => path.slice(root.length));
      expect(found).toEqual(["", "/a.txt", "/d", "/d/b.txt", "/d/e", "/d/e/c.txt", "/d/e/deep", "/d/e/deep/f", "/l"]);
    });

    it("find filters by time and depth, and fails instead of truncating", async ({ fs, root }) => {
      await furnish(fs, root);
      const paths = async (options: Parameters<FileSystem["find"]>[1]) =>
        (await fs.find(root, options)).map(({ path }) => path.slice(root.length + 1));
      expect(await paths({ type: "file", newer: 2000 })).toEqual(["d/e/c.txt", "d/e/deep/f"]);
      expect(await paths({ type: "file", older: new Date(2_000_000) })).toEqual(["a.txt"]);
      expect(await paths({ minDepth: 2, maxDepth: 2 })).toEqual(["d/b.txt", "d/e"]);
      expect(await paths({ maxDepth: 0 })).toEqual([""]);
      await fails(fs.find(root, { limit: 3 }), { code: "EFBIG", syscall: "find" });
    });

    it("du counts a file of two names once, and the start too", async ({ fs, root }) => {
      await furnish(fs, root);
      await fs.link(`${root}/a.txt`, `${root}/d/again`);
      expect(await fs.du(root)).toMatchObject({ bytes: 7, files: 4, directories: 4, symlinks: 1 });
      expect(await fs.du(`${root}/a.txt`)).toMatchObject({ bytes: 5, files: 1, directories: 0, symlinks: 0 });
    });

    it("glob takes absolute patterns, and answers them with absolute paths", async ({ fs, root }) => {
      await fs.writeMany(["a/x.ts", "a/y.js", "z.ts"].map((name) => ({ path: `${root}/${name}`, content: "" })));
      expect(await fs.glob(`${root}/**/*.ts`)).toEqual([`${root}/a/x.ts`, `${root}/z.ts`]);
      expect(await fs.glob([`${root}/z.ts`, "a/*.js"], { cwd: root })).toEqual([`${root}/z.ts`, "a/y.js"]);
    });

    it("scan gives pages in byte order", async ({ fs, root }) => {
      await fs.writeMany(["b", "a", "é", "😀", "c"].map((name) => ({ path: `${root}/${name}`, content: name })));
      const first = await fs.scan(root, { limit: 2 });
      const rest = await fs.scan(root, { after: "b" });
      expect([first.map(({ name }) => name), rest.map(({ name }) => name)]).toEqual([
        ["a", "b"],
        ["c", "é", "😀"],
      ]);
      expect(await fs.scan(root, { after: "😀", limit: 5 })).toEqual([]);
      await fails(fs.scan(root, { limit: 0 }), { code: "EINVAL" });
    });
  });

  describe("depth", () => {
    it("rm recursive removes ten thousand levels, built by moving trees under one another", async ({ fs, root }) => {
      const block = "a/".repeat(199);
      await fs.mkdir(`${root}/0/${block}`, { recursive: true });
      for (let i = 1; i < 50; i++) {
        await fs.mkdir(`${root}/${i}/${block}`, { recursive: true });
        await fs.rename(`${root}/${i - 1}`, `${root}/${i}/${block}in`);
      }
      const { directories } = await fs.du(`${root}/49`);
      expect(directories).toBe(10_000);
      await fs.rm(`${root}/49`, { recursive: true });
      expect(await names(fs, root)).toEqual([]);
    });
  });

  describe("the root", () => {
    it("the root cannot be removed or moved", async ({ fs, root }) => {
      await fs.writeFile(`${root}/f`, "kept");
      await fails(fs.rm("/", { recursive: true, force: true }), { code: "EBUSY" });
      await fails(fs.rm("/workspace", { recursive: true, force: true }), { code: "EBUSY" });
      await fails(fs.rmdir("/workspace"), { code: "EBUSY" });
      await fails(fs.rename("/workspace", `${root}/w`), { code: "EBUSY" });
      await fails(fs.rename("/", `${root}/w`), { code: "EBUSY", syscall: "rename", path: "/", dest: `${root}/w` });
      await fails(fs.rename(root, "/"), { code: "EBUSY", syscall: "rename", path: root, dest: "/" });
      await fails(fs.writeMany([{ path: "/", type: "remove" }]), { code: "EBUSY" });
      expect(await text(fs, `${root}/f`)).toBe("kept");
      expect(await names(fs, "/workspace")).toEqual([]);
    });
  });
}
