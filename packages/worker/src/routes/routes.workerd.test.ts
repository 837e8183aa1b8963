import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import type { Entry, ExecEvent, GrepEvent, LiveMessage } from "../api/index.ts";
import { drainBody, readWithIdleTimeout } from "../http/read-body.ts";
import { LIMITS } from "../limits.ts";
import { ApiClient, call, consumed, pausedBody, refusal, TOKEN } from "../testing/api-client.ts";
import { routes } from "./all-routes.ts";
import { EXAMPLES } from "./openapi-examples.ts";
import { routeKey } from "./route.ts";

const api = (name: string, path: string, init: RequestInit & { json?: unknown } = {}) => {
  const { json, headers, ...rest } = init;
  const body = json === undefined ? {} : { method: "POST", body: JSON.stringify(json) };
  return call(
    new Request(`https://workspace.example/api/w/${name}/${path}`, {
      ...body,
      ...rest,
      headers: { Authorization: `Bearer ${TOKEN}`, "Content-Type": "application/json", ...headers },
    }),
  );
};
const ask = (path: string, init: RequestInit = {}) =>
  call(
    new Request(`https://workspace.example${path}`, {
      ...init,
      headers: { Authorization: `Bearer ${TOKEN}`, "Content-Type": "application/json", ...init.headers },
    }),
  );
const data = async <T>(response: Promise<Response>): Promise<T> => (await response).json() as Promise<T>;

describe("tree, stat, mkdir, rename", () => {
  it("tree pages through a subtree depth first, whatever the page size", async () => {
    const ws = new ApiClient("tree");
    for (const path of ["a/1", "a/b/2", "a/b/3", "a.txt", "b/4"]) await ws.put(`/${path}`, path);
    await ws.fs.symlink("/", "/workspace/out");
    const whole = await data<{ entries: Entry[]; cursor?: string }>(api("tree", "tree?depth=9"));
    const names = ["a", "a/1", "a/b", "a/b/2", "a/b/3", "a.txt", "b", "b/4", "out"].map((name) => `/workspace/${name}`);
    expect(whole.entries.map(({ path }) => path)).toEqual(names);
    expect(whole.cursor).toBeUndefined();
    expect(whole.entries[1]).toMatchObject({ name: "1", type: "file", size: 3, mode: 0o100644 });
    for (const limit of [1, 2, 3, 8]) {
      const seen: string[] = [];
      let cursor = "";
      do {
        const page = await data<{ entries: Entry[]; cursor?: string }>(
          api("tree", `tree?depth=9&limit=${limit}${cursor && `&cursor=${cursor}`}`),
        );
        expect(page.entries.length).toBeLessThanOrEqual(limit);
        seen.push(...page.entries.map(({ path }) => path));
        cursor = page.cursor ?? "";
      } while (cursor !== "");
      expect(seen).toEqual(names);
    }
    const below = await data<{ entries: Entry[] }>(api("tree", "tree?path=/workspace/a"));
    expect(below.entries.map(({ name }) => name)).toEqual(["1", "b"]);
    expect(await refusal(await api("tree", "tree?path=a.txt"))).toBe("409 ENOTDIR");
    expect(await refusal(await api("tree", "tree?path=out"))).toBe("403 EACCES");
    expect(await refusal(await api("tree", "tree?path=../x"))).toBe("400 EINVAL");
    expect(await refusal(await api("tree", "tree?path=/etc"))).toBe("403 EACCES");
    expect(await refusal(await api("tree", "tree?cursor=!!"))).toBe("400 EINVAL");
    expect(await refusal(await api("tree", "tree?depht=2"))).toBe("400 EINVAL");
  });

  it("stat shows a link itself, and mkdir and rename change what they say", async () => {
    const ws = new ApiClient("stat");
    await ws.put("/a.txt", "hello");
    await ws.fs.symlink("a.txt", "/workspace/link");
    const link = await data(api("stat", "stat?path=link"));
    expect(link).toMatchObject({ path: "/workspace/link", type: "symlink", target: "a.txt" });
    const { version } = await data<{ version: string }>(api("stat", "stat?path=/workspace/a.txt"));
    expect(await data(api("stat", "mkdir", { json: { path: "d/e" } }))).toEqual({
      path: "/workspace/d/e",
      created: true,
    });
    expect(await data(api("stat", "mkdir", { json: { path: "d/e" } }))).toEqual({
      path: "/workspace/d/e",
      created: false,
    });
    const stale = await api("stat", "rename", { json: { from: "a.txt", to: "d/b.txt", ifVersion: "x.1" } });
    expect(await refusal(stale)).toBe("412 ESTALE");
    const moved = await data(api("stat", "rename", { json: { from: "a.txt", to: "d/b.txt", ifVersion: version } }));
    expect(moved).toEqual({ from: "/workspace/a.txt", to: "/workspace/d/b.txt" });
    expect(await ws.text("/d/b.txt")).toBe("hello");
    expect(await refusal(await api("stat", "rename", { json: { from: "/workspace", to: "x" } }))).toBe("409 EBUSY");
  });
});

