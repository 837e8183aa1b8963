/** rename, over every kind of target. */

import type { FileSystem } from "@workspace/vfs";
import { describe, expect } from "vitest";
import { fails, type Make, names, shape, testsOn, text } from "./subject.ts";

/** d/ with one file in it, e/ empty, f, and links to both. */
async function furnish(fs: FileSystem, root: string): Promise<void> {
  await fs.mkdir(`${root}/d`);
  await fs.writeFile(`${root}/d/x`, "x");
  await fs.mkdir(`${root}/e`);
  await fs.writeFile(`${root}/f`, "f");
  await fs.writeFile(`${root}/g`, "g");
  await fs.symlink("d", `${root}/ld`);
  await fs.symlink("f", `${root}/lf`);
  await fs.symlink("nowhere", `${root}/dangling`);
}

const FURNISHED = ["d/", "d/x = x", "dangling -> nowhere", "e/", "f = f", "g = g", "ld -> d", "lf -> f"];

export function renameContract(make: Make): void {
  const it = testsOn(make);

  describe("rename", () => {
    it("rename moves a file, a directory with all in it, and a link as it is", async ({ fs, root }) => {
      await furnish(fs, root);
      await fs.mkdir(`${root}/d/deep/er`, { recursive: true });
      await fs.writeFile(`${root}/d/deep/er/y`, "y");
      await fs.rename(`${root}/f`, `${root}/e/f2`);
      await fs.rename(`${root}/d`, `${root}/e/d2`);
      await fs.rename(`${root}/ld`, `${root}/e/l2`);
      expect(await shape(fs, root)).toEqual(
        [
          "dangling -> nowhere",
          "e/",
          "e/d2/",
          "e/d2/deep/",
          "e/d2/deep/er/",
          "e/d2/deep/er/y = y",
          "e/d2/x = x",
          "e/f2 = f",
        ].concat(["e/l2 -> d", "g = g", "lf -> f"]),
      );
      await fails(fs.stat(`${root}/d/x`), { code: "ENOENT", syscall: "stat", path: `${root}/d/x` });
    });

    it("rename keeps inode, mode, mtime and content", async ({ fs, root }) => {
      await fs.writeFile(`${root}/a`, "abc", { mode: 0o700 });
      await fs.utimes(`${root}/a`, 1000, 2000);
      const before = await fs.stat(`${root}/a`);
      await fs.rename(`${root}/a`, `${root}/b`);
      const after = await fs.stat(`${root}/b`);
      expect([after.ino, after.mode, after.mtimeMs, after.size]).toEqual([before.ino, 0o100700, 2_000_000, 3]);
    });

    it("rename replaces a file by a file or link, and a link by either", async ({ fs, root }) => {
      await furnish(fs, root);
      await fs.rename(`${root}/f`, `${root}/g`);
      expect(await text(fs, `${root}/g`)).toBe("f");
      await fs.rename(`${root}/g`, `${root}/lf`);
      expect((await fs.lstat(`${root}/lf`)).isFile()).toBe(true);
      await fs.rename(`${root}/lf`, `${root}/ld`);
      expect((await fs.lstat(`${root}/ld`)).isFile()).toBe(true);
      await fs.rename(`${root}/dangling`, `${root}/ld`);
      expect(await shape(fs, root)).toEqual(["d/", "d/x = x", "e/", "ld -> nowhere"]);
    });

    it("rename replaces an empty directory by a directory", async ({ fs, root }) => {
      await furnish(fs, root);
      const { ino } = await fs.stat(`${root}/d`);
      await fs.rename(`${root}/d`, `${root}/e`);
      expect((await fs.stat(`${root}/e`)).ino).toBe(ino);
      expect(await names(fs, `${root}/e`)).toEqual(["x"]);
      expect(await fs.exists(`${root}/d`)).toBe(false);
    });

    it("rename fails as POSIX says, and changes nothing", async ({ fs, root }) => {
      await furnish(fs, root);
      for (const [from, to, code] of [
        ["e", "d", "ENOTEMPTY"],
        ["f", "e", "EISDIR"],
        ["f", "d", "EISDIR"],
        ["lf", "e", "EISDIR"],
        ["d", "f", "ENOTDIR"],
        ["e", "lf", "ENOTDIR"],
        ["e", "ld", "ENOTDIR"],
        ["d", "d/inside", "EINVAL"],
        ["d", "d/x/y", "ENOTDIR"],
        ["d", "ld/inside", "EINVAL"],
        ["d/x", "d", "ENOTEMPTY"],
        ["none", "new", "ENOENT"],
        ["none", "f", "ENOENT"],
        ["f", "none/new", "ENOENT"],
        ["f", "g/new", "ENOTDIR"],
        ["f/x", "new", "ENOTDIR"],
        ["d/.", "new", "EBUSY"],
        ["d/..", "new", "EBUSY"],
        ["d", "e/.", "EBUSY"],
        ["d", "e/..", "EBUSY"],
      ] as const) {
        const [path, dest] = [`${root}/${from}`, `${root}/${to}`];
        await fails(fs.rename(path, dest), { code, syscall: "rename", path, dest });
      }
      expect(await shape(fs, root)).toEqual(FURNISHED);
    });

    it("rename into a deeper directory of itself fails with EINVAL", async ({ fs, root }) => {
      await fs.mkdir(`${root}/a/b/c`, { recursive: true });
      for (const to of ["a/b", "a/b/c", "a/b/c/d", "a/b/../b/c/x"]) {
        await fails(fs.rename(`${root}/a`, `${root}/${to}`), { code: "EINVAL", syscall: "rename" });
      }
      await fails(fs.rename(`${root}/a/b/c`, `${root}/a`), { code: "ENOTEMPTY", syscall: "rename" });
      expect(await shape(fs, root)).toEqual(["a/", "a/b/", "a/b/c/"]);
    });

    it("rename onto itself, or onto a hard link of itself, does nothing", async ({ fs, root }) => {
      await furnish(fs, root);
      await fs.link(`${root}/f`, `${root}/h`);
      for (const [from, to] of [
        ["f", "f"],
        ["d", "d"],
        ["ld", "ld"],
        ["f", "h"],
        ["f", "d/../f"],
      ] as const) {
        await fs.rename(`${root}/${from}`, `${root}/${to}`);
      }
      expect(await shape(fs, root)).toEqual([...FURNISHED, "h = f"].sort());
      expect((await fs.stat(`${root}/f`)).nlink).toBe(2);
    });

    it("rename takes a trailing slash for a directory only", async ({ fs, root }) => {
      await furnish(fs, root);
      await fs.rename(`${root}/d/`, `${root}/n/`);
      expect(await names(fs, `${root}/n`)).toEqual(["x"]);
      await fs.rename(`${root}/n`, `${root}/d`);
      for (const [from, to] of [
        ["f", "new/"],
        ["f", "g/"],
        ["f/", "new"],
        ["ld/", "new"],
        ["e", "ld/"],
        ["e", "dangling/"],
      ] as const) {
        const [path, dest] = [`${root}/${from}`, `${root}/${to}`];
        await fails(fs.rename(path, dest), { code: "ENOTDIR", syscall: "rename", path, dest });
      }
      expect(await shape(fs, root)).toEqual(FURNISHED);
    });

    it("rename goes through links in the parents of both ends", async ({ fs, root }) => {
      await furnish(fs, root);
      await fs.symlink("e", `${root}/le`);
      await fs.rename(`${root}/ld/x`, `${root}/le/y`);
      expect(await shape(fs, `${root}/e`)).toEqual(["y = x"]);
      expect(await names(fs, `${root}/d`)).toEqual([]);
    });

    it("rename swaps names by way of a third, and back", async ({ fs, root }) => {
      await furnish(fs, root);
      for (let i = 0; i < 2; i++) {
        await fs.rename(`${root}/d`, `${root}/t`);
        await fs.rename(`${root}/e`, `${root}/d`);
        await fs.rename(`${root}/t`, `${root}/e`);
        expect(await names(fs, `${root}/${i === 0 ? "e" : "d"}`)).toEqual(["x"]);
        expect(await names(fs, `${root}/${i === 0 ? "d" : "e"}`)).toEqual([]);
      }
    });

    it("rename lets the old name be used again at once", async ({ fs, root }) => {
      await fs.writeFile(`${root}/a`, "1");
      await fs.rename(`${root}/a`, `${root}/b`);
      await fs.writeFile(`${root}/a`, "2");
      await fs.mkdir(`${root}/d/in`, { recursive: true });
      await fs.rename(`${root}/d`, `${root}/e`);
      await fs.mkdir(`${root}/d/out`, { recursive: true });
      expect(await shape(fs, root)).toEqual(["a = 2", "b = 1", "d/", "d/out/", "e/", "e/in/"]);
    });

    it("rename changes case and Unicode form like any other name", async ({ fs, root }) => {
      await fs.writeFile(`${root}/name`, "1");
      await fs.rename(`${root}/name`, `${root}/NAME`);
      await fs.writeFile(`${root}/e\u0301`, "decomposed");
      await fs.writeFile(`${root}/\u00e9`, "composed");
      expect(await names(fs, root)).toEqual(["NAME", "e\u0301", "\u00e9"].sort());
    });

    it("rename of a directory out of its ancestor and under a sibling keeps .. right", async ({ fs, root }) => {
      await fs.mkdir(`${root}/a/b/c`, { recursive: true });
      await fs.mkdir(`${root}/x`);
      await fs.writeFile(`${root}/x/mark`, "x");
      await fs.rename(`${root}/a/b`, `${root}/x/b`);
      expect(await text(fs, `${root}/x/b/c/../../mark`)).toBe("x");
      expect(await fs.realpath(`${root}/x/b/c/..`)).toBe(`${root}/x/b`);
    });
  });
}
