/** readFile in every encoding, read, readRange, readMany, scan, stat, lstat, access, exists. */
import { describe, expect } from "vitest";
import { concat, expectBytes, fails, type Make, pattern, testsOn, text, utf8 } from "./subject.ts";

const MIB = 1024 * 1024;
/** Around the bounds between one row and several, and between chunks. */
const SIZES = [0, 1, 131_071, 131_072, 131_073, MIB - 1, MIB, MIB + 1, MIB + 131_072, 3 * MIB + 7];

/** Every kind of byte: ASCII, NUL, two-, three- and four-byte characters, a lone continuation, an impossible byte, a cut tail. */
const SAMPLE = new Uint8Array([
  0x00, 0x41, 0x0a, 0xc3, 0xa9, 0xe2, 0x82, 0xac, 0xf0, 0x9f, 0x98, 0x80, 0x80, 0xff, 0x7f, 0xfb, 0xef, 0xe2, 0x82,
]);

/** What Node 24 makes of SAMPLE. */
const DECODED = {
  utf8: "\0A\né€😀\uFFFD\uFFFD\x7F\uFFFD\uFFFD\uFFFD",
  "utf-8": "\0A\né€😀\uFFFD\uFFFD\x7F\uFFFD\uFFFD\uFFFD",
  latin1: "\0A\n\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\x80\xFF\x7F\xFB\xEF\xE2\x82",
  binary: "\0A\n\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\x80\xFF\x7F\xFB\xEF\xE2\x82",
  ascii: "\0A\nC)b\x02,p\x1F\x18\0\0\x7F\x7F{ob\x02",
  base64: "AEEKw6nigqzwn5iAgP9/++/igg==",
  base64url: "AEEKw6nigqzwn5iAgP9_--_igg",
  hex: "00410ac3a9e282acf09f988080ff7ffbefe282",
  utf16le: "\u4100\uC30A\uE2A9\uAC82\u9FF0\u8098\uFF80\uFB7F\uE2EF",
  ucs2: "\u4100\uC30A\uE2A9\uAC82\u9FF0\u8098\uFF80\uFB7F\uE2EF",
} as const;

