import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { getWorkspace, serveWorkspace, type WatchEvent, type WorkspaceClient } from "@cloudflare/workspace";
import { internals } from "@workspace/protocol";
import { describe, expect, it } from "vitest";

const W = "/workspace";
/** Questions that wait briefly, so that an eviction, which waits for them, comes soon. */
const watch = { waitMs: 100, pauseMs: 5 };
let count = 0;

function fresh(options = {}) {
  const name = `watch-${count++}`;
  return {
    name,
    stub: env.WORKSPACE.getByName(name),
    ws: getWorkspace(env.WORKSPACE, name, { watch: { ...watch, ...options } }),
  };
}

/** The next events, and after them the proof that nothing else came. */
async function take(events: AsyncIterator<WatchEvent>, n: number): Promise<string[]> {
  const seen: string[] = [];
  while (seen.length < n) {
    const { value, done } = await events.next();
    if (done) break;
    seen.push(`${value.eventType} ${value.filename}`);
  }
  return seen;
}

const iterate = (ws: WorkspaceClient, path = W, options = {}) =>
  ws.fs.watch(path, { recursive: true, ...options })[Symbol.asyncIterator]();

describe("watch over RPC", () => {
  it("watch tells what happens after it was called, in order, once", async () => {
    const { ws } = fresh();
    await ws.fs.writeFile(`${W}/before`, "");
    const events = iterate(ws);
    // Not awaited in between: the first question left before these calls did.
    await ws.fs.writeFile(`${W}/a`, "1");
    await ws.fs.appendFile(`${W}/a`, "2");
    await ws.fs.rename(`${W}/a`, `${W}/b`);
    expect(await take(events, 3)).toEqual(["rename a", "change a", "rename b"]);
    await ws.fs.rm(`${W}/b`);
    expect(await take(events, 1)).toEqual(["rename b"]);
    await events.return?.();
  });

  it("watch is not recursive unless asked, and names paths relative to what is watched", async () => {
    const { ws } = fresh();
    await ws.fs.mkdir(`${W}/d/e`, { recursive: true });
    const flat = ws.fs.watch(`${W}/d`)[Symbol.asyncIterator]();
    const deep = iterate(ws, `${W}/d`);
    await ws.fs.writeFile(`${W}/d/e/x`, "");
    await ws.fs.writeFile(`${W}/elsewhere`, "");
    await ws.fs.writeFile(`${W}/d/y`, "");
    expect(await take(deep, 2)).toEqual(["rename e/x", "rename y"]);
    expect(await take(flat, 1)).toEqual(["rename y"]);
    await Promise.all([flat.return?.(), deep.return?.()]);
  });

  it("watch wakes a question that waits", async () => {
    const { ws, stub } = fresh({ waitMs: 20_000 });
    const events = iterate(ws);
    const pending = take(events, 1);
    await expect
      .poll(() => runInDurableObject(stub, (object) => object.workspace[internals].core.polls.size), {
        timeout: 60_000,
      })
      .toBe(1);
    const started = Date.now();
    await ws.fs.writeFile(`${W}/a`, "");
    expect(await pending).toEqual(["rename a"]);
    // Not the end of the wait, but the write.
    expect(Date.now() - started).toBeLessThan(15_000);
    await events.return?.();
  });

  it("watch goes on over evictions, without loss or repetition", async () => {
    const { ws, stub } = fresh();
    const events = iterate(ws);
    const expected: string[] = [];
    const seen: string[] = [];
    for (let round = 0; round < 4; round++) {
      for (let i = 0; i < 5; i++) {
        await ws.fs.writeFile(`${W}/${round}-${i}`, "");
        expected.push(`rename ${round}-${i}`);
      }
      if (round % 2 === 0) seen.push(...(await take(events, expected.length - seen.length)));
      await evictDurableObject(stub);
    }
    seen.push(...(await take(events, expected.length - seen.length)));
    expect(seen).toEqual(expected);
    await events.return?.();
  });

  it("watch goes on over a reset in the middle of a question", async () => {
    const { ws, stub } = fresh({ waitMs: 20_000 });
    const events = iterate(ws);
    await ws.fs.writeFile(`${W}/a`, "");
    expect(await take(events, 1)).toEqual(["rename a"]);
    const pending = take(events, 2);
    await new Promise((resolve) => setTimeout(resolve, 30));
    await runInDurableObject(stub, (_, state) => state.abort("reset by test")).catch(() => {});
    const other = getWorkspace(env.WORKSPACE, `watch-${count - 1}`);
    await other.fs.writeFile(`${W}/b`, "");
    await other.fs.writeFile(`${W}/c`, "");
    expect(await pending).toEqual(["rename b", "rename c"]);
    await events.return?.();
  });

  it("watch ends when the object cannot be reached", async () => {
    const { stub } = fresh();
    const client = getWorkspace(stub, { watch: { ...watch, attempts: 3 } });
    const events = iterate(client);
    const pending = events.next();
    await new Promise((resolve) => setTimeout(resolve, 30));
    await runInDurableObject(stub, (_, state) => state.abort("gone for good")).catch(() => {});
    await expect(pending).rejects.toMatchObject({ code: "ERR_WORKSPACE_TRANSPORT", message: "gone for good" });
  });

  it("watch tells the removal of what it watches", async () => {
    const { ws } = fresh();
    await ws.fs.mkdir(`${W}/d`);
    const events = iterate(ws, `${W}/d`);
    await ws.fs.writeFile(`${W}/d/a`, "");
    expect(await take(events, 1)).toEqual(["rename a"]);
    await ws.fs.rm(`${W}/d`, { recursive: true });
    expect(await take(events, 1)).toEqual(["rename d"]);
    await events.return?.();
  });

  it("watch starts after a cursor that it is given, in pages", async () => {
    const { ws } = fresh();
    const { cursor } = await ws.fs.changes();
    await ws.fs.writeMany(Array.from({ length: 2500 }, (_, i) => ({ path: `${W}/m/${i}`, content: "" })));
    const events = iterate(ws, W, { since: cursor });
    const seen = await take(events, 2501);
    expect(new Set(seen).size).toBe(2501);
    expect(seen.at(-1)).toBe("rename m/2499");
    await events.return?.();
    await expect(iterate(ws, W, { since: "000000000000.zzzz" }).next()).rejects.toMatchObject({ code: "EGONE" });
  });

  it("watch moves a quiet watcher's cursor on, so that it outlives the log", async () => {
    const name = `quiet-${count++}`;
    const ws = getWorkspace(env.WORKSPACE, name, { watch });
    await ws.fs.mkdir(`${W}/quiet`);
    const events = iterate(ws, `${W}/quiet`);
    const pending = take(events, 1);
    for (let i = 0; i < 20; i++) await ws.fs.writeFile(`${W}/busy`, `${i}`);
    await new Promise((resolve) => setTimeout(resolve, 250));
    await runInDurableObject(env.WORKSPACE.getByName(name), (object) =>
      object.workspace.gc({ retention: { entries: 0, days: 0, bytes: 0 } }),
    );
    await new Promise((resolve) => setTimeout(resolve, 250));
    await ws.fs.writeFile(`${W}/quiet/a`, "");
    expect(await pending).toEqual(["rename a"]);
    await events.return?.();
  });

  it("watch of what is not there is ENOENT", async () => {
    const { ws } = fresh();
    await expect(iterate(ws, `${W}/none`).next()).rejects.toMatchObject({
      code: "ENOENT",
      syscall: "watch",
      path: `${W}/none`,
    });
  });

  it("watch ends with its signal, with its reader and with its client, and leaves nothing waiting at the object", async () => {
    const { ws, stub } = fresh({ waitMs: 20_000 });
    const waiting = () => runInDurableObject(stub, (object) => object.workspace[internals].core.polls.size);
    const controller = new AbortController();
    const bySignal = iterate(ws, W, { signal: controller.signal });
    const byReader = iterate(ws);
    const view = ws.as({ actor: "view" });
    const byClient = iterate(view);
    const pending = [bySignal, byReader, byClient].map((events) =>
      events.next().catch((error: { code: string }) => error.code),
    );
    for (let i = 0; i < 500 && (await waiting()) < 3; i++) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(await waiting()).toBe(3);

    controller.abort();
    const left = byReader.return?.();
    view[Symbol.dispose]();
    expect(await Promise.all(pending)).toEqual([
      "ABORT_ERR",
      { done: true, value: undefined },
      "ERR_WORKSPACE_DISPOSED",
    ]);
    expect(await left).toEqual({ done: true, value: undefined });
    for (let i = 0; i < 500 && (await waiting()) > 0; i++) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(await waiting()).toBe(0);
    await ws.fs.stat(W);
  });

  it("watch reports no changes of a transaction that is rolled back", async () => {
    const { ws, stub } = fresh();
    const events = iterate(ws);
    await ws.fs.writeFile(`${W}/a`, "");
    expect(await take(events, 1)).toEqual(["rename a"]);
    const reported = await runInDurableObject(stub, async ({ workspace }, { storage }) => {
      const { cursor: since } = await workspace.fs.changes();
      let inside: unknown;
      const transaction = storage.transaction(async () => {
        await workspace.fs.writeFile(`${W}/undone`, "");
        inside = await serveWorkspace(workspace, { verb: "watch", args: [W, { since, waitMs: 1 }] });
        throw new Error("rolled back");
      });
      await expect(transaction).rejects.toThrow("rolled back");
      return inside;
    });
    expect(reported).toMatchObject({ value: { events: [] } });
    await ws.fs.writeFile(`${W}/b`, "");
    expect(await take(events, 1)).toEqual(["rename b"]);
    await events.return?.();
  });
});
