/**
 * Bytes that a caller passes stay the caller's: every verb stores exactly them, and leaves the buffer behind them as it was, neither
 * changed nor detached. Node's `Buffer` matters most: its `slice` is a view, and small ones share one pool.
 */
import { Buffer } from "node:buffer";
import type { Content, FileSystem } from "@workspace/vfs";
import { describe, expect } from "vitest";
import { concat, expectBytes, type Make, pattern, testsOn } from "./subject.ts";

const MIB = 1024 * 1024;
const KIB = 1024;
const LARGE = [MIB + 4, 2 * MIB + 4, 3 * MIB + 8];
/** Around the sizes where a content becomes a row, several rows, and rows in several steps. */
const EDGES = [1, 4095, 4097, 128 * KIB, MIB - 1, MIB, MIB + 1, 2 * MIB - 1, 2 * MIB, 2 * MIB + 1, 4 * MIB + 128 * KIB];

/** A part of a larger buffer, with bytes before and behind it. */
const inside = (content: Uint8Array): Uint8Array<ArrayBuffer> => {
  const around = new Uint8Array(content.length + 24).fill(0xee);
  around.set(content, 16);
  return around.subarray(16, 16 + content.length);
};

const sharedCopy = (content: Uint8Array): Uint8Array => {
  const shared = new Uint8Array(new SharedArrayBuffer(content.length));
  shared.set(content);
  return shared;
};

class Chunk extends Uint8Array {
  override slice(start?: number, end?: number): Uint8Array<ArrayBuffer> {
    return super.subarray(start, end) as Uint8Array<ArrayBuffer>;
  }
}

const KINDS: Record<string, (content: Uint8Array) => ArrayBufferView> = {
  "a Uint8Array": (content) => content,
  "a part of a buffer": inside,
  "a Buffer": (content) => Buffer.from(content),
  "a part of a Buffer": (content) => Buffer.from(inside(content).buffer, 16, content.length),
  "a subclass": (content) => {
    const chunk = new Chunk(content.length);
    chunk.set(content);
    return chunk;
  },
  "a DataView": (content) => new DataView(inside(content).buffer, 16, content.length),
  "a Float32Array": (content) => new Float32Array(inside(content).buffer, 16, content.length / 4),
  "shared memory": sharedCopy,
};

const VERBS: Record<string, (fs: FileSystem, path: string, content: Uint8Array) => Promise<unknown>> = {
  writeFile: (fs, path, content) => fs.writeFile(path, content),
  appendFile: (fs, path, content) => fs.appendFile(path, content),
  writeMany: (fs, path, content) => fs.writeMany([{ path, content }]),
  "FileHandle.write": async (fs, path, content) => {
    await using file = await fs.open(path, "w");
    await file.write(content);
  },
  "writeFile of a stream": (fs, path, content) => fs.writeFile(path, oneByOne([content])),
};

async function* oneByOne(chunks: Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield chunk;
}

/** One buffer that is filled again for every chunk, as a producer with a pool of its own does it. */
async function* reused(length: number, count: number): AsyncGenerator<Uint8Array> {
  const chunk = Buffer.alloc(length);
  for (let i = 0; i < count; i++) {
    chunk.set(pattern(length, i));
    yield chunk;
  }
}

const reusedWhole = (length: number, count: number): Uint8Array =>
  concat(...Array.from({ length: count }, (_, i) => pattern(length, i)));

const plain = ({ buffer, byteOffset, byteLength }: ArrayBufferView) => new Uint8Array(buffer, byteOffset, byteLength);
const copyOf = (bytes: Uint8Array) => new Uint8Array(bytes);

