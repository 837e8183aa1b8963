/** mkdir, mkdtemp, readdir, opendir, rmdir. */
import { describe, expect } from "vitest";
import { predicates } from "./reading.ts";
import { bitsOf, fails, type Make, names, shape, testsOn } from "./subject.ts";

export function directoriesContract(make: Make): void {
  const it = testsOn(make);

  describe("mkdir", () => {
    it("mkdir makes one directory and returns nothing", async ({ fs, root }) => {
      expect(await fs.mkdir(`${root}/d`)).toBeUndefined();
      expect((await fs.stat(`${root}/d`)).isDirectory()).toBe(true);
      expect(await names(fs, `${root}/d`)).toEqual([]);
    });

    it("mkdir takes the mode less the umask 022, as an option or a number", async ({ fs, root }) => {
      await fs.mkdir(`${root}/a`, { mode: 0o777 });
      await fs.mkdir(`${root}/b`, 0o700);
      await fs.mkdir(`${root}/c`, { mode: 0o1777 });
      await fs.mkdir(`${root}/p/q`, { recursive: true, mode: 0o700 });
      const modes = await Promise.all(
        ["a", "b", "c", "p", "p/q"].map(async (name) => (await fs.stat(`${root}/${name}`)).mode),
      );
      expect(modes.map(bitsOf)).toEqual([0o755, 0o700, 0o1755, 0o700, 0o700]);
    });

    it("mkdir fails where something is, be it a dangling link", async ({ fs, root }) => {
      await fs.mkdir(`${root}/d`);
      await fs.writeFile(`${root}/f`, "");
      await fs.symlink("d", `${root}/ld`);
      await fs.symlink("nowhere", `${root}/dangling`);
      for (const name of ["d", "f", "ld", "dangling", "d/", "d/.", "d/.."]) {
        await fails(fs.mkdir(`${root}/${name}`), { code: "EEXIST", syscall: "mkdir", path: `${root}/${name}` });
      }
      await fails(fs.mkdir("/"), { code: "EEXIST", syscall: "mkdir", path: "/" });
    });

    it("mkdir fails under nothing and under a file", async ({ fs, root }) => {
      await fs.writeFile(`${root}/f`, "");
      await fails(fs.mkdir(`${root}/a/b`), { code: "ENOENT", syscall: "mkdir", path: `${root}/a/b` });
      await fails(fs.mkdir(`${root}/f/b`), { code: "ENOTDIR", syscall: "mkdir", path: `${root}/f/b` });
      await fails(fs.mkdir(`${root}/a/.`), { code: "ENOENT", syscall: "mkdir", path: `${root}/a/.` });
    });

    it("mkdir recursive returns the first directory it made", async ({ fs, root }) => {
      expect(await fs.mkdir(`${root}/a/b/c`, { recursive: true })).toBe(`${root}/a`);
      expect(await fs.mkdir(`${root}/a/b/d/e`, { recursive: true })).toBe(`${root}/a/b/d`);
      expect(await fs.mkdir(`${root}/a/x`, { recursive: true })).toBe(`${root}/a/x`);
      expect(await fs.mkdir(`${root}/a/b/c`, { recursive: true })).toBeUndefined();
      expect(await fs.mkdir("/", { recursive: true })).toBeUndefined();
      expect(await shape(fs, root)).toEqual(["a/", "a/b/", "a/b/c/", "a/b/d/", "a/b/d/e/", "a/x/"]);
    });

    it("mkdir recursive goes through links and stops at a file", async ({ fs, root }) => {
      await fs.mkdir(`${root}/d`);
      await fs.writeFile(`${root}/f`, "");
      await fs.symlink("d", `${root}/ld`);
      await fs.symlink("f", `${root}/lf`);
      expect(await fs.mkdir(`${root}/ld`, { recursive: true })).toBeUndefined();
      expect(await fs.mkdir(`${root}/ld/x/y`, { recursive: true })).toBe(`${root}/ld/x`);
      expect((await fs.stat(`${root}/d/x/y`)).isDirectory()).toBe(true);
      for (const [name, code] of [
        ["f", "EEXIST"],
        ["lf", "EEXIST"],
        ["f/x", "ENOTDIR"],
        ["f/x/y", "ENOTDIR"],
      ] as const) {
        const path = `${root}/${name}`;
        await fails(fs.mkdir(path, { recursive: true }), { code, syscall: "mkdir", path });
      }
    });

    it("mkdir recursive fails at a dangling link and at a loop", async ({ fs, root }) => {
      await fs.symlink("nowhere", `${root}/dangling`);
      await fs.symlink("loop", `${root}/loop`);
      await fails(fs.mkdir(`${root}/dangling`, { recursive: true }), { code: "ENOENT", syscall: "mkdir" });
      await fails(fs.mkdir(`${root}/dangling/`, { recursive: true }), { code: "ENOENT", syscall: "mkdir" });
      await fails(fs.mkdir(`${root}/dangling/x`, { recursive: true }), { code: "ENOTDIR", syscall: "mkdir" });
      await fails(fs.mkdir(`${root}/loop/x`, { recursive: true }), { code: "ELOOP", syscall: "mkdir" });
      expect(await names(fs, root)).toEqual(["dangling", "loop"]);
    });

    it("mkdir recursive makes many at once without a clash", async ({ fs, root }) => {
      const paths = Array.from({ length: 20 }, (_, i) => `${root}/a/b/${i % 5}/${i}`);
      await Promise.all(paths.map((path) => fs.mkdir(path, { recursive: true })));
      for (const path of paths) expect((await fs.stat(path)).isDirectory()).toBe(true);
    });
  });

  describe("mkdtemp", () => {
    it("mkdtemp adds six characters to the prefix and makes a private directory", async ({ fs, root }) => {
      const created = await Promise.all(Array.from({ length: 10 }, () => fs.mkdtemp(`${root}/tmp-`)));
      expect(new Set(created).size).toBe(10);
      for (const path of created) {
        expect(path.slice(`${root}/tmp-`.length)).toMatch(/^[A-Za-z0-9]{6}$/);
        expect((await fs.stat(path)).mode).toBe(0o40700);
      }
      expect((await fs.mkdtemp(`${root}/`)).slice(root.length)).toMatch(/^\/[A-Za-z0-9]{6}$/);
    });

    it("mkdtemp fails under nothing and under a file", async ({ fs, root }) => {
      await fs.writeFile(`${root}/f`, "");
      await fails(fs.mkdtemp(`${root}/none/x-`), { code: "ENOENT", syscall: "mkdtemp" });
      await fails(fs.mkdtemp(`${root}/f/x-`), { code: "ENOTDIR", syscall: "mkdtemp" });
      await fails(fs.mkdtemp(`${root}/${"x".repeat(250)}`), { code: "ENAMETOOLONG", syscall: "mkdtemp" });
    });
  });

  describe("readdir", () => {
    it("readdir lists names, without . and ..", async ({ fs, root }) => {
      await fs.mkdir(`${root}/b/deep`, { recursive: true });
      await fs.writeFile(`${root}/.hidden`, "");
      await fs.symlink("nowhere", `${root}/a`);
      expect(await names(fs, root)).toEqual([".hidden", "a", "b"]);
      expect(await names(fs, `${root}/b/`)).toEqual(["deep"]);
      expect(await fs.readdir(`${root}/b/deep`)).toEqual([]);
    });

    it("readdir withFileTypes gives types and the directory", async ({ fs, root }) => {
      await fs.mkdir(`${root}/d`);
      await fs.writeFile(`${root}/f`, "");
      await fs.symlink("d", `${root}/l`);
      const entries = (await fs.readdir(root, { withFileTypes: true })).sort((a, b) => (a.name < b.name ? -1 : 1));
      expect(entries.map((entry) => [entry.name, predicates(entry), entry.type, entry.parentPath])).toEqual([
        ["d", "dir", "dir", root],
        ["f", "file", "file", root],
        ["l", "symlink", "symlink", root],
      ]);
    });

    it("readdir recursive gives paths relative to the start", async ({ fs, root }) => {
      await fs.mkdir(`${root}/a/b/c`, { recursive: true });
      await fs.writeFile(`${root}/a/b/f`, "");
      await fs.writeFile(`${root}/g`, "");
      expect((await fs.readdir(root, { recursive: true })).sort()).toEqual(["a", "a/b", "a/b/c", "a/b/f", "g"]);
      expect((await fs.readdir(`${root}/a`, { recursive: true })).sort()).toEqual(["b", "b/c", "b/f"]);
      expect(await fs.readdir(`${root}/a/b/c`, { recursive: true })).toEqual([]);
    });

    it("readdir recursive withFileTypes names each one's directory and does not follow links", async ({ fs, root }) => {
      await fs.mkdir(`${root}/a/b`, { recursive: true });
      await fs.writeFile(`${root}/a/b/f`, "");
      await fs.symlink("a", `${root}/l`);
      const entries = await fs.readdir(root, { withFileTypes: true, recursive: true });
      expect(entries.map((entry) => `${entry.parentPath}/${entry.name} ${entry.type}`).sort()).toEqual([
        `${root}/a dir`,
        `${root}/a/b dir`,
        `${root}/a/b/f file`,
        `${root}/l symlink`,
      ]);
    });

    it("readdir goes through a link to a directory", async ({ fs, root }) => {
      await fs.mkdir(`${root}/d/e`, { recursive: true });
      await fs.symlink("d", `${root}/l`);
      expect(await names(fs, `${root}/l`)).toEqual(["e"]);
      expect((await fs.readdir(`${root}/l`, { withFileTypes: true }))[0]?.parentPath).toBe(`${root}/l`);
    });

    it("readdir lists thousands, each once", async ({ fs, root }) => {
      const expected = Array.from({ length: 2500 }, (_, i) => `n${String(i).padStart(4, "0")}`);
      await fs.writeMany(expected.map((name) => ({ path: `${root}/d/${name}`, content: "" })));
      expect(await names(fs, `${root}/d`)).toEqual(expected);
      expect((await fs.scan(`${root}/d`)).map(({ name }) => name)).toEqual(expected);
      const listed: string[] = [];
      for await (const { name } of await fs.opendir(`${root}/d`)) listed.push(name);
      expect(listed.sort()).toEqual(expected);
    });

    it("readdir fails on a file and on nothing", async ({ fs, root }) => {
      await fs.writeFile(`${root}/f`, "");
      for (const options of [{}, { recursive: true }, { withFileTypes: true }] as { recursive?: boolean }[]) {
        await fails(fs.readdir(`${root}/f`, options), { code: "ENOTDIR", syscall: "scandir", path: `${root}/f` });
        await fails(fs.readdir(`${root}/none`, options), { code: "ENOENT", syscall: "scandir", path: `${root}/none` });
      }
    });
  });

  describe("opendir", () => {
    it("opendir reads entry by entry and then null", async ({ fs, root }) => {
      await fs.mkdir(`${root}/d/x`, { recursive: true });
      await fs.writeFile(`${root}/d/y`, "");
      const dir = await fs.opendir(`${root}/d`);
      expect(dir.path).toBe(`${root}/d`);
      const read = [await dir.read(), await dir.read()];
      expect(read.map((entry) => `${entry?.parentPath} ${entry?.name} ${entry?.type}`).sort()).toEqual([
        `${root}/d x dir`,
        `${root}/d y file`,
      ]);
      expect([await dir.read(), await dir.read()]).toEqual([null, null]);
      await dir.close();
    });

    it("opendir iterates, also when left early, and can be disposed", async ({ fs, root }) => {
      for (const name of ["a", "b", "c"]) await fs.writeFile(`${root}/${name}`, "");
      const seen: string[] = [];
      for await (const entry of await fs.opendir(root)) seen.push(entry.name);
      expect(seen.sort()).toEqual(["a", "b", "c"]);
      for await (const entry of await fs.opendir(root)) {
        expect(["a", "b", "c"]).toContain(entry.name);
        break;
      }
      await using dir = await fs.opendir(root);
      expect(await dir.read()).not.toBeNull();
    });

    it("opendir fails on a file and on nothing", async ({ fs, root }) => {
      await fs.writeFile(`${root}/f`, "");
      await fails(fs.opendir(`${root}/f`), { code: "ENOTDIR", syscall: "opendir", path: `${root}/f` });
      await fails(fs.opendir(`${root}/none`), { code: "ENOENT", syscall: "opendir", path: `${root}/none` });
    });
  });

  describe("rmdir", () => {
    it("rmdir removes an empty directory", async ({ fs, root }) => {
      await fs.mkdir(`${root}/d/e`, { recursive: true });
      await fs.rmdir(`${root}/d/e`);
      await fs.rmdir(`${root}/d/`);
      expect(await names(fs, root)).toEqual([]);
    });

    it("rmdir fails on what is not an empty directory", async ({ fs, root }) => {
      await fs.mkdir(`${root}/d/e`, { recursive: true });
      await fs.writeFile(`${root}/f`, "");
      await fs.symlink("d/e", `${root}/l`);
      for (const [name, code] of [
        ["d", "ENOTEMPTY"],
        ["f", "ENOTDIR"],
        ["l", "ENOTDIR"],
        ["l/", "ENOTDIR"],
        ["none", "ENOENT"],
        ["f/x", "ENOTDIR"],
        ["d/.", "EINVAL"],
        ["d/e/..", "ENOTEMPTY"],
      ] as const) {
        await fails(fs.rmdir(`${root}/${name}`), { code, syscall: "rmdir", path: `${root}/${name}` });
      }
      await fails(fs.rmdir("/"), { code: "EBUSY", syscall: "rmdir", path: "/" });
      expect(await shape(fs, root)).toEqual(["d/", "d/e/", "f = ", "l -> d/e"]);
    });

    it("rmdir lets the name be used again", async ({ fs, root }) => {
      for (let i = 0; i < 3; i++) {
        await fs.mkdir(`${root}/d`);
        await fs.writeFile(`${root}/d/f`, `${i}`);
        expect(await names(fs, `${root}/d`)).toEqual(["f"]);
        await fs.unlink(`${root}/d/f`);
        await fs.rmdir(`${root}/d`);
      }
      await fs.writeFile(`${root}/d`, "a file now");
      expect(await fs.readFile(`${root}/d`, "utf8")).toBe("a file now");
    });
  });
}
