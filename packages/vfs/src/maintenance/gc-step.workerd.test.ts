/** Garbage collection: frees what is unreachable, in small steps; what the log, a copy, a reader or a handle still needs stays. */

import { Counter } from "@workspace/testing/counting-storage";
import { type Inside, inObject } from "@workspace/testing/in-object";
import { describe, expect, it } from "vitest";
import { createSnapshots, fsck, gc, maintain } from "../index.ts";

const NOTHING = { retention: { entries: 0 } };

function count({ storage }: Inside, table: string): number {
  return storage.sql.exec(`SELECT count(*) AS n FROM ${table}`).one().n as number;
}

describe("gc", () => {
  it("retains what the log can restore, and frees it when the log is dropped", async () => {
    await inObject(async (inside) => {
      const { fs, volume } = inside;
      await fs.writeFile("/workspace/a", "one");
      await fs.writeFile("/workspace/a", "two");
      await fs.writeFile("/workspace/b", "three");
      await fs.rm("/workspace/b");
      await gc(volume);
      expect(count(inside, "ws_content")).toBe(3);
      await gc(volume, NOTHING);
      expect(count(inside, "ws_content")).toBe(1);
      expect(count(inside, "ws_log")).toBe(0);
      expect(await fs.readFile("/workspace/a", "utf8")).toBe("two");
      expect((await fsck(volume)).problems).toEqual([]);
    });
  });

  it("collects a removed tree in steps of at most 1000 rows, and leaves no row of it", async () => {
    await inObject(
      async (inside) => {
        const { fs, volume, storage } = inside;
        await fs.writeMany(
          Array.from({ length: 2500 }, (_, i) => ({ path: `/workspace/t/d${i % 30}/f${i}`, content: `c${i}` })),
        );
        await fs.link("/workspace/t/d0/f0", "/workspace/survivor");
        await fs.rm("/workspace/t", { recursive: true });
        const counter = new Counter(storage);
        let steps = 0;
        for (;;) {
          let more = false;
          const cost = await counter.of(async () => {
            more = (await maintain(volume)).more;
          });
          expect(cost.rowsRead + cost.rowsWritten).toBeLessThanOrEqual(1000);
          if (!more) break;
          steps++;
        }
        expect(steps).toBeGreaterThan(10);
        expect(count(inside, "ws_inode")).toBe(3);
        expect(count(inside, "ws_dirent")).toBe(2);
        expect(count(inside, "ws_content")).toBe(1);
        expect(await fs.readFile("/workspace/survivor", "utf8")).toBe("c0");
        expect((await fs.stat("/workspace/survivor")).nlink).toBe(1);
        expect((await fsck(volume)).problems).toEqual([]);
      },
      { retention: { entries: 0 } },
    );
  });

  it.each([0, 1])(
    "collects a removed directory that a restore took something out of, trimming to %s entries first",
    (entries) =>
      inObject(async (inside) => {
        const { fs, volume } = inside;
        const snapshots = createSnapshots(volume);
        await fs.writeFile("/workspace/b", "b");
        const { id } = await snapshots.create();
        await fs.mkdir("/workspace/d/z", { recursive: true });
        await fs.rename("/workspace/b", "/workspace/d/x");
        await fs.rm("/workspace/d", { recursive: true });
        // The last entries touch the directory that an earlier one removed.
        await snapshots.restore(id);
        await snapshots.remove(id);
        await gc(volume, { retention: { entries } });
        expect((await fsck(volume)).problems).toEqual([]);
        await gc(volume, NOTHING);
        expect(inside.storage.sql.exec("SELECT ino FROM ws_inode WHERE nlink = 0").toArray()).toEqual([]);
        expect(count(inside, "ws_inode")).toBe(3);
        expect(await fs.readFile("/workspace/b", "utf8")).toBe("b");
        expect((await fsck(volume)).problems).toEqual([]);
      }),
  );

  it("takes many small directories in one step, and those below them in a later one", async () => {
    await inObject(async (inside) => {
      const { fs, volume, storage } = inside;
      await fs.writeMany(
        Array.from({ length: 600 }, (_, i) => ({
          path: `/workspace/t/a${i % 20}/b${i % 300}/f${i}`,
          content: `c${i}`,
        })),
      );
      await fs.rm("/workspace/t", { recursive: true });
      const counter = new Counter(storage);
      let result = { steps: 0 };
      const cost = await counter.of(async () => {
        result = await gc(volume, NOTHING);
      });
      // 922 entries of the log and as many inodes, 41 a step.
      expect(result.steps).toBeLessThanOrEqual(60);
      expect(cost.statements).toBeLessThan(900);
      expect(["ws_inode", "ws_dirent", "ws_content", "ws_orphan"].map((table) => count(inside, table))).toEqual([
        2, 1, 0, 0,
      ]);
      expect((await fsck(volume)).problems).toEqual([]);
    });
  });

  it("frees a large file's rows only when no copy and no later version shares them", async () => {
    await inObject(async (inside) => {
      const { fs, volume } = inside;
      const bytes = new Uint8Array(3_000_000).fill(5);
      await fs.writeFile("/workspace/big", bytes);
      await fs.copyFile("/workspace/big", "/workspace/copy");
      await fs.appendFile("/workspace/big", "tail");
      await fs.rm("/workspace/copy");
      await gc(volume, NOTHING);
      expect((await fsck(volume)).problems).toEqual([]);
      expect((await fs.readFile("/workspace/big")).length).toBe(3_000_004);
      await fs.truncate("/workspace/big", 0);
      await gc(volume, NOTHING);
      expect(count(inside, "ws_content")).toBe(0);
      expect(count(inside, "ws_node")).toBe(0);
      expect(count(inside, "ws_content_ref")).toBe(0);
      expect((await fsck(volume)).problems).toEqual([]);
    });
  });

  it("does not take a file from under a stream or an open handle", async () => {
    await inObject(async (inside) => {
      const { fs, volume } = inside;
      const bytes = new Uint8Array(3_000_000).fill(5);
      await fs.writeFile("/workspace/big", bytes);
      await fs.writeFile("/workspace/held", "held");
      const stream = await fs.readStream("/workspace/big");
      const reader = stream.getReader();
      let got = (await reader.read()).value?.length ?? 0;
      const handle = await fs.open("/workspace/held");
      await fs.rm("/workspace/big");
      await fs.rm("/workspace/held");
      await gc(volume, NOTHING);
      for (let part = await reader.read(); !part.done; part = await reader.read()) got += part.value.length;
      expect(got).toBe(3_000_000);
      expect(await handle.readFile("utf8")).toBe("held");
      await handle.close();
      await gc(volume, NOTHING);
      expect(count(inside, "ws_content")).toBe(0);
      expect((await fsck(volume)).problems).toEqual([]);
    });
  });

  it("frees what an earlier incarnation spooled and did not commit", async () => {
    const name = "spooled";
    await inObject(
      async ({ fs }) => {
        void fs.writeFile("/workspace/never", endless()).catch(() => {});
        await new Promise((resolve) => setTimeout(resolve, 20));
      },
      {},
      name,
    );
    const { evictDurableObject } = await import("cloudflare:test");
    const { env } = await import("cloudflare:workers");
    await evictDurableObject(env.BARE.getByName(name));
    await inObject(
      async (inside) => {
        const { fs, volume } = inside;
        expect(await fs.exists("/workspace/never")).toBe(false);
        expect(count(inside, "ws_content")).toBeGreaterThan(0);
        await gc(volume);
        expect(count(inside, "ws_content")).toBe(0);
        expect(count(inside, "ws_spool")).toBe(0);
        expect((await fsck(volume)).problems).toEqual([]);
      },
      {},
      name,
    );
  });
});