export function callersBytesContract(make: Make): void {
  const it = testsOn(make);

  describe("the caller's bytes", () => {
    for (const [kind, wrap] of Object.entries(KINDS)) {
      it(`${kind} is stored whole by every verb, and stays as it was`, async ({ fs, root }) => {
        for (const [verb, write] of Object.entries(VERBS)) {
          for (const size of [100, ...LARGE]) {
            const expected = pattern(size, size);
            const given = wrap(copyOf(expected));
            const whole = copyOf(new Uint8Array(given.buffer));
            const path = `${root}/${verb}-${size}`;
            await write(fs, path, given as Uint8Array);
            expectBytes(await fs.readFile(path), expected);
            expectBytes(plain(given), expected);
            expectBytes(new Uint8Array(given.buffer), whole);
          }
        }
      });
    }

    it("a Buffer of any size is stored whole", async ({ fs, root }) => {
      for (const size of EDGES) {
        const given = Buffer.from(pattern(size, size));
        await fs.writeFile(`${root}/f`, given);
        await fs.writeFile(`${root}/g`, "head");
        await fs.appendFile(`${root}/g`, given);
        expectBytes(plain(given), pattern(size, size));
        expectBytes(await fs.readFile(`${root}/f`), pattern(size, size));
        expectBytes((await fs.readFile(`${root}/g`)).subarray(4), pattern(size, size));
      }
    });

    it("pooled Buffers keep their neighbors", async ({ fs, root }) => {
      const [a, b, c] = ["first", "second", "third"].map((word) => Buffer.from(word)) as [Buffer, Buffer, Buffer];
      await fs.writeFile(`${root}/b`, b);
      await fs.writeFile(`${root}/many`, oneByOne(Array.from({ length: 3000 }, () => b)));
      await using file = await fs.open(`${root}/c`, "w");
      await file.write(c);
      await file.close();
      expect([a, b, c].map(String)).toEqual(["first", "second", "third"]);
      expect((await fs.readFile(`${root}/many`)).length).toBe(6 * 3000);
      expect(await fs.readFile(`${root}/b`, "utf8")).toBe("second");
    });

    it("a stream may reuse its chunk, of any length", async ({ fs, root }) => {
      for (const length of [1000, 64 * KIB, 128 * KIB, 700_000, MIB, MIB + 1, 2 * MIB + 300_000]) {
        const count = Math.ceil((4 * MIB) / Math.max(length, 64 * KIB));
        await fs.writeFile(`${root}/f`, reused(length, count));
        expectBytes(await fs.readFile(`${root}/f`), reusedWhole(length, count));
      }
    });

    it("a handle keeps what it was given when the caller reuses the buffer", async ({ fs, root }) => {
      for (const length of [5000, 200_000, MIB + 3]) {
        await using file = await fs.open(`${root}/f`, "w+");
        const buffer = Buffer.alloc(length);
        for (let i = 0; i < 4; i++) {
          buffer.set(pattern(length, i));
          await file.write(buffer);
        }
        buffer.fill(0);
        await file.close();
        expectBytes(await fs.readFile(`${root}/f`), reusedWhole(length, 4));
      }
    });

    it("writeMany stores several large Buffers beside small ones", async ({ fs, root }) => {
      const sizes = [3 * MIB, 10, 2 * MIB + 5, MIB, 0, MIB + 1];
      const contents = sizes.map((size) => Buffer.from(pattern(size, size)));
      await fs.writeMany(contents.map((content, i) => ({ path: `${root}/${i}`, content })));
      for (const [i, size] of sizes.entries()) {
        expectBytes(await fs.readFile(`${root}/${i}`), pattern(size, size));
        expectBytes(plain(contents[i] as Buffer), pattern(size, size));
      }
    });

    it("text around the size of a row is stored whole", async ({ fs, root }) => {
      for (const size of [MIB - 1, MIB, MIB + 1, 2 * MIB + 1]) {
        const content: Content = "é".repeat(size >> 1) + "z".repeat(size & 1);
        await fs.writeFile(`${root}/f`, content);
        expect(await fs.readFile(`${root}/f`, "utf8")).toBe(content);
      }
    });
  });

  describe("bytes that were read", () => {
    it("returned bytes belong to the caller", async ({ fs, root }) => {
      for (const size of [10, 5000, MIB + 5]) {
        await fs.writeFile(`${root}/f`, pattern(size));
        await fs.copyFile(`${root}/f`, `${root}/g`);
        const paths = [`${root}/f`, `${root}/g`, `${root}/f`];
        const [first, ...others] = await fs.readMany(paths);
        (first as Uint8Array).fill(0);
        for (const bytes of others) expectBytes(bytes as Uint8Array, pattern(size));
        (await fs.readRange(`${root}/f`, 0, size)).fill(0);
        (await fs.readFile(`${root}/f`)).fill(0);
        expectBytes(await fs.readFile(`${root}/f`), pattern(size));
      }
    });
  });
}
