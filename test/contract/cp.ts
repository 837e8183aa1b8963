/** cp: files, trees, filters, links and Node's own error codes. */
import type { FileSystem } from "@workspace/vfs";
import { describe, expect } from "vitest";
import { bitsOf, expectBytes, fails, type Make, pattern, shape, testsOn, text } from "./subject.ts";

async function furnish(fs: FileSystem, root: string): Promise<void> {
  await fs.mkdir(`${root}/src/sub`, { recursive: true });
  await fs.writeFile(`${root}/src/a`, "a", { mode: 0o755 });
  await fs.writeFile(`${root}/src/sub/b`, "b");
}

const COPIED = ["a = a", "sub/", "sub/b = b"];

export function cpContract(make: Make): void {
  const it = testsOn(make);

  describe("cp", () => {
    it("cp copies a file, with its mode, and makes the parents", async ({ fs, root }) => {
      await fs.writeFile(`${root}/f`, pattern(1_500_000), { mode: 0o700 });
      await fs.cp(`${root}/f`, `${root}/x/y/g`);
      expectBytes(await fs.readFile(`${root}/x/y/g`), pattern(1_500_000));
      const [f, g] = [await fs.stat(`${root}/f`), await fs.stat(`${root}/x/y/g`)];
      expect([bitsOf(g.mode), g.ino === f.ino, g.nlink]).toEqual([0o700, false, 1]);
    });

    it("cp recursive copies a tree with its modes, which then lives apart", async ({ fs, root }) => {
      await furnish(fs, root);
      await fs.chmod(`${root}/src/sub`, 0o750);
      await fs.cp(`${root}/src`, `${root}/dst`, { recursive: true });
      expect(await shape(fs, `${root}/dst`)).toEqual(COPIED);
      expect(bitsOf((await fs.stat(`${root}/dst/a`)).mode)).toBe(0o755);
      expect(bitsOf((await fs.stat(`${root}/dst/sub`)).mode)).toBe(0o750);
      await fs.writeFile(`${root}/dst/a`, "changed");
      await fs.rm(`${root}/dst/sub`, { recursive: true });
      expect(await shape(fs, `${root}/src`)).toEqual(COPIED);
    });

    it("cp recursive merges into a directory that is there", async ({ fs, root }) => {
      await furnish(fs, root);
      await fs.mkdir(`${root}/dst/sub`, { recursive: true });
      await fs.writeFile(`${root}/dst/a`, "older");
      await fs.writeFile(`${root}/dst/sub/other`, "other");
      await fs.cp(`${root}/src`, `${root}/dst`, { recursive: true });
      expect(await shape(fs, `${root}/dst`)).toEqual(["a = a", "sub/", "sub/b = b", "sub/other = other"]);
    });

    it("cp replaces a file by a new inode, so that its other names keep the old content", async ({ fs, root }) => {
      await fs.writeFile(`${root}/f`, "new");
      await fs.writeFile(`${root}/g`, "old");
      await fs.link(`${root}/g`, `${root}/h`);
      await fs.cp(`${root}/f`, `${root}/g`);
      expect([await text(fs, `${root}/g`), await text(fs, `${root}/h`)]).toEqual(["new", "old"]);
      expect((await fs.stat(`${root}/h`)).nlink).toBe(1);
    });

    it("cp without force leaves what is there, and with errorOnExist fails", async ({ fs, root }) => {
      await furnish(fs, root);
      await fs.mkdir(`${root}/dst`);
      await fs.writeFile(`${root}/dst/a`, "older");
      await fs.cp(`${root}/src`, `${root}/dst`, { recursive: true, force: false });
      expect(await shape(fs, `${root}/dst`)).toEqual(["a = older", "sub/", "sub/b = b"]);
      const strict = { force: false, errorOnExist: true, recursive: true };
      await fails(fs.cp(`${root}/src/a`, `${root}/dst/a`, strict), {
        code: "ERR_FS_CP_EEXIST",
        syscall: "cp",
        path: `${root}/dst/a`,
      });
      await fails(fs.cp(`${root}/src`, `${root}/dst`, strict), {
        code: "ERR_FS_CP_EEXIST",
        syscall: "cp",
        path: `${root}/dst`,
      });
      await fs.cp(`${root}/src/a`, `${root}/dst/a`, { errorOnExist: true });
      expect(await text(fs, `${root}/dst/a`)).toBe("a");
    });

    it("cp of a directory without recursive fails with ERR_FS_EISDIR", async ({ fs, root }) => {
      await furnish(fs, root);
      await fails(fs.cp(`${root}/src`, `${root}/dst`), { code: "ERR_FS_EISDIR", syscall: "cp", path: `${root}/src` });
      expect(await fs.exists(`${root}/dst`)).toBe(false);
    });

    it("cp does not mix files and directories", async ({ fs, root }) => {
      await furnish(fs, root);
      await fs.writeFile(`${root}/f`, "f");
      await fs.symlink("nowhere", `${root}/l`);
      for (const [from, to, code] of [
        ["src", "f", "ERR_FS_CP_DIR_TO_NON_DIR"],
        ["src", "l", "ERR_FS_CP_DIR_TO_NON_DIR"],
        ["f", "src", "ERR_FS_CP_NON_DIR_TO_DIR"],
        ["l", "src", "ERR_FS_CP_NON_DIR_TO_DIR"],
      ] as const) {
        await fails(fs.cp(`${root}/${from}`, `${root}/${to}`, { recursive: true }), {
          code,
          syscall: "cp",
          path: `${root}/${to}`,
        });
      }
      expect(await shape(fs, root)).toEqual([
        "f = f",
        "l -> nowhere",
        "src/",
        "src/a = a",
        "src/sub/",
        "src/sub/b = b",
      ]);
    });

    it("cp of what is no directory to a missing path that ends in a slash fails", async ({ fs, root }) => {
      await fs.writeFile(`${root}/f`, "f");
      await fs.symlink("f", `${root}/l`);
      await fs.mkdir(`${root}/d`);
      for (const recursive of [false, true]) {
        const to = `${root}/missing/`;
        await fails(fs.cp(`${root}/f`, to, { recursive }), {
          code: "EISDIR",
          syscall: "copyfile",
          path: `${root}/f`,
          dest: to,
        });
        await fails(fs.cp(`${root}/l`, to, { recursive }), { code: "ENOENT", syscall: "symlink" });
      }
      await fs.cp(`${root}/d`, `${root}/made/`, { recursive: true });
      expect(await shape(fs, root)).toEqual(["d/", "f = f", "l -> f", "made/"]);
    });

    it("cp finds a clash of types below the top", async ({ fs, root }) => {
      await furnish(fs, root);
      await fs.mkdir(`${root}/dst/a`, { recursive: true });
      await fails(fs.cp(`${root}/src`, `${root}/dst`, { recursive: true }), {
        code: "ERR_FS_CP_NON_DIR_TO_DIR",
        syscall: "cp",
        path: `${root}/dst/a`,
      });
      await fs.rm(`${root}/dst`, { recursive: true });
      await fs.mkdir(`${root}/dst`);
      await fs.writeFile(`${root}/dst/sub`, "");
      await fails(fs.cp(`${root}/src`, `${root}/dst`, { recursive: true }), {
        code: "ERR_FS_CP_DIR_TO_NON_DIR",
        syscall: "cp",
        path: `${root}/dst/sub`,
      });
    });

    it("cp onto itself or into itself fails with ERR_FS_CP_EINVAL", async ({ fs, root }) => {
      await furnish(fs, root);
      await fs.link(`${root}/src/a`, `${root}/hard`);
      await fs.symlink("src", `${root}/l`);
      for (const [from, to] of [
        ["src", "src"],
        ["src/a", "src/a"],
        ["src/a", "hard"],
        ["src", "src/new"],
        ["src", "src/sub"],
        ["src", "src/sub/x/y"],
        ["src", "src/"],
      ] as const) {
        await fails(fs.cp(`${root}/${from}`, `${root}/${to}`, { recursive: true }), {
          code: "ERR_FS_CP_EINVAL",
          syscall: "cp",
          path: `${root}/${to}`,
        });
      }
      await fails(fs.cp(`${root}/src`, `${root}/l/new`, { recursive: true }), {
        code: "ERR_FS_CP_EINVAL",
        syscall: "cp",
      });
      expect(await shape(fs, `${root}/src`)).toEqual(COPIED);
      await fs.cp(`${root}/src`, `${root}/src2`, { recursive: true });
      expect(await shape(fs, `${root}/src2`)).toEqual(COPIED);
    });

    it("cp fails when there is no source, and where a file is in the way", async ({ fs, root }) => {
      await fs.writeFile(`${root}/f`, "f");
      await fails(fs.cp(`${root}/none`, `${root}/x`), { code: "ENOENT", syscall: "lstat", path: `${root}/none` });
      await fails(fs.cp(`${root}/f/x`, `${root}/x`), { code: "ENOTDIR", syscall: "lstat", path: `${root}/f/x` });
      await fails(fs.cp(`${root}/f`, `${root}/f/x`), { code: "ENOTDIR", syscall: "lstat", path: `${root}/f/x` });
      expect(await shape(fs, root)).toEqual(["f = f"]);
    });

    it("cp asks the filter for every entry, and leaves out what it refuses with all below", async ({ fs, root }) => {
      await furnish(fs, root);
      await fs.mkdir(`${root}/src/skip/deep`, { recursive: true });
      await fs.writeFile(`${root}/src/skip/c`, "c");
      const requested: string[] = [];
      await fs.cp(`${root}/src`, `${root}/dst`, {
        recursive: true,
        filter: (source, destination) => {
          requested.push(`${source.slice(root.length)} ${destination.slice(root.length)}`);
          return !source.endsWith("/skip") && !source.endsWith("/b");
        },
      });
      expect(await shape(fs, `${root}/dst`)).toEqual(["a = a", "sub/"]);
      expect(requested.sort()).toEqual([
        "/src /dst",
        "/src/a /dst/a",
        "/src/skip /dst/skip",
        "/src/sub /dst/sub",
        "/src/sub/b /dst/sub/b",
      ]);
    });

    it("cp awaits a filter that returns a promise, and copies nothing when it refuses the top", async ({
      fs,
      root,
    }) => {
      await furnish(fs, root);
      await fs.cp(`${root}/src`, `${root}/dst`, {
        recursive: true,
        filter: async (source) => !source.endsWith("/sub"),
      });
      expect(await shape(fs, `${root}/dst`)).toEqual(["a = a"]);
      await fs.cp(`${root}/src`, `${root}/none`, { recursive: true, filter: () => false });
      expect(await fs.exists(`${root}/none`)).toBe(false);
    });

    it("cp fails with what the filter throws", async ({ fs, root }) => {
      await furnish(fs, root);
      const refusal = fs.cp(`${root}/src`, `${root}/dst`, {
        recursive: true,
        filter: () => {
          throw new Error("the filter's own");
        },
      });
      await expect(refusal).rejects.toThrow("the filter's own");
    });

    it("cp copies links as links, relative targets made absolute", async ({ fs, root }) => {
      await furnish(fs, root);
      await fs.symlink("a", `${root}/src/rel`);
      await fs.symlink("../src/sub", `${root}/src/up`);
      await fs.symlink("/absolute/x", `${root}/src/abs`);
      await fs.symlink("no/where", `${root}/src/dangling`);
      await fs.cp(`${root}/src`, `${root}/dst`, { recursive: true });
      expect(await shape(fs, `${root}/dst`)).toEqual(
        [
          "a = a",
          "abs -> /absolute/x",
          `dangling -> ${root}/src/no/where`,
          `rel -> ${root}/src/a`,
          "sub/",
          "sub/b = b",
          `up -> ${root}/src/sub`,
        ].sort(),
      );
    });

    it("cp with verbatimSymlinks keeps targets as they are", async ({ fs, root }) => {
      await furnish(fs, root);
      await fs.symlink("a", `${root}/src/rel`);
      await fs.symlink("../src/sub/", `${root}/src/up`);
      await fs.cp(`${root}/src`, `${root}/dst`, { recursive: true, verbatimSymlinks: true });
      expect([await fs.readlink(`${root}/dst/rel`), await fs.readlink(`${root}/dst/up`)]).toEqual(["a", "../src/sub/"]);
      await fs.cp(`${root}/src/rel`, `${root}/one`, { verbatimSymlinks: true });
      expect(await fs.readlink(`${root}/one`)).toBe("a");
    });

    it("cp with dereference copies what links name", async ({ fs, root }) => {
      await furnish(fs, root);
      await fs.symlink("a", `${root}/src/la`);
      await fs.symlink("sub", `${root}/src/ls`);
      await fs.symlink("src", `${root}/top`);
      await fs.cp(`${root}/src`, `${root}/dst`, { recursive: true, dereference: true });
      expect(await shape(fs, `${root}/dst`)).toEqual(["a = a", "la = a", "ls/", "ls/b = b", "sub/", "sub/b = b"]);
      await fs.cp(`${root}/top`, `${root}/dst2`, { recursive: true, dereference: true });
      expect((await fs.lstat(`${root}/dst2`)).isDirectory()).toBe(true);
    });

    it("cp with dereference fails at a dangling link", async ({ fs, root }) => {
      await fs.mkdir(`${root}/src`);
      await fs.symlink("nowhere", `${root}/src/l`);
      await fails(fs.cp(`${root}/src`, `${root}/dst`, { recursive: true, dereference: true }), {
        code: "ENOENT",
        syscall: "stat",
        path: `${root}/src/l`,
      });
    });

    it("cp replaces a link by a link, and fails where a link is to replace a file", async ({ fs, root }) => {
      await furnish(fs, root);
      await fs.writeFile(`${root}/other`, "other");
      await fs.symlink("src/a", `${root}/l1`);
      await fs.symlink("other", `${root}/l2`);
      await fs.cp(`${root}/l1`, `${root}/l2`);
      expect(await fs.readlink(`${root}/l2`)).toBe(`${root}/src/a`);
      await fails(fs.cp(`${root}/l1`, `${root}/other`), {
        code: "EEXIST",
        syscall: "symlink",
        path: `${root}/src/a`,
        dest: `${root}/other`,
      });
      expect(await text(fs, `${root}/other`)).toBe("other");
    });

    it("cp of a file replaces a link, not what it names", async ({ fs, root }) => {
      await fs.writeFile(`${root}/f`, "f");
      await fs.writeFile(`${root}/other`, "other");
      await fs.symlink("other", `${root}/l`);
      await fs.cp(`${root}/f`, `${root}/l`);
      expect(await shape(fs, root)).toEqual(["f = f", "l = f", "other = other"]);
    });

    it("cp will not turn a link to a directory into one within it", async ({ fs, root }) => {
      await furnish(fs, root);
      await fs.symlink("src", `${root}/outer`);
      await fs.symlink("src/sub", `${root}/inner`);
      await fails(fs.cp(`${root}/inner`, `${root}/outer`), {
        code: "ERR_FS_CP_SYMLINK_TO_SUBDIRECTORY",
        syscall: "cp",
        path: `${root}/outer`,
      });
      await fails(fs.cp(`${root}/outer`, `${root}/inner`), {
        code: "ERR_FS_CP_EINVAL",
        syscall: "cp",
        path: `${root}/inner`,
      });
      expect([await fs.readlink(`${root}/outer`), await fs.readlink(`${root}/inner`)]).toEqual(["src", "src/sub"]);
    });

    it("cp of a dangling link onto a link fails with ENOENT", async ({ fs, root }) => {
      await fs.symlink("nowhere", `${root}/l1`);
      await fs.symlink("elsewhere", `${root}/l2`);
      await fails(fs.cp(`${root}/l1`, `${root}/l2`), { code: "ENOENT", syscall: "stat", path: `${root}/l1` });
      expect(await fs.readlink(`${root}/l2`)).toBe("elsewhere");
    });

    it("cp stamps copies with now, or with the source's times on request", async ({ fs, root }) => {
      await furnish(fs, root);
      await fs.utimes(`${root}/src/a`, 1_000_000, 2_000_000);
      await fs.cp(`${root}/src`, `${root}/now`, { recursive: true });
      expect(Math.abs((await fs.stat(`${root}/now/a`)).mtimeMs - Date.now())).toBeLessThan(60_000);
      await fs.cp(`${root}/src`, `${root}/then`, { recursive: true, preserveTimestamps: true });
      expect((await fs.stat(`${root}/then/a`)).mtimeMs).toBe(2_000_000_000);
    });

    it("cp copies a directory out into the one above it", async ({ fs, root }) => {
      await furnish(fs, root);
      await fs.writeFile(`${root}/src/sub/c`, "c");
      await fs.cp(`${root}/src/sub`, `${root}/src`, { recursive: true });
      expect(await shape(fs, `${root}/src`)).toEqual(["a = a", "b = b", "c = c", "sub/", "sub/b = b", "sub/c = c"]);
    });

    it("cp breaks hard links into files of their own", async ({ fs, root }) => {
      await furnish(fs, root);
      await fs.link(`${root}/src/a`, `${root}/src/h`);
      await fs.cp(`${root}/src`, `${root}/dst`, { recursive: true });
      const [a, h] = [await fs.stat(`${root}/dst/a`), await fs.stat(`${root}/dst/h`)];
      expect([a.nlink, h.nlink, a.ino === h.ino]).toEqual([1, 1, false]);
    });

    it("cp recursive of a file copies it", async ({ fs, root }) => {
      await fs.writeFile(`${root}/f`, "f");
      await fs.cp(`${root}/f`, `${root}/g`, { recursive: true });
      expect(await text(fs, `${root}/g`)).toBe("f");
    });

    it("cp copies a hundred files and an empty directory", async ({ fs, root }) => {
      const entries = Array.from({ length: 100 }, (_, i) => ({
        path: `${root}/src/${i % 9}/${i}`,
        content: `content ${i}`,
      }));
      await fs.writeMany([...entries, { path: `${root}/src/empty`, type: "dir" as const }]);
      const before = await shape(fs, `${root}/src`);
      expect(before.length).toBe(110);
      await fs.cp(`${root}/src`, `${root}/dst`, { recursive: true });
      expect(await shape(fs, `${root}/dst`)).toEqual(before);
    });
  });
}
