import { describe, expect, it } from "vitest";
import { LIMITS } from "../../limits.ts";
import { ApiClient, refusal, streamOf } from "../../testing/api-client.ts";
import type { Listing } from "./list-directory.ts";

const list = async (ws: ApiClient, path: string) => (await (await ws.get(path)).json()) as Listing;

/** Lists every name page by page, and counts the pages. */
async function all(ws: ApiClient, path: string, limit?: number): Promise<{ names: string[]; pages: number }> {
  const names: string[] = [];
  let cursor: string | null = null;
  let pages = 0;
  do {
    const query = new URLSearchParams({
      ...(limit ? { limit: `${limit}` } : {}),
      ...(cursor === null ? {} : { cursor }),
    });
    const page: Listing = await list(ws, `${path}?${query}`);
    names.push(...page.entries.map(({ name }) => name));
    cursor = page.cursor;
    pages++;
  } while (cursor !== null);
  return { names, pages };
}

describe("GET of a directory", () => {
  it("GET lists name, type, size, time and version, in byte order", async () => {
    const ws = new ApiClient("list-basic");
    await ws.put("/d/b.txt", "12345");
    await ws.put("/d/a/");
    await ws.fs.symlink("b.txt", "/workspace/d/l");
    await ws.fs.utimes("/workspace/d/b.txt", 1.5, 1.5);
    const stat = await ws.fs.stat("/workspace/d");
    const listing = await list(ws, "/d");
    expect(listing).toEqual({
      path: "/workspace/d",
      type: "directory",
      size: stat.size,
      modified: stat.mtime.toISOString(),
      version: stat.version,
      entries: [
        {
          name: "a",
          type: "directory",
          size: expect.any(Number),
          modified: expect.any(String),
          version: expect.any(String),
        },
        {
          name: "b.txt",
          type: "file",
          size: 5,
          modified: "1970-01-01T00:00:01.500Z",
          version: (await ws.fs.stat("/workspace/d/b.txt")).version,
        },
        { name: "l", type: "symlink", size: 5, modified: expect.any(String), version: expect.any(String) },
      ],
      cursor: null,
    });
    expect(await list(ws, "/d/")).toEqual(listing);
    const response = await ws.get("/d");
    expect(response.headers.get("Content-Type")).toBe("application/json");
    expect(response.headers.get("Cache-Control")).toBe("no-store");
  });

  it("GET of a fresh workspace's root is an empty list, with and without the slash", async () => {
    for (const path of ["", "/", "//"]) {
      const { entries, path: at } = await list(new ApiClient("list-fresh"), path);
      expect([at, entries]).toEqual(["/workspace", []]);
    }
  });

  it("HEAD of a directory says that it is there", async () => {
    const ws = new ApiClient("list-head");
    const response = await ws.send("HEAD", "/");
    expect([response.status, response.body, response.headers.get("Content-Type")]).toEqual([
      200,
      null,
      "application/json",
    ]);
  });

  it("GET pages by cursor, and loses nothing when entries come and go", async () => {
    const ws = new ApiClient("list-pages");
    const names = ["a", "b", "c", "é", "ﬀ", "😀", "z"].sort((x, y) => Buffer.compare(Buffer.from(x), Buffer.from(y)));
    for (const name of names) await ws.fs.writeFile(`/workspace/${name}`, "");
    expect(await all(ws, "/", 2)).toEqual({ names, pages: 4 });
    expect(await all(ws, "/", 7)).toEqual({ names, pages: 1 });
    const first = await list(ws, "/?limit=3");
    await ws.send("DELETE", `/${encodeURIComponent(first.entries[2]!.name)}`);
    await ws.put("/aa", "");
    const second = await list(ws, `/?limit=3&cursor=${first.cursor}`);
    expect([...first.entries, ...second.entries].map(({ name }) => name)).toEqual(names.slice(0, 6));
  });

  it("GET of a huge directory comes in pages too", async () => {
    const ws = new ApiClient("list-huge");
    const count = LIMITS.listPage * 2 + 250;
    const names = Array.from({ length: count }, (_, i) => `f${String(i).padStart(5, "0")}`);
    await ws.fs.writeMany(names.map((name) => ({ path: `/workspace/d/${name}`, content: name })));
    expect(await all(ws, "/d")).toEqual({ names, pages: Math.ceil(count / LIMITS.listPage) });
    const page = await list(ws, "/d?limit=2");
    expect(page.entries.map(({ name, size, type }) => [name, size, type])).toEqual([
      ["f00000", 6, "file"],
      ["f00001", 6, "file"],
    ]);
  });

  it.each([
    "limit=0",
    "limit=1001",
    "limit=-1",
    "limit=x",
    "limit=1e2",
    "cursor=",
    "cursor=a",
    "cursor=%00",
    "cursor=a+b",
    "recursive=1",
    "limit=1&limit=2",
  ])("GET refuses ?%s", async (query) => {
    expect(await refusal(await new ApiClient("list-refuses").get(`/?${query}`))).toBe("400 EINVAL");
  });
});

