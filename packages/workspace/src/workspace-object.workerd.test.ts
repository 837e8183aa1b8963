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
      static override readonly options = { retention: { days: 0, entries: 0, bytes: 0 }, limits: { collectRows: 50 } };
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

  it("WorkspaceObject shows its door and nothing else to a caller", async () => {
    const stub = env.WORKSPACE.getByName("door") as unknown as Record<string, () => Promise<unknown>>;
    for (const name of ["workspace", "ctx", "env", "alarm", "nothing"]) {
      await expect((async () => stub[name]!())()).rejects.toThrow(TypeError);
    }
  });
});
