/**
 * Streams that violate their declared size: each guard is tested alone, and nothing beyond the declared size is passed
 * on.
 */
import { deflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { gather } from "../odb/write-loose-stream.ts";
import { concat, decode, encode } from "../text/bytes.ts";
import { inflateAll, inflateExactly } from "../zlib/inflate.ts";
import { applyDeltaStream } from "./delta-chain-stream.ts";
import { inflateStream } from "./inflate-stream.ts";

const BASE = encode("hello, world");

/** What came, and the error it ended with. */
async function outcome(pieces: AsyncIterable<Uint8Array>): Promise<{ text: string; code: unknown; message: unknown }> {
  let text = "";
  try {
    for await (const piece of pieces) text += decode(piece);
    return { text, code: null, message: null };
  } catch (error) {
    const { code, message } = error as { code?: unknown; message?: unknown };
    return { text, code, message };
  }
}

async function* each(bytes: readonly number[]): AsyncGenerator<Uint8Array> {
  for (const byte of bytes) yield Uint8Array.of(byte);
}

describe("applyDeltaStream", () => {
  const applied = (...delta: number[]) =>
    outcome(applyDeltaStream(each(delta), async (at, length) => BASE.slice(at, at + length), BASE.length));
  const [a, b] = encode("ab") as unknown as [number, number];

  it("inserts and copies", async () => {
    expect(await applied(12, 7, 2, a, b, 0x90 | 1, 7, 5)).toEqual({ text: "abworld", code: null, message: null });
  });

  it.each([
    ["is of another base", [13, 2, 2, a, b], ""],
    ["has the instruction that means nothing", [12, 2, 2, a, b, 0], "ab"],
    ["inserts more than it says", [12, 1, 2, a, b], ""],
    ["copies more than it says", [12, 4, 0x90, 5], ""],
    ["copies from beyond its base", [12, 5, 0x90 | 1, 8, 5], ""],
    ["makes less than it says", [12, 3, 2, a, b], "ab"],
    ["ends in what it inserts", [12, 2, 2, a], ""],
    ["ends in what it copies", [12, 5, 0x90 | 1, 7], ""],
    ["ends in a size", [12, 0x80], ""],
    ["has a size without an end", [12, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 2, a, b], ""],
  ])("refuses one that %s", async (_name, delta, text) => {
    expect(await applied(...delta)).toMatchObject({ text, code: "ECORRUPT" });
  });
});

describe("inflateStream", () => {
  const text = "some text ".repeat(50);
  const stream = new Uint8Array(deflateSync(text));
  const read = (bytes: Uint8Array, size: number) =>
    outcome(
      inflateStream(
        { size: bytes.length, peek: () => null, at: async (at) => bytes.subarray(at) },
        { dataAt: 0, size },
      ),
    );

  it("gives an entry of the size that was stated", async () => {
    expect(await read(stream, text.length)).toEqual({ text, code: null, message: null });
    // The bytes behind it belong to other data.
    expect(await read(concat([stream, stream]), text.length)).toEqual({ text, code: null, message: null });
  });

  it("refuses one that is longer, and hands nothing of it on", async () => {
    const { text: input, ...error } = await read(stream, text.length - 1);
    expect(error).toEqual({ code: "ECORRUPT", message: "inflate: data stream error (incorrect length)" });
    expect(input).toBe("");
  });

  it("refuses one that is shorter, cut or broken", async () => {
    const error = (reason: string) => ({ code: "ECORRUPT", message: `inflate: data stream error (${reason})` });
    expect(await read(stream, text.length + 1)).toMatchObject(error("incorrect length"));
    expect(await read(stream.subarray(0, -1), text.length)).toMatchObject(error("unexpected end of data"));
    expect(await read(stream.subarray(0, 1), text.length)).toMatchObject(error("unexpected end of data"));
    expect(await read(new Uint8Array(0), text.length)).toMatchObject(error("unexpected end of data"));
    expect(await read(stream.subarray(1), text.length)).toMatchObject({ code: "ECORRUPT" });
  });

  it("leaves an error of the file what it is", async () => {
    const failing = { size: 9, peek: () => null, at: () => Promise.reject(new TypeError("no disk")) };
    expect(await outcome(inflateStream(failing, { dataAt: 0, size: 9 }))).toMatchObject({ message: "no disk" });
  });
});

describe("inflateExactly", () => {
  it("takes the size that was stated, no other, and no part", () => {
    const stream = new Uint8Array(deflateSync("text"));
    expect(decode(inflateExactly(concat([encode("xx"), stream]), 2, 4))).toBe("text");
    for (const size of [0, 3, 5, 400]) expect(() => inflateExactly(stream, 0, size)).toThrow("incorrect length");
    expect(() => inflateExactly(stream.subarray(0, -1), 0, 4)).toThrow("unexpected end of data");
  });
});

describe("inflateAll", () => {
  it("gives no more than its limit, however little the stream takes", () => {
    for (const size of [4, 100_000]) {
      const stream = new Uint8Array(deflateSync(Buffer.alloc(size, 7)));
      expect(inflateAll(stream, 0, size)).toMatchObject({ inputAt: stream.length, bytes: { length: size } });
      for (const limit of [size - 1, size >> 1, 1])
        expect(() => inflateAll(stream, 0, limit)).toThrow("incorrect length");
      expect(() => inflateAll(stream.subarray(0, -1), 0, size)).toThrow("unexpected end of data");
    }
  });
});

describe("gather", () => {
  it("takes what is as long as it was said to be, and nothing else", async () => {
    const reported = "content is not of the 3 bytes it was said to have";
    expect([...(await gather(3, each([1, 2, 3])))]).toEqual([1, 2, 3]);
    await expect(gather(3, each([1, 2]))).rejects.toMatchObject({ code: "EINVAL", message: reported });
    await expect(gather(3, each([1, 2, 3, 4]))).rejects.toMatchObject({ code: "EINVAL", message: reported });
  });
});
