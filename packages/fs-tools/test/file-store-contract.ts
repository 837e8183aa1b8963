/** The contract of every `FileStore`; run on each implementation, and on one with only the four required methods. */
import { Buffer } from "node:buffer";
import { expect, it } from "vitest";
import type { FileStore } from "../src/store/file-store.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (content: Uint8Array | null) => (content === null ? null : new TextDecoder().decode(content));

/** `withStore` provides a store that is empty except for `root`. */
export function fileStoreContract(
  withStore: (body: (store: FileStore, root: string) => Promise<void>) => Promise<void>,
): void {
  const test = (name: string, body: (store: FileStore, root: string) => Promise<void>) =>
    it(name, () => withStore(body));

  test("stat and read of a missing path are null", async (store, root) => {
    expect(await store.stat(`${root}/none`)).toBeNull();
    expect(await store.read(`${root}/none`)).toBeNull();
    expect(await store.stat(`${root}/none/below`)).toBeNull();
    expect(await store.read(`${root}/none/below`)).toBeNull();
  });

  test("readChunks of a missing path rejects with ENOENT", async (store, root) => {
    const read = async () => {
      for await (const _ of store.readChunks(`${root}/none`));
    };
    await expect(read()).rejects.toMatchObject({ code: "ENOENT" });
  });

  test("write makes parents, and stat and read show what was written", async (store, root) => {
    const before = Date.now() - 5000;
    await store.write(`${root}/a/b/c.txt`, bytes("héllo"));
    expect(text(await store.read(`${root}/a/b/c.txt`))).toBe("héllo");
    const stat = await store.stat(`${root}/a/b/c.txt`);
    expect(stat).toMatchObject({ size: 6, type: "file" });
    expect(stat!.mtime).toBeGreaterThan(before);
    expect(stat!.mtime).toBeLessThan(Date.now() + 5000);
    expect(await store.stat(`${root}/a/b`)).toMatchObject({ type: "dir" });
  });

  test("write takes a mode, and an overwrite without one keeps it", async (store, root) => {
    await store.write(`${root}/run.sh`, bytes("a"), { mode: 0o755 });
    expect((await store.stat(`${root}/run.sh`))!.mode & 0o777).toBe(0o755);
    await store.write(`${root}/run.sh`, bytes("b"));
    expect((await store.stat(`${root}/run.sh`))!.mode & 0o777).toBe(0o755);
  });

  test("readChunks gives the whole file in order", async (store, root) => {
    const content = Uint8Array.from({ length: 300_000 }, (_, i) => i % 251);
    await store.write(`${root}/big`, content);
    const parts: number[] = [];
    for await (const chunk of store.readChunks(`${root}/big`)) for (const byte of chunk) parts.push(byte);
    expect(parts.length).toBe(300_000);
    expect(parts.every((byte, i) => byte === i % 251)).toBe(true);
  });

  test("readChunks gives a range where the store says it can", async (store, root) => {
    await store.write(`${root}/r`, bytes("0123456789"));
    if (!store.ranged) return;
    let got = "";
    for await (const chunk of store.readChunks(`${root}/r`, { start: 3, end: 7 })) got += text(chunk);
    expect(got).toBe("3456");
  });

  test("what read gives is the caller's: changing it changes nothing", async (store, root) => {
    await store.write(`${root}/own`, bytes("abc"));
    (await store.read(`${root}/own`))!.fill(0);
    expect(text(await store.read(`${root}/own`))).toBe("abc");
  });

  test("what write is given stays the caller's, and may be reused", async (store, root) => {
    const buffer = Buffer.from("--abc--").subarray(2, 5);
    await store.write(`${root}/given`, buffer);
    expect(buffer.toString()).toBe("abc");
    buffer.fill("x");
    expect(text(await store.read(`${root}/given`))).toBe("abc");
    await store.writeMany?.([{ path: `${root}/many`, bytes: buffer }]);
    buffer.fill("y");
    if (store.writeMany !== undefined) expect(text(await store.read(`${root}/many`))).toBe("xxx");
  });

  test("a version, where there is one, changes with every write and guards the next", async (store, root) => {
    await store.write(`${root}/v`, bytes("1"));
    const first = (await store.stat(`${root}/v`))!.version;
    if (first === undefined) return;
    await store.write(`${root}/v`, bytes("2"), { ifVersion: first });
    const second = (await store.stat(`${root}/v`))!.version;
    expect(second).not.toBe(first);
    await expect(store.write(`${root}/v`, bytes("3"), { ifVersion: first })).rejects.toMatchObject({ code: "ESTALE" });
    await expect(store.write(`${root}/v`, bytes("3"), { ifVersion: null })).rejects.toMatchObject({ code: "ESTALE" });
    expect(text(await store.read(`${root}/v`))).toBe("2");
  });

  test("writeMany, where there is one, is all or nothing", async (store, root) => {
    if (store.writeMany === undefined) return;
    await store.write(`${root}/m1`, bytes("1"));
    const stale = store.writeMany([
      { path: `${root}/new`, bytes: bytes("x") },
      { path: `${root}/m1`, bytes: bytes("2"), ifVersion: null },
    ]);
    await expect(stale).rejects.toMatchObject({ code: "ESTALE" });
    expect(await store.read(`${root}/new`)).toBeNull();
    await store.writeMany([
      { path: `${root}/deep/new`, bytes: bytes("x") },
      { path: `${root}/m1`, bytes: null },
    ]);
    expect([text(await store.read(`${root}/deep/new`)), await store.read(`${root}/m1`)]).toEqual(["x", null]);
  });

  test("append, where there is one, adds to the end and makes the file", async (store, root) => {
    if (store.append === undefined) return;
    await store.append(`${root}/log/a`, bytes("1"));
    await store.append(`${root}/log/a`, bytes("2"));
    expect(text(await store.read(`${root}/log/a`))).toBe("12");
  });
}

/** Only the four required methods, like a user's own minimal store. */
export function bareStore(): FileStore {
  const files = new Map<string, { content: Uint8Array; mode: number; mtime: number }>();
  return {
    stat: async (path) => {
      const file = files.get(path);
      if (file !== undefined) return { size: file.content.length, mode: file.mode, mtime: file.mtime, type: "file" };
      const isDirectory = [...files.keys()].some((name) => name.startsWith(`${path}/`));
      return isDirectory ? { size: 0, mode: 0o755, mtime: 0, type: "dir" } : null;
    },
    read: async (path) => files.get(path)?.content.slice() ?? null,
    async *readChunks(path) {
      const file = files.get(path);
      if (file === undefined) throw Object.assign(new Error("ENOENT"), { code: "ENOENT" });
      for (let at = 0; at < file.content.length; at += 1000) yield file.content.slice(at, at + 1000);
    },
    write: async (path, content, { mode } = {}) => {
      files.set(path, {
        content: new Uint8Array(content),
        mode: mode ?? files.get(path)?.mode ?? 0o644,
        mtime: Date.now(),
      });
    },
  };
}