describe("search", () => {
  it("glob cuts and says so; grep streams hits and one end", async () => {
    const ws = new ApiClient("search");
    await ws.fs.writeMany(
      Array.from({ length: 120 }, (_, i) => ({ path: `/workspace/f${i}.txt`, content: `needle ${i}\nhay\n` })),
    );
    await ws.fs.writeFile("/secret", "x");
    const globbed = await data<{ paths: string[]; truncated: boolean }>(
      api("search", "search/glob?pattern=*.txt&limit=7"),
    );
    expect([globbed.paths.length, globbed.truncated]).toEqual([7, true]);
    expect(await refusal(await api("search", "search/glob?pattern=/*"))).toBe("403 EACCES");
    const response = await api("search", "search/grep", { json: { pattern: "needle", maxHits: 110 } });
    expect(response.headers.get("Content-Type")).toBe("application/x-ndjson; charset=utf-8");
    const events = (await response.text())
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as GrepEvent);
    expect(events.length).toBe(111);
    expect(events[0]).toMatchObject({ type: "hit", path: "/workspace/f0.txt", line: 1, text: "needle 0" });
    expect(events.at(-1)).toMatchObject({ type: "end", truncated: true, engine: "local", cursor: expect.any(String) });
    expect(new Set(events.map((event) => (event.type === "hit" ? event.path : ""))).size).toBe(111);
    const bad = await api("search", "search/grep", { json: { pattern: "(", regex: true } });
    expect(await refusal(bad)).toBe("400 EINVAL");
  });
});

/** Messages of a socket, one by one. */
function messagesOf(socket: WebSocket): () => Promise<LiveMessage | "closed"> {
  const queue: (LiveMessage | "closed")[] = [];
  let wake = () => {};
  const put = (message: LiveMessage | "closed") => {
    queue.push(message);
    wake();
  };
  socket.addEventListener("message", ({ data: text }) =>
    put(text === "pong" ? { changes: [], cursor: "pong" } : JSON.parse(text as string)),
  );
  socket.addEventListener("close", () => put("closed"));
  socket.accept();
  return async () => {
    while (queue.length === 0) await new Promise<void>((resolve) => (wake = resolve));
    return queue.shift() as LiveMessage | "closed";
  };
}

describe("changes", () => {
  it("changes gives the log from a cursor on, and the live feed every commit after it", async () => {
    const ws = new ApiClient("live");
    await ws.put("/a.txt", "1");
    const page = await data<{ changes: { path: string; op: string; type: string; actor: string }[]; cursor: string }>(
      api("live", "changes?path=/workspace/a.txt"),
    );
    expect(page.changes).toMatchObject([{ path: "/workspace/a.txt", op: "create", type: "file", actor: "http" }]);
    expect(await refusal(await api("live", "changes?since=zz.9"))).toBe("400 EINVAL");
    const elsewhere = await new ApiClient("elsewhere").state();
    expect(await refusal(await api("live", `changes?since=${elsewhere}`))).toBe("410 EGONE");
    expect(await refusal(await api("live", "changes/live"))).toBe("426 UPGRADE_REQUIRED");
    const upgrade = { headers: { Upgrade: "websocket" } };
    expect(await refusal(await api("live", `changes/live?since=${elsewhere}`, upgrade))).toBe("410 EGONE");

    const { webSocket } = await api("live", "changes/live", upgrade);
    const next = messagesOf(webSocket as WebSocket);
    expect(await next()).toEqual({ changes: [], cursor: page.cursor });
    await ws.put("/b.txt", "2");
    const reported = (await next()) as { changes: { path: string }[]; cursor: string };
    expect(reported.changes).toMatchObject([{ path: "/workspace/b.txt", op: "create" }]);

    const since = await api("live", `changes/live?since=${page.cursor}`, upgrade);
    const again = messagesOf(since.webSocket as WebSocket);
    expect(await again()).toEqual(reported);
    (since.webSocket as WebSocket).send("ping");
    expect(await again()).toEqual({ changes: [], cursor: "pong" });
    (since.webSocket as WebSocket).send("hello");
    expect(await again()).toBe("closed");
    webSocket?.close();
  });

  it("a watcher receives changes after its object was evicted, and those made during the eviction", {
    // Shorter than the minute after which maintenance would wake the feed.
    timeout: 50_000,
  }, async () => {
    const ws = new ApiClient("hibernating");
    const object = env.HTTP_WORKSPACE.getByName("hibernating");
    await ws.put("/a.txt", "1");
    const { webSocket } = await api("hibernating", "changes/live", { headers: { Upgrade: "websocket" } });
    const next = messagesOf(webSocket as WebSocket);
    const start = (await next()) as { cursor: string };
    for (const name of ["b.txt", "c.txt"]) {
      await evictDurableObject(object);
      await ws.put(`/${name}`, name);
      expect(await next()).toMatchObject({ changes: [{ path: `/workspace/${name}`, op: "create" }] });
    }
    // Simulates an eviction between a commit and its message.
    await runInDurableObject(object, (_, ctx) => {
      for (const socket of ctx.getWebSockets())
        socket.serializeAttachment({ ...socket.deserializeAttachment(), cursor: start.cursor });
    });
    await evictDurableObject(object);
    expect((await ws.get("/a.txt")).status).toBe(200);
    const missed = (await next()) as { changes: { path: string }[] };
    expect(missed.changes.map(({ path }) => path)).toEqual(["/workspace/b.txt", "/workspace/c.txt"]);
    webSocket?.close();
  });
});

