/** A user may wrap our verbs in a transaction and roll it back later: memory must follow the database. */

import { type Inside, inObject } from "@workspace/testing/in-object";
import { describe, expect, it } from "vitest";
import { FsError, fsck } from "../index.ts";

class Regret extends Error {}

const TRANSACTION_HOOKS: Record<string, (inside: Inside, body: () => Promise<void>) => Promise<void>> = {
  "transaction(async) that throws": async ({ storage }, body) => {
    await expect(
      storage.transaction(async () => {
        await body();
        throw new Regret();
      }),
    ).rejects.toThrow(Regret);
  },
  "transaction(async) with rollback()": async ({ storage }, body) => {
    await storage.transaction(async (txn) => {
      await body();
      txn.rollback();
    });
  },
};

describe("a transaction around ours", () => {
  it.each(Object.keys(TRANSACTION_HOOKS))("%s leaves nothing, in the database or in memory", async (name) => {
    await inObject(async (inside) => {
      const { fs, volume } = inside;
      await fs.writeFile("/workspace/kept", "kept");
      await fs.mkdir("/workspace/dir");
      const version = (await fs.stat("/workspace/kept")).version;
      const cursor = (await fs.changes()).cursor;
      let seen = "";
      await TRANSACTION_HOOKS[name]?.(inside, async () => {
        await fs.writeFile("/workspace/kept", "changed");
        await fs.writeFile("/workspace/dir/new", "new");
        await fs.rm("/workspace/dir", { recursive: true });
        seen = (await fs.stat("/workspace/kept")).version;
        expect(await fs.readFile("/workspace/kept", "utf8")).toBe("changed");
      });
      expect(await fs.readFile("/workspace/kept", "utf8")).toBe("kept");
      expect(await fs.readdir("/workspace")).toEqual(["dir", "kept"]);
      expect(await fs.readdir("/workspace/dir")).toEqual([]);
      expect((await fs.stat("/workspace/kept")).version).toBe(version);
      expect((await fs.changes()).cursor).toBe(cursor);
      expect((await fsck(volume)).problems).toEqual([]);
      // The version seen inside never names anything again.
      const written = await fs.writeFile("/workspace/kept", "other");
      expect(written.version).not.toBe(seen);
      await expect(fs.changes({ since: seen })).rejects.toMatchObject({ code: "EGONE" });
    });
  });

  it("transactionSync that throws leaves nothing of ours, even of what a plain call committed inside it", async () => {
    await inObject(async ({ fs, volume, storage }) => {
      await fs.writeFile("/workspace/kept", "kept");
      let pending: Promise<unknown> = Promise.resolve();
      expect(() =>
        storage.transactionSync(() => {
          // Verbs run to their commit before their first await.
          pending = fs.writeFile("/workspace/kept", "changed");
          throw new Regret();
        }),
      ).toThrow(Regret);
      await pending.catch(() => {});
      expect(await fs.readFile("/workspace/kept", "utf8")).toBe("kept");
      expect((await fsck(volume)).problems).toEqual([]);
    });
  });

  it("a committed transaction keeps everything, and tells watchers only then", async () => {
    await inObject(async ({ fs, volume, storage }) => {
      await fs.mkdir("/workspace/w");
      const events: string[] = [];
      const stop = new AbortController();
      const watching = (async () => {
        for await (const { filename } of fs.watch("/workspace/w", { signal: stop.signal })) events.push(filename);
      })().catch((error: FsError) => error.code);
      await storage.transaction(async () => {
        await fs.writeFile("/workspace/w/a", "a");
        await tick();
        expect(events).toEqual([]);
      });
      for (let i = 0; i < 200 && events.length === 0; i++) await tick();
      expect(events).toEqual(["a"]);
      stop.abort();
      expect(await watching).toBe("ABORT_ERR");
      expect((await fsck(volume)).problems).toEqual([]);
    });
  });

  it("a rollback tells a stream that was spooling inside it, and loses no byte in silence", async () => {
    await inObject(async ({ fs, volume, storage }) => {
      const chunk = new Uint8Array(3_000_000).fill(1);
      let resume = () => {};
      const gate = new Promise<void>((resolve) => (resume = resolve));
      let writing: Promise<unknown> = Promise.resolve();
      async function* source() {
        yield chunk;
        await gate;
        yield chunk;
      }
      await expect(
        storage.transaction(async () => {
          writing = fs.writeFile("/workspace/streamed", source());
          await tick();
          throw new Regret();
        }),
      ).rejects.toThrow(Regret);
      resume();
      await expect(writing).rejects.toMatchObject({ code: "EIO" });
      expect(await fs.exists("/workspace/streamed")).toBe(false);
      expect((await fsck(volume)).problems).toEqual([]);
    });
  });

  it("a stream that began before a rolled-back transaction goes on", async () => {
    await inObject(async ({ fs, volume, storage }) => {
      const chunk = new Uint8Array(3_000_000).fill(1);
      let resume = () => {};
      const gate = new Promise<void>((resolve) => (resume = resolve));
      async function* source() {
        yield chunk;
        await gate;
        yield chunk;
      }
      const writing = fs.writeFile("/workspace/streamed", source());
      await tick();
      await storage.transaction(async () => Promise.reject(new Regret())).catch(() => {});
      resume();
      expect((await writing).size).toBe(6_000_000);
      expect((await fsck(volume)).problems).toEqual([]);
    });
  });

  it("deleteAll empties the workspace, and the next verb starts it anew", async () => {
    await inObject(async ({ fs, volume, storage }) => {
      await fs.writeFile("/workspace/a", "a");
      const { version } = await fs.stat("/workspace/a");
      await storage.deleteAll();
      expect(await fs.readdir("/")).toEqual(["workspace"]);
      expect(await fs.readdir("/workspace")).toEqual([]);
      await fs.writeFile("/workspace/a", "b");
      expect((await fs.stat("/workspace/a")).version).not.toBe(version);
      await expect(fs.writeFile("/workspace/a", "c", { ifVersion: version })).rejects.toBeInstanceOf(FsError);
      expect((await fsck(volume)).problems).toEqual([]);
    });
  });
});

function tick(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 5));
}
