import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env, exports } from "cloudflare:workers";
import { getWorkspace } from "@cloudflare/workspace";
import { internals } from "@workspace/protocol";
import { describe, expect, it } from "vitest";

let count = 0;
const W = "/workspace";
function fresh() {
  const name = `handles-${count++}`;
  return { name, stub: env.WORKSPACE.getByName(name), ws: getWorkspace(env.WORKSPACE, name) };
}
/** Handles that the object holds open. */
const openHandles = (stub: DurableObjectStub<import("@cloudflare/workspace").WorkspaceObject>) =>
  runInDurableObject(stub, (object) => object.workspace[internals].volume.store.openHandles);
const eventually = async (check: () => Promise<boolean>) => {
  for (let i = 0; i < 100; i++) {
    if (await check()) return true;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return false;
};

describe("FileHandle over RPC", () => {
  it("FileHandle reads and writes at positions, and shows nothing before it is closed", async () => {
    const { ws, stub } = fresh();
    const handle = await ws.fs.open(`${W}/a`, "w+");
    expect(await handle.write("hello world")).toMatchObject({ bytesWritten: 11 });
    expect(await handle.write(new TextEncoder().encode("xxJJxx"), 2, 2, 0)).toMatchObject({ bytesWritten: 2 });
    const buffer = new Uint8Array(8).fill(46);
    const { bytesRead, buffer: same } = await handle.read(buffer, 1, 5, 0);
    expect([bytesRead, same === buffer, new TextDecoder().decode(buffer)]).toEqual([5, true, ".JJllo.."]);
    expect(await handle.readFile("utf8")).toBe("");
    expect((await handle.stat()).size).toBe(11);
    expect(await ws.fs.readFile(`${W}/a`, "utf8")).toBe("");

    await handle.sync();
    expect(await ws.fs.readFile(`${W}/a`, "utf8")).toBe("JJllo world");
    await handle.truncate(2);
    await handle.appendFile("!");
    await handle.chmod(0o600);
    await handle.utimes(1, 2);
    await handle.close();
    expect((await ws.fs.stat(`${W}/a`)).mode).toBe(0o100600);
    expect(await openHandles(stub)).toBe(0);
    await expect(handle.read(buffer)).rejects.toMatchObject({ code: "EBADF", syscall: "read" });
    await handle.close();
  });

  it("FileHandle moves more than a message holds", async () => {
    const { ws } = fresh();
    const size = 20 * 1024 * 1024 + 5;
    const data = new Uint8Array(size).map((_, i) => i * 7);
    await using handle = await ws.fs.open(`${W}/big`, "w+");
    expect((await handle.write(data)).bytesWritten).toBe(size);
    await handle.writeFile(data.subarray(0, 9 * 1024 * 1024));
    const buffer = new Uint8Array(size);
    expect((await handle.read(buffer, 0, size, 0)).bytesRead).toBe(size);
    expect(Buffer.compare(buffer, data)).toBe(0);
    expect((await handle.stat()).size).toBe(size + 9 * 1024 * 1024);
  });

  it("FileHandle checks its window here, and its position there", async () => {
    const { ws } = fresh();
    await ws.fs.writeFile(`${W}/a`, "abc");
    await using handle = await ws.fs.open(`${W}/a`);
    for (const [offset, length] of [
      [-1, 1],
      [0, 9],
      [2, 2],
      [0.5, 1],
    ] as const) {
      await expect(handle.read(new Uint8Array(3), offset, length)).rejects.toMatchObject({ code: "EINVAL" });
    }
    await expect(handle.read(new Uint8Array(3), 0, 3, 1.5)).rejects.toMatchObject({ code: "EINVAL" });
    await expect(handle.write("x")).rejects.toMatchObject({ code: "EBADF" });
  });

  it("await using closes a handle, and what it wrote is there", async () => {
    const { ws, stub } = fresh();
    {
      await using handle = await ws.fs.open(`${W}/a`, "w");
      await handle.write("kept");
      expect(await openHandles(stub)).toBe(1);
    }
    expect(await ws.fs.readFile(`${W}/a`, "utf8")).toBe("kept");
    expect(await openHandles(stub)).toBe(0);
  });

  it("disposing the client lets go of its handles", async () => {
    const { ws, stub, name } = fresh();
    await ws.fs.writeFile(`${W}/a`, "before");
    {
      using brief = getWorkspace(env.WORKSPACE, name);
      const handle = await brief.fs.open(`${W}/a`, "r+");
      await handle.write("after!");
      await brief.as({ actor: "view" }).fs.open(`${W}/a`);
      expect(await openHandles(stub)).toBe(2);
    }
    expect(await eventually(async () => (await openHandles(stub)) === 0)).toBe(true);
    expect(await ws.fs.readFile(`${W}/a`, "utf8")).toBe("before");
    expect((await ws.fsck()).ok).toBe(true);
  });

  it("a Worker that ends with a handle open loses it", async () => {
    const { ws, stub, name } = fresh();
    await ws.fs.writeFile(`${W}/a`, "before");
    await exports.AbandoningClient.leaveHandleOpen(name, `${W}/a`, "half");
    expect(await eventually(async () => (await openHandles(stub)) === 0)).toBe(true);
    expect(await ws.fs.readFile(`${W}/a`, "utf8")).toBe("before");
    expect((await ws.fsck()).ok).toBe(true);
  });

  it("a handle of an object that was reset says so, and a new one works", async () => {
    const { ws, stub } = fresh();
    await ws.fs.writeFile(`${W}/a`, "abc");
    const handle = await ws.fs.open(`${W}/a`, "r+");
    await handle.write("x");
    await runInDurableObject(stub, (_, state) => state.abort("reset by test")).catch(() => {});
    await expect(handle.write("y")).rejects.toMatchObject({ code: "ERR_WORKSPACE_TRANSPORT", verb: "write" });
    await expect(handle.close()).rejects.toMatchObject({ code: "ERR_WORKSPACE_TRANSPORT" });
    expect(await ws.fs.readFile(`${W}/a`, "utf8")).toBe("abc");
  });

  it("an object with too many open handles answers EMFILE and keeps the others", async () => {
    const { ws } = fresh();
    await ws.fs.writeFile(`${W}/a`, "abc");
    const handles = [];
    let code = "";
    while (code === "" && handles.length < 3000) {
      try {
        handles.push(await ws.fs.open(`${W}/a`));
      } catch (error) {
        code = (error as { code: string }).code;
      }
    }
    expect(code).toBe("EMFILE");
    expect((await handles[0]!.stat()).size).toBe(3);
    await handles[0]!.close();
    await (await ws.fs.open(`${W}/a`)).close();
    ws[Symbol.dispose]();
  });
});

describe("Dir over RPC", () => {
  async function withEntries(n: number) {
    const created = fresh();
    await created.ws.fs.writeMany(
      Array.from({ length: n }, (_, i) => ({ path: `${W}/d/${String(i).padStart(5, "0")}`, content: "" })),
    );
    return created;
  }

  it("Dir of one page comes with opendir and holds nothing open", async () => {
    const { ws, stub } = await withEntries(3);
    const dir = await ws.fs.opendir(`${W}/d`);
    await evictDurableObject(stub);
    expect([
      dir.path,
      (await dir.read())?.name,
      (await dir.read())?.isFile(),
      (await dir.read())?.name,
      await dir.read(),
    ]).toEqual([`${W}/d`, "00000", true, "00002", null]);
    await dir.close();
    await expect(dir.read()).rejects.toMatchObject({ code: "EBADF" });
    await expect(dir.close()).rejects.toMatchObject({ code: "EBADF" });
  });

  it("Dir pages through a large directory, also when several reads are asked at once", async () => {
    const { ws, stub } = await withEntries(2500);
    const names: string[] = [];
    for await (const entry of await ws.fs.opendir(`${W}/d`)) names.push(entry.name);
    expect([names.length, new Set(names).size, names.at(-1)]).toEqual([2500, 2500, "02499"]);

    const dir = await ws.fs.opendir(`${W}/d`);
    const all = await Promise.all(Array.from({ length: 2501 }, () => dir.read()));
    expect(new Set(all.map((entry) => entry?.name)).size).toBe(2501);
    await dir.close();
    await evictDurableObject(stub);
  });

  it("Dir left in the middle of its iteration is let go", async () => {
    const { ws, stub } = await withEntries(1500);
    for await (const _ of await ws.fs.opendir(`${W}/d`)) break;
    await evictDurableObject(stub);
    expect(await ws.fs.exists(`${W}/d`)).toBe(true);
  });
});
