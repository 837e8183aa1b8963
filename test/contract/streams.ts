/** readStream with ranges, and streams as content. */
import { describe, expect } from "vitest";
import { concat, expectBytes, fails, type Make, pattern, testsOn, text } from "./subject.ts";

const MIB = 1024 * 1024;

async function collect(stream: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return concat(...parts);
    parts.push(value);
  }
}

/** A stream of `size` bytes in pieces of odd lengths. */
function pieces(size: number, seed: number): ReadableStream<Uint8Array> {
  const whole = pattern(size, seed);
  const lengths = [1, 70_000, 3, 131_072, 65_536, 200_001];
  let at = 0;
  let turn = 0;
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      if (at >= size) return controller.close();
      const end = Math.min(size, at + lengths[turn++ % lengths.length]!);
      controller.enqueue(whole.slice(at, end));
      at = end;
    },
  });
}

export function streamsContract(make: Make): void {
  const it = testsOn(make);

  describe("readStream", () => {
    it("readStream gives the whole file", async ({ fs, root }) => {
      for (const size of [0, 1, 131_073, MIB, 3 * MIB + 11]) {
        await fs.writeFile(`${root}/f`, pattern(size));
        expectBytes(await collect(await fs.readStream(`${root}/f`)), pattern(size));
      }
    });

    it("readStream gives a range, both ends inclusive as in Node", async ({ fs, root }) => {
      await fs.writeFile(`${root}/f`, "0123456789");
      const range = async (start?: number, end?: number) =>
        new TextDecoder().decode(await collect(await fs.readStream(`${root}/f`, { start, end })));
      expect(await range(2, 4)).toBe("234");
      expect(await range(0, 0)).toBe("0");
      expect(await range(7)).toBe("789");
      expect(await range(undefined, 3)).toBe("0123");
      expect(await range(8, 100)).toBe("89");
      expect(await range(10)).toBe("");
      expect(await range(50, 60)).toBe("");
    });

    it("readStream crosses rows and chunks in a range", async ({ fs, root }) => {
      const content = pattern(3 * MIB);
      await fs.writeFile(`${root}/f`, content);
      for (const [start, end] of [
        [131_071, 131_072],
        [MIB - 1, 2 * MIB],
        [100_000, 2_900_000],
      ] as const) {
        expectBytes(await collect(await fs.readStream(`${root}/f`, { start, end })), content.subarray(start, end + 1));
      }
    });

    it("readStream follows links and fails before the first byte", async ({ fs, root }) => {
      await fs.writeFile(`${root}/f`, "abc");
      await fs.symlink("f", `${root}/l`);
      expect(new TextDecoder().decode(await collect(await fs.readStream(`${root}/l`)))).toBe("abc");
      await fails(fs.readStream(`${root}/none`), { code: "ENOENT", syscall: "open", path: `${root}/none` });
      await fails(fs.readStream(root), { code: "EISDIR", syscall: "read" });
    });

    it("readStream can be cancelled, and the file used on", async ({ fs, root }) => {
      await fs.writeFile(`${root}/f`, pattern(3 * MIB));
      const reader = (await fs.readStream(`${root}/f`)).getReader();
      expect((await reader.read()).done).toBe(false);
      await reader.cancel();
      await fs.writeFile(`${root}/f`, "new");
      expect(await text(fs, `${root}/f`)).toBe("new");
    });

    it("readStream serves several readers at once", async ({ fs, root }) => {
      await fs.writeFile(`${root}/a`, pattern(2 * MIB, 1));
      await fs.writeFile(`${root}/b`, pattern(2 * MIB, 2));
      const [a, b, a2] = await Promise.all(
        ["a", "b", "a"].map(async (name) => collect(await fs.readStream(`${root}/${name}`))),
      );
      expectBytes(a!, pattern(2 * MIB, 1));
      expectBytes(b!, pattern(2 * MIB, 2));
      expectBytes(a2!, pattern(2 * MIB, 1));
    });
  });

  describe("a stream as content", () => {
    it("writeFile stores a stream of odd pieces byte for byte", async ({ fs, root }) => {
      for (const size of [0, 1, 131_072, MIB, MIB + 1, 5 * MIB + 13]) {
        await fs.writeFile(`${root}/f`, pieces(size, size));
        expectBytes(await fs.readFile(`${root}/f`), pattern(size, size));
      }
    });

    it("appendFile takes a stream", async ({ fs, root }) => {
      await fs.writeFile(`${root}/f`, "head");
      await fs.appendFile(`${root}/f`, pieces(MIB + 5, 3));
      const read = await fs.readFile(`${root}/f`);
      expect(new TextDecoder().decode(read.subarray(0, 4))).toBe("head");
      expectBytes(read.subarray(4), pattern(MIB + 5, 3));
    });

    it("writeFile takes what readStream gives", async ({ fs, root }) => {
      await fs.writeFile(`${root}/a`, pattern(2 * MIB + 3));
      await fs.writeFile(`${root}/b`, await fs.readStream(`${root}/a`));
      expectBytes(await fs.readFile(`${root}/b`), pattern(2 * MIB + 3));
    });

    it("writeFile of several streams at once keeps them apart", async ({ fs, root }) => {
      const indexes = [1, 2, 3, 4];
      await Promise.all(indexes.map((i) => fs.writeFile(`${root}/${i}`, pieces(MIB + 400_000 + i, i))));
      for (const i of indexes) expectBytes(await fs.readFile(`${root}/${i}`), pattern(MIB + 400_000 + i, i));
    });

    it("writeFile with wx fails on a stream too, and keeps the file", async ({ fs, root }) => {
      await fs.writeFile(`${root}/f`, "abc");
      await fails(fs.writeFile(`${root}/f`, pieces(10, 1), { flag: "wx" }), {
        code: "EEXIST",
        syscall: "open",
        path: `${root}/f`,
      });
      expect(await text(fs, `${root}/f`)).toBe("abc");
    });
  });
}