export function readingContract(make: Make): void {
  const it = testsOn(make);

  describe("readFile", () => {
    it("readFile gives bytes without an encoding", async ({ fs, root }) => {
      await fs.writeFile(`${root}/f`, SAMPLE);
      for (const options of [undefined, null, {}, { encoding: null }]) {
        expectBytes(await fs.readFile(`${root}/f`, options), SAMPLE);
      }
    });

    for (const [encoding, expected] of Object.entries(DECODED)) {
      it(`readFile decodes ${encoding} as Node does`, async ({ fs, root }) => {
        await fs.writeFile(`${root}/f`, SAMPLE);
        expect(await fs.readFile(`${root}/f`, encoding as keyof typeof DECODED)).toBe(expected);
        expect(await fs.readFile(`${root}/f`, { encoding: encoding as keyof typeof DECODED })).toBe(expected);
      });
    }

    it("readFile keeps a byte order mark", async ({ fs, root }) => {
      await fs.writeFile(`${root}/f`, new Uint8Array([0xef, 0xbb, 0xbf, 0x61]));
      expect(await text(fs, `${root}/f`)).toBe("\uFEFFa");
    });

    it("readFile decodes a character that lies across a chunk's end", async ({ fs, root }) => {
      for (const edge of [65_536, 131_072, MIB, MIB + 131_072]) {
        const content = concat(pattern(0), utf8("a".repeat(edge - 2)), utf8("😀"), utf8("b".repeat(MIB)));
        await fs.writeFile(`${root}/f`, content);
        const read = await text(fs, `${root}/f`);
        expect(read.slice(edge - 3, edge + 2)).toBe("a😀bb");
        expect(read.length).toBe(edge - 2 + 2 + MIB);
      }
    });

    for (const size of SIZES) {
      it(`readFile gives back ${size} bytes exactly`, async ({ fs, root }) => {
        const content = pattern(size, size);
        await fs.writeFile(`${root}/f`, content);
        expectBytes(await fs.readFile(`${root}/f`), content);
        expect((await fs.stat(`${root}/f`)).size).toBe(size);
      });
    }

    it("readFile gives each caller bytes of its own", async ({ fs, root }) => {
      await fs.writeFile(`${root}/f`, "abc");
      const first = await fs.readFile(`${root}/f`);
      first.fill(0);
      expect(await text(fs, `${root}/f`)).toBe("abc");
    });

    it("readFile follows symbolic links and sees one content through hard links", async ({ fs, root }) => {
      await fs.mkdir(`${root}/d`);
      await fs.writeFile(`${root}/d/f`, "abc");
      await fs.symlink("d", `${root}/l`);
      await fs.symlink("l/f", `${root}/m`);
      await fs.link(`${root}/d/f`, `${root}/h`);
      for (const path of ["d/f", "l/f", "m", "h"]) expect(await text(fs, `${root}/${path}`)).toBe("abc");
    });

    it("readFile fails on a directory with EISDIR", async ({ fs, root }) => {
      await fails(fs.readFile(root), { code: "EISDIR", syscall: "read" });
      await fails(fs.readFile(root, "utf8"), { code: "EISDIR", syscall: "read" });
    });

    it("readFile reads many files at once", async ({ fs, root }) => {
      const indexes = Array.from({ length: 60 }, (_, i) => i);
      await Promise.all(indexes.map((i) => fs.writeFile(`${root}/${i}`, `content ${i}`)));
      const read = await Promise.all(indexes.map((i) => text(fs, `${root}/${i}`)));
      expect(read).toEqual(indexes.map((i) => `content ${i}`));
    });
  });

  describe("read, readRange, readMany and scan", () => {
    it("read gives content, stat and version together", async ({ fs, root }) => {
      await fs.writeFile(`${root}/f`, "abc");
      const { content, stat, version } = await fs.read(`${root}/f`);
      expectBytes(content, utf8("abc"));
      expect([stat.size, stat.isFile(), stat.version]).toEqual([3, true, version]);
      await fails(fs.read(`${root}/none`), { code: "ENOENT", syscall: "open", path: `${root}/none` });
      await fails(fs.read(root), { code: "EISDIR", syscall: "read" });
    });

    it("readRange gives the bytes from start, and fewer at the end", async ({ fs, root }) => {
      await fs.writeFile(`${root}/f`, "0123456789");
      const range = async (start: number, length: number) =>
        new TextDecoder().decode(await fs.readRange(`${root}/f`, start, length));
      expect(await range(0, 3)).toBe("012");
      expect(await range(4, 2)).toBe("45");
      expect(await range(8, 5)).toBe("89");
      expect(await range(10, 5)).toBe("");
      expect(await range(50, 5)).toBe("");
      expect(await range(3, 0)).toBe("");
      expect(await range(0, 10)).toBe("0123456789");
    });

    it("readRange crosses rows and chunks", async ({ fs, root }) => {
      const content = pattern(2 * MIB + 77);
      await fs.writeFile(`${root}/f`, content);
      for (const edge of [65_536, 131_072, MIB, MIB + 131_072, 2 * MIB]) {
        for (const [start, length] of [
          [edge - 1, 2],
          [edge - 5, 5],
          [edge, 5],
          [edge - 200_000, 400_000],
        ] as const) {
          const from = Math.max(0, start);
          expectBytes(await fs.readRange(`${root}/f`, from, length), content.subarray(from, from + length));
        }
      }
      expectBytes(await fs.readRange(`${root}/f`, 0, 3 * MIB), content);
    });

    it("readRange fails as readFile does", async ({ fs, root }) => {
      await fails(fs.readRange(`${root}/none`, 0, 1), { code: "ENOENT", syscall: "open", path: `${root}/none` });
      await fails(fs.readRange(root, 0, 1), { code: "EISDIR", syscall: "read" });
    });

    it("readMany gives bytes in the order asked and null where there is no file", async ({ fs, root }) => {
      await fs.writeMany([
        { path: `${root}/a`, content: "A" },
        { path: `${root}/big`, content: pattern(MIB + 9) },
        { path: `${root}/d/b`, content: "B" },
        { path: `${root}/empty`, content: "" },
        { path: `${root}/l`, type: "symlink", target: "a" },
        { path: `${root}/dangling`, type: "symlink", target: "nowhere" },
      ]);
      const paths = ["d/b", "none", "a", "big", "a", "empty", "l", "dangling", "none/x", "a/x", "d"].map(
        (p) => `${root}/${p}`,
      );
      const [b, none, a, big, again, empty, link, dangling, under, through, dir, ...rest] = await fs.readMany(paths);
      expect([b, a, again, empty, link].map((bytes) => bytes && new TextDecoder().decode(bytes))).toEqual([
        "B",
        "A",
        "A",
        "",
        "A",
      ]);
      expectBytes(big as Uint8Array, pattern(MIB + 9));
      expect([none, dangling, under, through, dir, ...rest]).toEqual([null, null, null, null, null]);
    });

    it("readMany takes none, and hundreds", async ({ fs, root }) => {
      expect(await fs.readMany([])).toEqual([]);
      const entries = Array.from({ length: 350 }, (_, i) => ({
        path: `${root}/d${i % 7}/f${i}`,
        content: `text ${i}`,
      }));
      await fs.writeMany(entries);
      const read = await fs.readMany(entries.map(({ path }) => path).reverse());
      expect(read.map((bytes) => new TextDecoder().decode(bytes!))).toEqual(
        entries.map(({ content }) => content).reverse(),
      );
    });

    it("scan gives names with their own stats in byte order", async ({ fs, root }) => {
      const inOrder = ["B", "a", "a.b", "a0", "ab", "b", "é", "\uFF5E", "😀"];
      for (const name of [...inOrder].reverse()) await fs.writeFile(`${root}/${name}`, name);
      await fs.symlink("a", `${root}/z-link`);
      await fs.mkdir(`${root}/z-dir`);
      const entries = await fs.scan(root);
      expect(entries.map(({ name }) => name)).toEqual([
        "B",
        "a",
        "a.b",
        "a0",
        "ab",
        "b",
        "z-dir",
        "z-link",
        "é",
        "\uFF5E",
        "😀",
      ]);
      const types = Object.fromEntries(entries.map(({ name, stat }) => [name, stat.type]));
      expect([types.a, types["z-dir"], types["z-link"]]).toEqual(["file", "dir", "symlink"]);
      expect(entries.at(-1)?.stat.size).toBe(4);
    });

    it("scan fails on a file and on nothing", async ({ fs, root }) => {
      await fs.writeFile(`${root}/f`, "");
      await fails(fs.scan(`${root}/f`), { code: "ENOTDIR", syscall: "scandir", path: `${root}/f` });
      await fails(fs.scan(`${root}/none`), { code: "ENOENT", syscall: "scandir", path: `${root}/none` });
    });
  });

  describe("stat and lstat", () => {
    it("stat describes a file", async ({ fs, root }) => {
      const before = Date.now();
      await fs.writeFile(`${root}/f`, "héllo");
      const stat = await fs.stat(`${root}/f`);
      expect(stat.mode).toBe(0o100644);
      expect([stat.type, stat.size, stat.nlink]).toEqual(["file", 6, 1]);
      expect([stat.uid, stat.gid].every(Number.isInteger)).toBe(true);
      expect(Number.isSafeInteger(stat.ino) && stat.ino > 0).toBe(true);
      for (const time of [stat.mtimeMs, stat.ctimeMs, stat.birthtimeMs, stat.atimeMs]) {
        expect(Math.abs(time - before)).toBeLessThan(60_000);
      }
      expect([stat.mtime, stat.ctime, stat.birthtime, stat.atime].every((date) => date instanceof Date)).toBe(true);
      expect(Math.abs(stat.mtime.getTime() - stat.mtimeMs)).toBeLessThanOrEqual(1);
      expect(Math.abs(stat.ctime.getTime() - stat.ctimeMs)).toBeLessThanOrEqual(1);
      expect(predicates(stat)).toEqual("file");
    });

    it("stat describes a directory", async ({ fs, root }) => {
      await fs.mkdir(`${root}/d`);
      const stat = await fs.stat(`${root}/d`);
      expect([stat.mode, stat.type, predicates(stat)]).toEqual([0o40755, "dir", "dir"]);
    });

    it("stat follows a link and lstat describes it", async ({ fs, root }) => {
      await fs.writeFile(`${root}/tärget`, "abc");
      await fs.symlink("tärget", `${root}/l`);
      const link = await fs.lstat(`${root}/l`);
      expect([link.mode, link.type, link.size, link.nlink, predicates(link)]).toEqual([
        0o120777,
        "symlink",
        7,
        1,
        "symlink",
      ]);
      expect((await fs.stat(`${root}/l`)).ino).toBe((await fs.stat(`${root}/tärget`)).ino);
      expect((await fs.stat(`${root}/l`)).size).toBe(3);
      expect(link.ino).not.toBe((await fs.stat(`${root}/l`)).ino);
    });

    it("stat gives each inode a number of its own, and keeps it over writes and renames", async ({ fs, root }) => {
      await fs.writeFile(`${root}/a`, "1");
      await fs.writeFile(`${root}/b`, "1");
      const { ino } = await fs.stat(`${root}/a`);
      expect((await fs.stat(`${root}/b`)).ino).not.toBe(ino);
      await fs.writeFile(`${root}/a`, "longer");
      await fs.appendFile(`${root}/a`, "more");
      await fs.truncate(`${root}/a`, 2);
      await fs.chmod(`${root}/a`, 0o600);
      await fs.rename(`${root}/a`, `${root}/c`);
      expect((await fs.stat(`${root}/c`)).ino).toBe(ino);
    });
  });

  describe("access and exists", () => {
    it("access passes for what is there and follows links", async ({ fs, root }) => {
      await fs.writeFile(`${root}/f`, "");
      await fs.symlink("f", `${root}/l`);
      for (const path of ["f", "l", ""]) {
        expect(await fs.access(`${root}/${path}`)).toBeUndefined();
        expect(await fs.access(`${root}/${path}`, 0)).toBeUndefined();
        expect(await fs.access(`${root}/${path}`, 4 | 2)).toBeUndefined();
      }
    });

    it("access fails through a dangling link", async ({ fs, root }) => {
      await fs.symlink("nowhere", `${root}/l`);
      await fails(fs.access(`${root}/l`), { code: "ENOENT", syscall: "access", path: `${root}/l` });
    });

    it("exists answers, and never rejects", async ({ fs, root }) => {
      await fs.writeFile(`${root}/f`, "");
      await fs.symlink("f", `${root}/l`);
      await fs.symlink("nowhere", `${root}/dangling`);
      await fs.symlink("loop", `${root}/loop`);
      const requested = [
        root,
        `${root}/f`,
        `${root}/l`,
        `${root}/none`,
        `${root}/f/x`,
        `${root}/dangling`,
        `${root}/loop`,
        "",
      ];
      const answers = await Promise.all(
        [...requested, `${root}/${"n".repeat(256)}`, `${root}/a\0b`].map((path) => fs.exists(path)),
      );
      expect(answers).toEqual([true, true, true, false, false, false, false, false, false, false]);
    });
  });
}

interface Predicates {
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
  isBlockDevice(): boolean;
  isCharacterDevice(): boolean;
  isFIFO(): boolean;
  isSocket(): boolean;
}

/** The one type whose predicate says yes. */
export function predicates(entry: Predicates): string {
  const yes = [
    entry.isFile() && "file",
    entry.isDirectory() && "dir",
    entry.isSymbolicLink() && "symlink",
    entry.isBlockDevice() && "block device",
    entry.isCharacterDevice() && "character device",
    entry.isFIFO() && "fifo",
    entry.isSocket() && "socket",
  ];
  return yes.filter(Boolean).join();
}