describe("workspaces", () => {
  it("a workspace is listed at its first change, created once, and deleted with everything in it", async () => {
    await new ApiClient("w-first").put("/a.txt", "x");
    const names = async () =>
      (await data<{ workspaces: { name: string }[] }>(ask("/api/workspaces"))).workspaces.map(({ name }) => name);
    expect(await names()).toContain("w-first");
    const create = (json: unknown) => ask("/api/workspaces", { method: "POST", body: JSON.stringify(json) });
    const created = await create({ name: "w-second" });
    expect([created.status, await created.json()]).toMatchObject([201, { name: "w-second" }]);
    expect(await refusal(await create({ name: "w-second" }))).toBe("409 EEXIST");
    expect(await refusal(await create({ name: ".." }))).toBe("400 EINVAL");

    const remove = (query: string) => ask(`/api/w/w-first${query}`, { method: "DELETE" });
    for (const wrong of ["", "?confirm=", "?confirm=w-second", "?confirm=W-FIRST"])
      expect(await refusal(await remove(wrong))).toBe("400 EINVAL");
    expect(await names()).toContain("w-first");
    expect((await remove("?confirm=w-first")).status).toBe(204);
    expect(await names()).not.toContain("w-first");
    expect((await data<{ entries: unknown[] }>(api("w-first", "tree"))).entries).toEqual([]);
    expect(await refusal(await remove("?confirm=w-first"))).toBe("404 ENOENT");
    await new ApiClient("w-first").put("/b.txt", "y");
    expect(await names()).toContain("w-first");
  });
});

describe("git", () => {
  it("git answers as git does, at once or as a stream", async () => {
    const init = await data<{ exitCode: number; stdout: string }>(
      api("git", "git", { json: { argv: ["init", "-q"] } }),
    );
    expect(init).toMatchObject({ exitCode: 0 });
    expect(await data(api("git", "git", { json: { argv: ["frobnicate"] } }))).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining("not a git command"),
    });
    const streamed = await api("git", "git", {
      json: { argv: ["status"] },
      headers: { Accept: "application/x-ndjson" },
    });
    const events = (await streamed.text())
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(events[0]).toMatchObject({ type: "stdout", value: expect.stringContaining("On branch") });
    expect(events.at(-1)).toEqual({ type: "end", exitCode: 0 });
    expect(await refusal(await api("git", "git", { json: { argv: ["status"], cwd: "/etc" } }))).toBe("403 EACCES");
  });
});

