import { type FileSystem, FsError } from "@cloudflare/workspace";
import { describe, expect, it } from "vitest";
import { ApiClient, consumed, pausedBody, refusal } from "../../testing/api-client.ts";
import { putFile } from "./put-file.ts";

const etagOf = (response: Response) => response.headers.get("ETag") ?? "";
const past = "Thu, 01 Jan 1970 00:00:10 GMT";
const future = "Fri, 01 Jan 2100 00:00:00 GMT";

describe("conditional GET", () => {
  it.each([
    ["If-None-Match", (tag: string) => tag, 304],
    ["If-None-Match", (tag: string) => `W/${tag}`, 304],
    ["If-None-Match", (tag: string) => `"x", ${tag} , "y"`, 304],
    ["If-None-Match", () => "*", 304],
    ["If-None-Match", () => '"x", "y"', 200],
    ["If-Match", (tag: string) => tag, 200],
    ["If-Match", (tag: string) => `"x",${tag}`, 200],
    ["If-Match", () => "*", 200],
    ["If-Match", () => '"x"', 412],
    ["If-Match", (tag: string) => `W/${tag}`, 412],
    ["If-Modified-Since", () => future, 304],
    ["If-Modified-Since", () => past, 200],
    ["If-Modified-Since", () => "yesterday-ish", 200],
    ["If-Unmodified-Since", () => future, 200],
    ["If-Unmodified-Since", () => past, 412],
  ])("GET with %s is judged by the standard (%#)", async (name, value, status) => {
    const ws = new ApiClient("conditional-get");
    const tag = etagOf(await ws.put("/a.txt", "abc"));
    for (const method of ["GET", "HEAD"]) {
      const response = await ws.send(method, "/a.txt", { headers: { [name]: value(tag) } });
      const text = await response.text();
      expect(response.status).toBe(status);
      if (status !== 412) expect(etagOf(response)).toBe(tag);
      if (status === 304) expect([text, response.headers.get("Content-Type")]).toEqual(["", null]);
    }
  });

  it("GET prefers tags to dates", async () => {
    const ws = new ApiClient("conditional-prefers");
    const tag = etagOf(await ws.put("/a.txt", "abc"));
    const headers: Record<string, string>[] = [
      { "If-None-Match": '"x"', "If-Modified-Since": future },
      { "If-Match": tag, "If-Unmodified-Since": past },
    ];
    for (const both of headers) expect((await consumed(ws.get("/a.txt", both))).status).toBe(200);
  });

  it("GET of a listing has no tag to match, and is there", async () => {
    const ws = new ApiClient("conditional-listing");
    expect(etagOf(await ws.get("/"))).toBe("");
    expect((await ws.get("/", { "If-None-Match": '"x"' })).status).toBe(200);
    expect((await ws.get("/", { "If-None-Match": "*" })).status).toBe(304);
    expect((await ws.get("/", { "If-Match": "*" })).status).toBe(200);
    expect((await ws.get("/", { "If-Modified-Since": future })).status).toBe(200);
    expect(await refusal(await ws.get("/", { "If-Match": '"x"' }))).toBe("412 ESTALE");
  });

  it.each(["abc", '"abc', "'abc'", '"a" "b"', '"a";"b"', "", ",", 'w/"a"', '"a\tb"', Array(65).fill('"a"').join(",")])(
    "a request with the tags %j is refused, not treated as if it had none",
    async (tags) => {
      const ws = new ApiClient("conditional-unreadable");
      await ws.put("/a.txt", "abc");
      const before = await ws.state();
      for (const name of ["If-Match", "If-None-Match"]) {
        expect(await refusal(await ws.get("/a.txt", { [name]: tags }))).toBe("400 EINVAL");
        expect(await refusal(await ws.put("/a.txt", "x", { [name]: tags }))).toBe("400 EINVAL");
        expect(await refusal(await ws.send("DELETE", "/a.txt", { headers: { [name]: tags } }))).toBe("400 EINVAL");
      }
      expect(await ws.state()).toBe(before);
    },
  );
});

