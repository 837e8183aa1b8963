/** Packs in a Durable Object: written from its own objects, indexed again, read by range. */
import { inObject } from "@workspace/testing/in-object";
import { describe, expect, it } from "vitest";
import { MemoryBudget } from "../memory/memory-budget.ts";
import { ingestPack } from "../odb/ingest-pack.ts";
import type { GitObject } from "../odb/object-database.ts";
import { openObjectDatabase } from "../odb/open-object-database.ts";
import { writePack } from "../odb/write-pack.ts";
import { encode, equalBytes } from "../text/bytes.ts";
import { deflate } from "../zlib/deflate.ts";
import { inflateNatively } from "../zlib/native-inflate.ts";

/** Some alike, so that there are deltas; one of a megabyte; all of them more than a window. */
function* contents(): Generator<GitObject> {
  const lines = Array.from({ length: 300 }, (_, i) => `line ${(i * 7919) % 1000} of the file\n`);
  for (let i = 0; i < 150; i++) {
    lines[i] = `changed ${i}\n`;
    yield { type: "blob", body: encode(lines.join("")) };
  }
  const noise = new Uint8Array(1_500_000);
  for (let at = 0; at < noise.length; at += 65536) crypto.getRandomValues(noise.subarray(at, at + 65536));
  yield { type: "blob", body: noise };
}

describe("inflateNatively", () => {
  it("is there in workerd, refuses what is broken, and goes on", () => {
    const text = encode("some text ".repeat(1000));
    const stream = deflate(text, 6);
    const output = new Uint8Array(text.length + 1);
    const run = (from: number) => inflateNatively(stream, from, stream.length, output, 0, text.length);
    expect([run(0), run(1), run(0)]).toEqual([stream.length, -1, stream.length]);
    expect(equalBytes(output.subarray(0, text.length), text)).toBe(true);
  });
});

describe("indexPack", () => {
  it("takes in a pack, and the database reads it", () =>
    inObject(async ({ fs }) => {
      await fs.mkdir("/workspace/one/objects", { recursive: true });
      await fs.mkdir("/workspace/two/objects", { recursive: true });
      const one = openObjectDatabase({ fs, gitDir: "/workspace/one" });
      const objects = [...contents()];
      const oids = await one.writeMany(objects);
      const memory = new MemoryBudget(48 * 1024 * 1024);
      const two = openObjectDatabase({ fs, gitDir: "/workspace/two", memory });
      const { checksum } = await ingestPack(two, writePack(one, oids));
      expect((await fs.readdir("/workspace/two/objects/pack")).sort()).toEqual([
        `pack-${checksum}.idx`,
        `pack-${checksum}.pack`,
      ]);
      // In the order they lie in the pack, each once.
      const missing = new Set(oids);
      for await (const { oid, object } of two.readMany(oids)) {
        expect(missing.delete(oid)).toBe(true);
        const wanted = objects[oids.indexOf(oid)] as GitObject;
        expect(object?.type).toBe(wanted.type);
        expect(equalBytes(object?.body ?? new Uint8Array(0), wanted.body)).toBe(true);
      }
      expect([...missing]).toEqual([]);
      expect(memory.peak).toBeLessThanOrEqual(48 * 1024 * 1024);
    }));

  it("leaves nothing of a pack that is cut", () =>
    inObject(async ({ fs }) => {
      await fs.mkdir("/workspace/one/objects", { recursive: true });
      const one = openObjectDatabase({ fs, gitDir: "/workspace/one" });
      const oids = await one.writeMany([...contents()]);
      async function* cut() {
        let left = 100_000;
        for await (const piece of writePack(one, oids)) {
          if (left <= 0) return;
          yield piece.subarray(0, left);
          left -= piece.length;
        }
      }
      const two = openObjectDatabase({ fs, gitDir: "/workspace/two" });
      await expect(ingestPack(two, cut())).rejects.toThrow("early EOF");
      expect(await fs.readdir("/workspace/two/objects/pack")).toEqual([]);
    }));
});
