/** asNodeFs under libraries that take an `fs`: isomorphic-git by callbacks, fast-glob, and tar-fs by streams; and its shape itself. */
import { Buffer } from "node:buffer";
import { promisify } from "node:util";
import { asNodeFs } from "@cloudflare/workspace/adapters/node-fs";
import git, { type CallbackFsClient } from "isomorphic-git";
import { describe, expect, it } from "vitest";
import { packSources } from "./examples/node-fs.ts";
import { inWorkspace, PLACES, withWorkspace } from "./with-workspace.ts";

async function chunksOf<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const chunks: T[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return chunks;
}

const bytes = (length: number) => Uint8Array.from({ length }, (_, at) => (at * 31) % 251);

describe.each(PLACES)("asNodeFs of a workspace %s", (place) => {
  it("packs and extracts with tar-fs and lists with fast-glob (the guide's example)", () =>
    withWorkspace(place, async (workspace) => {
      await workspace.fs.mkdir("/workspace/src/deep", { recursive: true });
      await workspace.fs.writeFile("/workspace/src/a.ts", "export {};\n");
      await workspace.fs.writeFile("/workspace/src/deep/b.ts", bytes(300_000));
      await workspace.fs.writeFile("/workspace/src/run.sh", "#!/bin/sh\n", { mode: 0o755 });
      await workspace.fs.symlink("a.ts", "/workspace/src/link.ts");
      expect((await packSources(workspace)).sort()).toEqual(["a.ts", "deep/b.ts", "link.ts"]);
      expect(await workspace.fs.readFile("/workspace/copy/deep/b.ts")).toEqual(bytes(300_000));
      expect(await workspace.fs.readlink("/workspace/copy/link.ts")).toBe("a.ts");
      expect((await workspace.fs.stat("/workspace/copy/run.sh")).mode & 0o111).toBe(0o111);
      const [from, to] = await Promise.all(["src", "copy"].map((name) => workspace.fs.stat(`/workspace/${name}/a.ts`)));
      expect(Math.floor(to!.mtimeMs / 1000)).toBe(Math.floor(from!.mtimeMs / 1000));
    }));

  it("carries isomorphic-git by callbacks alone", () =>
    withWorkspace(place, async (workspace) => {
      const { promises: _, ...fs } = asNodeFs(workspace.fs);
      const dir = "/workspace/repository";
      const repository = { fs: fs as unknown as CallbackFsClient, dir };
      await git.init({ ...repository, defaultBranch: "main" });
      await workspace.fs.writeFile(`${dir}/a.txt`, "a\n");
      await git.add({ ...repository, filepath: "a.txt" });
      const author = { name: "A", email: "a@example.com" };
      await git.commit({ ...repository, message: "first", author });
      expect(await git.statusMatrix(repository)).toEqual([["a.txt", 1, 1, 1]]);
    }));

  it("has Node's callbacks, promises and Buffers", () =>
    withWorkspace(place, async (workspace) => {
      const fs = asNodeFs(workspace.fs);
      const call = (verb: keyof typeof fs, ...args: unknown[]) =>
        (promisify(fs[verb] as never) as (...args: unknown[]) => Promise<unknown>)(...args);
      expect(await call("writeFile", "/workspace/a.txt", Buffer.from("hällo"))).toBeUndefined();
      expect(await call("readFile", "/workspace/a.txt", "utf8")).toBe("hällo");
      expect(Buffer.isBuffer(await call("readFile", "/workspace/a.txt"))).toBe(true);
      expect(Buffer.isBuffer(await fs.promises.readFile(new URL("file:///workspace/a.txt")))).toBe(true);
      expect(await call("readdir", Buffer.from("/workspace"))).toEqual(["a.txt"]);
      expect(await new Promise((done) => fs.exists("/workspace/a.txt", done))).toBe(true);
      expect(await new Promise((done) => fs.exists("/workspace/none", done))).toBe(false);
      await expect(call("stat", "/workspace/none")).rejects.toMatchObject({ code: "ENOENT", syscall: "stat" });
      await expect(call("rmdir", "/workspace/a.txt")).rejects.toMatchObject({ code: "ENOTDIR" });
      expect(() => fs.readFile("/workspace/a.txt")).toThrow("callback");
      await expect(fs.promises.readFile(7)).rejects.toMatchObject({ code: "EINVAL" });
      const handle = await fs.promises.open("/workspace/a.txt");
      expect(Buffer.isBuffer(await handle.readFile())).toBe(true);
      await handle.close();
    }));

  it("reads and writes by descriptor", () =>
    withWorkspace(place, async (workspace) => {
      const fs = asNodeFs(workspace.fs);
      const call = (verb: keyof typeof fs, ...args: unknown[]) =>
        (promisify(fs[verb] as never) as (...args: unknown[]) => Promise<number>)(...args);
      const fd = await call("open", "/workspace/f.bin", "w+");
      expect(await call("write", fd, Buffer.from("0123456789"), 0, 10, 0)).toBe(10);
      const buffer = Buffer.alloc(4);
      expect(await call("read", fd, buffer, 0, 4, 3)).toBe(4);
      expect(buffer.toString()).toBe("3456");
      await call("ftruncate", fd, 5);
      expect(await call("fstat", fd)).toMatchObject({ size: 5 });
      await call("close", fd);
      await expect(call("close", fd)).rejects.toMatchObject({ code: "EBADF" });
      expect(await workspace.fs.readFile("/workspace/f.bin", "utf8")).toBe("01234");
    }));

  it("streams ranges, positions and errors", () =>
    withWorkspace(place, async (workspace) => {
      const fs = asNodeFs(workspace.fs);
      const collect = async (stream: AsyncIterable<Uint8Array>) => Buffer.concat(await chunksOf(stream));
      const content = bytes(200_000);
      await workspace.fs.writeFile("/workspace/b.bin", content);
      const part = await collect(
        fs.createReadStream("/workspace/b.bin", { start: 10, end: 150_009, highWaterMark: 7000 }),
      );
      expect(new Uint8Array(part)).toEqual(content.slice(10, 150_010));
      expect(await chunksOf(fs.createReadStream("/workspace/b.bin", { encoding: "hex", end: 1 }))).toEqual(["001f"]);
      await expect(collect(fs.createReadStream("/workspace/none"))).rejects.toMatchObject({ code: "ENOENT" });
      const writer = fs.createWriteStream("/workspace/b.bin", { flags: "r+", start: 2 });
      await new Promise((done, fail) => writer.on("error", fail).on("finish", done).end("XY"));
      expect(writer.bytesWritten).toBe(2);
      expect(Buffer.from(await workspace.fs.readRange("/workspace/b.bin", 0, 5)).toString("hex")).toBe("001f58597c");
      expect(() => fs.createReadStream("/workspace/b.bin", { fd: 3 })).toThrow("descriptor");
    }));
});

it("asNodeFs shows what a write stream wrote when it is closed, and not before", () =>
  inWorkspace(async (workspace) => {
    const fs = asNodeFs(workspace.fs);
    await workspace.fs.writeFile("/workspace/a.txt", "old");
    const writer = fs.createWriteStream("/workspace/a.txt");
    await new Promise((done) => writer.write("new", done));
    expect(await workspace.fs.readFile("/workspace/a.txt", "utf8")).toBe("old");
    await new Promise((done) => writer.end(done));
    expect(await workspace.fs.readFile("/workspace/a.txt", "utf8")).toBe("new");
  }));
