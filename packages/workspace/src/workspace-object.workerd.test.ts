import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { getWorkspace, WorkspaceObject } from "@cloudflare/workspace";
import { describe, expect, it } from "vitest";

const alarmOf = (name: string) =>
  runInDurableObject(env.WORKSPACE.getByName(name), (_, state) => state.storage.getAlarm());

describe("WorkspaceObject", () => {
  it("WorkspaceObject arms its alarm after the first change, and not for a question", async () => {
    const ws = getWorkspace(env.WORKSPACE, "arms");
    await ws.fs.mkdir("/workspace/d");
    const armed = await alarmOf("arms");
    expect(armed).toBeGreaterThan(Date.now());

    await runDurableObjectAlarm(env.WORKSPACE.getByName("arms"));
    const next = await alarmOf("arms");
    await ws.fs.readdir("/workspace");
    await ws.fs.stat("/workspace/missing").catch(() => {});
    expect(await alarmOf("arms")).toBe(next);
  });

  it("WorkspaceObject leaves an alarm that stands, however many changes come", async () => {
    const ws = getWorkspace(env.WORKSPACE, "stands");
    await ws.fs.writeFile("/workspace/a", "1");
    const armed = await alarmOf("stands");
    await ws.fs.writeFile("/workspace/a", "2");
    await evictDurableObject(env.WORKSPACE.getByName("stands"));
    await ws.fs.writeFile("/workspace/a", "3");
    expect(await alarmOf("stands")).toBe(armed);
  });

  it("WorkspaceObject.alarm collects in small steps, arms itself again while there is more, and rests when there is not", async () => {
    class Forgetful extends WorkspaceObject {
      static override readonly options = { retention: { days: 0, entries: 0, bytes: 0 }, limits: { gcStepRows: 150 } };
    }
    const result = await runInDurableObject(env.BARE.getByName("collects"), async (_, state) => {
      const object = new Forgetful(state, env);
      const { fs } = object.workspace;
      await fs.writeMany(Array.from({ length: 3000 }, (_, i) => ({ path: `/workspace/d/${i}`, content: `${i}` })));
      await fs.rm("/workspace/d", { recursive: true });
      const inodes = () => state.storage.sql.exec<{ n: number }>("SELECT count(*) AS n FROM ws_inode").one().n;
      const counts = [inodes()];
      const delays: number[] = [];
      for (let round = 0; round < 50; round++) {
        await state.storage.deleteAlarm();
        await object.alarm();
        counts.push(inodes());
        const alarm = await state.storage.getAlarm();
        if (alarm === null) break;
        delays.push(alarm - Date.now());
      }
      return { counts, delays, alarm: await state.storage.getAlarm(), ok: (await object.workspace.fsck()).ok };
    });
    expect(result.counts[0]).toBeGreaterThan(3000);
    expect(result.counts[1]).toBeGreaterThan(1000);
    expect(result.counts.at(-1)).toBeLessThan(10);
    expect(Math.max(...result.delays)).toBeLessThanOrEqual(1000);
    expect([result.alarm, result.ok]).toEqual([null, true]);
  });

  it.each([
    ["entries", { entries: 100 }],
    ["bytes", { bytes: 10_000 }],
  ] as const)(
    "WorkspaceObject enforces retention.%s by alarms of bounded work, over evictions",
    async (which, limit) => {
      class Limited extends WorkspaceObject {
        static override readonly options = { retention: limit, limits: { gcStepRows: 40 } };
      }
      const stub = env.BARE.getByName(`limits ${which}`);
      /** A new object over the same storage knows nothing of the one before: what an eviction leaves. */
      const incarnation = <T>(body: (object: Limited, storage: DurableObjectStorage) => Promise<T>) =>
        runInDurableObject(stub, (_, state) => body(new Limited(state, env), state.storage));
      const retained = (storage: DurableObjectStorage) => {
        const { n, bytes } = storage.sql
          .exec<{ n: number; bytes: number }>(
            "SELECT count(*) AS n, ifnull(sum(CASE WHEN old_content IS NULL THEN 0 ELSE old_size END), 0) AS bytes FROM ws_log",
          )
          .one();
        return { n, bytes };
      };

      await incarnation(async ({ workspace }, storage) => {
        await workspace.fs.writeFile("/workspace/a", "x".repeat(100));
        // Nothing is due yet but by age.
        await expect.poll(() => storage.getAlarm()).toBeGreaterThan(Date.now() + 86_400_000);
      });
      await evictDurableObject(stub);
      for (let round = 0; round < 3; round++) {
        await incarnation(async ({ workspace }, storage) => {
          for (let i = 0; i < 150; i++) await workspace.fs.writeFile("/workspace/a", `${i}`.padEnd(100));
          await expect.poll(() => storage.getAlarm()).toBeLessThanOrEqual(Date.now() + 60_000);
        });
        await evictDurableObject(stub);
        let runs = 0;
        for (let soon = true; soon; runs++) {
          soon = await incarnation(async (object, storage) => {
            const before = retained(storage);
            await storage.deleteAlarm();
            await object.alarm();
            // 20 steps of 10 entries.
            expect(before.n - retained(storage).n).toBeLessThanOrEqual(200);
            const alarm = await storage.getAlarm();
            expect(alarm).not.toBeNull();
            return (alarm as number) <= Date.now() + 60_000;
          });
          await evictDurableObject(stub);
          expect(runs).toBeLessThan(20);
        }
        await incarnation(async ({ workspace }, storage) => {
          const { n, bytes } = retained(storage);
          if (which === "entries") expect(n).toBe(100);
          else {
            expect(bytes).toBeLessThanOrEqual(10_000);
            expect(bytes).toBeGreaterThan(9_000);
          }
          expect(await workspace.fsck()).toMatchObject({ ok: true, problems: [] });
        });
      }
    },
  );

  it("WorkspaceObject drops one state that alone exceeds retention.bytes", async () => {
    class Small extends WorkspaceObject {
      static override readonly options = { retention: { bytes: 1000 } };
    }
    const left = await runInDurableObject(env.BARE.getByName("one too large"), async (_, state) => {
      const object = new Small(state, env);
      await object.workspace.fs.writeFile("/workspace/a", "x".repeat(5000));
      await object.workspace.fs.writeFile("/workspace/a", "y");
      await object.alarm();
      const { historyBytes } = await object.workspace.fs.statfs("/");
      return {
        historyBytes,
        rows: state.storage.sql.exec("SELECT 1 FROM ws_content WHERE length(bytes) > 1000").toArray(),
      };
    });
    expect(left).toEqual({ historyBytes: 0, rows: [] });
  });

  it.each<[string, (ws: ReturnType<typeof getWorkspace>) => Promise<unknown>]>([
    [
      "a remote handle that is synced",
      async (ws) => {
        const handle = await ws.fs.open("/workspace/a", "r+");
        await handle.write(new TextEncoder().encode("new"));
        await handle.sync();
      },
    ],
    [
      "a remote handle that is closed",
      async (ws) => {
        const handle = await ws.fs.open("/workspace/a", "r+");
        await handle.appendFile("more");
        await handle.close();
      },
    ],
    [
      "chmod by a remote handle",
      async (ws) => {
        await using handle = await ws.fs.open("/workspace/a");
        for (const mode of [0o600, 0o640]) await handle.chmod(mode);
      },
    ],
    ["a stream", (ws) => ws.fs.writeFile("/workspace/b", new Blob(["streamed"]).stream())],
    ["git", (ws) => ws.git.cli({ argv: ["init"], cwd: "/workspace" })],
    ["a command", async (ws) => (await ws.shell.exec("echo x > c")).result()],
    [
      "a pinned snapshot that is removed",
      async (ws) => {
        const { id } = await ws.snapshots.create("s");
        await ws.fs.writeFile("/workspace/a", "new");
        await ws.gc();
        await ws.snapshots.remove(id);
      },
    ],
  ])("WorkspaceObject brings its alarm forward when the log grows too long by %s", async (how, change) => {
    class Limited extends WorkspaceObject {
      static override readonly options = { retention: { entries: 3 } };
    }
    await runInDurableObject(env.BARE.getByName(`forward by ${how}`), async (_, state) => {
      const object = new Limited(state, env);
      const ws = getWorkspace(object);
      await ws.fs.writeFile("/workspace/a", "old");
      await object.alarm();
      expect(await state.storage.getAlarm()).toBeGreaterThan(Date.now() + 86_400_000);
      await change(ws);
      await expect.poll(() => state.storage.getAlarm()).toBeLessThanOrEqual(Date.now() + 60_000);
    });
  });

  it("WorkspaceObject exposes its RPC method and nothing else to a caller", async () => {
    const stub = env.WORKSPACE.getByName("door") as unknown as Record<string, () => Promise<unknown>>;
    for (const name of ["workspace", "ctx", "env", "alarm", "nothing"]) {
      await expect((async () => stub[name]!())()).rejects.toThrow(TypeError);
    }
  });
});
