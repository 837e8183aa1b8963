import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { FsError, getWorkspace, type WorkspaceCall, WorkspaceRpcError } from "@cloudflare/workspace";
import { beforeEach, describe, expect, it } from "vitest";

let count = 0;
const fresh = () => getWorkspace(env.WORKSPACE, `client-${count++}`);
const W = "/workspace";
const text = (bytes: Uint8Array | null) => (bytes === null ? null : new TextDecoder().decode(bytes));
const failure = (work: Promise<unknown>) =>
  work.then(
    () => "no error",
    (error: unknown) => error,
  );

describe("getWorkspace", () => {
  let ws = fresh();
  beforeEach(() => {
    ws = fresh();
  });

  it("getWorkspace takes a namespace and a name, or a stub, and means the same object", async () => {
    await getWorkspace(env.WORKSPACE, "same").fs.writeFile(`${W}/a.md`, "hi");
    expect(await getWorkspace(env.WORKSPACE.getByName("same")).fs.readFile(`${W}/a.md`, "utf8")).toBe("hi");
    expect(await getWorkspace(env.WORKSPACE, "other").fs.exists(`${W}/a.md`)).toBe(false);
  });

  it("getWorkspace says what it needs when the name is missing", () => {
    for (const source of [env.WORKSPACE, undefined, {}])
      expect(() => getWorkspace(source as never)).toThrow("pass a namespace and a name, or a stub");
  });

  it("every verb is one call", async () => {
    await ws.fs.mkdir(`${W}/d`);
    const stub = env.WORKSPACE.getByName(`client-${count - 1}`);
    const calls: string[] = [];
    const counting = {
      workspaceRpc(call: WorkspaceCall) {
        calls.push(call.verb);
        return stub.workspaceRpc(call);
      },
    };
    const { fs } = getWorkspace(counting);
    const big = new Uint8Array(3_000_000);
    const created: Record<string, () => Promise<unknown>> = {
      writeFile: () => fs.writeFile(`${W}/a`, big),
      appendFile: () => fs.appendFile(`${W}/a`, new Blob([big]).stream()),
      readFile: () => fs.readFile(`${W}/a`),
      read: () => fs.read(`${W}/a`),
      stat: () => fs.stat(`${W}/a`),
      writeMany: () => fs.writeMany(Array.from({ length: 5000 }, (_, i) => ({ path: `${W}/m/${i}`, content: "" }))),
      readMany: () => fs.readMany(Array.from({ length: 600 }, (_, i) => `${W}/m/${i}`)),
      readdir: () => fs.readdir(`${W}/m`),
      glob: () => fs.glob("m/1*", { exclude: (path) => path.endsWith("7") }),
      cp: () => fs.cp(`${W}/d`, `${W}/e`, { recursive: true, filter: () => true }),
      opendir: async () => (await fs.opendir(`${W}/d`)).read(),
      open: async () => (await fs.open(`${W}/a`)).close(),
      rm: () => fs.rm(`${W}/m`, { recursive: true }),
    };
    for (const call of Object.values(created)) await call();
    expect(calls).toEqual(Object.keys(created));
  });

  it("fs.readFile gives bytes, or text in the encoding asked for", async () => {
    await ws.fs.writeFile(`${W}/a`, "ü");
    expect(await ws.fs.readFile(`${W}/a`)).toEqual(Uint8Array.of(0xc3, 0xbc));
    expect(await ws.fs.readFile(`${W}/a`, "hex")).toBe("c3bc");
    expect(await ws.fs.readFile(`${W}/a`, { encoding: "utf8" })).toBe("ü");
    await expect(ws.fs.readFile(`${W}/a`, "klingon" as never)).rejects.toMatchObject({ code: "EINVAL" });
  });

  it("fs.writeFile takes text, encoded text, bytes, views, streams and async iterables", async () => {
    const view = new Uint8Array([0, 0, 65, 66, 0]).subarray(2, 4);
    async function* chunks() {
      yield "A";
      yield Uint8Array.of(66);
    }
    const contents = ["AB", view, view.slice().buffer, new Blob(["AB"]).stream(), chunks()];
    for (const content of contents) {
      const { size } = await ws.fs.writeFile(`${W}/a`, content as never);
      expect([size, await ws.fs.readFile(`${W}/a`, "utf8")]).toEqual([2, "AB"]);
    }
    await ws.fs.writeFile(`${W}/a`, "QUI=", "base64");
    expect(await ws.fs.readFile(`${W}/a`, "utf8")).toBe("AB");
    await ws.fs.appendFile(`${W}/a`, "C");
    expect(await ws.fs.readFile(`${W}/a`, "utf8")).toBe("ABC");
    for (const bad of [5, null, undefined, {}])
      await expect(ws.fs.writeFile(`${W}/a`, bad as never)).rejects.toMatchObject({ code: "EINVAL" });
    expect(await ws.fs.readFile(`${W}/a`, "utf8")).toBe("ABC");
  });

  it("fs.read gives content, version and stat of one moment", async () => {
    const { version } = await ws.fs.writeFile(`${W}/a`, "abc");
    const read = await ws.fs.read(`${W}/a`);
    expect(text(read.content)).toBe("abc");
    expect(read.version).toBe(version);
    expect(read.stat).toMatchObject({ size: 3, version, type: "file" });
    expect(read.stat.isFile()).toBe(true);
    expect(read.stat.mtime).toBeInstanceOf(Date);
  });

  it("fs.stat, lstat, symlink, readlink, realpath and link cross whole", async () => {
    await ws.fs.writeFile(`${W}/a`, "abc", { mode: 0o600 });
    await ws.fs.symlink("a", `${W}/l`);
    await ws.fs.link(`${W}/a`, `${W}/h`);
    const [stat, lstat] = [await ws.fs.stat(`${W}/l`), await ws.fs.lstat(`${W}/l`)];
    expect([stat.isFile(), stat.mode, stat.nlink, lstat.isSymbolicLink()]).toEqual([true, 0o100600, 2, true]);
    expect([await ws.fs.readlink(`${W}/l`), await ws.fs.realpath(`${W}/l`)]).toEqual(["a", `${W}/a`]);
  });

  it("fs.readdir, scan, opendir and tree list a directory", async () => {
    await ws.fs.mkdir(`${W}/d/e`, { recursive: true });
    await ws.fs.writeFile(`${W}/d/f`, "12");
    expect(await ws.fs.readdir(`${W}/d`)).toEqual(["e", "f"]);
    const entries = await ws.fs.readdir(W, { withFileTypes: true, recursive: true });
    expect(entries.map((entry) => [entry.parentPath, entry.name, entry.isDirectory()])).toContainEqual([
      `${W}/d`,
      "e",
      true,
    ]);
    expect((await ws.fs.scan(`${W}/d`)).map(({ name, stat }) => [name, stat.isDirectory(), stat.size > 0])).toEqual([
      ["e", true, expect.any(Boolean)],
      ["f", false, true],
    ]);
    const names: string[] = [];
    for await (const entry of await ws.fs.opendir(`${W}/d`)) names.push(entry.name);
    expect(names).toEqual(["e", "f"]);
    expect((await ws.fs.tree(W)).directories).toBe(2);
    expect((await ws.fs.du(W)).bytes).toBe(2);
  });

  it("fs.rename, copyFile, rm, rmdir, unlink, truncate, chmod, utimes, mkdtemp, access and statfs do what they do inside", async () => {
    await ws.fs.writeFile(`${W}/a`, "abc");
    await ws.fs.rename(`${W}/a`, `${W}/b`);
    await ws.fs.copyFile(`${W}/b`, `${W}/c`);
    await ws.fs.truncate(`${W}/c`, 1);
    await ws.fs.chmod(`${W}/c`, 0o755);
    await ws.fs.utimes(`${W}/c`, new Date(0), new Date(5000));
    const stat = await ws.fs.stat(`${W}/c`);
    expect([stat.size, stat.mode, stat.mtimeMs]).toEqual([1, 0o100755, 5000]);
    await ws.fs.access(`${W}/c`, 1);
    await ws.fs.unlink(`${W}/c`);
    const made = await ws.fs.mkdtemp(`${W}/t-`);
    expect(made.startsWith(`${W}/t-`)).toBe(true);
    await ws.fs.rmdir(made);
    await ws.fs.rm(`${W}/b`);
    expect(await ws.fs.readdir(W)).toEqual([]);
    expect((await ws.fs.statfs(W)).bsize).toBeGreaterThan(0);
    expect(await ws.fs.mkdir(`${W}/x/y`, { recursive: true })).toBe(`${W}/x`);
  });

  it("fs.glob and find cross with patterns, and an exclude function prunes on this side", async () => {
    await ws.fs.writeMany(
      ["a.ts", "d/b.ts", "d/c.js", "node_modules/m/i.ts"].map((path) => ({ path: `${W}/${path}`, content: "" })),
    );
    expect(await ws.fs.glob("**/*.ts")).toEqual(["a.ts", "d/b.ts", "node_modules/m/i.ts"]);
    expect(await ws.fs.glob(["**/*.ts"], { exclude: "node_modules/**" })).toEqual(["a.ts", "d/b.ts"]);
    expect(await ws.fs.glob("**/*.ts", { exclude: (path) => path === "node_modules" })).toEqual(["a.ts", "d/b.ts"]);
    await expect(ws.fs.glob("**/*.ts", { exclude: (path) => path === "node_modules", limit: 1 })).rejects.toMatchObject(
      { code: "EFBIG" },
    );
    expect((await ws.fs.find(W, { name: "*.ts", type: "file" })).map(({ path }) => path)).toContain(`${W}/d/b.ts`);
  });

  it("fs.cp asks a filter on this side, and copies all or nothing", async () => {
    await ws.fs.writeMany(["d/a.ts", "d/b.log", "d/e/c.ts"].map((path) => ({ path: `${W}/${path}`, content: path })));
    const requested: string[] = [];
    await ws.fs.cp(`${W}/d`, `${W}/copy`, {
      recursive: true,
      filter: async (source) => {
        requested.push(source);
        return !source.endsWith(".log");
      },
    });
    expect(await ws.fs.glob("copy/**", { dirs: false })).toEqual(["copy/a.ts", "copy/e/c.ts"]);
    expect(requested).toContain(`${W}/d/b.log`);

    const cause = new RangeError("the filter broke");
    const broken = ws.fs.cp(`${W}/d`, `${W}/broken`, {
      recursive: true,
      filter: (source) => {
        if (source.endsWith("c.ts")) throw cause;
        return true;
      },
    });
    await expect(broken).rejects.toBe(cause);
    expect(await ws.fs.exists(`${W}/broken`)).toBe(false);
  });

  it("fs.writeMany is all or none, in the message and as frames", async () => {
    const small = [
      { path: `${W}/m/a`, content: "1" },
      { path: `${W}/m/l`, type: "symlink" as const, target: "a" },
    ];
    const { written, versions } = await ws.fs.writeMany(small);
    expect([written, versions.length]).toEqual([2, 2]);

    const mtime = new Date(1_700_000_000_123);
    const large = Array.from({ length: 5000 }, (_, i) => ({ path: `${W}/many/${i}`, content: `${i}`, mtime }));
    expect(
      (await ws.fs.writeMany([...large, { path: `${W}/m/big`, content: new Uint8Array(3_000_000).fill(7) }])).written,
    ).toBe(5001);
    expect((await ws.fs.readdir(`${W}/many`)).length).toBe(5000);
    expect((await ws.fs.stat(`${W}/many/7`)).mtimeMs).toBe(mtime.getTime());
    expect((await ws.fs.stat(`${W}/m/big`)).size).toBe(3_000_000);

    const stale = large.map((entry) => ({ ...entry, content: "new" }));
    await expect(
      ws.fs.writeMany([...stale, { path: `${W}/m/a`, content: "2", ifVersion: null }]),
    ).rejects.toMatchObject({ code: "ESTALE" });
    expect(await ws.fs.readFile(`${W}/many/7`, "utf8")).toBe("7");
  });

  it("fs.readMany answers in order with null for what is missing, few and many", async () => {
    const names = Array.from({ length: 700 }, (_, i) => `${W}/r/${i}`);
    await ws.fs.writeMany(names.map((path, i) => ({ path, content: `${i}` })));
    expect((await ws.fs.readMany([names[3]!, `${W}/none`, W])).map(text)).toEqual(["3", null, null]);
    const all = await ws.fs.readMany([...names, `${W}/none`]);
    expect([all.length, text(all[0]!), text(all[699]!), all[700]]).toEqual([701, "0", "699", null]);
  });

  it("fs.readdir of more entries than a message takes arrives whole and in order", async () => {
    await ws.fs.writeMany(
      Array.from({ length: 6000 }, (_, i) => ({ path: `${W}/big/${String(i).padStart(5, "0")}`, content: "" })),
    );
    const names = await ws.fs.readdir(`${W}/big`);
    expect([names.length, names[0], names[5999]]).toEqual([6000, "00000", "05999"]);
    expect((await ws.fs.scan(`${W}/big`))[5999]!.stat.isFile()).toBe(true);
  });

  it("fs.changes pages with a cursor", async () => {
    const { cursor } = await ws.fs.changes();
    await ws.fs.writeFile(`${W}/a`, "1");
    const { changes, more } = await ws.fs.changes({ since: cursor });
    expect(changes.map(({ op, path }) => [op, path])).toContainEqual(["create", `${W}/a`]);
    expect(more).toBe(false);
  });

  it("errors come back as FsError, with code, syscall, path, dest and message as inside", async () => {
    const calls = [
      (fs: typeof ws.fs) => fs.readFile(`${W}/none`),
      (fs: typeof ws.fs) => fs.rename(`${W}/none`, `${W}/b`),
      (fs: typeof ws.fs) => fs.mkdir(W),
      (fs: typeof ws.fs) => fs.readdir(`${W}/f`),
      (fs: typeof ws.fs) => fs.writeFile(`${W}/f`, "", { ifVersion: null }),
      (fs: typeof ws.fs) => fs.changes({ since: "000000000000.zzz" }),
      (fs: typeof ws.fs) => fs.stat("relative"),
      (fs: typeof ws.fs) => fs.stat("/a\0b"),
    ];
    const name = `client-${count}`;
    ws = fresh();
    await ws.fs.writeFile(`${W}/f`, "");
    const outside = await Promise.all(calls.map((call) => failure(call(ws.fs))));
    const inside = await runInDurableObject(env.WORKSPACE.getByName(name), (object) =>
      Promise.all(calls.map((call) => failure(call(object.workspace.fs)))),
    );
    for (const [i, error] of outside.entries()) {
      expect(error).toBeInstanceOf(FsError);
      expect({ ...(error as FsError), message: (error as FsError).message }).toEqual({
        ...(inside[i] as FsError),
        message: (inside[i] as FsError).message,
      });
    }
  });

  it("an argument that cannot be sent is EINVAL, and the client goes on", async () => {
    await expect(ws.fs.stat(Symbol("no") as never)).rejects.toMatchObject({ code: "EINVAL" });
    await ws.fs.writeFile(`${W}/a`, "still here");
  });

  it("as stamps what it changes, and cannot take another's name", async () => {
    const { cursor } = await ws.fs.changes();
    const bound = getWorkspace(env.WORKSPACE, `client-${count - 1}`, { actor: "svc" });
    await bound.fs.mkdir(`${W}/0`);
    await bound.as({ actor: "root", callId: "c1" }).fs.mkdir(`${W}/1`);
    await ws.as({ callId: "c2" }).fs.mkdir(`${W}/2`);
    const { changes } = await ws.fs.changes({ since: cursor });
    expect(changes.filter(({ op }) => op === "create").map(({ actor, callId }) => [actor, callId])).toEqual([
      ["svc", undefined],
      ["svc/root", "c1"],
      [undefined, "c2"],
    ]);
    expect(() => ws.as({ actor: "a\nb" })).toThrow("EINVAL");
  });

  it("maintain, gc and fsck reach the object", async () => {
    await ws.fs.writeFile(`${W}/a`, "1");
    expect(await ws.maintain({ budget: 10 })).toHaveProperty("more");
    await ws.gc();
    expect((await ws.fsck({ repair: false })).ok).toBe(true);
  });

  it("a call that did not get through is an error of its own, is not repeated, and the next call finds the object again", async () => {
    const name = `client-${count}`;
    ws = fresh();
    await ws.fs.writeFile(`${W}/a`, "1");
    const reset = runInDurableObject(env.WORKSPACE.getByName(name), (_, state) => state.abort("reset by test")).catch(
      () => {},
    );
    await reset;
    const errors: unknown[] = [];
    for (let i = 0; i < 3; i++) await ws.fs.appendFile(`${W}/a`, "2").catch((error) => errors.push(error));
    for (const error of errors) {
      expect(error).toBeInstanceOf(WorkspaceRpcError);
      expect(error).toMatchObject({ code: "ERR_WORKSPACE_TRANSPORT", verb: "appendFile", remote: false });
    }
    expect(errors.length).toBeLessThanOrEqual(1);
    expect(await ws.fs.readFile(`${W}/a`, "utf8")).toBe(`1${"2".repeat(3 - errors.length)}`);
  });

  it("a client of a stub that broke says so with every call", async () => {
    const stub = env.WORKSPACE.getByName("broken-stub");
    const client = getWorkspace(stub);
    await client.fs.mkdir(`${W}/a`);
    await runInDurableObject(stub, (_, state) => state.abort("reset by test")).catch(() => {});
    await expect(client.fs.stat(W)).rejects.toMatchObject({
      code: "ERR_WORKSPACE_TRANSPORT",
      message: "reset by test",
    });
    await expect(client.fs.stat(W)).rejects.toMatchObject({ code: "ERR_WORKSPACE_TRANSPORT" });
    expect(await getWorkspace(env.WORKSPACE, "broken-stub").fs.exists(`${W}/a`)).toBe(true);
  });

  it("a disposed client refuses, its views too; a disposed view leaves the client", async () => {
    const view = ws.as({ actor: "tool" });
    {
      using closed = ws.as({ actor: "brief" });
      await closed.fs.mkdir(`${W}/a`);
    }
    await view.fs.mkdir(`${W}/b`);
    ws[Symbol.dispose]();
    for (const client of [ws, view])
      await expect(client.fs.stat(W)).rejects.toMatchObject({ code: "ERR_WORKSPACE_DISPOSED" });
  });
});