describe("history", () => {
  it("history tells what each call did, shows the difference, and takes it back", async () => {
    const ws = new ApiClient("history");
    await ws.put("/a.txt", "one\n");
    await ws.put("/a.txt", "two\n", { "X-Workspace-Call": "call-1", "X-Workspace-Actor": "tester" });
    const log = await data<{ entries: { path: string; callId?: string; actor: string; time: number }[] }>(
      api("history", "history?path=a.txt"),
    );
    expect(log.entries.map(({ callId, actor }) => [callId, actor])).toEqual([
      ["call-1", "http/tester"],
      [undefined, "http"],
    ]);
    const calls = await data<{ groups: { callId?: string; paths: string[] }[] }>(
      api("history", "history?by=call&limit=1"),
    );
    expect(calls.groups).toMatchObject([{ callId: "call-1", paths: ["/workspace/a.txt"], time: expect.any(Number) }]);
    const diff = await data<{ files: { patch: string }[] }>(api("history", "history/diff?callId=call-1"));
    expect(diff.files[0]?.patch).toContain("-one\n+two\n");
    const { lines } = await data<{ lines: { callId?: string }[] }>(api("history", "history/blame?path=a.txt"));
    expect(lines).toMatchObject([{ line: 1, text: "two", callId: "call-1" }]);
    await ws.put("/a.txt", "three\n");
    const conflict = await api("history", "history/undo", { json: { callId: "call-1" } });
    expect(await conflict.clone().json()).toMatchObject({ error: { conflicts: [{ path: "/workspace/a.txt" }] } });
    expect(await refusal(conflict)).toBe("409 ECONFLICT");
    const undone = await data(api("history", "history/undo", { json: { callId: "call-1", force: true } }));
    expect(undone).toMatchObject({ total: 1, conflicts: [] });
    expect(await ws.text("/a.txt")).toBe("one\n");
    expect(await refusal(await api("history", "history/undo", { json: { dryRun: true } }))).toBe("400 EINVAL");
    expect(await refusal(await api("history", "history/diff?callId=none"))).toBe("404 ENOENT");
    const stats = await data<{
      files: number;
      operations: { changes: number }[];
      costs: { kind: string; calls: number }[];
    }>(api("history", "stats"));
    expect(stats).toMatchObject({ files: 1, operationsCut: false });
    expect(stats.operations.reduce((sum, { changes }) => sum + changes, 0)).toBeGreaterThanOrEqual(4);
    expect(stats.costs.find(({ kind }) => kind === "historyUndo")).toMatchObject({ calls: 2, errors: 1 });
  });

  it("stats tells what each call cost, whichever way it came, and still does after an eviction; who only reads leaves nothing", async () => {
    type Recent = { callId?: string; revs?: { first: number; last: number }; kind: string; rowsWritten: number };
    type Stats = { costs: { kind: string; calls: number }[]; recent: Recent[]; since: number };
    const ws = new ApiClient("costs");
    const object = env.HTTP_WORKSPACE.getByName("costs");
    const tables = () =>
      runInDurableObject(object, (_, { storage }) =>
        [...storage.sql.exec("SELECT name FROM sqlite_master WHERE name = 'http_meter'")].map(({ name }) => name),
      );
    // An unread body keeps the object from being evicted.
    await consumed(ws.get("/none.txt"));
    await consumed(api("costs", "tree"));
    await new Promise((wake) => setTimeout(wake, 1500));
    expect(await tables()).toEqual([]);

    await consumed(ws.put("/a/b.txt", "1"));
    await consumed(api("costs", "tools/read", { json: { path: "a/b.txt" } }));
    await api("costs", "git", { json: { argv: ["init", "-q"] }, headers: { Accept: "application/x-ndjson" } }).then(
      (answer) => answer.text(),
    );
    const { id, callId } = await data<{ id: string; callId: string }>(
      api("costs", "exec", { json: { command: "echo x > c.txt" } }),
    );
    await eventsOf(await api("costs", `exec/${id}/events`));
    const { groups } = await data<{ groups: { group: number; callId?: string; paths: string[] }[] }>(
      api("costs", "history?by=call"),
    );
    const costOf = (recent: Recent[], path: string) => {
      const { group, callId: id } = groups.find(({ paths }) => paths.includes(path)) ?? { group: -1 };
      return recent.filter(
        (one) =>
          (one.callId !== undefined && one.callId === id) ||
          (one.revs !== undefined && one.revs.first <= group && group <= one.revs.last),
      );
    };
    const { calls } = await data<{ calls: { tool: string; callId: string; outcome: string; input: string }[] }>(
      api("costs", "history/tools"),
    );
    expect(calls).toMatchObject([{ tool: "read", outcome: "success", actor: "http/tools", time: expect.any(Number) }]);
    const check = ({ recent, costs }: Stats) => {
      expect(costOf(recent, "/workspace/a/b.txt")).toMatchObject([{ kind: "writeFile" }]);
      expect(costOf(recent, "/workspace/a/b.txt")[0]?.rowsWritten).toBeGreaterThan(2);
      expect(costOf(recent, "/workspace/.git/HEAD")).toMatchObject([{ kind: "gitCli" }]);
      expect(recent.filter((one) => one.callId === callId)).toMatchObject([{ kind: "command" }]);
      expect(recent.find((one) => one.callId === callId)?.rowsWritten).toBeGreaterThan(0);
      expect(recent.filter((one) => one.callId === calls[0]?.callId)).toMatchObject([{ kind: "tool read" }]);
      expect(costs.find(({ kind }) => kind === "writeFile")?.calls).toBe(1);
    };
    const before = await data<Stats>(api("costs", "stats"));
    check(before);
    await new Promise((wake) => setTimeout(wake, 1500));
    await evictDurableObject(object);
    const after = await data<Stats>(api("costs", "stats"));
    check(after);
    expect(after.since).toBe(before.since);
    await ws.put("/a/b.txt", "2");
    expect((await data<Stats>(api("costs", "stats"))).costs.find(({ kind }) => kind === "writeFile")?.calls).toBe(2);
    const page = await data<{ calls: unknown[]; cursor: string }>(api("costs", "history/tools?limit=1"));
    expect([page.calls.length, page.cursor]).toEqual([1, expect.stringMatching(/^\d+$/)]);
    expect(await data(api("costs", `history/tools?cursor=${page.cursor}`))).toEqual({ calls: [], cursor: null });
  });

  it("undo takes back a command with all that it did, by the callId that exec gave, and nothing beside it", async () => {
    const ws = new ApiClient("undo-exec");
    await ws.put("/kept.txt", "kept\n");
    await ws.put("/a.txt", "one\n");
    await ws.put("/gone/deep.txt", "deep\n");
    const command = "echo two > a.txt; echo new > b.txt; mv kept.txt moved.txt; rm -r gone";
    const { id, callId } = await data<{ id: string; callId: string }>(api("undo-exec", "exec", { json: { command } }));
    await eventsOf(await api("undo-exec", `exec/${id}/events`));
    await ws.put("/later.txt", "later\n");
    const names = async () => (await ws.fs.readdir("/workspace")).sort();
    expect(await names()).toEqual(["a.txt", "b.txt", "later.txt", "moved.txt"]);
    const dry = await data<{ total: number }>(api("undo-exec", "history/undo", { json: { callId, dryRun: true } }));
    expect(dry.total).toBeGreaterThanOrEqual(4);
    expect(await names()).toEqual(["a.txt", "b.txt", "later.txt", "moved.txt"]);
    expect(await data(api("undo-exec", "history/undo", { json: { callId } }))).toMatchObject({ conflicts: [] });
    expect(await names()).toEqual(["a.txt", "gone", "kept.txt", "later.txt"]);
    expect([await ws.text("/a.txt"), await ws.text("/kept.txt"), await ws.text("/gone/deep.txt")]).toEqual([
      ...["one\n", "kept\n", "deep\n"],
    ]);
  });

  it("undo takes back what a client wrote over HTTP, by the call it named: a file, an archive, a removal", async () => {
    const ws = new ApiClient("undo-http");
    const call = (callId: string) => ({ "X-Workspace-Call": callId });
    const undo = (callId: string) => data<{ total: number }>(api("undo-http", "history/undo", { json: { callId } }));
    await ws.put("/a.txt", "one\n");
    await ws.put("/a.txt", "two\n", call("write"));
    await ws.put("/new.txt", "new\n", call("write"));
    expect(await undo("write")).toMatchObject({ total: 2 });
    expect([await ws.text("/a.txt"), (await ws.get("/new.txt")).status]).toEqual(["one\n", 404]);
    await ws.send("DELETE", "/a.txt", { headers: call("remove") });
    expect((await ws.get("/a.txt")).status).toBe(404);
    await undo("remove");
    expect(await ws.text("/a.txt")).toBe("one\n");
    const packed = await (await api("undo-http", "archive?format=tar")).arrayBuffer();
    await ws.put("/a.txt", "three\n");
    const unpacked = { method: "PUT", body: packed, headers: call("unpack") };
    expect((await api("undo-http", "archive?format=tar", unpacked)).status).toBe(200);
    expect(await ws.text("/a.txt")).toBe("one\n");
    await undo("unpack");
    expect(await ws.text("/a.txt")).toBe("three\n");
    expect(await undo("nobody")).toMatchObject({
      error: { code: "ENOENT", message: expect.stringContaining('call "nobody"') },
    });
  });

  it("snapshots are made, listed, restored and forgotten", async () => {
    const ws = new ApiClient("snapshots");
    await ws.put("/a.txt", "one");
    const created = await api("snapshots", "snapshots", { json: { name: "first" } });
    const { id } = (await created.json()) as { id: string };
    expect(created.status).toBe(201);
    await ws.put("/a.txt", "two");
    const listed = await data<{ snapshots: unknown[] }>(api("snapshots", "snapshots"));
    expect(listed.snapshots).toMatchObject([{ id, name: "first", time: expect.any(Number) }]);
    expect(await data(api("snapshots", `snapshots/${id}/restore`, { json: {} }))).toMatchObject({ total: 1 });
    expect(await ws.text("/a.txt")).toBe("one");
    expect((await api("snapshots", `snapshots/${id}`, { method: "DELETE" })).status).toBe(204);
    expect(await refusal(await api("snapshots", `snapshots/${id}/restore`, { json: {} }))).toMatch(/^4\d\d E/);
  });
});

