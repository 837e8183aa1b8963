import { env } from "cloudflare:workers";
import { getWorkspace } from "@cloudflare/workspace";
import { describe, expect, it } from "vitest";
import type { Env } from "../../env.ts";
import { LIMITS } from "../../limits.ts";
import { ApiClient, consumed, refusal } from "../../testing/api-client.ts";
import { getFile } from "./get-file.ts";

const ALPHABET = "abcdefghijklmnopqrstuvwxyz";
const MiB = 1024 * 1024;

describe("GET of a file", () => {
  it("GET sends the bytes with their length, tag, date and type", async () => {
    const ws = new ApiClient("get-basic");
    await ws.put("/docs/a.txt", "hello");
    await ws.fs.utimes("/workspace/docs/a.txt", 10.5, 10.5);
    const response = await ws.get("/docs/a.txt");
    expect([response.status, await response.text()]).toEqual([200, "hello"]);
    expect(Object.fromEntries(response.headers)).toEqual({
      "accept-ranges": "bytes",
      "cache-control": "private, no-cache, no-transform",
      "content-disposition": "inline; filename=\"a.txt\"; filename*=UTF-8''a.txt",
      "content-length": "5",
      "content-security-policy": "sandbox; default-src 'none'",
      "content-type": "text/plain; charset=utf-8",
      "cross-origin-resource-policy": "same-origin",
      etag: `"${(await ws.fs.stat("/workspace/docs/a.txt")).version}"`,
      "last-modified": "Thu, 01 Jan 1970 00:00:10 GMT",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
    });
  });

  it("HEAD sends the same headers and no body", async () => {
    const ws = new ApiClient("get-head");
    await ws.put("/a.bin", new Uint8Array(3 * MiB));
    const [get, head] = [await consumed(ws.get("/a.bin")), await ws.send("HEAD", "/a.bin")];
    expect(Object.fromEntries(head.headers)).toEqual(Object.fromEntries(get.headers));
    expect([head.status, head.body, head.headers.get("Content-Length")]).toEqual([200, null, String(3 * MiB)]);
  });

  it("GET streams a large file whole, in order", async () => {
    const ws = new ApiClient("get-large");
    const bytes = new Uint8Array(20 * MiB).map((_, i) => (i * 31) >> 8);
    await ws.put("/big.bin", bytes);
    const response = await ws.get("/big.bin");
    expect(response.headers.get("Content-Length")).toBe(String(bytes.length));
    const got = new Uint8Array(await response.arrayBuffer());
    expect(got.length === bytes.length && got.every((byte, i) => byte === bytes[i])).toBe(true);
  });

  it.each([
    ["bytes=0-4", "abcde", "bytes 0-4/26"],
    ["bytes=20-", "uvwxyz", "bytes 20-25/26"],
    ["bytes=-3", "xyz", "bytes 23-25/26"],
    ["bytes=-100", ALPHABET, "bytes 0-25/26"],
    ["bytes=25-25", "z", "bytes 25-25/26"],
    ["bytes=24-999", "yz", "bytes 24-25/26"],
    ["bytes=0-99999999999999999999999999", ALPHABET, "bytes 0-25/26"],
    ["Bytes= 1-2 ", "bc", "bytes 1-2/26"],
  ])("GET with Range %s sends that part", async (range, text, contentRange) => {
    const ws = new ApiClient("get-range");
    await ws.put("/a.txt", ALPHABET);
    const response = await ws.get("/a.txt", { Range: range });
    expect([response.status, response.headers.get("Content-Range"), await response.text()]).toEqual([
      206,
      contentRange,
      text,
    ]);
    expect(response.headers.get("Content-Length")).toBe(String(text.length));
    expect(response.headers.get("ETag")).toBe((await ws.send("HEAD", "/a.txt")).headers.get("ETag"));
  });

  it.each(["bytes=26-", "bytes=99-100", "bytes=-0", `bytes=${"9".repeat(400)}-`])(
    "GET with Range %s has no such part",
    async (range) => {
      const ws = new ApiClient("get-range");
      await ws.put("/a.txt", ALPHABET);
      const response = await ws.get("/a.txt", { Range: range });
      expect(response.headers.get("Content-Range")).toBe("bytes */26");
      expect(await refusal(response)).toBe("416 RANGE_NOT_SATISFIABLE");
    },
  );

  it.each([
    "bytes=0-1,4-5",
    "bytes=5-2",
    "bytes=",
    "bytes=-",
    "bytes=a-b",
    "lines=1-2",
    "bytes 0-1",
    "bytes=1 -2",
    "bytes=+1-2",
  ])("GET with Range %s sends the whole", async (range) => {
    const ws = new ApiClient("get-range");
    await ws.put("/a.txt", ALPHABET);
    const response = await ws.get("/a.txt", { Range: range });
    expect([response.status, await response.text(), response.headers.get("Content-Range")]).toEqual([
      200,
      ALPHABET,
      null,
    ]);
  });

  it("GET of an empty file is empty, and has no ranges", async () => {
    const ws = new ApiClient("get-empty");
    await ws.put("/e.txt", "");
    const response = await ws.get("/e.txt");
    expect([response.status, response.headers.get("Content-Length"), await response.text()]).toEqual([200, "0", ""]);
    for (const Range of ["bytes=0-", "bytes=-1"]) {
      const empty = await ws.get("/e.txt", { Range });
      expect([empty.status, empty.headers.get("Content-Range")]).toEqual([416, "bytes */0"]);
    }
  });

  it("GET honours Range only while If-Range holds, and HEAD never", async () => {
    const ws = new ApiClient("get-if-range");
    const tag = (await ws.put("/a.txt", ALPHABET)).headers.get("ETag") as string;
    const date = (await consumed(ws.get("/a.txt"))).headers.get("Last-Modified") as string;
    const status = async (ifRange: string) =>
      (await ws.get("/a.txt", { Range: "bytes=0-1", "If-Range": ifRange })).status;
    expect(await status(tag)).toBe(206);
    expect(await status(date)).toBe(206);
    expect(await status(`W/${tag}`)).toBe(200);
    expect(await status('"x"')).toBe(200);
    expect(await status("Thu, 01 Jan 1970 00:00:00 GMT")).toBe(200);
    expect((await ws.send("HEAD", "/a.txt", { headers: { Range: "bytes=0-1" } })).status).toBe(200);
  });

  it("GET in the midst of changes always sends the bytes of its tag", async () => {
    const ws = new ApiClient("get-race");
    const texts = new Map<string, string>();
    const write = async (i: number) => {
      const text = `${i}`.repeat(1 + (i % 7));
      texts.set(`"${(await ws.fs.writeFile("/workspace/a.txt", text)).version}"`, text);
    };
    await write(0);
    const writing = (async () => {
      for (let i = 1; i < 150; i++) await write(i);
    })();
    const seen: [string, string][] = [];
    for (let i = 0; i < 60; i++) {
      const response = await ws.get("/a.txt");
      if (response.status === 200) seen.push([response.headers.get("ETag") as string, await response.text()]);
      else expect(await refusal(response)).toBe("429 EAGAIN");
    }
    await writing;
    expect(seen.length).toBeGreaterThan(10);
    for (const [tag, text] of seen) expect(text).toBe(texts.get(tag));
  });

  it.each([
    ["small", 1],
    ["large", LIMITS.wholeFile + 1],
  ])("getFile fails with EAGAIN when a %s file keeps changing", async (what, size) => {
    const { fs } = getWorkspace((env as unknown as Env).WORKSPACE, `get-restless-${what}`);
    await fs.writeFile("/workspace/a", new Uint8Array(size));
    const stat = await fs.stat("/workspace/a");
    const changing = (verb: "read" | "readStream") => async (path: string) => {
      await fs.appendFile(path, "1");
      return fs[verb](path);
    };
    const restless = Object.create(fs, {
      read: { value: changing("read") },
      readStream: { value: changing("readStream") },
    });
    const request = new Request("https://x/");
    await expect(getFile(restless, request, "/workspace/a", { path: "/workspace/a", stat })).rejects.toMatchObject({
      code: "EAGAIN",
    });
  });

  it("GET follows links within the root and none out of it", async () => {
    const ws = new ApiClient("get-links");
    await ws.put("/a.txt", "inside");
    await ws.fs.mkdir("/outside");
    await ws.fs.writeFile("/outside/secret", "s");
    await ws.fs.symlink("a.txt", "/workspace/in");
    await ws.fs.symlink("/outside/secret", "/workspace/out");
    await ws.fs.symlink("/outside", "/workspace/dir");
    await ws.fs.symlink("/", "/workspace/top");
    await ws.fs.symlink("nowhere", "/workspace/dangling");
    await ws.fs.symlink("loop", "/workspace/loop");
    expect(await ws.text("/in")).toBe("inside");
    expect(await ws.text("/top/workspace/a.txt")).toBe("inside");
    for (const path of ["/out", "/dir", "/dir/", "/dir/secret", "/top", "/top/outside/secret"]) {
      expect(await refusal(await ws.get(path))).toBe("403 EACCES");
    }
    expect(await refusal(await ws.get("/dangling"))).toBe("404 ENOENT");
    expect(await refusal(await ws.get("/loop"))).toBe("400 ELOOP");
  });

  it("GET of what is not there, or not of that kind, says so", async () => {
    const ws = new ApiClient("get-missing");
    await ws.put("/f", "x");
    expect(await refusal(await ws.get("/none"))).toBe("404 ENOENT");
    expect(await refusal(await ws.get("/none/deep"))).toBe("404 ENOENT");
    expect(await refusal(await ws.get("/f/"))).toBe("409 ENOTDIR");
    expect(await refusal(await ws.get("/f/x"))).toBe("409 ENOTDIR");
    expect((await ws.send("HEAD", "/none")).status).toBe(404);
  });

  it.each([
    ["page.html", "text/html; charset=utf-8", "attachment"],
    ["logo.svg", "image/svg+xml", "attachment"],
    ["feed.xml", "application/xml", "attachment"],
    ["app.js", "text/javascript; charset=utf-8", "attachment"],
    ["notes.md", "text/markdown; charset=utf-8", "attachment"],
    ["data.json", "application/json", "attachment"],
    ["main.rs", "text/plain; charset=utf-8", "inline"],
    ["LICENSE", "text/plain; charset=utf-8", "inline"],
    ["unknown", "application/octet-stream", "attachment"],
    ["x.constructor", "application/octet-stream", "attachment"],
    ["UPPER.HTML", "text/html; charset=utf-8", "attachment"],
  ])("GET of %s is %s, %s, in a sandbox", async (name, type, kind) => {
    const ws = new ApiClient("get-types");
    await ws.put(`/${name}`, "<script>alert(1)</script>");
    const { headers } = await consumed(ws.get(`/${name}`));
    expect(headers.get("Content-Type")).toBe(type);
    expect(headers.get("Content-Disposition")?.split(";")[0]).toBe(kind);
    expect(headers.get("Content-Security-Policy")).toMatch(/^sandbox;/);
    expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
  });

  it("GET of a name with quotes, line ends and other letters cannot break its header", async () => {
    const ws = new ApiClient("get-names");
    const name = "é\"%\r\nSet-Cookie: a=b';.txt";
    await ws.fs.writeFile(`/workspace/${name}`, "x");
    const response = await ws.get(`/${encodeURIComponent(name)}`);
    expect([response.status, response.headers.get("Set-Cookie")]).toEqual([200, null]);
    const names = /^inline; filename="([^"]*)"; filename\*=UTF-8''(.*)$/.exec(
      response.headers.get("Content-Disposition") ?? "",
    );
    expect(names?.[1]).toBe("_____Set-Cookie: a=b';.txt");
    expect(names?.[2]).toBe("%C3%A9%22%25%0D%0ASet-Cookie%3A%20a%3Db%27%3B.txt");
  });
});
