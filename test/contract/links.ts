/** symlink, readlink, link, unlink, realpath, and how a path walks through links. */
import { describe, expect } from "vitest";
import { fails, type Make, names, shape, testsOn, text } from "./subject.ts";

export function linksContract(make: Make): void {
  const it = testsOn(make);

  describe("symlink and readlink", () => {
    it("symlink keeps the target as it was written", async ({ fs, root }) => {
      for (const [i, target] of [
        "f",
        "./f",
        "../x//y/",
        "/absolute",
        "é 😀\n",
        "nowhere",
        ".",
        "a".repeat(4095),
      ].entries()) {
        await fs.symlink(target, `${root}/${i}`);
        expect(await fs.readlink(`${root}/${i}`)).toBe(target);
      }
    });

    it("symlink fails where something is, and for a target that is empty or too long", async ({ fs, root }) => {
      await fs.mkdir(`${root}/d`);
      await fs.symlink("nowhere", `${root}/l`);
      for (const name of ["d", "l", "d/"]) {
        await fails(fs.symlink("x", `${root}/${name}`), {
          code: "EEXIST",
          syscall: "symlink",
          path: "x",
          dest: `${root}/${name}`,
        });
      }
      await fails(fs.symlink("", `${root}/new`), { code: "ENOENT", syscall: "symlink", path: "", dest: `${root}/new` });
      await fails(fs.symlink("x", `${root}/new/`), {
        code: "ENOENT",
        syscall: "symlink",
        path: "x",
        dest: `${root}/new/`,
      });
      await fails(fs.symlink("x", `${root}/none/l`), {
        code: "ENOENT",
        syscall: "symlink",
        path: "x",
        dest: `${root}/none/l`,
      });
      await fails(fs.symlink("x".repeat(4096), `${root}/new`), { code: "ENAMETOOLONG", syscall: "symlink" });
      expect(await names(fs, root)).toEqual(["d", "l"]);
    });

    it("readlink fails on what is not a link", async ({ fs, root }) => {
      await fs.mkdir(`${root}/d`);
      await fs.writeFile(`${root}/f`, "");
      await fs.symlink("d", `${root}/ld`);
      for (const [name, code] of [
        ["d", "EINVAL"],
        ["f", "EINVAL"],
        ["ld/", "EINVAL"],
        ["none", "ENOENT"],
        ["f/x", "ENOTDIR"],
      ] as const) {
        await fails(fs.readlink(`${root}/${name}`), { code, syscall: "readlink", path: `${root}/${name}` });
      }
    });
  });

  describe("a path through links", () => {
    it("stat resolves a link in every component, relative and absolute", async ({ fs, root }) => {
      await fs.mkdir(`${root}/a/b/c`, { recursive: true });
      await fs.writeFile(`${root}/a/b/c/f`, "abc");
      await fs.symlink("b", `${root}/a/lb`);
      await fs.symlink(`${root}/a`, `${root}/la`);
      await fs.symlink("../b/c/f", `${root}/a/b/lf`);
      await fs.symlink("la/lb/c", `${root}/lc`);
      for (const path of ["a/lb/c/f", "la/b/c/f", "la/lb/c/f", "la/lb/lf", "lc/f", "la/./lb//c/f"]) {
        expect(await text(fs, `${root}/${path}`)).toBe("abc");
      }
    });

    it("stat resolves .. after the link before it, as a kernel does", async ({ fs, root }) => {
      await fs.mkdir(`${root}/a/b`, { recursive: true });
      await fs.mkdir(`${root}/x`);
      await fs.writeFile(`${root}/a/f`, "beside b");
      await fs.writeFile(`${root}/x/f`, "beside l");
      await fs.symlink("../a/b", `${root}/x/l`);
      expect(await text(fs, `${root}/x/l/../f`)).toBe("beside b");
      expect(await text(fs, `${root}/x/l/./.././../x/f`)).toBe("beside l");
      await fs.writeFile(`${root}/x/l/../new`, "made beside b");
      expect(await text(fs, `${root}/a/new`)).toBe("made beside b");
      await fs.mkdir(`${root}/x/l/../d/e`, { recursive: true });
      expect((await fs.stat(`${root}/a/d/e`)).isDirectory()).toBe(true);
      expect(await fs.realpath(`${root}/x/l/..`)).toBe(`${root}/a`);
      expect(await fs.exists("/../../..")).toBe(true);
      expect(await text(fs, `/..${root}/a/f`)).toBe("beside b");
    });

    it("stat needs what comes before .. to be a directory", async ({ fs, root }) => {
      await fs.writeFile(`${root}/f`, "");
      await fails(fs.stat(`${root}/f/..`), { code: "ENOTDIR", syscall: "stat", path: `${root}/f/..` });
      await fails(fs.stat(`${root}/none/..`), { code: "ENOENT", syscall: "stat", path: `${root}/none/..` });
      await fails(fs.stat(`${root}/f/.`), { code: "ENOTDIR", syscall: "stat", path: `${root}/f/.` });
    });

    it("stat follows 40 links and fails at 41 with ELOOP", async ({ fs, root }) => {
      await fs.writeFile(`${root}/l0`, "end");
      for (let i = 1; i <= 41; i++) await fs.symlink(`l${i - 1}`, `${root}/l${i}`);
      expect(await text(fs, `${root}/l40`)).toBe("end");
      await fails(fs.stat(`${root}/l41`), { code: "ELOOP", syscall: "stat", path: `${root}/l41` });
      expect((await fs.lstat(`${root}/l41`)).isSymbolicLink()).toBe(true);
    });

    it("stat counts the links of all components together", async ({ fs, root }) => {
      await fs.mkdir(`${root}/d`);
      await fs.symlink(".", `${root}/d/s`);
      await fs.writeFile(`${root}/d/f`, "end");
      expect(await text(fs, `${root}/d/${"s/".repeat(40)}f`)).toBe("end");
      await fails(fs.stat(`${root}/d/${"s/".repeat(41)}f`), { code: "ELOOP", syscall: "stat" });
    });

    it("stat fails on a loop, which can still be listed, read and removed", async ({ fs, root }) => {
      await fs.symlink("b", `${root}/a`);
      await fs.symlink("a", `${root}/b`);
      for (const verb of [fs.stat, fs.readFile, fs.readdir, fs.realpath] as ((path: string) => Promise<unknown>)[]) {
        await fails(verb.call(fs, `${root}/a`), { code: "ELOOP", path: `${root}/a` });
      }
      await fails(fs.writeFile(`${root}/a`, ""), { code: "ELOOP", syscall: "open", path: `${root}/a` });
      await fails(fs.stat(`${root}/a/x`), { code: "ELOOP", syscall: "stat", path: `${root}/a/x` });
      expect(await fs.readlink(`${root}/a`)).toBe("b");
      expect(await names(fs, root)).toEqual(["a", "b"]);
      await fs.unlink(`${root}/a`);
      expect(await names(fs, root)).toEqual(["b"]);
    });

    it("stat meets a link that points through a file", async ({ fs, root }) => {
      await fs.writeFile(`${root}/f`, "");
      await fs.symlink("f/x", `${root}/l`);
      await fs.symlink("f/", `${root}/m`);
      await fails(fs.stat(`${root}/l`), { code: "ENOTDIR", syscall: "stat", path: `${root}/l` });
      await fails(fs.stat(`${root}/m`), { code: "ENOTDIR", syscall: "stat", path: `${root}/m` });
    });

    it("stat sees what a link names now, not then", async ({ fs, root }) => {
      await fs.mkdir(`${root}/a`);
      await fs.mkdir(`${root}/b`);
      await fs.writeFile(`${root}/a/f`, "in a");
      await fs.writeFile(`${root}/b/f`, "in b");
      await fs.symlink("a", `${root}/l`);
      expect(await text(fs, `${root}/l/f`)).toBe("in a");
      await fs.unlink(`${root}/l`);
      await fs.symlink("b", `${root}/l`);
      expect(await text(fs, `${root}/l/f`)).toBe("in b");
      await fs.rename(`${root}/b`, `${root}/c`);
      await fails(fs.readFile(`${root}/l/f`), { code: "ENOENT", syscall: "open", path: `${root}/l/f` });
      await fs.rename(`${root}/a`, `${root}/b`);
      expect(await text(fs, `${root}/l/f`)).toBe("in a");
    });
  });

  describe("link", () => {
    it("link gives a file a second name: one inode, one content, one mode", async ({ fs, root }) => {
      await fs.mkdir(`${root}/d`);
      await fs.writeFile(`${root}/a`, "abc");
      await fs.link(`${root}/a`, `${root}/d/b`);
      const [a, b] = [await fs.stat(`${root}/a`), await fs.stat(`${root}/d/b`)];
      expect([a.ino, a.nlink, b.nlink]).toEqual([b.ino, 2, 2]);
      await fs.appendFile(`${root}/d/b`, "d");
      await fs.chmod(`${root}/d/b`, 0o600);
      await fs.utimes(`${root}/d/b`, 1000, 2000);
      const after = await fs.stat(`${root}/a`);
      expect([await text(fs, `${root}/a`), after.mode, after.mtimeMs, after.size]).toEqual([
        "abcd",
        0o100600,
        2_000_000,
        4,
      ]);
    });

    it("link counts names as they go", async ({ fs, root }) => {
      await fs.writeFile(`${root}/a`, "abc");
      await fs.link(`${root}/a`, `${root}/b`);
      await fs.link(`${root}/b`, `${root}/c`);
      expect((await fs.stat(`${root}/a`)).nlink).toBe(3);
      await fs.unlink(`${root}/a`);
      expect((await fs.stat(`${root}/c`)).nlink).toBe(2);
      await fs.rm(`${root}/b`);
      expect((await fs.stat(`${root}/c`)).nlink).toBe(1);
      expect(await text(fs, `${root}/c`)).toBe("abc");
    });

    it("link survives rm -r of a directory that holds the other name", async ({ fs, root }) => {
      await fs.mkdir(`${root}/d/deep`, { recursive: true });
      await fs.writeFile(`${root}/d/deep/a`, "abc");
      await fs.link(`${root}/d/deep/a`, `${root}/d/b`);
      await fs.link(`${root}/d/b`, `${root}/kept`);
      expect((await fs.stat(`${root}/kept`)).nlink).toBe(3);
      await fs.rm(`${root}/d`, { recursive: true });
      expect((await fs.stat(`${root}/kept`)).nlink).toBe(1);
      expect(await text(fs, `${root}/kept`)).toBe("abc");
      await fs.appendFile(`${root}/kept`, "d");
      expect(await text(fs, `${root}/kept`)).toBe("abcd");
    });

    it("link counts down when a rename replaces one name", async ({ fs, root }) => {
      await fs.writeFile(`${root}/a`, "abc");
      await fs.link(`${root}/a`, `${root}/b`);
      await fs.writeFile(`${root}/other`, "other");
      await fs.rename(`${root}/other`, `${root}/b`);
      expect((await fs.stat(`${root}/a`)).nlink).toBe(1);
      expect([await text(fs, `${root}/a`), await text(fs, `${root}/b`)]).toEqual(["abc", "other"]);
    });

    it("link does not follow a symbolic link, as Linux", async ({ fs, root }) => {
      await fs.writeFile(`${root}/f`, "");
      for (const [target, name] of [
        ["nowhere", "dangling"],
        ["f", "to-file"],
      ] as const) {
        await fs.symlink(target, `${root}/${name}`);
        await fs.link(`${root}/${name}`, `${root}/${name}-2`);
        const [link, again] = [await fs.lstat(`${root}/${name}`), await fs.lstat(`${root}/${name}-2`)];
        expect([again.isSymbolicLink(), again.ino, again.nlink]).toEqual([true, link.ino, 2]);
      }
      expect((await fs.stat(`${root}/f`)).nlink).toBe(1);
    });

    it("link and rename look at the first path first when both are bad", async ({ fs, root }) => {
      await fs.writeFile(`${root}/f`, "");
      await fs.symlink("loop", `${root}/loop`);
      for (const verb of ["link", "rename"] as const) {
        await fails(fs[verb](`${root}/none/x`, `${root}/f/x`), { code: "ENOENT", syscall: verb });
        await fails(fs[verb](`${root}/f/x`, `${root}/none/x`), { code: "ENOTDIR", syscall: verb });
        await fails(fs[verb](`${root}/loop/x`, `${root}/none/x`), { code: "ELOOP", syscall: verb });
      }
      await fails(fs.link(`${root}/none`, `${root}/f/x`), { code: "ENOENT", syscall: "link" });
      await fails(fs.rename(`${root}/none`, `${root}/f/x`), { code: "ENOTDIR", syscall: "rename" });
    });

    it("link fails on a directory, on what is there and on what is not", async ({ fs, root }) => {
      await fs.mkdir(`${root}/d`);
      await fs.writeFile(`${root}/f`, "");
      await fs.symlink("nowhere", `${root}/l`);
      for (const [from, to, code] of [
        ["d", "new", "EPERM"],
        ["f", "d", "EEXIST"],
        ["f", "f", "EEXIST"],
        ["f", "l", "EEXIST"],
        ["d", "f", "EEXIST"],
        ["none", "new", "ENOENT"],
        ["f", "none/new", "ENOENT"],
        ["f", "new/", "ENOENT"],
        ["f/", "new", "ENOTDIR"],
        ["f", "f/new", "ENOTDIR"],
      ] as const) {
        const [path, dest] = [`${root}/${from}`, `${root}/${to}`];
        await fails(fs.link(path, dest), { code, syscall: "link", path, dest });
      }
      expect(await shape(fs, root)).toEqual(["d/", "f = ", "l -> nowhere"]);
    });
  });

  describe("unlink", () => {
    it("unlink removes a file or a link, never what the link names", async ({ fs, root }) => {
      await fs.mkdir(`${root}/d`);
      await fs.writeFile(`${root}/f`, "abc");
      for (const [name, target] of [
        ["lf", "f"],
        ["ld", "d"],
        ["dangling", "nowhere"],
      ] as const) {
        await fs.symlink(target, `${root}/${name}`);
        await fs.unlink(`${root}/${name}`);
      }
      expect(await names(fs, root)).toEqual(["d", "f"]);
      await fs.unlink(`${root}/f`);
      expect(await names(fs, root)).toEqual(["d"]);
    });

    it("unlink fails on a directory, on nothing and with a trailing slash", async ({ fs, root }) => {
      await fs.mkdir(`${root}/d`);
      await fs.writeFile(`${root}/f`, "");
      await fs.symlink("d", `${root}/ld`);
      for (const [name, code] of [
        ["d", "EISDIR"],
        ["d/", "EISDIR"],
        ["d/.", "EISDIR"],
        ["f/", "ENOTDIR"],
        ["ld/", "ENOTDIR"],
        ["none", "ENOENT"],
        ["f/x", "ENOTDIR"],
      ] as const) {
        await fails(fs.unlink(`${root}/${name}`), { code, syscall: "unlink", path: `${root}/${name}` });
      }
      await fails(fs.unlink("/"), { code: "EISDIR", syscall: "unlink", path: "/" });
      expect(await names(fs, root)).toEqual(["d", "f", "ld"]);
    });
  });

  describe("realpath", () => {
    it("realpath resolves links, dots and slashes", async ({ fs, root }) => {
      await fs.mkdir(`${root}/a/b`, { recursive: true });
      await fs.writeFile(`${root}/a/b/f`, "");
      await fs.symlink("a/b", `${root}/l`);
      await fs.symlink("l/f", `${root}/m`);
      expect(await fs.realpath(`${root}/m`)).toBe(`${root}/a/b/f`);
      expect(await fs.realpath(`${root}//l/.././b/../b/`)).toBe(`${root}/a/b`);
      expect(await fs.realpath("/")).toBe("/");
      expect(await fs.realpath("/..")).toBe("/");
    });

    it("realpath fails for nothing, a dangling link, a loop and a file with a slash", async ({ fs, root }) => {
      await fs.writeFile(`${root}/f`, "");
      await fs.symlink("nowhere", `${root}/dangling`);
      await fs.symlink("loop", `${root}/loop`);
      for (const [name, code] of [
        ["none", "ENOENT"],
        ["dangling", "ENOENT"],
        ["loop", "ELOOP"],
        ["f/", "ENOTDIR"],
        ["f/x", "ENOTDIR"],
      ] as const) {
        await fails(fs.realpath(`${root}/${name}`), { code, syscall: "realpath", path: `${root}/${name}` });
      }
    });
  });
}
