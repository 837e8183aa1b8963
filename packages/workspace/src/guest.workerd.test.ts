/** A workspace in another application's object: its limits, and that it drops rolled-back state. */

import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { FsError, getWorkspace, Workspace } from "@cloudflare/workspace";
import { internals } from "@workspace/protocol";
import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";

const W = "/workspace";
let count = 0;
const fresh = () => {
  const name = `guest-${count++}`;
  return { name, stub: env.GUEST.getByName(name) };
};
const tables = (storage: DurableObjectStorage) =>
  [
    ...storage.sql.exec<{ name: string }>(
      "SELECT name FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' AND name NOT LIKE '_cf_%'",
    ),
  ].map(({ name }) => name);

/** Everything a reader can see, asked of memory and, after it was emptied, of the database. */
async function seen(workspace: Workspace): Promise<unknown> {
  const { fs } = workspace;
  const paths = await fs.glob("**", { cwd: "/" });
  const files = await Promise.all(
    paths.map(async (path) => [path, await fs.readFile(`/${path}`, "utf8").catch((error: FsError) => error.code)]),
  );
  return {
    files,
    root: await fs.readdir(W).catch((error: FsError) => error.code),
    head: (await fs.changes()).changes.length,
  };
}

async function expectMemoryIsTrue(workspace: Workspace): Promise<void> {
  const remembered = await seen(workspace);
  workspace[internals].volume.store.invalidateCaches();
  expect(await seen(workspace)).toEqual(remembered);
  expect(await workspace.fsck()).toMatchObject({ ok: true, problems: [] });
}

