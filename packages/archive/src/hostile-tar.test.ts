import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { readAll } from "../test/read-all.ts";
import { base256, joined, pax, tarEntry, tarOf } from "../test/tar-bytes.ts";

const MiB = 1024 * 1024;
const NEGATIVE = base256(0xff, 0xff, 0xfb);

describe("readTar refuses", () => {
  it.each<[string, Uint8Array]>([
    ["an absolute name", tarOf(tarEntry({ name: "/etc/passwd" }))],
    ["an absolute name in pax", tarOf(pax({ path: "/etc/passwd" }), tarEntry({}))],
    ["a prefix that climbs", tarOf(tarEntry({ name: "x", prefix: "a/../.." }))],
    ["a drive with a backslash", tarOf(tarEntry({ name: "C:\\Windows\\x" }))],
    ["a share", tarOf(tarEntry({ name: "\\\\host\\share" }))],
    ["a NUL in a pax name", tarOf(pax({ path: "safe\0/../../evil" }), tarEntry({}))],
    ["a NUL in a pax target", tarOf(pax({ linkpath: "a\0b" }), tarEntry({ kind: "2" }))],
    [
      "a name that is not UTF-8",
      tarOf(
        pax({ path: "x" }).map((part) => part.map((byte) => (byte === 0x78 ? 0xff : byte))),
        tarEntry({}),
      ),
    ],
    [
      "a GNU long name that climbs",
      tarOf(tarEntry({ name: "././@LongLink", kind: "L", body: "a/../../b\0" }), tarEntry({})),
    ],
    [
      "a GNU long target that climbs",
      tarOf(tarEntry({ name: "././@LongLink", kind: "K", body: "../b\0" }), tarEntry({ kind: "2" })),
    ],
    ["a file in place of the target", tarOf(tarEntry({ name: "./", kind: "7", body: tarEntry({ name: "inner" })[0] }))],
    ["a link in place of the target", tarOf(tarEntry({ name: ".", kind: "2", target: "x" }))],
    [
      "a hard link in place of the target",
      tarOf(tarEntry({ name: "a" }), tarEntry({ name: "././", kind: "1", target: "a" })),
    ],
    ["a hard link to a path outside", tarOf(tarEntry({ kind: "1", target: "../x" }))],
    ["a hard link to an absolute path", tarOf(tarEntry({ kind: "1", target: "/etc/passwd" }))],
    ["a device", tarOf(tarEntry({ kind: "3" }))],
    ["a block device", tarOf(tarEntry({ kind: "4" }))],
    ["a pipe", tarOf(tarEntry({ kind: "6" }))],
    ["a GNU sparse file", tarOf(tarEntry({ kind: "S", body: "x" }))],
    [
      "a pax sparse file",
      tarOf(pax({ "GNU.sparse.major": "1", "GNU.sparse.name": "x" }), tarEntry({ body: "1\n0\n1\n" })),
    ],
    ["a pax sparse file announced for all", tarOf(pax({ "GNU.sparse.realsize": "99999999999" }, "g"), tarEntry({}))],
    ["a part of several volumes", tarOf(tarEntry({ kind: "M" }))],
    ["a volume label", tarOf(tarEntry({ kind: "V" }))],
    ["a path for all entries", tarOf(pax({ path: "evil" }, "g"), tarEntry({}))],
    ["a target for all entries", tarOf(pax({ linkpath: "evil" }, "g"), tarEntry({ kind: "2" }))],
    ["a size for all entries", tarOf(pax({ size: "0" }, "g"), tarEntry({ body: "x" }))],
    ["a negative size", tarOf(tarEntry({ size: NEGATIVE, body: "x" }))],
    [
      "a negative size with a small end",
      tarOf(tarEntry({ size: base256(0xff, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5), body: "hello" })),
    ],
    ["a size with other bits before it", tarOf(tarEntry({ size: base256(0xc0, 1), body: "x" }))],
    ["a size beyond 2^53", tarOf(tarEntry({ size: base256(0x80, 0x20, 0, 0, 0, 0, 0, 0) }))],
    ["a negative octal size", tarOf(tarEntry({ size: "-0000000001\0" }))],
    ["a size that is not octal", tarOf(tarEntry({ size: "0000000009\0" }))],
    ["a hexadecimal size", tarOf(tarEntry({ size: "0x000000001\0" }))],
    ["a pax size that is negative", tarOf(pax({ size: "-1" }), tarEntry({}))],
    ["a pax size with an exponent", tarOf(pax({ size: "1e3" }), tarEntry({}))],
    ["a pax size that is empty", tarOf(pax({ size: "" }), tarEntry({}))],
    ["a negative size of a pax header", tarOf(tarEntry({ kind: "x", size: NEGATIVE }), tarEntry({}))],
    ["a pax header of 1 MiB", tarOf(tarEntry({ kind: "x", body: new Uint8Array(MiB) }), tarEntry({}))],
    ["a GNU name of 1 MiB", tarOf(tarEntry({ kind: "L", body: new Uint8Array(MiB).fill(97) }), tarEntry({}))],
    ["a time beyond all dates", tarOf(pax({ mtime: "9e99" }), tarEntry({}))],
    ["a time without end", tarOf(pax({ mtime: "Infinity" }), tarEntry({}))],
    [
      "a binary time beyond all dates",
      tarOf(tarEntry({ mtime: base256(0x80, 0x1f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff) })),
    ],
    ["a record longer than its header", tarOf(tarEntry({ kind: "x", body: "99 path=a\n" }), tarEntry({}))],
    ["a record shorter than its key", tarOf(tarEntry({ kind: "x", body: "3 path=a\n" }), tarEntry({}))],
    ["a record of no length", tarOf(tarEntry({ kind: "x", body: "0 path=a\n" }), tarEntry({}))],
    ["a record without a line end", tarOf(tarEntry({ kind: "x", body: "9 path=abc" }), tarEntry({}))],
    ["a record without a key", tarOf(tarEntry({ kind: "x", body: "5 =a\n" }), tarEntry({}))],
    ["10 000 records in one header", tarOf(tarEntry({ kind: "x", body: "6 a=b\n".repeat(10_000) }), tarEntry({}))],
    ["a header without an entry", tarOf(tarEntry({ name: "a" }), pax({ path: "b" }))],
    ["a wrong checksum", tarOf(tarEntry({}).map((part, i) => (i === 0 ? part.with(0, 1) : part)))],
    ["no end", joined(tarEntry({}))],
    ["nothing", new Uint8Array()],
    ["a second archive behind the first", joined([tarOf(tarEntry({})), tarOf(tarEntry({ name: "hidden" }))])],
    ["gzip within gzip", gzipSync(gzipSync(tarOf(tarEntry({}))))],
    ["gzip with other bytes behind it", joined([gzipSync(tarOf(tarEntry({}))), new Uint8Array([1, 2, 3])])],
  ])("%s", async (_what, bytes) => {
    for (const chunk of [65_536, 7]) {
      if (chunk === 7 && bytes.length > 100_000) continue;
      expect(await readAll(bytes, { chunk })).toMatchObject({ refused: "EINVAL" });
    }
  });

  const small = tarOf(
    pax({ path: "ä.txt" }),
    tarEntry({ body: "hello" }),
    tarEntry({ name: "l", kind: "2", target: "x" }),
  );

  it("a tar that ends early, at every byte", async () => {
    // One empty block is an end.
    for (let length = 0; length < small.length - 512; length++)
      expect([length, await readAll(small.subarray(0, length))]).toMatchObject([length, { refused: "EINVAL" }]);
    expect(await readAll(small.subarray(0, -512))).toMatchObject({ lines: ["file ä.txt hello", "symlink l x"] });
  });

  it("a gzip that ends early, at every byte, its checksum included", async () => {
    const packed = gzipSync(small);
    for (let length = 0; length < packed.length; length++)
      expect([length, await readAll(packed.subarray(0, length))]).toMatchObject([length, { refused: "EINVAL" }]);
  });

  it("any damaged byte of a gzip, or reads the same entries", async () => {
    const packed = gzipSync(small);
    for (let at = 0; at < packed.length; at++) {
      const result = await readAll(packed.with(at, (packed[at] ?? 0) ^ 0x41));
      if ("lines" in result) expect(result.lines).toEqual(["file ä.txt hello", "symlink l x"]);
    }
  });
});

