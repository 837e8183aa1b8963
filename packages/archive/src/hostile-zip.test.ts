import { deflateRawSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { readAll } from "../test/read-all.ts";
import { joined } from "../test/tar-bytes.ts";
import { numbers, type ZipFields, zipOf } from "../test/zip-bytes.ts";
import { crc32 } from "./crc32.ts";

const hello = new TextEncoder().encode("hello");
const FOLLOW = 0x0808;
const deflated = (name: string, text: string): ZipFields => {
  const body = deflateRawSync(text);
  const bytes = new TextEncoder().encode(text);
  return { name, method: 8, body, crc: crc32(bytes), packed: body.length, size: bytes.length };
};
/** An entry whose sizes follow its content. */
const followed = (descriptor: Uint8Array): ZipFields => ({ name: "f", body: hello, flags: FOLLOW, descriptor });
const right = numbers([4, crc32(hello)], [4, 5], [4, 5]);
const signature = numbers([4, 0x08074b50]);
const zip64 = (...values: number[]) =>
  joined([numbers([2, 1], [2, 8 * values.length]), ...values.map((value) => numbers([8, value]))]);

/** A zip64 end in front of the ordinary one. */
function wideZip({
  count = 1,
  size,
  start,
  at,
  more = 0,
}: {
  count?: number;
  size?: number;
  start?: number;
  at?: number;
  more?: number;
}) {
  const plain = zipOf([{ name: "f", body: "x" }]);
  const view = new DataView(plain.buffer);
  const endAt = plain.length - 22;
  const [realSize, realStart] = [view.getUint32(endAt + 12, true), view.getUint32(endAt + 16, true)];
  return joined([
    plain.subarray(0, endAt),
    numbers([4, 0x06064b50], [8, 44 + more], [2, 45], [2, 45], [4, 0], [4, 0], [8, count], [8, count]),
    numbers([8, size ?? realSize], [8, start ?? realStart]),
    numbers([4, 0x07064b50], [4, 0], [8, at ?? endAt], [4, 1]),
    numbers([4, 0x06054b50], [4, 0], [2, 0xffff], [2, 0xffff], [4, 0xffffffff], [4, 0xffffffff], [2, 0]),
  ]);
}

describe("readZip refuses", () => {
  it.each<[string, Uint8Array]>([
    ["an absolute name", zipOf([{ name: "/etc/passwd" }])],
    ["a name that climbs", zipOf([{ name: "a/../../b" }])],
    ["a Windows path", zipOf([{ name: "..\\..\\evil" }])],
    ["a NUL in a name", zipOf([{ name: "a\0b" }])],
    ["a file in place of the target", zipOf([{ name: ".", body: "x" }])],
    ["a link in place of the target", zipOf([{ name: "./", body: "x", mode: 0o120777 }])],
    ["a link that climbs", zipOf([{ name: "l", body: "../x", mode: 0o120777 }])],
    ["a link with a NUL", zipOf([{ name: "l", body: "a\0b", mode: 0o120777 }])],
    ["a link of a megabyte", zipOf([{ name: "l", body: "a".repeat(1_000_000), mode: 0o120777 }])],
    ["a directory with content", zipOf([{ name: "d/", body: "x", mode: 0o040755 }])],
    ["a directory by its mode with content", zipOf([{ name: "d", body: "x", mode: 0o040755 }])],
    ["a device", zipOf([{ name: "d", mode: 0o020644 }])],
    ["a pipe", zipOf([{ name: "p", mode: 0o010644 }])],
    ["another name in the directory", zipOf([{ name: "safe", directory: { name: "evil" } }])],
    ["a longer name in the directory", zipOf([{ name: "safe", directory: { name: "safe2" } }])],
    ["another method in the directory", zipOf([{ name: "f", body: "hello", directory: { method: 8 } }])],
    ["another checksum in the directory", zipOf([{ name: "f", body: "hello", directory: { crc: 1 } }])],
    ["another size in the directory", zipOf([{ name: "f", body: "hello", directory: { size: 4 } }])],
    ["another packed size in the directory", zipOf([{ name: "f", body: "hello", directory: { packed: 4, size: 4 } }])],
    ["sizes that follow, in the directory alone", zipOf([{ name: "f", body: "hello", directory: { flags: FOLLOW } }])],
    ["sizes that follow, in the entry alone", zipOf([{ ...followed(right), directory: { flags: 0x0800 } }])],
    ["a wrong checksum in both", zipOf([{ name: "f", body: "hello", crc: 7 }])],
    ["a size that is too small in both", zipOf([{ name: "f", body: "hello", size: 4 }])],
    ["a size that is too large in both", zipOf([{ name: "f", body: "hello", size: 6 }])],
    ["a wrong checksum behind the content", zipOf([followed(numbers([4, 1], [4, 5], [4, 5]))])],
    [
      "a wrong size behind the content",
      zipOf([followed(joined([signature, numbers([4, crc32(hello)], [4, 5], [4, 6])]))]),
    ],
    ["a wrong packed size behind the content", zipOf([followed(numbers([4, crc32(hello)], [4, 4], [4, 5]))])],
    ["nothing where sizes should follow", zipOf([followed(new Uint8Array())])],
    ["half of the sizes behind the content", zipOf([followed(right.subarray(0, 8))])],
    ["an encrypted entry", zipOf([{ name: "f", flags: 0x0801 }])],
    ["strong encryption", zipOf([{ name: "f", flags: 0x0841 }])],
    ["a hidden directory", zipOf([{ name: "f", flags: 0x2800 }])],
    ["an unknown method", zipOf([{ name: "f", method: 9 }])],
    [
      "a deflated entry with bytes behind it",
      zipOf([
        {
          ...deflated("f", "hello"),
          body: joined([deflateRawSync("hello"), hello]),
          packed: deflateRawSync("hello").length + 5,
        },
      ]),
    ],
    [
      "a deflated entry that is cut",
      zipOf([{ ...deflated("f", "hello world"), body: deflateRawSync("hello world").subarray(0, 6), packed: 6 }]),
    ],
    [
      "two entries with one content",
      zipOf([
        { name: "f", body: "hello" },
        { name: "f", body: "hello", offset: 0 },
      ]),
    ],
    [
      "an entry that covers the next",
      zipOf([
        { name: "a", body: "x", packed: 40, size: 40 },
        { name: "b", body: "y" },
      ]),
    ],
    ["an entry that reaches into the directory", zipOf([{ name: "a", body: "x", packed: 30, size: 30 }])],
    [
      "an entry within another",
      zipOf([
        { name: "a", body: zipOf([{ name: "b", body: "z" }]) },
        { name: "b", body: "z", offset: 31 },
      ]),
    ],
    ["an entry beyond the end", zipOf([{ name: "a", offset: 99_999 }])],
    ["an entry within the directory", zipOf([{ name: "a", body: "x", offset: 40 }])],
    ["fewer entries than the directory has", zipOf([{ name: "a" }, { name: "b" }], { count: 1 })],
    ["more entries than the directory has", zipOf([{ name: "a" }], { count: 2 })],
    ["no entries, with a directory", zipOf([{ name: "a" }], { count: 0 })],
    ["bytes between directory and end", zipOf([{ name: "a" }], { gap: hello })],
    ["a directory that starts elsewhere", zipOf([{ name: "a" }], { start: 1 })],
    ["a part of several disks", zipOf([{ name: "a" }], { disk: 1 })],
    ["entries on other disks", zipOf([{ name: "a" }, { name: "b" }], { count: 2, countHere: 1 })],
    ["a second end in the comment", zipOf([{ name: "a" }], { comment: zipOf([{ name: "b" }]) })],
    ["a zip64 size that is missing", zipOf([{ name: "a", body: "x", directory: { size: 0xffffffff } }])],
    [
      "a zip64 size in a short field",
      zipOf([{ name: "a", body: "x", directory: { size: 0xffffffff }, extra: numbers([2, 1], [2, 4], [4, 1]) }]),
    ],
    [
      "a zip64 size that reaches into the next field",
      zipOf([
        {
          name: "a",
          body: "x",
          directory: { size: 0xffffffff },
          extra: joined([numbers([2, 1], [2, 4], [4, 1]), numbers([2, 9], [2, 0])]),
        },
      ]),
    ],
    [
      "a zip64 size beyond 2^53",
      zipOf([
        {
          name: "a",
          body: "x",
          directory: { size: 0xffffffff },
          extra: joined([numbers([2, 1], [2, 8]), numbers([8, 2n ** 63n])]),
        },
      ]),
    ],
    ["a zip64 size that lies", zipOf([{ name: "a", body: "x", directory: { size: 0xffffffff }, extra: zip64(99) }])],
    ["a zip64 offset that lies", zipOf([{ name: "a", body: "x", offset: 0xffffffff, extra: zip64(2) }])],
    ["a zip64 count that lies", wideZip({ count: 2 })],
    ["a zip64 directory elsewhere", wideZip({ start: 1 })],
    ["a zip64 directory of another size", wideZip({ size: 3 })],
    ["a zip64 end elsewhere", wideZip({ at: 0 })],
    ["a zip64 end beyond the file", wideZip({ at: 2 ** 52 })],
    ["a zip64 end of another length", wideZip({ more: 8 })],
    ["no end", zipOf([{ name: "a" }]).subarray(0, -22)],
    ["nothing", new Uint8Array()],
  ])("%s", async (_what, bytes) => {
    expect(await readAll(bytes, { format: "zip" })).toMatchObject({ refused: "EINVAL" });
  });

  it("a count beyond its limit before it reads the entries", async () => {
    for (const count of [20_000, 2 ** 40])
      expect(await readAll(wideZip({ count }), { format: "zip" })).toMatchObject({ refused: "EFBIG" });
  });

  const small = zipOf([
    deflated("ä.txt", "hello ".repeat(9)),
    { name: "d/", mode: 0o040755 },
    followed(joined([signature, right])),
  ]);
  const lines = [`file ä.txt ${"hello ".repeat(9)}`.trimEnd(), "dir d", "file f hello"];

  it("a zip that ends early, at every byte", async () => {
    expect(await readAll(small, { format: "zip" })).toMatchObject({ lines });
    for (let length = 0; length < small.length; length++)
      expect([length, await readAll(small.subarray(0, length), { format: "zip" })]).toMatchObject([
        length,
        { refused: "EINVAL" },
      ]);
  });

  it("any damaged byte, or reads the same names and contents", async () => {
    for (let at = 0; at < small.length; at++) {
      for (const flip of [0x01, 0x41, 0xff]) {
        const result = await readAll(small.with(at, (small[at] ?? 0) ^ flip), { format: "zip" });
        // A mode is not in any checksum: another type must keep the name.
        if ("lines" in result)
          expect(result.lines.map((line) => line.replace(/^\w+ /, ""))).toEqual(
            lines.map((line) => line.replace(/^\w+ /, "")),
          );
      }
    }
  });
});

describe("readZip reads", () => {
  it.each<[string, Uint8Array, string[]]>([
    ["sizes behind the content", zipOf([followed(right)]), ["file f hello"]],
    ["sizes behind the content with a signature", zipOf([followed(joined([signature, right]))]), ["file f hello"]],
    [
      "sizes of 8 bytes",
      zipOf([followed(joined([signature, numbers([4, crc32(hello)], [8, 5], [8, 5])]))]),
      ["file f hello"],
    ],
    [
      "zip64 fields",
      zipOf([{ name: "a", body: "x", directory: { size: 0xffffffff, packed: 0xffffffff }, extra: zip64(1, 1) }]),
      ["file a x"],
    ],
    ["a zip64 end", wideZip({}), ["file f x"]],
    ["a comment", zipOf([{ name: "a" }], { comment: hello }), ["file a"]],
    ["no entries", zipOf([]), []],
    ["a deflated directory", zipOf([{ ...deflated("d/", ""), mode: 0o040755 }]), ["dir d"]],
  ])("%s", async (_what, bytes, lines) => {
    expect(await readAll(bytes, { format: "zip" })).toMatchObject({ lines });
  });

  it("a bomb only up to its budget", async () => {
    const bomb = zipOf(Array.from({ length: 4 }, (_, i) => deflated(`f${i}`, "\0".repeat(1_000_000))));
    expect(bomb.length).toBeLessThan(8192);
    expect(await readAll(bomb, { format: "zip", unpackedBytes: 2_000_000 })).toMatchObject({ refused: "EFBIG" });
  });
});
