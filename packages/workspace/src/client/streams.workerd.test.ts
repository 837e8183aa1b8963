import { runInDurableObject } from "cloudflare:test";
import { env, exports } from "cloudflare:workers";
import { getWorkspace, type WorkspaceObject } from "@cloudflare/workspace";
import { internals } from "@workspace/protocol";
import { describe, expect, it } from "vitest";

const MB = 1024 * 1024;
const SIZE = 64 * MB;
/** How far one side may run ahead of the other: what lies in the pipes between them. */
const LEAD = 4 * MB;
const W = "/workspace";
const CHUNK = 64 * 1024;

/** Byte `i` of the test's file: differs across chunks and rows. */
const chunkAt = (start: number, size: number) => {
  const chunk = new Uint8Array(size);
  for (let i = 0; i < size; i += 1024) chunk[i] = (start + i) >> 10;
  return chunk;
};

function source(size: number, onChunk: (created: number) => void = () => {}) {
  let made = 0;
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (made >= size) return controller.close();
        const chunk = chunkAt(made, Math.min(CHUNK, size - made));
        made += chunk.length;
        onChunk(made);
        controller.enqueue(chunk);
      },
    },
    { highWaterMark: 0 },
  );
}

const metered = (name: string) => {
  const stub = env.METERED.getByName(name);
  const meter = () => runInDurableObject(stub, (object) => object.meter());
  return { ws: getWorkspace(env.METERED, name), meter, stub };
};

