import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { LIMITS } from "../../limits.ts";
import { ApiClient, refusal, streamOf } from "../../testing/api-client.ts";

const MiB = 1024 * 1024;

describe("PUT of a file", () => {
  it("PUT creates with 201, replaces with 204, and each ETag is the version", async () => {
    const ws = new ApiClient("put-basic");
    const created = await ws.put("/a.txt", "one");
    expect([created.status, await created.text()]).toEqual([201, ""]);
    expect(created.headers.get("ETag")).toBe(`"${(await ws.fs.stat("/workspace/a.txt")).version}"`);
    const replaced = await ws.put("/a.txt", "two");
    expect(replaced.status).toBe(204);
    expect(replaced.headers.get("ETag")).toBe(`"${(await ws.fs.stat("/workspace/a.txt")).version}"`);
    expect(replaced.headers.get("ETag")).not.toBe(created.headers.get("ETag"));
    expect(await ws.text("/a.txt")).toBe("two");
  });

  it("PUT without a body makes an empty file", async () => {
    const ws = new ApiClient("put-empty");
    expect((await ws.put("/e")).status).toBe(201);
    expect((await ws.fs.stat("/workspace/e")).size).toBe(0);
    expect(await ws.text("/e")).toBe("");
  });

  it("PUT makes the parents that are missing", async () => {
    const ws = new ApiClient("put-parents");
    expect((await ws.put("/a/b/c/d.txt", "deep")).status).toBe(201);
    expect(await ws.fs.readFile("/workspace/a/b/c/d.txt", "utf8")).toBe("deep");
    expect(await refusal(await ws.put(`${"/x".repeat(LIMITS.newParents + 2)}`, "deeper"))).toBe("400 EINVAL");
    expect(await ws.fs.exists("/workspace/x")).toBe(false);
  });

  it("PUT is logged under the authenticated actor", async () => {
    const ws = new ApiClient("put-actor");
    const since = await ws.state();
    await ws.put("/d/a.txt", "x");
    const { changes } = await ws.fs.changes({ since });
    expect(changes.map(({ path, actor }) => [path, actor])).toEqual([
      ["/workspace/d", "http"],
      ["/workspace/d/a.txt", "http"],
    ]);
  });

  it("PUT keeps mode and other names of a file, and writes through a link", async () => {
    const ws = new ApiClient("put-links");
    await ws.fs.writeFile("/workspace/a", "1", { mode: 0o755 });
    await ws.fs.link("/workspace/a", "/workspace/b");
    await ws.fs.symlink("a", "/workspace/l");
    expect((await ws.put("/l", "2")).status).toBe(204);
    expect(await ws.fs.readFile("/workspace/b", "utf8")).toBe("2");
    expect((await ws.fs.lstat("/workspace/l")).isSymbolicLink()).toBe(true);
    expect((await ws.fs.stat("/workspace/a")).mode & 0o777).toBe(0o755);
  });

  it("PUT streams a body up to the limit", async () => {
    const ws = new ApiClient("put-limit");
    expect((await ws.put("/big", streamOf(LIMITS.bodyBytes))).status).toBe(201);
    expect((await ws.fs.stat("/workspace/big")).size).toBe(LIMITS.bodyBytes);
  });

  it.each([
    ["a body of unknown length that is too long", "/old.txt", undefined, "413 EFBIG"],
    ["a length before a body that is too long", "/new/deep/a.txt", { "Content-Length": "500000" }, "413 EFBIG"],
    ["a small length before a body that is too long", "/new/deep/a.txt", { "Content-Length": "5" }, "400 EINVAL"],
  ])("PUT refuses %s at the limit and changes nothing", async (_, path, headers, expected) => {
    const ws = new ApiClient("put-too-long");
    await ws.put("/old.txt", "old");
    const before = await ws.state();
    expect(await refusal(await ws.put(path, streamOf(LIMITS.bodyBytes + 1), headers))).toBe(expected);
    expect(await ws.state()).toBe(before);
    expect(await ws.text("/old.txt")).toBe("old");
    expect(await ws.fs.exists("/workspace/new")).toBe(false);
  });

  const tooLong = String(LIMITS.bodyBytes + 1);
  it.each([
    ["a declared length that is too long", () => ({ body: "x", headers: { "Content-Length": tooLong } }), "413 EFBIG"],
    [
      "a length too long for a number",
      () => ({ body: "x", headers: { "Content-Length": "9".repeat(400) } }),
      "413 EFBIG",
    ],
    [
      "a length that says too little",
      () => ({ body: streamOf(100), headers: { "Content-Length": "5" } }),
      "400 EINVAL",
    ],
    [
      "a length that says too much",
      () => ({ body: streamOf(100), headers: { "Content-Length": "500" } }),
      "400 EINVAL",
    ],
    ["a length that is no number", () => ({ body: "x", headers: { "Content-Length": "-1" } }), "400 EINVAL"],
    ["a body that breaks off", () => ({ body: streamOf(3 * MiB, "broken") }), "400 ABORT_ERR"],
    ["a body that breaks off at once", () => ({ body: streamOf(0, "broken") }), "400 ABORT_ERR"],
    [
      "a body of a known length that breaks off",
      () => ({ body: streamOf(3 * MiB, "broken"), headers: { "Content-Length": String(4 * MiB) } }),
      "400 EINVAL",
    ],
    ["an encoded body", () => ({ body: "x", headers: { "Content-Encoding": "gzip" } }), "415 UNSUPPORTED_ENCODING"],
    ["a part of a file", () => ({ body: "x", headers: { "Content-Range": "bytes 0-0/10" } }), "400 EINVAL"],
  ])("PUT refuses %s and changes nothing, parents included", async (what, make, expected) => {
    const ws = new ApiClient(`put-refuses-${what.replace(/\W+/g, "-")}`.slice(0, 64));
    await ws.put("/old.txt", "old");
    const before = await ws.state();
    expect(await refusal(await ws.send("PUT", "/old.txt", make()))).toBe(expected);
    expect(await refusal(await ws.send("PUT", "/new/deep/a.txt", make()))).toBe(expected);
    expect(await ws.state()).toBe(before);
    expect(await ws.text("/old.txt")).toBe("old");
    expect(await ws.fs.exists("/workspace/new")).toBe(false);
  });

  it("PUT that fails after a large body leaves none of its bytes in the object", async () => {
    const ws = new ApiClient("put-leaves-nothing");
    const rows = () =>
      runInDurableObject(env.HTTP_WORKSPACE.getByName(ws.name), (_object, { storage }) =>
        ["ws_spool", "ws_content"].map((table) => storage.sql.exec(`SELECT count(*) AS n FROM ${table}`).one().n),
      );
    const etag = (await ws.put("/f", "old")).headers.get("ETag") as string;
    // Another client changes the file during the upload.
    const body = streamOf(3 * MiB).pipeThrough(
      new TransformStream({ flush: () => ws.fs.writeFile("/workspace/f", "theirs").then(() => {}) }),
    );
    expect((await ws.put("/f", body, { "If-Match": etag })).ok).toBe(false);
    expect(await ws.text("/f")).toBe("theirs");
    expect((await ws.put("/f", streamOf(3 * MiB, "broken"))).ok).toBe(false);
    expect(await rows()).toEqual([0, 2]);
  });

  it("PUT onto a directory, under a file and through bad names is refused with its code", async () => {
    const ws = new ApiClient("put-kinds");
    await ws.put("/f", "file");
    await ws.put("/d/");
    const before = await ws.state();
    expect(await refusal(await ws.put("/d", "x"))).toBe("409 EISDIR");
    expect(await refusal(await ws.put("", "x"))).toBe("409 EISDIR");
    expect(await refusal(await ws.put("/f/x", "x"))).toBe("409 ENOTDIR");
    expect(await refusal(await ws.put(`/${"n".repeat(256)}`, "x"))).toBe("400 ENAMETOOLONG");
    expect(await refusal(await ws.put(`/${"a/".repeat(2100)}x`, "x"))).toBe("400 ENAMETOOLONG");
    expect(await refusal(await ws.put("/x?type=socket", "x"))).toBe("400 EINVAL");
    expect(await refusal(await ws.put("/x?typ=directory", "x"))).toBe("400 EINVAL");
    expect(await refusal(await ws.put("/x/?type=file", "x"))).toBe("409 EISDIR");
    expect(await ws.state()).toBe(before);
  });

  it("PUT is not led out of the root, round in circles or into nothing by links", async () => {
    const ws = new ApiClient("put-escape");
    await ws.fs.mkdir("/outside", { recursive: true });
    await ws.fs.writeFile("/outside/secret", "s");
    await ws.fs.symlink("/outside", "/workspace/dir");
    await ws.fs.symlink("../outside/secret", "/workspace/file");
    await ws.fs.symlink("/outside/not-yet", "/workspace/dangling");
    await ws.fs.symlink("loop", "/workspace/loop");
    const before = await ws.state();
    expect(await refusal(await ws.put("/dir/new", "x"))).toBe("403 EACCES");
    expect(await refusal(await ws.put("/dir/a/b/new", "x"))).toBe("403 EACCES");
    expect(await refusal(await ws.put("/dir/secret", "x"))).toBe("403 EACCES");
    expect(await refusal(await ws.put("/file", "x"))).toBe("403 EACCES");
    expect(await refusal(await ws.put("/dir/new/"))).toBe("403 EACCES");
    expect(await refusal(await ws.put("/dangling", "x"))).toBe("404 ENOENT");
    expect(await refusal(await ws.put("/dangling/x/y", "x"))).toBe("404 ENOENT");
    expect(await refusal(await ws.put("/loop", "x"))).toBe("400 ELOOP");
    expect(await ws.state()).toBe(before);
  });
});