/** Raw server-sent events. */
async function eventsOf(response: Response): Promise<(ExecEvent & { id: string })[]> {
  expect(response.headers.get("Content-Type")).toBe("text/event-stream; charset=utf-8");
  const blocks = (await response.text()).split("\n\n").filter((block) => block.startsWith("id:"));
  return blocks.map((block) => {
    const [id, event, json] = block.split("\n").map((line) => line.slice(line.indexOf(": ") + 2)) as string[];
    const data = JSON.parse(json as string) as ExecEvent;
    expect([String(data.seq), data.name]).toEqual([id, event]);
    return { ...data, id: id as string };
  });
}

describe("exec", () => {
  const start = async (body: unknown) =>
    (await data<{ id: string; callId: string }>(api("exec", "exec", { json: body }))).id;

  it("exec runs a command, which is followed from any point, and remembered with its result", async () => {
    const id = await start({ command: "echo one; echo two >&2; echo three > /workspace/out.txt; exit 3" });
    const events = await eventsOf(await api("exec", `exec/${id}/events`));
    expect(events.at(-1)).toMatchObject({ name: "exit", value: { state: "exited", exitCode: 3 } });
    const printed = (name: string) => events.filter((event) => event.name === name).map(({ value }) => value);
    expect([printed("stdout").join(""), printed("stderr").join("")]).toEqual(["one\n", "two\n"]);
    const seq = events[0]?.seq as number;
    expect(await eventsOf(await api("exec", `exec/${id}/events?after=${seq}`))).toEqual(events.slice(1));
    const resumed = await api("exec", `exec/${id}/events`, { headers: { "Last-Event-ID": String(seq) } });
    expect(await eventsOf(resumed)).toEqual(events.slice(1));
    expect(await data(api("exec", `exec/${id}`))).toMatchObject({
      ...{ id, state: "exited", exitCode: 3, stdout: "one\n", stderr: "two\n", ranOn: "worker", actor: "http" },
      changed: ["/workspace/out.txt"],
    });
    const { executions } = await data<{ executions: { id: string }[] }>(api("exec", "exec?limit=5"));
    expect(executions.map((one) => one.id)).toEqual([id]);

    const socket = (await api("exec", `exec/${id}/events?after=${seq}`, { headers: { Upgrade: "websocket" } }))
      .webSocket;
    const seen: unknown[] = [];
    const closed = new Promise((resolve) => socket?.addEventListener("close", resolve));
    socket?.addEventListener("message", ({ data: text }) => void seen.push(JSON.parse(text as string)));
    socket?.accept();
    await closed;
    expect(seen).toEqual(events.slice(1).map(({ id: _, ...event }) => event));

    expect((await api("exec", `exec/${id}`, { method: "DELETE" })).status).toBe(204);
    expect(await refusal(await api("exec", `exec/${id}`))).toBe("404 ENOENT");
    expect(await refusal(await api("exec", `exec/${id}/events`))).toBe("404 ENOENT");
    expect(await refusal(await api("exec", "exec/..%2f/events"))).toBe("400 EINVAL");
    expect(await refusal(await api("exec", "exec", { json: { command: "x", argv: ["x"] } }))).toBe("400 EINVAL");
    expect(await refusal(await api("exec", "exec", { json: { command: "pwd", cwd: "out.txt" } }))).toBe("409 ENOTDIR");
  });

  it("exec takes input as a text or in pieces, and a signal", async () => {
    const id = await start({ argv: ["cat"], stdin: true });
    for (const [piece, query] of [
      ["a", ""],
      ["b", ""],
      ["c", "?end=1"],
    ]) {
      expect((await api("exec", `exec/${id}/stdin${query}`, { method: "POST", body: piece })).status).toBe(204);
    }
    const events = await eventsOf(await api("exec", `exec/${id}/events`));
    expect(
      events
        .map(({ value }) => value)
        .slice(0, -1)
        .join(""),
    ).toBe("abc");
    expect(await refusal(await api("exec", `exec/${id}/stdin`, { method: "POST", body: "d" }))).toBe("409 EPIPE");

    const slow = await start({ command: "sleep 1000" });
    expect((await api("exec", `exec/${slow}/kill`, { json: { signal: "SIGKILL" } })).status).toBe(204);
    expect((await eventsOf(await api("exec", `exec/${slow}/events`))).at(-1)).toMatchObject({
      value: { state: "killed" },
    });
  });

  it("exec runs 16 commands at once in a workspace, and says when to come again", async () => {
    const ids = await Promise.all(Array.from({ length: 16 }, () => start({ command: "sleep 1000" })));
    const more = await api("exec", "exec", { json: { command: "true" } });
    expect(more.headers.get("Retry-After")).toBe("1");
    expect(await refusal(more)).toBe("429 EAGAIN");
    await Promise.all(ids.map((id) => api("exec", `exec/${id}/kill`, { json: { signal: "SIGKILL" } })));
  });
});

