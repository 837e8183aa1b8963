/** What a path may look like: slashes, dots, lengths, scripts, depths. */
import { describe, expect } from "vitest";
import { fails, type Make, names, shape, testsOn, text } from "./subject.ts";

export function pathsContract(make: Make): void {
  const it = testsOn(make);

  describe("a path", () => {
    it("writeFile folds doubled slashes and dots", async ({ fs, root }) => {
      await fs.mkdir(`${root}//d///e`, { recursive: true });
      await fs.writeFile(`/${root}//.//d/./e//./f`, "abc");
      expect(await text(fs, `${root}/d/e/../../d/e/f`)).toBe("abc");
      expect(await shape(fs, root)).toEqual(["d/", "d/e/", "d/e/f = abc"]);
    });

    it("writeFile takes any name but NUL and slash", async ({ fs, root }) => {
      const odd = ["-rf", "~", "a b", " ", "\n", "\t", "*", "?", "[a]", "{a,b}", "\\", "'", '"', "%2e", "$&", "..."];
      const scripts = [
        "é",
        "e\u0301",
        "日本語",
        "😀",
        "\u202e",
        "\uFEFF",
        "\uFFFD",
        "__proto__",
        "constructor",
        ".hidden",
      ];
      for (const name of [...odd, ...scripts]) await fs.writeFile(`${root}/${name}`, name);
      expect(await names(fs, root)).toEqual([...odd, ...scripts].sort());
      for (const name of [...odd, ...scripts]) expect(await text(fs, `${root}/${name}`)).toBe(name);
    });

    it("writeFile takes a name of 255 bytes, and one of 256 is ENAMETOOLONG", async ({ fs, root }) => {
      for (const [fits, over] of [
        ["a".repeat(255), "a".repeat(256)],
        ["é".repeat(127), "é".repeat(128)],
        [`${"日".repeat(85)}`, `${"日".repeat(85)}a`],
        [`${"😀".repeat(63)}abc`, "😀".repeat(64)],
      ] as [string, string][]) {
        const path = `${root}/${over}`;
        await fs.writeFile(`${root}/${fits}`, "fits");
        expect(await text(fs, `${root}/${fits}`)).toBe("fits");
        await fails(fs.writeFile(path, ""), { code: "ENAMETOOLONG", syscall: "open", path });
        await fails(fs.stat(path), { code: "ENAMETOOLONG", syscall: "stat", path });
        await fails(fs.mkdir(path), { code: "ENAMETOOLONG", syscall: "mkdir", path });
        await fails(fs.mkdir(`${path}/x`, { recursive: true }), { code: "ENAMETOOLONG", syscall: "mkdir" });
        await fails(fs.rename(`${root}/${fits}`, path), { code: "ENAMETOOLONG", syscall: "rename" });
        await fails(fs.symlink("x", path), { code: "ENAMETOOLONG", syscall: "symlink" });
        await fails(fs.rm(path, { force: true }), { code: "ENAMETOOLONG", syscall: "lstat", path });
      }
      expect((await names(fs, root)).length).toBe(4);
    });

    it("stat of a long name under nothing or under a file says so first", async ({ fs, root }) => {
      await fs.writeFile(`${root}/f`, "");
      const long = "a".repeat(256);
      await fails(fs.stat(`${root}/none/${long}`), { code: "ENOENT", syscall: "stat" });
      await fails(fs.stat(`${root}/f/${long}`), { code: "ENOTDIR", syscall: "stat" });
    });

    it("stat takes a path of 4095 bytes, and a longer one is ENAMETOOLONG", async ({ fs, root }) => {
      const pad = (length: number) => {
        const path = `${root}/f`;
        return `${root}${"/".repeat(length - path.length + 1)}f`;
      };
      await fs.writeFile(`${root}/f`, "abc");
      expect(await text(fs, pad(4095))).toBe("abc");
      await fails(fs.stat(pad(4096)), { code: "ENAMETOOLONG", syscall: "stat", path: pad(4096) });
      await fails(fs.stat(pad(100_000)), { code: "ENAMETOOLONG", syscall: "stat" });
      await fails(fs.writeFile(pad(4097), ""), { code: "ENAMETOOLONG", syscall: "open" });
    });

    it("mkdir recursive of 10 000 levels is ENAMETOOLONG and makes nothing", async ({ fs, root }) => {
      await fails(fs.mkdir(`${root}/${"a/".repeat(10_000)}`, { recursive: true }), {
        code: "ENAMETOOLONG",
        syscall: "mkdir",
      });
      await fails(fs.rm(`${root}/${"a/".repeat(10_000)}`, { recursive: true, force: true }), { code: "ENAMETOOLONG" });
      await fails(fs.writeFile(`${root}/${"a/".repeat(10_000)}f`, ""), { code: "ENAMETOOLONG", syscall: "open" });
      expect(await names(fs, root)).toEqual([]);
    });

    it("mkdir recursive goes as deep as a path can name", async ({ fs, root }) => {
      const levels = 1500;
      const deep = `${root}/${"a/".repeat(levels)}`;
      expect(await fs.mkdir(deep, { recursive: true })).toBe(`${root}/a`);
      await fs.writeFile(`${deep}f`, "deep");
      expect(await text(fs, `${deep}f`)).toBe("deep");
      expect((await fs.readdir(`${root}/a`, { recursive: true })).length).toBe(levels);
      expect(await text(fs, `${deep}${"../".repeat(60)}${"a/".repeat(60)}f`)).toBe("deep");
      await fs.rm(`${root}/a`, { recursive: true });
      expect(await names(fs, root)).toEqual([]);
    });

    it("stat of an empty path is ENOENT for every verb", async ({ fs, root }) => {
      await fs.writeFile(`${root}/f`, "");
      await fails(fs.stat(""), { code: "ENOENT", syscall: "stat", path: "" });
      await fails(fs.readFile(""), { code: "ENOENT", syscall: "open", path: "" });
      await fails(fs.writeFile("", ""), { code: "ENOENT", syscall: "open", path: "" });
      await fails(fs.mkdir(""), { code: "ENOENT", syscall: "mkdir", path: "" });
      await fails(fs.mkdir("", { recursive: true }), { code: "ENOENT", syscall: "mkdir", path: "" });
      await fails(fs.readdir(""), { code: "ENOENT", syscall: "scandir", path: "" });
      await fails(fs.realpath(""), { code: "ENOENT", syscall: "realpath", path: "" });
      await fails(fs.rm(""), { code: "ENOENT", syscall: "lstat", path: "" });
      expect(await fs.rm("", { force: true })).toBeUndefined();
      await fails(fs.rename("", `${root}/x`), { code: "ENOENT", syscall: "rename", path: "", dest: `${root}/x` });
      await fails(fs.rename(`${root}/f`, ""), { code: "ENOENT", syscall: "rename", path: `${root}/f`, dest: "" });
      await fails(fs.link(`${root}/f`, ""), { code: "ENOENT", syscall: "link", path: `${root}/f`, dest: "" });
      await fails(fs.copyFile(`${root}/f`, ""), { code: "ENOENT", syscall: "copyfile", path: `${root}/f`, dest: "" });
      await fails(fs.symlink("x", ""), { code: "ENOENT", syscall: "symlink", path: "x", dest: "" });
    });
  });

  describe("a trailing slash", () => {
    it("stat with a trailing slash needs a directory, and follows a link to one", async ({ fs, root }) => {
      await fs.mkdir(`${root}/d`);
      await fs.writeFile(`${root}/f`, "");
      await fs.symlink("d", `${root}/ld`);
      await fs.symlink("f", `${root}/lf`);
      await fs.symlink("nowhere", `${root}/dangling`);
      expect((await fs.stat(`${root}/d/`)).isDirectory()).toBe(true);
      expect((await fs.lstat(`${root}/ld/`)).isDirectory()).toBe(true);
      expect((await fs.lstat(`${root}/ld/.`)).isDirectory()).toBe(true);
      for (const verb of ["stat", "lstat"] as const) {
        await fails(fs[verb](`${root}/f/`), { code: "ENOTDIR", syscall: verb, path: `${root}/f/` });
        await fails(fs[verb](`${root}/lf/`), { code: "ENOTDIR", syscall: verb, path: `${root}/lf/` });
        await fails(fs[verb](`${root}/dangling/`), { code: "ENOENT", syscall: verb, path: `${root}/dangling/` });
      }
    });

    it("writeFile with a trailing slash is EISDIR, readFile ENOTDIR", async ({ fs, root }) => {
      await fs.writeFile(`${root}/f`, "abc");
      await fails(fs.writeFile(`${root}/f/`, ""), { code: "EISDIR", syscall: "open", path: `${root}/f/` });
      await fails(fs.writeFile(`${root}/new/`, ""), { code: "EISDIR", syscall: "open", path: `${root}/new/` });
      await fails(fs.writeFile(`${root}/f/`, "", { flag: "wx" }), {
        code: "EISDIR",
        syscall: "open",
        path: `${root}/f/`,
      });
      await fails(fs.writeFile(`${root}/f/`, "", { flag: "r+" }), {
        code: "ENOTDIR",
        syscall: "open",
        path: `${root}/f/`,
      });
      await fails(fs.readFile(`${root}/f/`), { code: "ENOTDIR", syscall: "open", path: `${root}/f/` });
      await fails(fs.writeFile(`${root}/f/.`, ""), { code: "ENOTDIR", syscall: "open", path: `${root}/f/.` });
      await fails(fs.writeFile(`${root}/new/.`, ""), { code: "ENOENT", syscall: "open", path: `${root}/new/.` });
      expect(await shape(fs, root)).toEqual(["f = abc"]);
    });

    it("mkdir takes a trailing slash", async ({ fs, root }) => {
      await fs.mkdir(`${root}/a/`);
      await fs.mkdir(`${root}/b/c///`, { recursive: true });
      expect(await shape(fs, root)).toEqual(["a/", "b/", "b/c/"]);
    });
  });
}