describe("Workspace as a guest", () => {
  it("Workspace runs no SQL until its first verb", async () => {
    await runInDurableObject(env.BARE.getByName("silent"), async (_, { storage }) => {
      const statements: string[] = [];
      const exec = storage.sql.exec;
      Object.defineProperty(storage.sql, "exec", {
        configurable: true,
        value: (text: string, ...values: unknown[]) => {
          statements.push(text);
          return exec.call(storage.sql, text, ...values);
        },
      });
      const workspace = new Workspace({ storage });
      workspace.as({ actor: "a" });
      void workspace.fs;
      expect(statements).toEqual([]);
      await workspace.fs.exists(W);
      expect(statements.length).toBeGreaterThan(0);
    });
  });

  it("Workspace makes tables of its own prefix only, beside the host's and its migrations", async () => {
    const { stub } = fresh();
    await runInDurableObject(stub, async (object, { storage }) => {
      const before = tables(storage);
      expect(before).toContain("notes");
      await object.workspace.fs.writeFile(`${W}/a`, "1");
      const created = tables(storage).filter((name) => !before.includes(name));
      expect(created.length).toBeGreaterThan(3);
      expect(created.filter((name) => !name.startsWith("ws_"))).toEqual([]);

      object.db.run(sql`INSERT INTO notes (body) VALUES ('mine')`);
      expect(object.db.all(sql`SELECT body FROM notes`)).toEqual([{ body: "mine" }]);
    });
    await evictDurableObject(stub);
    // The host migrates again in its constructor, and both find their own.
    await runInDurableObject(stub, async (object) => {
      expect(object.db.all(sql`SELECT body FROM notes`)).toEqual([{ body: "mine" }]);
      expect(await object.workspace.fs.readFile(`${W}/a`, "utf8")).toBe("1");
    });
  });

  it("Workspace never touches the host's alarm, upkeep included", async () => {
    const { stub, name } = fresh();
    const at = Date.now() + 3_600_000;
    await runInDurableObject(stub, async (object, { storage }) => {
      await object.workspace.fs.writeFile(`${W}/a`, "1");
      await object.workspace.maintain();
      await object.workspace.gc();
      expect(await storage.getAlarm()).toBe(null);
      await storage.setAlarm(at);
    });
    const ws = getWorkspace(env.GUEST, name);
    await ws.fs.rm(`${W}/a`);
    await ws.gc();
    await runInDurableObject(stub, async (object, { storage }) => {
      expect(await storage.getAlarm()).toBe(at);
      expect(object.alarms).toBe(0);
    });
    expect(await runDurableObjectAlarm(stub)).toBe(true);
    expect(await runInDurableObject(stub, (object) => object.alarms)).toBe(1);
  });

  it("Workspace is offered to others by serveWorkspace, under the name that the host gives them", async () => {
    const { name } = fresh();
    using ws = getWorkspace(env.GUEST, name, { actor: "other-worker" });
    const { cursor } = await ws.fs.changes();
    await ws.fs.writeFile(`${W}/a`, new Blob(["streamed"]).stream());
    expect(await ws.fs.readFile(`${W}/a`, "utf8")).toBe("streamed");
    const { changes } = await ws.fs.changes({ since: cursor });
    expect(changes.map(({ actor }) => actor)).toEqual(["guest/other-worker"]);
    await expect(ws.fs.readFile(`${W}/none`)).rejects.toBeInstanceOf(FsError);
    await using handle = await ws.fs.open(`${W}/a`);
    expect((await handle.stat()).size).toBe(8);
  });

  it("Workspace leaves nothing of what a host's transaction takes back, and remembers nothing of it", async () => {
    const { stub } = fresh();
    await runInDurableObject(stub, async ({ workspace, db }, { storage }) => {
      await workspace.fs.writeFile(`${W}/kept`, "1");
      const before = await seen(workspace);
      const transaction = storage.transaction(async () => {
        db.run(sql`INSERT INTO notes (body) VALUES ('undone')`);
        await workspace.fs.writeFile(`${W}/undone`, "2");
        await workspace.fs.writeFile(`${W}/kept`, "changed");
        await workspace.fs.rename(`${W}/kept`, `${W}/moved`);
        await workspace.fs.mkdir(`${W}/d/e`, { recursive: true });
        expect(await workspace.fs.readFile(`${W}/moved`, "utf8")).toBe("changed");
        await new Promise((resolve) => setTimeout(resolve, 5));
        throw new Error("rolled back");
      });
      await expect(transaction).rejects.toThrow("rolled back");
      expect(await seen(workspace)).toEqual(before);
      expect(db.all(sql`SELECT body FROM notes`)).toEqual([]);
      await expectMemoryIsTrue(workspace);
      await workspace.fs.writeFile(`${W}/undone`, "3");
      expect(await workspace.fs.readFile(`${W}/undone`, "utf8")).toBe("3");
      await expectMemoryIsTrue(workspace);
    });
  });

  it("Workspace survives a rollback of its very first verb, tables and all", async () => {
    const { stub } = fresh();
    await runInDurableObject(stub, async ({ workspace }, { storage }) => {
      const transaction = storage.transaction(async (txn) => {
        await workspace.fs.writeFile(`${W}/a`, "1");
        txn.rollback();
      });
      await transaction;
      expect(tables(storage).filter((name) => name.startsWith("ws_"))).toEqual([]);
      expect(await workspace.fs.exists(`${W}/a`)).toBe(false);
      await workspace.fs.writeFile(`${W}/a`, "2");
      expect(await workspace.fs.readFile(`${W}/a`, "utf8")).toBe("2");
      await expectMemoryIsTrue(workspace);
    });
  });

  it("Workspace agrees with a transactionSync that throws around it", async () => {
    const { stub } = fresh();
    await runInDurableObject(stub, async ({ workspace }, { storage }) => {
      await workspace.fs.writeFile(`${W}/a`, "1");
      const verbs: Promise<unknown>[] = [];
      const undo = () =>
        storage.transactionSync(() => {
          verbs.push(workspace.fs.writeFile(`${W}/a`, "2"), workspace.fs.mkdir(`${W}/d`));
          throw new Error("rolled back");
        });
      expect(undo).toThrow("rolled back");
      await Promise.all(verbs);
      expect(await workspace.fs.readFile(`${W}/a`, "utf8")).toBe("1");
      expect(await workspace.fs.exists(`${W}/d`)).toBe(false);
      await expectMemoryIsTrue(workspace);
    });
  });

  it("Workspace commits with a host's transaction that succeeds", async () => {
    const { stub } = fresh();
    await runInDurableObject(stub, async ({ workspace, db }, { storage }) => {
      await storage.transaction(async () => {
        db.run(sql`INSERT INTO notes (body) VALUES ('both')`);
        await workspace.fs.writeFile(`${W}/a`, "both");
      });
      expect([db.all(sql`SELECT body FROM notes`), await workspace.fs.readFile(`${W}/a`, "utf8")]).toEqual([
        [{ body: "both" }],
        "both",
      ]);
      await expectMemoryIsTrue(workspace);
    });
  });

  it("Workspace starts anew after storage.deleteAll", async () => {
    const { stub } = fresh();
    await runInDurableObject(stub, async ({ workspace }, { storage }) => {
      await workspace.fs.writeFile(`${W}/a`, "1");
      const { cursor } = await workspace.fs.changes();
      await storage.deleteAll();
      expect(await workspace.fs.exists(`${W}/a`)).toBe(false);
      expect(await workspace.fs.readdir(W)).toEqual([]);
      await workspace.fs.writeFile(`${W}/b`, "2");
      expect(await workspace.fs.readFile(`${W}/b`, "utf8")).toBe("2");
      await expect(workspace.fs.changes({ since: cursor })).rejects.toMatchObject({ code: "EGONE" });
      await expectMemoryIsTrue(workspace);
    });
    await evictDurableObject(stub);
    expect(await runInDurableObject(stub, ({ workspace }) => workspace.fs.readdir(W))).toEqual(["b"]);
  });

  it("Workspace agrees with itself after an eviction", async () => {
    const { stub } = fresh();
    const before = await runInDurableObject(stub, async ({ workspace }) => {
      await workspace.fs.writeMany(
        Array.from({ length: 50 }, (_, i) => ({ path: `${W}/d${i % 5}/f${i}`, content: `${i}` })),
      );
      await workspace.fs.rm(`${W}/d3`, { recursive: true });
      await workspace.fs.rename(`${W}/d1`, `${W}/d2/moved`);
      return seen(workspace);
    });
    await evictDurableObject(stub);
    await runInDurableObject(stub, async ({ workspace }) => {
      expect(await seen(workspace)).toEqual(before);
      await expectMemoryIsTrue(workspace);
    });
  });
});