describe("conditional PUT and DELETE", () => {
  it("PUT with If-None-Match: * creates, and never overwrites", async () => {
    const ws = new ApiClient("create-only");
    expect((await ws.put("/d/a.txt", "1", { "If-None-Match": "*" })).status).toBe(201);
    const before = await ws.state();
    expect(await refusal(await ws.put("/d/a.txt", "2", { "If-None-Match": "*" }))).toBe("412 ESTALE");
    expect(await refusal(await ws.put("/d/", undefined, { "If-None-Match": "*" }))).toBe("412 ESTALE");
    expect(await ws.state()).toBe(before);
    expect((await ws.put("/e/f/", undefined, { "If-None-Match": "*" })).status).toBe(201);
  });

  it.each([
    ["If-Match", (tag: string) => tag, true],
    ["If-Match", (tag: string) => `"x", ${tag}`, true],
    ["If-Match", () => "*", true],
    ["If-Match", (tag: string) => `W/${tag}`, false],
    ["If-Match", () => '"x"', false],
    ["If-None-Match", (tag: string) => tag, false],
    ["If-None-Match", (tag: string) => `"x", W/${tag}`, false],
    ["If-None-Match", () => '"x"', true],
    ["If-Unmodified-Since", () => future, true],
    ["If-Unmodified-Since", () => past, false],
  ])("PUT and DELETE with %s are judged by the standard (%#)", async (name, value, passes) => {
    const ws = new ApiClient(`change-${name}`);
    const tag = etagOf(await ws.put("/a.txt", "abc"));
    const before = await ws.state();
    const put = await ws.put("/a.txt", "new", { [name]: value(tag) });
    if (passes) expect(put.status).toBe(204);
    else expect([await refusal(put), await ws.state()]).toEqual(["412 ESTALE", before]);
    const second = etagOf(await ws.put("/a.txt", "abc"));
    const state = await ws.state();
    const removed = await ws.send("DELETE", "/a.txt", { headers: { [name]: value(second) } });
    if (passes) expect([removed.status, await ws.fs.exists("/workspace/a.txt")]).toEqual([204, false]);
    else expect([await refusal(removed), await ws.state()]).toEqual(["412 ESTALE", state]);
  });

  it("PUT and DELETE with If-Match need something there", async () => {
    const ws = new ApiClient("change-missing");
    const before = await ws.state();
    for (const tags of ["*", '"x"']) {
      expect(await refusal(await ws.put("/none.txt", "x", { "If-Match": tags }))).toBe("412 ESTALE");
      expect(await refusal(await ws.put("/p/none.txt", "x", { "If-Match": tags }))).toBe("412 ESTALE");
      expect(await refusal(await ws.send("DELETE", "/none.txt", { headers: { "If-Match": tags } }))).toBe("412 ESTALE");
    }
    expect(await refusal(await ws.put("/none.txt", "x", { "If-Unmodified-Since": future }))).toBe("412 ESTALE");
    expect(await refusal(await ws.send("DELETE", "/none.txt", { headers: { "If-None-Match": '"x"' } }))).toBe(
      "404 ENOENT",
    );
    expect(await ws.state()).toBe(before);
  });

  it("a change of metadata alone makes an ETag stale", async () => {
    const ws = new ApiClient("change-metadata");
    const tag = etagOf(await ws.put("/a.txt", "abc"));
    await ws.fs.chmod("/workspace/a.txt", 0o600);
    expect(await refusal(await ws.put("/a.txt", "x", { "If-Match": tag }))).toBe("412 ESTALE");
  });

  it("DELETE of a link is judged by what GET shows, and removes the link", async () => {
    const ws = new ApiClient("change-link");
    const tag = etagOf(await ws.put("/a.txt", "abc"));
    await ws.fs.symlink("a.txt", "/workspace/l");
    expect((await ws.send("DELETE", "/l", { headers: { "If-Match": '"x"' } })).status).toBe(412);
    expect((await ws.send("DELETE", "/l", { headers: { "If-Match": tag } })).status).toBe(204);
    expect(await ws.text("/a.txt")).toBe("abc");
  });

  it("of many racing PUTs with the same If-Match exactly one wins", async () => {
    const ws = new ApiClient("race-match");
    const tag = etagOf(await ws.put("/a.txt", "0"));
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, i) => ws.put("/a.txt", `${i + 1}`, { "If-Match": tag })),
    );
    const won = answers.flatMap((answer, i) => (answer.status === 204 ? [i + 1] : []));
    expect(won).toHaveLength(1);
    expect(answers.filter((answer) => answer.status === 412)).toHaveLength(11);
    expect(await ws.text("/a.txt")).toBe(`${won[0]}`);
  });

  it("of many racing PUTs with If-None-Match: * exactly one creates, parents and all", async () => {
    const ws = new ApiClient("race-create");
    const paths = ["/p/q/a.txt", "/flat.txt"];
    for (const path of paths) {
      const answers = await Promise.all(
        Array.from({ length: 12 }, (_, i) => ws.put(path, `${i}`, { "If-None-Match": "*" })),
      );
      const won = answers.flatMap((answer, i) => (answer.status === 201 ? [i] : []));
      expect(won).toHaveLength(1);
      expect(answers.filter((answer) => answer.status === 412)).toHaveLength(11);
      expect(await ws.text(path)).toBe(`${won[0]}`);
    }
  });

  it("a PUT whose body is slow loses to a change that came after its conditions were judged", async () => {
    const ws = new ApiClient("race-slow");
    const tag = etagOf(await ws.put("/a.txt", "0"));
    const { body, wanted, finish } = pausedBody();
    const slow = ws.put("/a.txt", body, { "If-Match": tag });
    await wanted;
    await ws.fs.writeFile("/workspace/a.txt", "quick");
    finish();
    expect(await refusal(await slow)).toBe("412 ESTALE");
    expect(await ws.text("/a.txt")).toBe("quick");
  });

  it("a PUT whose parents others make meanwhile uses those, and finds what is in them", async () => {
    const ws = new ApiClient("race-parents");
    const { body, wanted, finish } = pausedBody();
    const slow = ws.put("/p/q/a.txt", body);
    await wanted;
    await ws.fs.mkdir("/workspace/p/q/a.txt", { recursive: true });
    finish();
    expect(await refusal(await slow)).toBe("409 EISDIR");
    expect(await ws.fs.readdir("/workspace/p/q")).toEqual(["a.txt"]);
  });

  it("a PUT that fails after its parents were made takes them back, and only them", async () => {
    const ws = new ApiClient("race-take-back");
    await ws.put("/p/");
    const late: FileSystem = Object.create(ws.fs, {
      writeFile: {
        value: async (path: string, content: AsyncIterable<Uint8Array>) => {
          for await (const _ of content);
          throw new FsError("ESTALE", {
            syscall: "open",
            path,
            reason: ((await ws.fs.exists("/workspace/p/q/r")) && "made") || "not made",
          });
        },
      },
    });
    const request = new Request("https://x/", { method: "PUT", body: "x" });
    await expect(putFile(late, request, "/workspace/p/q/r/a.txt")).rejects.toThrow("ESTALE: made");
    expect(await ws.fs.readdir("/workspace", { recursive: true })).toEqual(["p"]);
  });

  it("of a racing PUT and DELETE with the same If-Match one wins", async () => {
    const ws = new ApiClient("race-delete");
    for (let round = 0; round < 5; round++) {
      const tag = etagOf(await ws.put("/a.txt", "0"));
      const headers = { "If-Match": tag };
      const [put, removed] = await Promise.all([
        ws.put("/a.txt", "1", headers),
        ws.send("DELETE", "/a.txt", { headers }),
      ]);
      expect([put.status, removed.status].filter((status) => status === 204)).toHaveLength(1);
    }
  });
});