it("the limits are those that are promised", () => {
  const { bodyBytes, jsonBytes, executions, bodyIdleMs } = LIMITS;
  expect({ bodyBytes, jsonBytes, executions, bodyIdleMs }).toEqual({
    bodyBytes: 104_857_600,
    jsonBytes: 1_048_576,
    executions: 16,
    bodyIdleMs: 30_000,
  });
});

describe("bodies that are refused", () => {
  const counted = (chunks: number, bytes: number) => {
    const seen = { read: 0, cancelled: false };
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          if (seen.read === chunks) return controller.close();
          seen.read++;
          controller.enqueue(new Uint8Array(bytes));
        },
        cancel() {
          seen.cancelled = true;
        },
      },
      { highWaterMark: 0 },
    );
    return { body, seen };
  };

  it("are read to their end, so that the connection lives on for the next request", async () => {
    const { body, seen } = counted(5, 1000);
    for await (const _ of readWithIdleTimeout(body)) break;
    expect(seen).toEqual({ read: 5, cancelled: false });
    const untouched = counted(5, 1000);
    await drainBody(new Request("https://h/", { method: "PUT", body: untouched.body }));
    expect(untouched.seen).toEqual({ read: 5, cancelled: false });
  });

  it("are read to their end also where the workspace's own object refuses them before it looks", async () => {
    const { body, seen } = counted(5, 1000);
    const headers = { Authorization: `Bearer ${TOKEN}`, "If-Match": '"x.1"', "Content-Length": "5000" };
    const refused = await call(new Request("https://h/api/w/left/files/a", { method: "PUT", headers, body }));
    expect([await refusal(refused), seen]).toEqual(["412 ESTALE", { read: 5, cancelled: false }]);
  });

  it("are left when they are too long for that, or too slow", async () => {
    const long = counted(1000, LIMITS.drainBytes / 4);
    for await (const _ of readWithIdleTimeout(long.body)) break;
    expect(long.seen).toEqual({ read: 6, cancelled: true });
    let left = false;
    const slow = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new Uint8Array(1)),
      cancel() {
        left = true;
      },
    });
    for await (const _ of readWithIdleTimeout(slow)) break;
    expect(left).toBe(true);
  });
});

