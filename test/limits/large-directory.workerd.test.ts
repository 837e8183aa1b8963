/** A directory of 100 000 entries: listed page by page, never held whole, and the metadata cache within its bound. */
import { fsck } from "@workspace/vfs";
import { expect, it } from "vitest";
import { Counter } from "../support/workerd/counting-storage.ts";
import { inObject } from "../support/workerd/in-object.ts";

const ENTRIES = 100_000;
const MIB = 1024 * 1024;

it("opendir lists 100 000 entries page by page, without caching them all", { timeout: 120_000 }, async () => {
  await inObject(async ({ fs, volume, storage }) => {
    for (let from = 0; from < ENTRIES; from += 20_000) {
      await fs.writeMany(
        Array.from({ length: 20_000 }, (_, i) => ({
          path: `/workspace/many/file-${String(from + i).padStart(6, "0")}`,
          content: "",
        })),
      );
      expect(volume.cache.bytes).toBeLessThanOrEqual(16 * MIB);
    }
    volume.invalidateCaches();
    await fs.stat("/workspace/many");
    const counter = new Counter(storage);
    let seen = 0;
    let previous = "";
    let sorted = true;
    const cost = await counter.of(async () => {
      for await (const { name } of await fs.opendir("/workspace/many")) {
        sorted &&= name > previous;
        previous = name;
        seen++;
      }
    });
    expect([seen, sorted]).toEqual([ENTRIES, true]);
    expect(cost.statements).toBe(ENTRIES / 1000 + 1);
    expect(volume.cache.bytes).toBeLessThan(1 * MIB);

    // Stopping early reads a page, not the directory.
    const early = await counter.of(async () => {
      const directory = await fs.opendir("/workspace/many");
      await directory.read();
      await directory.close();
    });
    expect(early).toMatchObject({ statements: 1, rowsRead: 1000 });

    expect((await fs.readdir("/workspace/many")).length).toBe(ENTRIES);
    expect((await fs.find("/workspace/many", { name: "file-09999?" })).length).toBe(10);
    for (let i = 0; i < ENTRIES; i += 7) await fs.stat(`/workspace/many/file-${String(i).padStart(6, "0")}`);
    expect(volume.cache.bytes).toBeLessThanOrEqual(16 * MIB);
    await fs.writeFile("/workspace/many/new", "x");
    await fs.unlink("/workspace/many/file-000000");
    expect((await fsck(volume)).problems).toEqual([]);
  });
});

it("the metadata cache stays within its bound over a tree larger than it", { timeout: 120_000 }, async () => {
  await inObject(
    async ({ fs, volume }) => {
      for (let block = 0; block < 10; block++) {
        await fs.writeMany(
          Array.from({ length: 2000 }, (_, i) => ({ path: `/workspace/b${block}/d${i % 100}/f${i}`, content: "x" })),
        );
        expect(volume.cache.bytes).toBeLessThanOrEqual(MIB);
      }
      expect((await fs.glob("**/f1999")).length).toBe(10);
      expect((await fs.du("/workspace")).files).toBe(20_000);
      expect(volume.cache.bytes).toBeLessThanOrEqual(MIB);
      expect((await fsck(volume)).problems).toEqual([]);
    },
    { limits: { cacheBytes: MIB } },
  );
});