describe("readTar reads", () => {
  it.each<[string, Uint8Array, string[]]>([
    [
      "a directory of the first tars",
      tarOf(tarEntry({ name: "d/", kind: "\0" }), tarEntry({ name: "d/f" })),
      ["dir d", "file d/f"],
    ],
    ["a binary size", tarOf(tarEntry({ body: "hello", size: base256(0x80, 5) })), ["file f hello"]],
    ["a time before 1970", tarOf(tarEntry({ mtime: base256(0xff, 0xff) })), ["file f"]],
    ["a pax time before 1970", tarOf(pax({ mtime: "-12.5" }), tarEntry({})), ["file f"]],
    [
      "records it has no use for",
      tarOf(pax({ [`SCHILY.xattr.user.${"x".repeat(80)}`]: "y", comment: "c" }), tarEntry({})),
      ["file f"],
    ],
    ["the comment of git archive", tarOf(pax({ comment: "0".repeat(40) }, "g"), tarEntry({})), ["file f"]],
    ["a name that looks like a drive", tarOf(tarEntry({ name: "C:/x" })), ["file C:/x"]],
    ["control characters in names", tarOf(pax({ path: "a\u001b[31m\nb" }), tarEntry({})), ["file a\u001b[31m\nb"]],
    [
      "names that differ in case",
      tarOf(tarEntry({ name: "A", body: "1" }), tarEntry({ name: "a", body: "2" })),
      ["file A 1", "file a 2"],
    ],
    ["GNU's own magic, whose times are no prefix", tarOf(tarEntry({ magic: "ustar  \0", prefix: "123" })), ["file f"]],
    ["padding behind the end", joined([tarOf(tarEntry({})), new Uint8Array(10_240)]), ["file f"]],
  ])("%s", async (_what, bytes, lines) => {
    expect(await readAll(bytes)).toMatchObject({ lines });
  });

  it("a file whose content is left unread, and then the next entry", async () => {
    const inner = tarEntry({ name: "smuggled", body: "x" });
    const bytes = tarOf(tarEntry({ name: "outer", body: joined(inner) }), tarEntry({ name: "next" }));
    const { readTar, ArchiveBudget } = await import("./index.ts");
    const budget = new ArchiveBudget(
      { unpackedBytes: MiB, archiveEntries: 10 },
      { spend() {}, checkpoint: () => undefined },
    );
    const names: string[] = [];
    for await (const { name } of readTar(
      (async function* () {
        yield bytes;
      })(),
      budget,
    ))
      names.push(name);
    expect(names).toEqual(["outer", "next"]);
  });

  it("spends work in proportion to the archive, and never long without a pause", async () => {
    const records = tarEntry({ kind: "x", body: "6 a=b\n".repeat(1000) });
    const many = (count: number) => tarOf(...Array.from({ length: count }, () => [records, tarEntry({})]).flat());
    const [one, two] = [await readAll(many(500)), await readAll(many(1000))];
    if (!("steps" in one && "steps" in two)) throw new Error("refused");
    expect(two.steps / one.steps).toBeLessThan(2.1);
    expect(two.longestStretch).toBeLessThan(400_000);
  });

  it("a bomb in gzip only up to its budget", async () => {
    const bomb = gzipSync(tarOf(tarEntry({ name: "d", kind: "5", body: new Uint8Array(32 * MiB) })));
    expect(bomb.length).toBeLessThan(64 * 1024);
    expect(await readAll(bomb, { unpackedBytes: MiB })).toMatchObject({ refused: "EFBIG" });
    const padding = gzipSync(joined([tarOf(tarEntry({})), new Uint8Array(32 * MiB)]));
    expect(await readAll(padding, { unpackedBytes: MiB })).toMatchObject({ refused: "EFBIG" });
  });
});
