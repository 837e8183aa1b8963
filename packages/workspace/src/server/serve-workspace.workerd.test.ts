import { runInDurableObject } from "cloudflare:test";
import { env, RpcTarget } from "cloudflare:workers";
import { getWorkspace, serveWorkspace, Workspace, type WorkspaceCall } from "@cloudflare/workspace";
import { encodeFrame } from "@workspace/protocol";
import { describe, expect, it } from "vitest";

const W = "/workspace";
let count = 0;

/** An RPC server, and what changed in its workspace since it was opened. */
async function openServer() {
  const name = `door-${count++}`;
  const ws = getWorkspace(env.WORKSPACE, name);
  await ws.fs.writeFile(`${W}/a`, "kept");
  const { cursor } = await ws.fs.changes();
  const stub = env.WORKSPACE.getByName(name) as unknown as {
    workspaceRpc(call: unknown): Promise<{ error?: { code?: string; message: string } }>;
  };
  const changed = async () => (await ws.fs.changes({ since: cursor })).changes.length;
  return { call: (call: unknown) => stub.workspaceRpc(call), changed, ws };
}

class Anything extends RpcTarget {
  verb = "rm";
}
const frames = (...parts: Uint8Array[][]) => new Blob(parts.flat() as Uint8Array<ArrayBuffer>[]).stream();