describe("maintain", () => {
  it("trims the log by number, age and bytes, and says when it is next due", async () => {
    let now = 1_000_000_000_000_000;
    await inObject(
      async (inside) => {
        const { fs, volume } = inside;
        for (let i = 0; i < 30; i++) await fs.writeFile("/workspace/a", `${i}`);
        expect(count(inside, "ws_log")).toBe(32);
        while ((await maintain(volume)).more);
        expect(count(inside, "ws_log")).toBe(20);
        const { nextDueMs } = await maintain(volume);
        expect(nextDueMs).toBe(now / 1000 + 24 * 60 * 60 * 1000);
        now += 25 * 60 * 60 * 1_000_000;
        while ((await maintain(volume)).more);
        expect(count(inside, "ws_log")).toBe(0);
        for (let i = 0; i < 5; i++) await fs.writeFile("/workspace/a", "x".repeat(600));
        while ((await maintain(volume)).more);
        expect(count(inside, "ws_log")).toBeLessThanOrEqual(3);
        expect(await fs.readFile("/workspace/a", "utf8")).toBe("x".repeat(600));
        expect((await fsck(volume)).problems).toEqual([]);
      },
      { now: () => now, retention: { days: 1, entries: 20, bytes: 1000 } },
    );
  });

  it("makes changes({ since }) say EGONE, with the oldest cursor there is", async () => {
    await inObject(async ({ fs, volume }) => {
      await fs.writeFile("/workspace/a", "1");
      const { cursor } = await fs.changes();
      for (let i = 0; i < 5; i++) await fs.writeFile("/workspace/a", `${i}`);
      await gc(volume, { retention: { entries: 2 } });
      const error = await fs.changes({ since: cursor }).catch((caught) => caught);
      expect(error).toMatchObject({ code: "EGONE", syscall: "changes", path: cursor });
      expect((await fs.changes({ since: error.oldest })).changes).toHaveLength(2);
    });
  });
});

async function* endless() {
  yield new Uint8Array(2_000_000);
  await new Promise(() => {});
}