describe("PUT of a directory", () => {
  it("PUT with a slash or ?type=directory makes it and its parents, once", async () => {
    const ws = new ApiClient("mkdir");
    expect((await ws.put("/a/b/c/")).status).toBe(201);
    expect((await ws.put("/x/y?type=directory")).status).toBe(201);
    const before = await ws.state();
    expect((await ws.put("/a/b/c/")).status).toBe(204);
    expect((await ws.put("/a?type=directory")).status).toBe(204);
    expect((await ws.put("/")).status).toBe(204);
    expect(await ws.state()).toBe(before);
    expect(await ws.fs.readdir("/workspace", { recursive: true })).toEqual(["a", "a/b", "a/b/c", "x", "x/y"]);
  });

  it("PUT of a directory takes no body and no file's place", async () => {
    const ws = new ApiClient("mkdir-refuses");
    await ws.put("/f", "x");
    const before = await ws.state();
    expect(await refusal(await ws.put("/d/", "x"))).toBe("400 EINVAL");
    expect(await refusal(await ws.put("/d/", streamOf(10)))).toBe("400 EINVAL");
    expect(await refusal(await ws.put("/f/"))).toBe("409 EEXIST");
    expect(await refusal(await ws.put("/f/g/"))).toBe("409 ENOTDIR");
    expect(await ws.state()).toBe(before);
    expect((await ws.put("/d/", streamOf(0))).status).toBe(201);
  });

  it("PUT of a directory heeds If-Match", async () => {
    const ws = new ApiClient("mkdir-conditions");
    await ws.put("/d/");
    const { version } = await list(ws, "/d");
    expect((await ws.put("/d/", undefined, { "If-Match": `"${version}"` })).status).toBe(204);
    expect(await refusal(await ws.put("/d/", undefined, { "If-Match": '"x"' }))).toBe("412 ESTALE");
    expect(await refusal(await ws.put("/e/f/", undefined, { "If-Match": "*" }))).toBe("412 ESTALE");
    expect(await ws.fs.readdir("/workspace")).toEqual(["d"]);
  });
});

describe("DELETE", () => {
  it("DELETE removes a file, an empty directory, and a full one when told to", async () => {
    const ws = new ApiClient("delete");
    await ws.put("/d/e/f", "x");
    await ws.put("/empty/");
    expect((await ws.send("DELETE", "/d/e/f")).status).toBe(204);
    expect((await ws.send("DELETE", "/empty/")).status).toBe(204);
    expect(await refusal(await ws.send("DELETE", "/d"))).toBe("409 ENOTEMPTY");
    expect(await refusal(await ws.send("DELETE", "/d?recursive=0"))).toBe("409 ENOTEMPTY");
    expect((await ws.send("DELETE", "/d?recursive=1")).status).toBe(204);
    expect(await ws.fs.readdir("/workspace")).toEqual([]);
  });

  it("DELETE refuses with its code and changes nothing", async () => {
    const ws = new ApiClient("delete-refuses");
    await ws.put("/f", "x");
    await ws.put("/d/e", "x");
    await ws.fs.mkdir("/outside");
    await ws.fs.writeFile("/outside/secret", "s");
    await ws.fs.symlink("/outside", "/workspace/out");
    await ws.fs.symlink("d", "/workspace/in");
    const before = await ws.state();
    const refuses = async (path: string) => refusal(await ws.send("DELETE", path));
    expect(await refuses("/none")).toBe("404 ENOENT");
    expect(await refuses("/none/deep")).toBe("404 ENOENT");
    expect(await refuses("/f/")).toBe("409 ENOTDIR");
    expect(await refuses("/f/x")).toBe("409 ENOTDIR");
    expect(await refuses("/in/?recursive=1")).toBe("409 ENOTDIR");
    expect(await refuses("/out/secret")).toBe("403 EACCES");
    expect(await refuses("/?recursive=1")).toBe("409 EBUSY");
    expect(await refuses("")).toBe("409 EBUSY");
    expect(await refuses("/d?recursive=yes")).toBe("400 EINVAL");
    expect(await refuses("/d?recursve=1")).toBe("400 EINVAL");
    expect(await ws.state()).toBe(before);
  });

  it("DELETE of a link removes the link, wherever it leads", async () => {
    const ws = new ApiClient("delete-links");
    await ws.fs.mkdir("/outside");
    await ws.put("/d/e", "x");
    for (const [name, target] of [
      ["in", "d"],
      ["out", "/outside"],
      ["dangling", "nowhere"],
      ["loop", "loop"],
    ] as const) {
      await ws.fs.symlink(target, `/workspace/${name}`);
      expect((await ws.send("DELETE", `/${name}?recursive=1`)).status).toBe(204);
    }
    expect(await ws.fs.readdir("/workspace")).toEqual(["d"]);
    expect(await ws.fs.exists("/outside")).toBe(true);
    expect(await ws.fs.exists("/workspace/d/e")).toBe(true);
  });

  it("DELETE of a directory heeds If-Match with the version of its listing", async () => {
    const ws = new ApiClient("delete-conditions");
    await ws.put("/d/e", "x");
    const { version } = await list(ws, "/d");
    expect(await refusal(await ws.send("DELETE", "/d?recursive=1", { headers: { "If-Match": '"x"' } }))).toBe(
      "412 ESTALE",
    );
    expect((await ws.send("DELETE", "/d?recursive=1", { headers: { "If-Match": `"${version}"` } })).status).toBe(204);
  });
});