describe("serveWorkspace", () => {
  it("serveWorkspace answers a call that is none with EINVAL", async () => {
    const { call, changed } = await openServer();
    const calls: unknown[] = [
      undefined,
      null,
      1,
      "rm",
      [],
      new Date(),
      new Map(),
      () => {},
      new Anything(),
      new Uint8Array(3),
      {},
      { verb: 1 },
    ];
    for (const hostile of calls) expect(await call(hostile)).toMatchObject({ error: { code: "EINVAL" } });
    expect(await changed()).toBe(0);
  });

  it.each([
    "constructor",
    "__proto__",
    "prototype",
    "toString",
    "hasOwnProperty",
    "then",
    "call",
    "",
    "RM",
    "rm ",
    "fs",
    "volume",
  ])("serveWorkspace knows no verb %j", async (verb) => {
    const { call, changed } = await openServer();
    expect(await call({ verb, args: [`${W}/a`] })).toMatchObject({
      error: { code: "EINVAL", message: expect.stringContaining("no such verb") },
    });
    expect(await changed()).toBe(0);
  });

  it("serveWorkspace refuses arguments of the wrong kind before the verb runs", async () => {
    const { call, changed } = await openServer();
    const stub = new Anything();
    const a = `${W}/a`;
    const calls: [string, unknown][] = [
      ["rm", a],
      ["rm", { 0: a, length: 1 }],
      ["rm", new Array(4_000_000_000)],
      ["rm", []],
      ["rm", [[a]]],
      ["rm", [{ toString: a }]],
      ["rm", [() => a]],
      ["rm", [stub]],
      ["rm", [a, stub]],
      ["rm", [a, "recursive"]],
      ["rm", [a, { recursive: "yes" }]],
      ["rm", [a, { force: 1 }]],
      ["rm", [a, { ifVersion: 7 }]],
      ["rm", [a, {}, "more"]],
      ["writeFile", [a]],
      ["writeFile", [a, 5]],
      ["writeFile", [a, "x", { encoding: "klingon" }]],
      ["writeFile", [a, "x", { mode: "9" }]],
      ["writeFile", [a, "x", { mode: 1.5 }]],
      ["rm", [a, { recursiv: true }]],
      ["cp", [a, `${W}/copy`, { overwrite: true }]],
      ["writeFile", [a, "x", { flag: {} }]],
      ["writeFile", [a, new Uint32Array(2)]],
      ["appendFile", [a, null]],
      ["chmod", [a, 1.5]],
      ["chmod", [a, Number.NaN]],
      ["truncate", [a, "0"]],
      ["utimes", [a, {}, 1]],
      ["rename", [a]],
      ["rename", [a, null]],
      ["symlink", [1, `${W}/l`]],
      ["mkdir", [`${W}/d`, { recursive: 1 }]],
      ["writeMany", [[{ path: `${W}/n`, content: "x" }, { path: `${W}/m` }]]],
      [
        "writeMany",
        [
          [
            { path: `${W}/n`, content: "x" },
            { path: `${W}/m`, type: "device" },
          ],
        ],
      ],
      ["writeMany", [[{ path: `${W}/n`, content: "x" }, null]]],
      ["writeMany", [[{ path: `${W}/n`, content: stub }]]],
      ["writeMany", [new Array(4_000_000_000)]],
      ["writeMany", []],
      ["readMany", [new Array(100_001).fill(a)]],
      ["readMany", [[a, 5]]],
      ["glob", [new Array(1001).fill("*")]],
      ["glob", ["*", { exclude: () => false }]],
      ["watch", [W, { since: {} }]],
      ["watch", [W, { waitMs: -1 }]],
      ["watch", [W, { id: "x".repeat(1000) }]],
      ["watch", [W, { watched: { path: 1, directory: true } }]],
      ["cancelWatch", [stub]],
      ["changes", [{ limit: "all" }]],
      ["maintain", [{ budget: "all" }]],
      ["fsck", [{ repair: "please" }]],
      ["open", [a, 7]],
      ["readRange", [a, 0.5, 1]],
    ];
    for (const [verb, args] of calls) {
      const reply = await call({ verb, args });
      expect([verb, reply]).toMatchObject([verb, { error: { code: "EINVAL" } }]);
    }
    expect(await changed()).toBe(0);
  });

  it("serveWorkspace refuses a body, a filter and an identity of the wrong kind", async () => {
    const { call, changed } = await openServer();
    const args = [`${W}/a`];
    const calls: unknown[] = [
      { verb: "writeFile", args, body: "text" },
      { verb: "writeFile", args, body: new Anything() },
      { verb: "cp", args: [`${W}/a`, `${W}/b`], filter: "true" },
      { verb: "rm", args, actor: 5 },
      { verb: "rm", args, actor: "a\nb" },
      { verb: "rm", args, actor: "x".repeat(1000) },
      { verb: "rm", args, callId: "" },
      { verb: "rm", args, callId: new Anything() },
    ];
    for (const hostile of calls) expect(await call(hostile)).toMatchObject({ error: { code: "EINVAL" } });
    expect(await changed()).toBe(0);
  });

  it("serveWorkspace writes nothing from frames that are broken, too many, too few or wrong", async () => {
    const { call, changed } = await openServer();
    const good = encodeFrame({ path: `${W}/n` }, Uint8Array.of(65));
    const send = (expected: unknown, body: ReadableStream) =>
      call({ verb: "writeMany", args: [undefined, expected], body });
    const bodies: [unknown, ReadableStream][] = [
      [2, frames(good)],
      [1, frames(good, good)],
      [2, frames(good, [Uint8Array.of(0, 0, 0, 9, 0)])],
      [2, frames(good, [Uint8Array.of(255, 255, 255, 255)])],
      [2, frames(good, encodeFrame({ path: 5 }))],
      [2, frames(good, encodeFrame({ path: `${W}/m`, type: "remove", ifVersion: 4 }))],
      [2, frames(good, encodeFrame(null))],
      [2, frames(good, encodeFrame([1]))],
      ["1", frames(good)],
      [undefined, frames(good)],
    ];
    for (const [expected, body] of bodies)
      expect(await send(expected, body)).toMatchObject({ error: { code: "EINVAL" } });
    expect(await changed()).toBe(0);
    expect(await send(1, frames(good))).toMatchObject({ value: { written: 1 } });
  });

  it("serveWorkspace keeps to the ops of a handle, and to its sizes", async () => {
    const { call } = await openServer();
    const { target } = (await call({ verb: "open", args: [`${W}/a`, "r+"] })) as unknown as {
      target: { ask(op: unknown, args: unknown): Promise<unknown> };
    };
    const calls: [unknown, unknown][] = [
      ["constructor", []],
      ["readable", []],
      [5, []],
      ["read", [2 ** 40, null]],
      ["read", [-1, 0]],
      ["read", ["5", 0]],
      ["read", [5]],
      ["write", ["text", null]],
      ["write", [[1, 2], null]],
      ["truncate", [1e300]],
      ["stat", "none"],
    ];
    for (const [op, args] of calls) expect(await target.ask(op, args)).toMatchObject({ error: { code: "EINVAL" } });
    expect(await target.ask("stat", [])).toMatchObject({ value: { size: 4 } });
    (target as unknown as Disposable)[Symbol.dispose]();
  });

  it("serveWorkspace refuses options it does not know with their names", async () => {
    const { call, changed } = await openServer();
    expect(await call({ verb: "rm", args: [`${W}/a`, { recursive: true, quietly: true }] })).toMatchObject({
      error: { code: "EINVAL", syscall: "rm", path: `${W}/a`, message: expect.stringContaining('"quietly"') },
    });
    expect(await changed()).toBe(0);
  });

  it("serveWorkspace puts the object's word for the caller before the caller's own", async () => {
    const actors = await runInDurableObject(env.BARE.getByName("served"), async (_, { storage }) => {
      const workspace = new Workspace({ storage });
      const call = (path: string, reported: object): WorkspaceCall => ({ verb: "mkdir", args: [path], ...reported });
      await serveWorkspace(workspace, call(`${W}/1`, {}), { actor: "user-7" });
      await serveWorkspace(workspace, call(`${W}/2`, { actor: "admin" }), { actor: "user-7" });
      await serveWorkspace(workspace, call(`${W}/3`, { actor: "admin" }));
      return (await workspace.fs.changes()).changes
        .filter(({ op, path }) => op === "create" && /\d$/.test(path))
        .map(({ actor }) => actor);
    });
    expect(actors).toEqual(["user-7", "user-7/admin", "admin"]);
  });

  it("serveWorkspace returns the message of an unexpected error", async () => {
    const reply = await runInDurableObject(env.BARE.getByName("unexpected"), async (_, { storage }) => {
      const now = () => {
        throw new RangeError("the clock broke");
      };
      return serveWorkspace(new Workspace({ storage, now }), { verb: "mkdir", args: [`${W}/a`] });
    });
    expect(reply).toEqual({ error: { name: "RangeError", message: "the clock broke" } });
  });
});
