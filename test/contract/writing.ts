/** writeFile with every kind of content and flag, appendFile, truncate, copyFile. */
import { describe, expect } from "vitest";
import { bitsOf, concat, expectBytes, fails, type Make, names, pattern, testsOn, text, utf8 } from "./subject.ts";

const MIB = 1024 * 1024;

export function writingContract(make: Make): void {
  const it = testsOn(make);

  describe("writeFile", () => {
    it("writeFile takes a string, bytes, a view, a DataView, an ArrayBuffer and wider arrays", async ({ fs, root }) => {
      const bytes = utf8("xabcx");
      const contents = ["abc", utf8("abc"), bytes.subarray(1, 4), new DataView(bytes.buffer, 1, 3), utf8("abc").buffer];
      for (const content of contents as (string | Uint8Array)[]) {
        await fs.writeFile(`${root}/f`, content);
        expect(await text(fs, `${root}/f`)).toBe("abc");
      }
      await fs.writeFile(`${root}/f`, new Uint16Array([0x6261, 0x6463]));
      expect(await text(fs, `${root}/f`)).toBe("abcd");
    });

    it("writeFile takes async iterables of strings and bytes", async ({ fs, root }) => {
      async function* parts() {
        yield "a";
        yield utf8("é");
        yield "";
        yield "z";
      }
      await fs.writeFile(`${root}/f`, parts());
      expect(await text(fs, `${root}/f`)).toBe("aéz");
    });

    it("writeFile takes a ReadableStream", async ({ fs, root }) => {
      const parts = [utf8("one "), utf8("two "), utf8("three")];
      const stream = new ReadableStream<Uint8Array>({
        pull(controller) {
          const next = parts.shift();
          if (next) controller.enqueue(next);
          else controller.close();
        },
      });
      await fs.writeFile(`${root}/f`, stream);
      expect(await text(fs, `${root}/f`)).toBe("one two three");
    });

    it("writeFile encodes strings as asked", async ({ fs, root }) => {
      const cases = [
        ["utf8", "é€", [0xc3, 0xa9, 0xe2, 0x82, 0xac]],
        ["latin1", "é€", [0xe9, 0xac]],
        ["binary", "é", [0xe9]],
        ["ascii", "é", [0xe9]],
        ["hex", "00fFzz", [0x00, 0xff]],
        ["base64", "AP/_", [0x00, 0xff, 0xff]],
        ["base64url", "AP__", [0x00, 0xff, 0xff]],
        ["utf16le", "a€", [0x61, 0x00, 0xac, 0x20]],
        ["ucs2", "a", [0x61, 0x00]],
      ] as const;
      for (const [encoding, content, expected] of cases) {
        await fs.writeFile(`${root}/f`, content, encoding);
        expect([encoding, ...(await fs.readFile(`${root}/f`))]).toEqual([encoding, ...expected]);
        await fs.writeFile(`${root}/g`, content, { encoding });
        expect([encoding, ...(await fs.readFile(`${root}/g`))]).toEqual([encoding, ...expected]);
      }
    });

    it("writeFile stores a lone surrogate as U+FFFD", async ({ fs, root }) => {
      await fs.writeFile(`${root}/f`, "a\uD800b");
      expect(await text(fs, `${root}/f`)).toBe("a\uFFFDb");
    });

    it("writeFile keeps what it was given when the caller's buffer changes later", async ({ fs, root }) => {
      const content = utf8("abc");
      await fs.writeFile(`${root}/f`, content);
      content.fill(0x78);
      expect(await text(fs, `${root}/f`)).toBe("abc");
    });

    it("writeFile replaces all of a longer content and keeps inode, mode and links", async ({ fs, root }) => {
      await fs.writeFile(`${root}/f`, pattern(MIB + 5), { mode: 0o600 });
      await fs.link(`${root}/f`, `${root}/h`);
      const before = await fs.stat(`${root}/f`);
      await fs.writeFile(`${root}/f`, "short", { mode: 0o777 });
      const after = await fs.stat(`${root}/h`);
      expect([after.ino, after.mode, after.nlink, after.size]).toEqual([before.ino, 0o100600, 2, 5]);
      expect(await text(fs, `${root}/h`)).toBe("short");
    });

    it("writeFile grows a short content into rows and back", async ({ fs, root }) => {
      for (const size of [10, 3 * MIB, 20, 0, MIB + 1, MIB, 131_072]) {
        await fs.writeFile(`${root}/f`, pattern(size, size));
        expectBytes(await fs.readFile(`${root}/f`), pattern(size, size));
      }
    });

    it("writeFile takes the mode less the umask 022", async ({ fs, root }) => {
      const modes = [0o777, 0o666, 0o600, 0o400, 0o000, 0o4755, 0o2777, 0o1666];
      const created = [];
      for (const mode of modes) {
        // Empty, because Linux takes the setuid bit from a file that anybody but root writes to.
        await fs.writeFile(`${root}/${mode}`, "", { mode });
        created.push(bitsOf((await fs.stat(`${root}/${mode}`)).mode));
      }
      expect(created).toEqual([0o755, 0o644, 0o600, 0o400, 0o000, 0o4755, 0o2755, 0o1644]);
    });

    it("writeFile with wx makes a file, and fails on anything that is there", async ({ fs, root }) => {
      await fs.mkdir(`${root}/d`);
      await fs.symlink("nowhere", `${root}/dangling`);
      await fs.writeFile(`${root}/f`, "first", { flag: "wx" });
      for (const flag of ["wx", "wx+", "ax", "ax+"]) {
        for (const name of ["f", "d", "dangling"]) {
          const path = `${root}/${name}`;
          await fails(fs.writeFile(path, "second", { flag }), { code: "EEXIST", syscall: "open", path });
        }
      }
      expect(await text(fs, `${root}/f`)).toBe("first");
      expect(await fs.exists(`${root}/nowhere`)).toBe(false);
    });

    it("writeFile with a appends, with w+ replaces, with r+ writes over the start", async ({ fs, root }) => {
      const path = `${root}/f`;
      await fs.writeFile(path, "abcdef");
      await fs.writeFile(path, "XY", { flag: "r+" });
      expect(await text(fs, path)).toBe("XYcdef");
      await fs.writeFile(path, "gh", { flag: "a" });
      await fs.writeFile(path, "ij", { flag: "a+" });
      expect(await text(fs, path)).toBe("XYcdefghij");
      await fs.writeFile(path, "k", { flag: "w+" });
      expect(await text(fs, path)).toBe("k");
      await fs.writeFile(path, "longer", { flag: "r+" });
      expect(await text(fs, path)).toBe("longer");
    });

    it("writeFile with a, ax, a+ and w+ makes the file; with r+ it must be there", async ({ fs, root }) => {
      for (const flag of ["a", "ax", "a+", "ax+", "w+", "wx+"]) {
        await fs.writeFile(`${root}/${flag}`, flag, { flag });
        expect(await text(fs, `${root}/${flag}`)).toBe(flag);
      }
      await fails(fs.writeFile(`${root}/r+`, "", { flag: "r+" }), {
        code: "ENOENT",
        syscall: "open",
        path: `${root}/r+`,
      });
    });

    it("writeFile with r fails with EBADF and changes nothing", async ({ fs, root }) => {
      await fs.writeFile(`${root}/f`, "abc");
      await fails(fs.writeFile(`${root}/f`, "x", { flag: "r" }), { code: "EBADF", syscall: "write" });
      expect(await text(fs, `${root}/f`)).toBe("abc");
    });

    it("writeFile fails on a directory, under a file and under nothing", async ({ fs, root }) => {
      await fs.writeFile(`${root}/f`, "abc");
      await fails(fs.writeFile(root, ""), { code: "EISDIR", syscall: "open", path: root });
      await fails(fs.writeFile(`${root}/f/x`, ""), { code: "ENOTDIR", syscall: "open", path: `${root}/f/x` });
      await fails(fs.writeFile(`${root}/none/x`, ""), { code: "ENOENT", syscall: "open", path: `${root}/none/x` });
      expect(await names(fs, root)).toEqual(["f"]);
    });

    it("writeFile writes through links, and makes what a dangling link names", async ({ fs, root }) => {
      await fs.mkdir(`${root}/d`);
      await fs.symlink("d/made", `${root}/l`);
      await fs.symlink("l", `${root}/m`);
      await fs.writeFile(`${root}/m`, "one");
      expect(await text(fs, `${root}/d/made`)).toBe("one");
      expect((await fs.lstat(`${root}/m`)).isSymbolicLink()).toBe(true);
      await fs.writeFile(`${root}/l`, "two");
      expect(await text(fs, `${root}/d/made`)).toBe("two");
      await fs.symlink("none/made", `${root}/bad`);
      await fails(fs.writeFile(`${root}/bad`, ""), { code: "ENOENT", syscall: "open", path: `${root}/bad` });
      await fs.symlink("d", `${root}/ld`);
      await fails(fs.writeFile(`${root}/ld`, ""), { code: "EISDIR", syscall: "open", path: `${root}/ld` });
    });

    it("writeFile with a signal that has fired rejects and changes nothing", async ({ fs, root }) => {
      await fs.writeFile(`${root}/f`, "abc");
      const failure = await fs
        .writeFile(`${root}/f`, "x", { signal: AbortSignal.abort() })
        .catch((error: Error) => error);
      expect(failure).toMatchObject({ name: "AbortError", code: "ABORT_ERR" });
      expect(await text(fs, `${root}/f`)).toBe("abc");
    });

    it("writeFile says size and version of what it wrote", async ({ fs, root }) => {
      const written = await fs.writeFile(`${root}/f`, "héllo");
      expect(written.size).toBe(6);
      expect(written.version).toBe((await fs.stat(`${root}/f`)).version);
    });
  });

  describe("appendFile", () => {
    it("appendFile makes a file and then adds to it", async ({ fs, root }) => {
      await fs.appendFile(`${root}/f`, "a");
      await fs.appendFile(`${root}/f`, utf8("b"));
      await fs.appendFile(`${root}/f`, "63", "hex");
      await fs.appendFile(`${root}/f`, "");
      expect(await text(fs, `${root}/f`)).toBe("abc");
      await fs.appendFile(`${root}/new`, "", { mode: 0o600 });
      expect((await fs.stat(`${root}/new`)).mode).toBe(0o100600);
    });

    it("appendFile crosses the bounds of rows and chunks", async ({ fs, root }) => {
      let expected = new Uint8Array(0);
      for (const [i, size] of [131_070, 1, 1, 1, MIB - 131_074, 1, 1, 1, 131_072, 500_000, 3].entries()) {
        const part = pattern(size, i + 1);
        await fs.appendFile(`${root}/f`, part);
        expected = concat(expected, part) as Uint8Array<ArrayBuffer>;
        expect((await fs.stat(`${root}/f`)).size).toBe(expected.length);
      }
      expectBytes(await fs.readFile(`${root}/f`), expected);
    });

    it("appendFile does not change another name's copy", async ({ fs, root }) => {
      await fs.writeFile(`${root}/a`, pattern(MIB + 10));
      await fs.copyFile(`${root}/a`, `${root}/b`);
      await fs.appendFile(`${root}/a`, "tail");
      await fs.writeFile(`${root}/a`, "head", { flag: "r+" });
      expectBytes(await fs.readFile(`${root}/b`), pattern(MIB + 10));
    });

    it("appendFile loses nothing when many append at once", async ({ fs, root }) => {
      const parts = Array.from({ length: 40 }, (_, i) => `<${i}>`);
      await Promise.all(parts.map((part) => fs.appendFile(`${root}/f`, part)));
      const found = (await text(fs, `${root}/f`)).match(/<\d+>/g) ?? [];
      expect(found.toSorted()).toEqual(parts.toSorted());
      expect((await text(fs, `${root}/f`)).length).toBe(parts.join("").length);
    });

    it("appendFile with ax fails on a file that is there", async ({ fs, root }) => {
      await fs.appendFile(`${root}/f`, "a", { flag: "ax" });
      await fails(fs.appendFile(`${root}/f`, "b", { flag: "ax" }), {
        code: "EEXIST",
        syscall: "open",
        path: `${root}/f`,
      });
      expect(await text(fs, `${root}/f`)).toBe("a");
    });

    it("appendFile goes through links and fails on a directory", async ({ fs, root }) => {
      await fs.symlink("f", `${root}/l`);
      await fs.appendFile(`${root}/l`, "a");
      await fs.appendFile(`${root}/l`, "b");
      expect(await text(fs, `${root}/f`)).toBe("ab");
      await fails(fs.appendFile(root, "x"), { code: "EISDIR", syscall: "open", path: root });
    });
  });

  describe("truncate", () => {
    it("truncate cuts, to nothing by default", async ({ fs, root }) => {
      await fs.writeFile(`${root}/f`, "abcdef");
      await fs.truncate(`${root}/f`, 4);
      expect(await text(fs, `${root}/f`)).toBe("abcd");
      await fs.truncate(`${root}/f`, 4);
      expect(await text(fs, `${root}/f`)).toBe("abcd");
      await fs.truncate(`${root}/f`);
      expect((await fs.stat(`${root}/f`)).size).toBe(0);
    });

    it("truncate grows with zeros, also past what was cut", async ({ fs, root }) => {
      await fs.writeFile(`${root}/f`, "abcdef");
      await fs.truncate(`${root}/f`, 2);
      await fs.truncate(`${root}/f`, 5);
      expect(await text(fs, `${root}/f`)).toBe("ab\0\0\0");
    });

    it("truncate cuts and grows over rows and chunks", async ({ fs, root }) => {
      let expected = pattern(2 * MIB + 33);
      await fs.writeFile(`${root}/f`, expected);
      for (const size of [
        2 * MIB,
        MIB + 131_073,
        MIB + 131_072,
        MIB,
        131_071,
        131_073,
        MIB + 1,
        2 * MIB + 5,
        1,
        3 * MIB,
        0,
        7,
      ]) {
        await fs.truncate(`${root}/f`, size);
        const next = new Uint8Array(size);
        next.set(expected.subarray(0, size));
        expected = next;
        expectBytes(await fs.readFile(`${root}/f`), expected);
      }
    });

    it("truncate of a file of zeros can be written into", async ({ fs, root }) => {
      await fs.writeFile(`${root}/f`, "");
      await fs.truncate(`${root}/f`, 2 * MIB);
      await fs.appendFile(`${root}/f`, "end");
      const read = await fs.readFile(`${root}/f`);
      expect(read.subarray(0, 2 * MIB).every((byte) => byte === 0)).toBe(true);
      expect(new TextDecoder().decode(read.subarray(2 * MIB))).toBe("end");
    });

    it("truncate takes a negative length as zero", async ({ fs, root }) => {
      await fs.writeFile(`${root}/f`, "abc");
      await fs.truncate(`${root}/f`, -1);
      expect((await fs.stat(`${root}/f`)).size).toBe(0);
    });

    it("truncate follows links, and fails on a directory and on nothing", async ({ fs, root }) => {
      await fs.writeFile(`${root}/f`, "abc");
      await fs.symlink("f", `${root}/l`);
      await fs.truncate(`${root}/l`, 1);
      expect(await text(fs, `${root}/f`)).toBe("a");
      await fails(fs.truncate(root, 1), { code: "EISDIR", syscall: "open", path: root });
      await fails(fs.truncate(`${root}/none`, 1), { code: "ENOENT", syscall: "open", path: `${root}/none` });
    });
  });

  describe("copyFile", () => {
    it("copyFile copies content and mode to a new inode", async ({ fs, root }) => {
      for (const size of [0, 3, MIB, MIB + 1]) {
        await fs.writeFile(`${root}/a`, pattern(size, 7), { mode: 0o700 });
        await fs.copyFile(`${root}/a`, `${root}/b`);
        expectBytes(await fs.readFile(`${root}/b`), pattern(size, 7));
        const [a, b] = [await fs.stat(`${root}/a`), await fs.stat(`${root}/b`)];
        expect([b.mode, b.nlink, b.ino === a.ino]).toEqual([0o100700, 1, false]);
      }
    });

    it("copyFile over a file keeps its inode and links, and takes the source's mode", async ({ fs, root }) => {
      await fs.writeFile(`${root}/a`, "new", { mode: 0o711 });
      await fs.writeFile(`${root}/b`, "older content", { mode: 0o600 });
      await fs.link(`${root}/b`, `${root}/c`);
      const { ino } = await fs.stat(`${root}/b`);
      await fs.copyFile(`${root}/a`, `${root}/b`);
      const c = await fs.stat(`${root}/c`);
      expect([await text(fs, `${root}/c`), c.ino, c.mode]).toEqual(["new", ino, 0o100711]);
    });

    it("copyFile makes a copy that changes apart from its source", async ({ fs, root }) => {
      await fs.writeFile(`${root}/a`, "abc");
      await fs.copyFile(`${root}/a`, `${root}/b`);
      await fs.writeFile(`${root}/a`, "x", { flag: "r+" });
      await fs.appendFile(`${root}/b`, "d");
      expect([await text(fs, `${root}/a`), await text(fs, `${root}/b`)]).toEqual(["xbc", "abcd"]);
    });

    it("copyFile between files that share a content leaves each its own", async ({ fs, root }) => {
      await fs.writeFile(`${root}/a`, "abc");
      await fs.copyFile(`${root}/a`, `${root}/b`);
      await fs.copyFile(`${root}/a`, `${root}/b`);
      await fs.copyFile(`${root}/b`, `${root}/a`);
      await fs.rm(`${root}/a`);
      await fs.appendFile(`${root}/b`, "d");
      expect(await text(fs, `${root}/b`)).toBe("abcd");
    });

    it("copyFile follows links at both ends", async ({ fs, root }) => {
      await fs.writeFile(`${root}/a`, "abc");
      await fs.symlink("a", `${root}/la`);
      await fs.symlink("made", `${root}/lb`);
      await fs.copyFile(`${root}/la`, `${root}/lb`);
      expect(await text(fs, `${root}/made`)).toBe("abc");
      expect((await fs.lstat(`${root}/made`)).isFile()).toBe(true);
      expect((await fs.lstat(`${root}/lb`)).isSymbolicLink()).toBe(true);
    });

    it("copyFile onto itself changes nothing", async ({ fs, root }) => {
      await fs.writeFile(`${root}/a`, "abc");
      await fs.link(`${root}/a`, `${root}/h`);
      await fs.symlink("a", `${root}/l`);
      for (const to of ["a", "h", "l"]) await fs.copyFile(`${root}/a`, `${root}/${to}`);
      expect(await text(fs, `${root}/a`)).toBe("abc");
      expect((await fs.stat(`${root}/a`)).nlink).toBe(2);
    });

    it("copyFile exclusive fails on what is there, dangling links included", async ({ fs, root }) => {
      await fs.writeFile(`${root}/a`, "abc");
      await fs.writeFile(`${root}/b`, "old");
      await fs.symlink("nowhere", `${root}/l`);
      const path = `${root}/a`;
      for (const options of [1, { exclusive: true }] as const) {
        for (const dest of [`${root}/b`, `${root}/l`, path]) {
          await fails(fs.copyFile(path, dest, options), { code: "EEXIST", syscall: "copyfile", path, dest });
        }
      }
      expect(await text(fs, `${root}/b`)).toBe("old");
      await fs.copyFile(path, `${root}/c`, { exclusive: true });
      expect(await text(fs, `${root}/c`)).toBe("abc");
    });

    it("copyFile fails on directories and on missing ends", async ({ fs, root }) => {
      await fs.mkdir(`${root}/d`);
      await fs.writeFile(`${root}/f`, "abc");
      const cases = [
        ["d", "new", "EISDIR"],
        ["f", "d", "EISDIR"],
        ["none", "new", "ENOENT"],
        ["f", "none/new", "ENOENT"],
        ["f/x", "new", "ENOTDIR"],
        ["f", "f/x", "ENOTDIR"],
        ["f", "new/", "EISDIR"],
      ] as const;
      for (const [from, to, code] of cases) {
        const [path, dest] = [`${root}/${from}`, `${root}/${to}`];
        await fails(fs.copyFile(path, dest), { code, syscall: "copyfile", path, dest });
      }
      expect(await names(fs, root)).toEqual(["d", "f"]);
    });
  });
}