describe("bodies over RPC", () => {
  it("writeFile(stream) passes 64 MB through, no faster than the object takes it", async () => {
    const { ws, stub } = metered("write");
    let lead = 0;
    let taken = () => 0;
    // Tests and objects share an isolate: the meter can be read without a message that would itself wait its turn.
    await runInDurableObject(stub, (object) => {
      taken = () => object.meter().taken;
    });
    const { size } = await ws.fs.writeFile(
      `${W}/big`,
      source(SIZE, (created) => (lead = Math.max(lead, created - taken()))),
    );
    expect(size).toBe(SIZE);
    expect(taken()).toBe(SIZE);
    expect(lead).toBeLessThan(LEAD);
    const at = 37 * MB;
    expect(await ws.fs.readRange(`${W}/big`, at, 4096)).toEqual(chunkAt(at, 4096));
  });

  it("readStream gives 64 MB, no faster than they are taken", async () => {
    const { ws, stub } = metered("read");
    await ws.fs.writeFile(`${W}/big`, source(SIZE));
    let given = () => 0;
    await runInDurableObject(stub, (object) => {
      given = () => object.meter().given;
    });
    const reader = (await ws.fs.readStream(`${W}/big`)).getReader();
    let taken = 0;
    let lead = 0;
    for (let pauses = 0; ; ) {
      const { done, value } = await reader.read();
      if (done) break;
      if (value[0] !== undefined && taken % 1024 === 0 && value[0] !== ((taken >> 10) & 255))
        throw new Error(`wrong byte at ${taken}`);
      taken += value.length;
      if (taken > pauses * 8 * MB) {
        pauses++;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      lead = Math.max(lead, given() - taken);
    }
    expect(taken).toBe(SIZE);
    expect(lead).toBeLessThan(LEAD);
  });

  it("readFile and read collect a large file, and readRange a part of it", async () => {
    const ws = getWorkspace(env.WORKSPACE, "collect");
    const size = 20 * MB + 3;
    const { version } = await ws.fs.writeFile(`${W}/big`, source(size));
    const bytes = await ws.fs.readFile(`${W}/big`);
    expect([bytes.length, Buffer.compare(bytes.subarray(9 * MB, 9 * MB + CHUNK), chunkAt(9 * MB, CHUNK))]).toEqual([
      size,
      0,
    ]);
    const read = await ws.fs.read(`${W}/big`);
    expect([read.version, read.stat.size, Buffer.compare(read.content, bytes)]).toEqual([version, size, 0]);
    expect((await ws.fs.readRange(`${W}/big`, 1, 9 * MB)).length).toBe(9 * MB);
    expect((await ws.fs.readFile(`${W}/big`, "latin1")).length).toBe(size);
    const part = await new Response(await ws.fs.readStream(`${W}/big`, { start: 10, end: 19 })).arrayBuffer();
    expect(part.byteLength).toBe(10);
  });

  it("readFile of what cannot be held is EFBIG, and names readStream", async () => {
    const ws = getWorkspace(env.WORKSPACE, "too-big");
    const handle = await ws.fs.open(`${W}/sparse`, "w");
    await handle.truncate(65 * MB);
    await handle.close();
    await expect(ws.fs.readFile(`${W}/sparse`)).rejects.toMatchObject({
      code: "EFBIG",
      message: expect.stringContaining("readStream"),
    });
  });

  it("writeFile rejects with its source's own error, and leaves the file as it was", async () => {
    const ws = getWorkspace(env.WORKSPACE, "broken-source");
    await ws.fs.writeFile(`${W}/a`, "before");
    const cause = new RangeError("source broke");
    async function* broken() {
      for (let i = 0; i < 40; i++) yield new Uint8Array(CHUNK);
      throw cause;
    }
    await expect(ws.fs.writeFile(`${W}/a`, broken())).rejects.toBe(cause);
    await expect(ws.fs.appendFile(`${W}/a`, broken())).rejects.toBe(cause);
    expect(await ws.fs.readFile(`${W}/a`, "utf8")).toBe("before");
    expect((await ws.fsck()).ok).toBe(true);
  });

  it("writeFile stops at its signal, though the source never ends, and leaves the file as it was", async () => {
    const ws = getWorkspace(env.WORKSPACE, "signal");
    await ws.fs.writeFile(`${W}/a`, "before");
    const controller = new AbortController();
    let made = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(stream) {
        if (made++ < 8) stream.enqueue(new Uint8Array(CHUNK));
        else return new Promise(() => {});
      },
    });
    const write = ws.fs.writeFile(`${W}/a`, endless, { signal: controller.signal });
    setTimeout(() => controller.abort(), 50);
    await expect(write).rejects.toMatchObject({ code: "ABORT_ERR" });
    await expect(ws.fs.writeFile(`${W}/a`, "x", { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: "ABORT_ERR",
    });
    expect(await ws.fs.readFile(`${W}/a`, "utf8")).toBe("before");
  });

  it("writeFile that fails at once does not drain its source", async () => {
    const ws = getWorkspace(env.WORKSPACE, "refused");
    let made = 0;
    await expect(
      ws.fs.writeFile(
        `${W}/none/a`,
        source(SIZE, (m) => (made = m)),
        { flag: "nonsense" },
      ),
    ).rejects.toMatchObject({ code: "EINVAL" });
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(made).toBeLessThan(LEAD);
  });

  it("a Worker that ends in the middle of a body writes nothing", async () => {
    const ws = getWorkspace(env.WORKSPACE, "careless");
    await ws.fs.writeFile(`${W}/a`, "before");
    await exports.AbandoningClient.leaveMidStream("careless", `${W}/a`);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await ws.fs.readFile(`${W}/a`, "utf8")).toBe("before");
    expect((await ws.fsck()).ok).toBe(true);
  });

  it("readFile of an object that is reset in the middle is an error, never a part of the file", async () => {
    const { ws, stub } = metered("reset");
    await ws.fs.writeFile(`${W}/big`, source(32 * MB));
    const outcome = ws.fs.readFile(`${W}/big`).catch((error: unknown) => error);
    const meter = await runInDurableObject(stub, (object) => () => object.meter().given);
    while (meter() === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    await runInDurableObject(stub, (_, state) => state.abort("reset by test")).catch(() => {});
    expect(await outcome).toMatchObject({ code: "ERR_WORKSPACE_TRANSPORT", verb: "read" });
    expect((await ws.fs.readFile(`${W}/big`)).length).toBe(32 * MB);
  });

  it("a stream that is cancelled lets its content go", async () => {
    const ws = getWorkspace(env.WORKSPACE, "cancelled");
    await ws.fs.writeFile(`${W}/big`, source(8 * MB));
    const stub: DurableObjectStub<WorkspaceObject> = env.WORKSPACE.getByName("cancelled");
    const pinned = () =>
      runInDurableObject(stub, (object) => object.workspace[internals].volume.store.pinnedContents.size);
    const reader = (await ws.fs.readStream(`${W}/big`)).getReader();
    await reader.read();
    expect(await pinned()).toBe(1);
    await reader.cancel();
    for (let i = 0; i < 50 && (await pinned()) > 0; i++) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(await pinned()).toBe(0);
  });
});
