import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { FsError, Workspace } from "@cloudflare/workspace";
import { describe, expect, it } from "vitest";

const inObject = <T>(name: string, body: (state: DurableObjectState) => T | Promise<T>) =>
  runInDurableObject(env.BARE.getByName(name), (_, state) => body(state));

describe("Workspace", () => {
  it("Workspace reads and writes files in its object's storage", async () => {
    const text = await inObject("files", async ({ storage }) => {
      const ws = new Workspace({ storage });
      await ws.fs.writeFile("/workspace/a.md", "hi");
      return new Workspace({ storage }).fs.readFile("/workspace/a.md", "utf8");
    });
    expect(text).toBe("hi");
  });

  it("Workspace honours its root, its clock and its limits", async () => {
    const result = await inObject("options", async ({ storage }) => {
      const ws = new Workspace({ storage, root: "/home/agent", now: () => 1_234_000_000, limits: { fileBytes: 4 } });
      await ws.fs.writeFile("/home/agent/a", "1234");
      const tooLong = await ws.fs.writeFile("/home/agent/a", "12345").catch((error: FsError) => error.code);
      return { mtimeMs: (await ws.fs.stat("/home/agent/a")).mtimeMs, tooLong };
    });
    expect(result).toEqual({ mtimeMs: 1_234_000, tooLong: "EFBIG" });
  });

  it("Workspace.as stamps actor and call, a view of a view appends", async () => {
    const stamps = await inObject("as", async ({ storage }) => {
      const ws = new Workspace({ storage });
      const { cursor } = await ws.fs.changes();
      await ws.fs.writeFile("/workspace/0", "");
      await ws.as({ actor: "model", callId: "c1" }).fs.writeFile("/workspace/1", "");
      await ws.as({ actor: "model" }).as({ actor: "edit", callId: "c2" }).fs.writeFile("/workspace/2", "");
      await new Workspace({ storage, actor: "host" }).as({ actor: "admin" }).fs.writeFile("/workspace/3", "");
      const { changes } = await ws.fs.changes({ since: cursor });
      return changes.filter((change) => change.op === "create").map(({ actor, callId }) => [actor, callId]);
    });
    expect(stamps).toEqual([
      [undefined, undefined],
      ["model", "c1"],
      ["model/edit", "c2"],
      ["host/admin", undefined],
    ]);
  });

  it("Workspace.maintain, gc and fsck work on the same database", async () => {
    const result = await inObject("upkeep", async ({ storage }) => {
      const ws = new Workspace({ storage, retention: { days: 0, entries: 0, bytes: 0 } });
      for (let i = 0; i < 20; i++) await ws.fs.writeFile("/workspace/a", new Uint8Array(100_000).fill(i));
      const before = storage.sql.exec<{ n: number }>("SELECT count(*) AS n FROM ws_content").one().n;
      await ws.gc();
      const after = storage.sql.exec<{ n: number }>("SELECT count(*) AS n FROM ws_content").one().n;
      return { fewer: after < before, ok: (await ws.fsck()).ok, more: (await ws.maintain()).more };
    });
    expect(result).toEqual({ fewer: true, ok: true, more: false });
  });

  it("Workspace says what is missing when the object has no SQLite", () => {
    const keyValue = {
      get sql(): never {
        throw new Error("SQL is not enabled for this Durable Object class.");
      },
    };
    for (const storage of [keyValue, {}, undefined, null]) {
      const make = () => new Workspace({ storage: storage as never });
      expect(make).toThrow(FsError);
      expect(make).toThrow(/ENOSYS: .*new_sqlite_classes/);
    }
  });
});
