/** Archives that do not fit into memory: staged out of sight, in place whole or not at all, and nothing left behind. */
import { type ArchiveEntry, writeTar, writeZip } from "@workspace/archive";
import { ApiClient, call, refusal, TOKEN } from "@workspace/worker/testing";
import { expect, it } from "vitest";

const MiB = 1024 * 1024;
const stamp = { mode: 0o644, mtimeMs: 1_700_000_000_000 };

function bytesOf(size: number, seed: number): Uint8Array {
  const bytes = new Uint8Array(size);
  for (let i = 0, state = seed; i < size; i++) bytes[i] = (state = (state * 1103515245 + 12345) & 0x7fffffff) >> 16;
  return bytes;
}

async function* tree(last: ArchiveEntry[]): AsyncGenerator<ArchiveEntry> {
  yield { ...stamp, name: "dir", type: "dir", mode: 0o755, size: 0 };
  for (let i = 0; i < 4; i++)
    yield { ...stamp, name: `dir/large${i}`, type: "file", size: 5 * MiB, content: bytesOf(5 * MiB, i) };
  for (let i = 0; i < 200; i++)
    yield { ...stamp, name: `small/${i}.txt`, type: "file", size: 9, content: bytesOf(9, i) };
  yield { ...stamp, name: "link", type: "symlink", size: 0, target: "dir/large0" };
  yield* last;
}

async function put(name: string, format: "tar" | "zip", last: ArchiveEntry[] = []): Promise<Response> {
  const parts: ArrayBufferView[] = [];
  for await (const part of (format === "tar" ? writeTar : writeZip)(tree(last))) parts.push(part);
  const headers = { Authorization: `Bearer ${TOKEN}` };
  return call(
    new Request(`https://h/api/w/${name}/archive?format=${format}&path=in`, {
      method: "PUT",
      headers,
      body: await new Blob(parts).arrayBuffer(),
    }),
  );
}

it.each(["tar", "zip"] as const)("a %s of 20 MiB is unpacked whole, or not at all", async (format) => {
  const ws = new ApiClient(`large-${format}`);
  await ws.put("/in/keep.txt", "kept");
  const hostile = await put(ws.name, format, [
    { ...stamp, name: "../escape", type: "file", size: 0, content: new Uint8Array() },
  ]);
  expect(await refusal(hostile)).toBe("400 EINVAL");
  expect((await ws.fs.find("/workspace")).map(({ path }) => path)).toEqual([
    "/workspace",
    "/workspace/in",
    "/workspace/in/keep.txt",
  ]);
  expect(await ws.fs.scan("/.uploads")).toEqual([]);

  const response = await put(ws.name, format);
  expect(await response.json()).toEqual({
    path: "/workspace/in",
    files: 204,
    directories: 1,
    symlinks: 1,
    bytes: 20 * MiB + 1800,
  });
  for (let i = 0; i < 4; i++) {
    const read = await ws.fs.readFile(`/workspace/in/dir/large${i}`);
    expect(read.length === 5 * MiB && read.every((byte, at) => byte === bytesOfCached(i)[at])).toBe(true);
  }
  expect(await ws.fs.readlink("/workspace/in/link")).toBe("dir/large0");
  expect((await ws.fs.stat("/workspace/in/small/7.txt")).mtimeMs).toBe(stamp.mtimeMs);
  expect(await ws.text("/in/keep.txt")).toBe("kept");
  expect(await ws.fs.scan("/.uploads")).toEqual([]);
});

const created = new Map<number, Uint8Array>();
function bytesOfCached(seed: number): Uint8Array {
  const bytes = created.get(seed) ?? bytesOf(5 * MiB, seed);
  created.set(seed, bytes);
  return bytes;
}
