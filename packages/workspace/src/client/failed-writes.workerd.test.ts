/** Writes over RPC that fail, break off or are dropped: the object stores none of their bytes. */

import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { Buffer } from "node:buffer";
import { getWorkspace, type Workspace } from "@cloudflare/workspace";
import { describe, expect, it } from "vitest";

const W = "/workspace";
const large = Buffer.alloc(3_000_000, 7);

async function* chunks(count: number, end: () => void = () => {}): AsyncGenerator<Uint8Array> {
  for (let i = 0; i < count; i++) yield new Uint8Array(1_500_000).fill(i);
  end();
}

const breaks = () => {
  throw new Error("the source broke");
};

const rowsOf = (name: string) =>
  runInDurableObject(env.WORKSPACE.getByName(name), (_object, { storage }) =>
    ["ws_spool", "ws_content"].map((table) => storage.sql.exec(`SELECT count(*) AS n FROM ${table}`).one().n as number),
  );

/** The object learns with a message of its own that a client has gone. */
async function eventually(name: string, expected: number[]): Promise<void> {
  for (let i = 0; i < 200; i++) {
    if (`${await rowsOf(name)}` === `${expected}`) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  expect(await rowsOf(name)).toEqual(expected);
}

type Remote = ReturnType<typeof getWorkspace>;

const FAILURES: Record<string, (ws: Remote) => Promise<unknown>> = {
  "writeFile of bytes": ({ fs }) => fs.writeFile(`${W}/dir`, large),
  "writeFile of a stream": ({ fs }) => fs.writeFile(`${W}/dir`, chunks(3)),
  "writeFile with a stale version": ({ fs }) => fs.writeFile(`${W}/file`, large, { ifVersion: null }),
  "writeFile of a stream that breaks": ({ fs }) => fs.writeFile(`${W}/new`, chunks(3, breaks)),
  "writeFile that is aborted": ({ fs }) => {
    const stop = new AbortController();
    const content = chunks(3, () => stop.abort());
    return fs.writeFile(`${W}/new`, content, { signal: stop.signal });
  },
  "writeFile that is aborted while its source stalls": ({ fs }) => {
    const stop = new AbortController();
    async function* stalls() {
      yield* chunks(3);
      setTimeout(() => stop.abort(), 5);
      await new Promise(() => {});
    }
    return fs.writeFile(`${W}/new`, stalls(), { signal: stop.signal });
  },
  "appendFile of a stream": ({ fs }) => fs.appendFile(`${W}/none/file`, chunks(3)),
  writeMany: ({ fs }) =>
    fs.writeMany([
      { path: `${W}/one`, content: large },
      { path: `${W}/dir`, content: "x" },
    ]),
};

describe("a write over RPC that fails", () => {
  it.each(Object.entries(FAILURES))("%s leaves no bytes in the object", async (name, run) => {
    using ws = getWorkspace(env.WORKSPACE, name);
    await ws.fs.mkdir(`${W}/dir`);
    await ws.fs.writeFile(`${W}/file`, "file");
    await expect(run(ws)).rejects.toThrow();
    await eventually(name, [0, 1]);
    expect(large.equals(Buffer.alloc(large.length, 7))).toBe(true);
    expect((await ws.fsck()).problems).toEqual([]);
  });

  it("a handle that is dropped without close leaves no bytes in the object", async () => {
    const ws = getWorkspace(env.WORKSPACE, "dropped handle");
    const handle = (await ws.fs.open(`${W}/f`, "w")) as Awaited<ReturnType<Workspace["fs"]["open"]>> & Disposable;
    await handle.write(large);
    expect((await rowsOf("dropped handle"))[0]).toBeGreaterThan(0);
    handle[Symbol.dispose]();
    await eventually("dropped handle", [0, 0]);
    ws[Symbol.dispose]();
  });
});