describe("slow bodies", () => {
  it("a body that pauses for too long times out and does not count as complete", async () => {
    const { body, finish } = pausedBody();
    const read = async () => {
      for await (const _ of readWithIdleTimeout(body, "/workspace/a", 20));
    };
    await expect(read()).rejects.toMatchObject({ code: "TIMEOUT", path: "/workspace/a" });
    finish();
  });
});

describe("OpenAPI", () => {
  it("the document describes every route, with the schemas that requests are checked by", async () => {
    const document = await data<{ paths: Record<string, Record<string, { parameters: { name: string }[] }>> }>(
      ask("/api/openapi.json"),
    );
    const { routes } = await data<{ routes: string[] }>(ask("/api"));
    const documented = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map(
        (method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ":$1").replace("/:path", "/*path")}`,
      ),
    );
    expect(documented.sort()).toEqual(routes.filter((route) => !route.startsWith("HEAD")).sort());
    expect(document.paths["/api/w/{name}/tree"]?.get?.parameters.map(({ name }) => name)).toEqual([
      "name",
      "path",
      "depth",
      "cursor",
      "limit",
    ]);
  });

  it("the document holds together: ids once, references that lead somewhere, parameters that are in the path", async () => {
    type Operation = { operationId: string; parameters: { name: string; in: string; required: boolean }[] };
    const text = await (await ask("/api/openapi.json")).text();
    const { paths, components } = JSON.parse(text) as {
      paths: Record<string, Record<string, Operation>>;
      components: { schemas: object };
    };
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.values(methods).map((operation) => ({ path, ...operation })),
    );
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
    for (const [, name] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g))
      expect(Object.keys(components.schemas)).toContain(name);
    for (const { path, parameters } of operations) {
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const inPath = parameters.filter((one) => one.in === "path");
      expect(inPath.map(({ name }) => name)).toEqual(named);
      expect(inPath.every(({ required }) => required)).toBe(true);
    }
    const files = paths["/api/w/{name}/files/{path}"];
    const queries = (method: string) => files?.[method]?.parameters.filter((one) => one.in === "query");
    expect(queries("get")?.map(({ name }) => name)).toEqual(["cursor", "limit"]);
    expect(queries("put")?.map(({ name }) => name)).toEqual(["type"]);
    expect(queries("delete")?.map(({ name }) => name)).toEqual(["recursive"]);
  });

  it("every request that takes something has an example, and none of them is refused for what it says", async () => {
    const takes = routes.filter(({ query, body }) => query !== null || (body !== null && body !== "bytes"));
    expect(Object.keys(EXAMPLES).sort()).toEqual(takes.map(routeKey).sort());
    const isEnd = (one: { path: string }) => one.path === "/api/w/:name";
    const ws = new ApiClient("demo");
    await ws.put("/docs/a.md", "a");
    await ws.put("/notes.md", "1", { "X-Workspace-Call": "call-1" });
    await ws.put("/src/app.ts", "// TODO\n");
    const { id } = await data<{ id: string }>(api("demo", "exec", { json: { command: "cat", stdin: true } }));
    const snapshot = await data<{ id: string }>(api("demo", "snapshots", { json: {} }));
    const { id: sleeping } = await data<{ id: string }>(api("demo", "exec", { json: { command: "sleep 100" } }));
    const ran = await data<{ id: string }>(api("demo", "exec", { json: { command: "true" } }));
    const [last, others] = [takes.filter(isEnd), takes.filter((one) => !isEnd(one))];
    for (const one of [...others, ...last]) {
      const { query = {}, body } = EXAMPLES[routeKey(one)] ?? {};
      if (one.query !== null)
        expect([routeKey(one), one.query.safeParse(query).success]).toEqual([routeKey(one), true]);
      if (one.body !== null && one.body !== "bytes")
        expect([routeKey(one), one.body.safeParse(body).success]).toEqual([routeKey(one), true]);
      const path = one.path
        .replace(":name", "demo")
        .replace(":tool", "read")
        .replace("exec/:id/events", `exec/${ran.id}/events`)
        .replace("exec/:id/kill", `exec/${sleeping}/kill`)
        .replace("exec/:id", `exec/${id}`)
        .replace("snapshots/:id", `snapshots/${snapshot.id}`)
        .replace("/*", one.method === "GET" ? "/src/" : one.method === "DELETE" ? "/docs" : "/src/app.ts");
      const answer = await ask(`${path}?${new URLSearchParams(query)}`, {
        method: one.method,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        ...(one.body === "bytes" && path.includes("files") ? { body: "// TODO\n" } : {}),
        // An empty tar: its end.
        ...(path.endsWith("/archive") && one.body === "bytes" ? { body: new Uint8Array(1024) } : {}),
      });
      const text = await answer.text();
      if (path.endsWith("/rename")) await ws.put("/src/app.ts", "// TODO\n");
      // The request is valid; it may still lack something of this deployment: an upgrade, a body, a page's Origin.
      const allowed: Record<string, number> = {
        "POST /api/session": 403,
        "GET /api/w/:name/changes/live": 426,
        "POST /api/w/:name/ports": 501,
      };
      const expected = allowed[routeKey(one)];
      if (expected === undefined) expect([routeKey(one), answer.status < 300 || text]).toEqual([routeKey(one), true]);
      else expect([routeKey(one), answer.status, text]).toEqual([routeKey(one), expected, text]);
    }
  });
});
