/**
 * open and FileHandle. What a handle wrote is seen by others at the latest after `sync` or `close`, so the contract syncs
 * before it looks by path (see `differences.ts`).
 */
import { describe, expect } from "vitest";
import { concat, expectBytes, fails, type Make, names, pattern, testsOn, text, utf8 } from "./subject.ts";

const MIB = 1024 * 1024;
/** Of files: without a row, of one row that is read in part or whole, of several rows. */
const SIZES = [0, 1, 4095, 4096, 4097, 10_000, 131_072, 131_073, MIB - 1, MIB, MIB + 1, 2 * MIB + 131_071];
/** Of reads: around a page, a chunk and a row. */
const LENGTHS = [1, 4095, 4096, 4097, 10_000, 131_072, 131_073, MIB, 2 * MIB];
const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

export function handlesContract(make: Make): void {
  const it = testsOn(make);

  describe("open", () => {
    it("open reads by default", async ({ fs, root }) => {
      await fs.writeFile(`${root}/f`, "abc");
      await using file = await fs.open(`${root}/f`);
      expect(await file.readFile("utf8")).toBe("abc");
      await fails(file.write(utf8("x")), { code: "EBADF", syscall: "write" });
    });

    it("open fails with r and r+ when there is no file", async ({ fs, root }) => {
      for (const flags of [undefined, "r", "r+", "rs+"]) {
        await fails(fs.open(`${root}/none`, flags), { code: "ENOENT", syscall: "open", path: `${root}/none` });
      }
    });

    it("open makes the file with w, w+, a, a+ and exclusively with x", async ({ fs, root }) => {
      for (const flags of ["w", "w+", "a", "a+", "wx", "wx+", "ax", "ax+"]) {
        const path = `${root}/${flags}`;
        await using file = await fs.open(path, flags, 0o640);
        await file.write(utf8(flags));
        await file.close();
        expect([await text(fs, path), (await fs.stat(path)).mode]).toEqual([flags, 0o100640]);
        if (flags.includes("x")) await fails(fs.open(path, flags), { code: "EEXIST", syscall: "open", path });
      }
    });

    it("open with wx takes the name at once", async ({ fs, root }) => {
      await using first = await fs.open(`${root}/f`, "wx");
      await fails(fs.open(`${root}/f`, "wx"), { code: "EEXIST", syscall: "open", path: `${root}/f` });
      expect(await names(fs, root)).toEqual(["f"]);
      expect((await first.stat()).size).toBe(0);
    });

    it("open with wx fails on a dangling link, with w makes what it names", async ({ fs, root }) => {
      await fs.symlink("made", `${root}/l`);
      await fails(fs.open(`${root}/l`, "wx"), { code: "EEXIST", syscall: "open", path: `${root}/l` });
      await (await fs.open(`${root}/l`, "w")).close();
      expect(await names(fs, root)).toEqual(["l", "made"]);
    });

    it("open with w and w+ empties, with r+ and a keeps", async ({ fs, root }) => {
      const sizes: Record<string, number> = {};
      for (const flags of ["w", "w+", "r+", "a", "a+", "r"]) {
        await fs.writeFile(`${root}/f`, "abc");
        await (await fs.open(`${root}/f`, flags)).close();
        sizes[flags] = (await fs.stat(`${root}/f`)).size;
      }
      expect(sizes).toEqual({ w: 0, "w+": 0, "r+": 3, a: 3, "a+": 3, r: 3 });
    });

    it("open on a directory reads its stat and nothing else", async ({ fs, root }) => {
      await using dir = await fs.open(root, "r");
      expect((await dir.stat()).isDirectory()).toBe(true);
      await fails(dir.read(new Uint8Array(1), 0, 1, 0), { code: "EISDIR", syscall: "read" });
      for (const flags of ["r+", "w", "a", "w+"]) {
        await fails(fs.open(root, flags), { code: "EISDIR", syscall: "open", path: root });
      }
      await fails(fs.open(root, "wx"), { code: "EEXIST", syscall: "open", path: root });
    });

    it("open fails under a file and under nothing", async ({ fs, root }) => {
      await fs.writeFile(`${root}/f`, "");
      await fails(fs.open(`${root}/f/x`, "w"), { code: "ENOTDIR", syscall: "open", path: `${root}/f/x` });
      await fails(fs.open(`${root}/none/x`, "w"), { code: "ENOENT", syscall: "open", path: `${root}/none/x` });
      await fails(fs.open(`${root}/new/`, "w"), { code: "EISDIR", syscall: "open", path: `${root}/new/` });
    });
  });

  describe("FileHandle.read", () => {
    it("read goes on from where it was, and at a position leaves that alone", async ({ fs, root }) => {
      await fs.writeFile(`${root}/f`, "0123456789");
      await using file = await fs.open(`${root}/f`);
      const buffer = new Uint8Array(4);
      const next = async (position?: number | null) => {
        const { bytesRead } = await file.read(buffer, 0, 4, position);
        return decode(buffer.subarray(0, bytesRead));
      };
      expect([
        await next(),
        await next(7),
        await next(null),
        await next(0),
        await next(),
        await next(),
        await next(99),
      ]).toEqual(["0123", "789", "4567", "0123", "89", "", ""]);
    });

    it("read and write at position -1 go on from where the handle was", async ({ fs, root }) => {
      await fs.writeFile(`${root}/f`, "0123456789");
      await using file = await fs.open(`${root}/f`, "r+");
      const buffer = new Uint8Array(3);
      const next = async (position: number) => {
        const { bytesRead } = await file.read(buffer, 0, 3, position);
        return decode(buffer.subarray(0, bytesRead));
      };
      expect([await next(-1), await next(-1)]).toEqual(["012", "345"]);
      await file.write(utf8("AB"), 0, 2, -1);
      await file.write("C", -1);
      expect([await next(-1), await next(-1)]).toEqual(["9", ""]);
      await file.sync();
      expect(await text(fs, `${root}/f`)).toBe("012345ABC9");
    });

    it("read at position -1 goes on through a file of several messages", async ({ fs, root }) => {
      const content = pattern(9 * MIB);
      await fs.writeFile(`${root}/f`, content);
      await using file = await fs.open(`${root}/f`, "r+");
      const buffer = new Uint8Array(9 * MIB);
      expect((await file.read(buffer, 0, 9 * MIB, -1)).bytesRead).toBe(9 * MIB);
      expectBytes(buffer, content);
      await file.write(content, 0, content.length, -1);
      await file.sync();
      expect((await fs.stat(`${root}/f`)).size).toBe(18 * MIB);
    });

    it("read fills the part of the buffer it is given", async ({ fs, root }) => {
      await fs.writeFile(`${root}/f`, "abcdef");
      await using file = await fs.open(`${root}/f`);
      const buffer = utf8("________");
      const result = await file.read(buffer, 2, 3, 1);
      expect([result.bytesRead, decode(buffer)]).toEqual([3, "__bcd___"]);
      const whole = new Uint8Array(6);
      expect([(await file.read(whole)).bytesRead, decode(whole)]).toEqual([6, "abcdef"]);
      expect((await file.read(new Uint8Array(3), 0, 0, 0)).bytesRead).toBe(0);
    });

    it("read crosses rows and chunks", async ({ fs, root }) => {
      const content = pattern(2 * MIB + 9);
      await fs.writeFile(`${root}/f`, content);
      await using file = await fs.open(`${root}/f`);
      for (const [position, length] of [
        [131_070, 5],
        [MIB - 3, 200_000],
        [0, 2 * MIB + 9],
        [2 * MIB, 100],
      ] as const) {
        const buffer = new Uint8Array(length);
        const { bytesRead } = await file.read(buffer, 0, length, position);
        expectBytes(buffer.subarray(0, bytesRead), content.subarray(position, position + length));
      }
    });

    for (const size of SIZES) {
      it(`read gives every part of a file of ${size} bytes, and says how many bytes it was`, async ({ fs, root }) => {
        const content = pattern(size, size);
        await fs.writeFile(`${root}/f`, content);
        await using file = await fs.open(`${root}/f`);
        for (const length of LENGTHS.filter((wanted) => wanted <= 2 * size + 1)) {
          for (const position of new Set([0, 1, size >> 1, size - length, size - 1, size, size + 5])) {
            if (position < 0) continue;
            const buffer = new Uint8Array(length + 2).fill(0xee);
            const { bytesRead } = await file.read(buffer, 1, length, position);
            const expected = content.subarray(position, position + length);
            expect([length, position, bytesRead]).toEqual([length, position, expected.length]);
            expectBytes(buffer.subarray(1, 1 + bytesRead), expected);
            expect([buffer[0], buffer[length + 1]]).toEqual([0xee, 0xee]);
          }
        }
      });

      it(`read goes through a file of ${size} bytes from beginning to end`, async ({ fs, root }) => {
        const content = pattern(size, size);
        await fs.writeFile(`${root}/f`, content);
        for (const length of [4095, 4096, 65_536, MIB + 1].filter((wanted) => size / wanted < 300)) {
          await using file = await fs.open(`${root}/f`);
          const parts: Uint8Array[] = [];
          for (;;) {
            const buffer = new Uint8Array(length);
            const { bytesRead } = await file.read(buffer, 0, length);
            if (bytesRead === 0) break;
            parts.push(buffer.subarray(0, bytesRead));
          }
          expectBytes(concat(...parts), content);
        }
      });
    }

    it("read fails on a handle open for writing only", async ({ fs, root }) => {
      for (const flags of ["w", "a"]) {
        await using file = await fs.open(`${root}/f`, flags);
        await fails(file.read(new Uint8Array(1), 0, 1, 0), { code: "EBADF", syscall: "read" });
      }
    });
  });

  describe("FileHandle.write", () => {
    it("read puts zeros where the file has a hole, whatever was in the buffer", async ({ fs, root }) => {
      await using file = await fs.open(`${root}/holed`, "w+");
      await file.write(pattern(300_000), 0, 300_000, 0);
      await file.write(pattern(1000), 0, 1000, 3_000_000);
      await file.sync();
      const whole = new Uint8Array(3_001_000);
      whole.set(pattern(300_000));
      whole.set(pattern(1000), 3_000_000);
      const buffer = new Uint8Array(3_001_000).fill(7);
      for (let at = 0; at < buffer.length; at += 700_000) {
        const { bytesRead } = await file.read(buffer, at, Math.min(700_000, buffer.length - at), at);
        expect(bytesRead).toBe(Math.min(700_000, buffer.length - at));
      }
      expectBytes(buffer, whole);
    });

    it("write goes on from where it was, and at a position leaves that alone", async ({ fs, root }) => {
      await using file = await fs.open(`${root}/f`, "w+");
      expect((await file.write(utf8("abc"))).bytesWritten).toBe(3);
      await file.write(utf8("XY"), 0, 2, 0);
      await file.write("def");
      await file.write(utf8("--Z--"), 2, 1, 4);
      const buffer = new Uint8Array(9);
      const { bytesRead } = await file.read(buffer, 0, 9, 0);
      expect(decode(buffer.subarray(0, bytesRead))).toBe("XYcdZf");
      await file.sync();
      expect(await text(fs, `${root}/f`)).toBe("XYcdZf");
    });

    it("write takes a string and its position, as Node", async ({ fs, root }) => {
      await using file = await fs.open(`${root}/f`, "w");
      expect((await file.write("héllo", 2)).bytesWritten).toBe(6);
      await file.write("ab", 0);
      await file.write("x");
      await file.close();
      expect(await text(fs, `${root}/f`)).toBe("xbhéllo");
    });

    it("write past the end fills with zeros", async ({ fs, root }) => {
      await using file = await fs.open(`${root}/f`, "w+");
      await file.write(utf8("a"), 0, 1, 3);
      expect((await file.stat()).size).toBe(4);
      await file.write(utf8("b"), 0, 1, MIB + 200_000);
      await file.close();
      const expected = new Uint8Array(MIB + 200_001);
      expected[3] = 97;
      expected[MIB + 200_000] = 98;
      expectBytes(await fs.readFile(`${root}/f`), expected);
    });

    it("write in append mode goes to the end whatever the position", async ({ fs, root }) => {
      await fs.writeFile(`${root}/f`, "abc");
      await using file = await fs.open(`${root}/f`, "a+");
      await file.write(utf8("1"), 0, 1, 0);
      await file.write(utf8("2"));
      const buffer = new Uint8Array(9);
      expect(decode(buffer.subarray(0, (await file.read(buffer, 0, 9, 0)).bytesRead))).toBe("abc12");
      await file.close();
      expect(await text(fs, `${root}/f`)).toBe("abc12");
    });

    it("write in append mode finds the end as it is now", async ({ fs, root }) => {
      await fs.writeFile(`${root}/f`, "abc");
      await using file = await fs.open(`${root}/f`, "a");
      await fs.appendFile(`${root}/f`, "d");
      await file.write(utf8("e"));
      await file.sync();
      await fs.appendFile(`${root}/f`, "f");
      await file.write(utf8("g"));
      await file.close();
      expect(await text(fs, `${root}/f`)).toBe("abcdefg");
    });

    it("write at random positions gives what an array would hold", async ({ fs, root }) => {
      const expected = new Uint8Array(MIB + 300_000);
      await using file = await fs.open(`${root}/f`, "w+");
      let state = 12345;
      const random = (below: number) => {
        state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
        return state % below;
      };
      await file.truncate(expected.length);
      for (let i = 0; i < 60; i++) {
        const part = pattern(1 + random(40_000), i + 1);
        const position = random(expected.length - part.length);
        await file.write(part, 0, part.length, position);
        expected.set(part, position);
        if (i % 20 === 19) await file.sync();
        if (i % 15 === 14) {
          const buffer = new Uint8Array(50_000);
          const from = random(expected.length - 50_000);
          await file.read(buffer, 0, 50_000, from);
          expectBytes(buffer, expected.subarray(from, from + 50_000));
        }
      }
      await file.close();
      expectBytes(await fs.readFile(`${root}/f`), expected);
    });

    it("write takes many at once at their positions", async ({ fs, root }) => {
      await using file = await fs.open(`${root}/f`, "w");
      await Promise.all(Array.from({ length: 26 }, (_, i) => file.write(utf8(String.fromCharCode(97 + i)), 0, 1, i)));
      await file.close();
      expect(await text(fs, `${root}/f`)).toBe("abcdefghijklmnopqrstuvwxyz");
    });

    it("write does not change a copy that shares the content", async ({ fs, root }) => {
      await fs.writeFile(`${root}/a`, pattern(MIB + 100));
      await fs.copyFile(`${root}/a`, `${root}/b`);
      await using file = await fs.open(`${root}/a`, "r+");
      await file.write(utf8("changed"), 0, 7, 131_070);
      await file.truncate(MIB);
      await file.close();
      expectBytes(await fs.readFile(`${root}/b`), pattern(MIB + 100));
    });

    it("write in append mode at a position leaves the position for reading alone", async ({ fs, root }) => {
      await using file = await fs.open(`${root}/f`, "a+");
      await file.write(utf8("abc"), 0, 3, 1);
      expect(await file.readFile("utf8")).toBe("abc");
      await file.write(utf8("d"));
      expect(await file.readFile("utf8")).toBe("");
    });

    it("read and write of nothing succeed whatever the handle is open for", async ({ fs, root }) => {
      await fs.writeFile(`${root}/f`, "abc");
      await using reader = await fs.open(`${root}/f`, "r");
      await using writer = await fs.open(`${root}/f`, "r+");
      await using appender = await fs.open(`${root}/f`, "a");
      expect((await reader.write(new Uint8Array(0))).bytesWritten).toBe(0);
      expect((await appender.read(new Uint8Array(1), 0, 0, 0)).bytesRead).toBe(0);
      expect((await writer.read(new Uint8Array(1), 0, 0, 0)).bytesRead).toBe(0);
    });

    it("write of nothing changes nothing", async ({ fs, root }) => {
      await fs.writeFile(`${root}/f`, "abc");
      await using file = await fs.open(`${root}/f`, "r+");
      expect((await file.write(new Uint8Array(0), 0, 0, 50)).bytesWritten).toBe(0);
      await file.close();
      expect(await text(fs, `${root}/f`)).toBe("abc");
    });
  });

  describe("FileHandle", () => {
    it("truncate cuts and grows, and leaves the position", async ({ fs, root }) => {
      await using file = await fs.open(`${root}/f`, "w+");
      await file.write(utf8("abcdef"));
      await file.truncate(3);
      expect((await file.stat()).size).toBe(3);
      await file.write(utf8("X"));
      await file.sync();
      expect(await text(fs, `${root}/f`)).toBe("abc\0\0\0X");
      await file.truncate();
      await file.truncate(2);
      await file.close();
      expect(await text(fs, `${root}/f`)).toBe("\0\0");
    });

    it("truncate fails on a handle open for reading only", async ({ fs, root }) => {
      await fs.writeFile(`${root}/f`, "abc");
      await using file = await fs.open(`${root}/f`, "r");
      await fails(file.truncate(1), { code: "EINVAL", syscall: "ftruncate" });
    });

    it("readFile reads from the position on", async ({ fs, root }) => {
      await fs.writeFile(`${root}/f`, "0123456789");
      await using file = await fs.open(`${root}/f`);
      await file.read(new Uint8Array(4));
      expect(await file.readFile({ encoding: "utf8" })).toBe("456789");
      expect((await file.readFile()).length).toBe(0);
    });

    it("readFile on a handle open for writing only fails", async ({ fs, root }) => {
      await using file = await fs.open(`${root}/f`, "w");
      await fails(file.readFile(), { code: "EBADF", syscall: "read" });
    });

    it("writeFile and appendFile go on from the position and cut nothing", async ({ fs, root }) => {
      await fs.writeFile(`${root}/f`, "0123456789");
      await using file = await fs.open(`${root}/f`, "r+");
      await file.writeFile("ab");
      await file.appendFile(utf8("cd"));
      await file.close();
      expect(await text(fs, `${root}/f`)).toBe("abcd456789");
    });

    it("stat, chmod and utimes work on the open file", async ({ fs, root }) => {
      await using file = await fs.open(`${root}/f`, "w");
      await file.write(utf8("abc"));
      await file.chmod(0o600);
      await file.sync();
      await file.utimes(1000, 2000);
      const stat = await file.stat();
      expect([stat.size, stat.mode, stat.mtimeMs, stat.isFile()]).toEqual([3, 0o100600, 2_000_000, true]);
      await file.close();
      const after = await fs.stat(`${root}/f`);
      expect([after.mode, after.mtimeMs, after.ino]).toEqual([0o100600, 2_000_000, stat.ino]);
    });

    it("sync and datasync make writes visible; close too, and disposal", async ({ fs, root }) => {
      const file = await fs.open(`${root}/f`, "w");
      await file.write(utf8("a"));
      await file.sync();
      expect(await text(fs, `${root}/f`)).toBe("a");
      await file.write(utf8("b"));
      await file.datasync();
      expect(await text(fs, `${root}/f`)).toBe("ab");
      await file.write(utf8("c"));
      await file.close();
      expect(await text(fs, `${root}/f`)).toBe("abc");
      {
        await using another = await fs.open(`${root}/f`, "a");
        await another.write(utf8("d"));
      }
      expect(await text(fs, `${root}/f`)).toBe("abcd");
    });

    it("a closed handle fails with EBADF, and closing again does nothing", async ({ fs, root }) => {
      const file = await fs.open(`${root}/f`, "w+");
      await file.close();
      expect(await file.close()).toBeUndefined();
      const calls = {
        read: () => file.read(new Uint8Array(1), 0, 1, 0),
        write: () => file.write(utf8("x")),
        readFile: () => file.readFile(),
        writeFile: () => file.writeFile("x"),
        ftruncate: () => file.truncate(0),
        fstat: () => file.stat(),
        fchmod: () => file.chmod(0o600),
        futimes: () => file.utimes(1, 1),
        fsync: () => file.sync(),
        fdatasync: () => file.datasync(),
      };
      for (const [syscall, call] of Object.entries(calls)) await fails(call(), { code: "EBADF", syscall });
    });

    it("a handle follows its file over a rename, of the file and of its directory", async ({ fs, root }) => {
      await fs.mkdir(`${root}/d`);
      await using file = await fs.open(`${root}/d/f`, "w+");
      await file.write(utf8("abc"));
      await fs.rename(`${root}/d/f`, `${root}/d/g`);
      await fs.rename(`${root}/d`, `${root}/e`);
      await file.write(utf8("d"));
      await file.close();
      expect(await text(fs, `${root}/e/g`)).toBe("abcd");
      expect(await names(fs, `${root}/e`)).toEqual(["g"]);
    });

    it("a handle follows its file to a name in another directory when the first name goes", async ({ fs, root }) => {
      const ways: Record<string, (from: string, to: string) => Promise<void>> = {
        unlink: (from) => fs.unlink(from),
        rm: (from) => fs.rm(from),
        "rm of the directory": (from) => fs.rm(from.slice(0, from.lastIndexOf("/")), { recursive: true }),
        "rename over it": async (from, to) => {
          await fs.writeFile(`${to}.other`, "other");
          await fs.rename(`${to}.other`, from);
        },
        "rename of the directory, then unlink": async (from) => {
          const directory = from.slice(0, from.lastIndexOf("/"));
          await fs.rename(directory, `${directory}.moved`);
          await fs.unlink(`${directory}.moved/x`);
        },
        "rename of the new name's directory, then unlink": async (from, to) => {
          const directory = to.slice(0, to.lastIndexOf("/"));
          await fs.rename(directory, `${directory}.moved`);
          await fs.symlink(`${directory}.moved`, directory);
          await fs.unlink(from);
        },
        "a third name, then both others go": async (from, to) => {
          await fs.link(to, `${to}.third`);
          await fs.unlink(to);
          await fs.unlink(from);
          await fs.rename(`${to}.third`, to);
        },
      };
      for (const [way, lose] of Object.entries(ways)) {
        for (const synced of [true, false]) {
          const at = `${root}/${way} ${synced}`;
          await fs.mkdir(`${at}/tmp`, { recursive: true });
          await fs.mkdir(`${at}/final`);
          await using file = await fs.open(`${at}/tmp/x`, "w");
          await file.write("first ");
          if (synced) await file.sync();
          await fs.link(`${at}/tmp/x`, `${at}/final/x`);
          await lose(`${at}/tmp/x`, `${at}/final/x`);
          await file.write("second");
          await file.sync();
          expect([way, await text(fs, `${at}/final/x`), (await file.stat()).nlink]).toEqual([way, "first second", 1]);
          await file.chmod(0o600);
          await file.write(" third");
          await file.close();
          expect([way, await text(fs, `${at}/final/x`)]).toEqual([way, "first second third"]);
          expect((await fs.stat(`${at}/final/x`)).mode).toBe(0o100600);
        }
      }
    });

    it("handles on a removed file see each other's synced writes, modes and sizes", async ({ fs, root }) => {
      await fs.mkdir(`${root}/d`);
      for (const [path, remove] of [
        [`${root}/f`, () => fs.unlink(`${root}/f`)],
        [`${root}/d/f`, () => fs.rm(`${root}/d`, { recursive: true })],
      ] as const) {
        await fs.writeFile(path, "0123456789");
        await using a = await fs.open(path, "r+");
        await using b = await fs.open(path, "r+");
        await using appender = await fs.open(path, "a");
        await remove();
        await a.write(utf8("AA"), 0, 2, 0);
        await a.sync();
        await b.write(utf8("BB"), 0, 2, 8);
        await b.truncate(12);
        await b.sync();
        await appender.write("end");
        await appender.close();
        const buffer = new Uint8Array(20);
        expect(decode(buffer.subarray(0, (await a.read(buffer, 0, 20, 0)).bytesRead))).toBe("AA234567BB\0\0end");
        await a.chmod(0o700);
        const stat = await b.stat();
        expect([stat.size, stat.mode, stat.nlink]).toEqual([15, 0o100700, 0]);
        await a.truncate(4);
        await a.close();
        expect(await b.readFile("utf8")).toBe("AA23");
        expect(await fs.exists(path)).toBe(false);
      }
    });

    it("a removed file that is large keeps what many synced writes made of it", async ({ fs, root }) => {
      const expected = pattern(2 * MIB, 3);
      await fs.writeFile(`${root}/f`, expected);
      await using a = await fs.open(`${root}/f`, "r+");
      await using b = await fs.open(`${root}/f`, "r");
      await fs.unlink(`${root}/f`);
      for (let i = 0; i < 24; i++) {
        const part = pattern(300_000, i + 10);
        const position = (i * 777_777) % (2 * MIB - part.length);
        expected.set(part, position);
        await a.write(part, 0, part.length, position);
        await a.sync();
      }
      expectBytes(await b.readFile(), expected);
    });

    it("a handle reads on after its file is removed or replaced", async ({ fs, root }) => {
      for (const size of [5, MIB + 50]) {
        await fs.writeFile(`${root}/f`, pattern(size));
        await fs.writeFile(`${root}/g`, pattern(size));
        await fs.writeFile(`${root}/other`, "other");
        await using removed = await fs.open(`${root}/f`);
        await using replaced = await fs.open(`${root}/g`);
        await fs.unlink(`${root}/f`);
        await fs.rename(`${root}/other`, `${root}/g`);
        expectBytes(await removed.readFile(), pattern(size));
        expectBytes(await replaced.readFile(), pattern(size));
        expect((await removed.stat()).nlink).toBe(0);
        expect(await text(fs, `${root}/g`)).toBe("other");
      }
    });

    it("chmod and utimes of a handle work on a file that was removed", async ({ fs, root }) => {
      await using file = await fs.open(`${root}/f`, "w+");
      await fs.unlink(`${root}/f`);
      await file.chmod(0o711);
      await file.utimes(1000, 2000);
      const stat = await file.stat();
      expect([stat.mode, stat.mtimeMs, stat.nlink]).toEqual([0o100711, 2_000_000, 0]);
    });

    it("a handle writes on after its file is removed, and brings nothing back", async ({ fs, root }) => {
      await using file = await fs.open(`${root}/f`, "w+");
      await file.write(utf8("abc"));
      await fs.unlink(`${root}/f`);
      await file.write(utf8("d"));
      await file.sync();
      const buffer = new Uint8Array(9);
      expect(decode(buffer.subarray(0, (await file.read(buffer, 0, 9, 0)).bytesRead))).toBe("abcd");
      await fs.writeFile(`${root}/f`, "new");
      await file.write(utf8("e"));
      await file.close();
      expect(await text(fs, `${root}/f`)).toBe("new");
    });

    it("a handle into a directory that is removed brings nothing back", async ({ fs, root }) => {
      await fs.mkdir(`${root}/d/e`, { recursive: true });
      await using file = await fs.open(`${root}/d/e/f`, "w+");
      await file.write(utf8("abc"));
      await fs.rm(`${root}/d`, { recursive: true });
      await file.write(utf8("d"));
      await file.close();
      expect(await names(fs, root)).toEqual([]);
    });

    it("two handles on one file see each other's writes after sync", async ({ fs, root }) => {
      await fs.writeFile(`${root}/f`, "0123456789");
      await using a = await fs.open(`${root}/f`, "r+");
      await using b = await fs.open(`${root}/f`, "r+");
      await a.write(utf8("AA"), 0, 2, 0);
      await a.sync();
      await b.write(utf8("BB"), 0, 2, 8);
      await b.sync();
      const buffer = new Uint8Array(10);
      await a.read(buffer, 0, 10, 0);
      expect(decode(buffer)).toBe("AA234567BB");
      expect(await text(fs, `${root}/f`)).toBe("AA234567BB");
    });

    it("a reading handle sees what is written to its file by path", async ({ fs, root }) => {
      await fs.writeFile(`${root}/f`, "abc");
      await using file = await fs.open(`${root}/f`);
      const buffer = new Uint8Array(9);
      const all = async () => decode(buffer.subarray(0, (await file.read(buffer, 0, 9, 0)).bytesRead));
      expect(await all()).toBe("abc");
      await fs.appendFile(`${root}/f`, "d");
      expect(await all()).toBe("abcd");
      await fs.writeFile(`${root}/f`, "new");
      expect(await all()).toBe("new");
      expect((await file.stat()).size).toBe(3);
    });
  });
}
