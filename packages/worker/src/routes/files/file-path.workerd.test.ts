import { describe, expect, it } from "vitest";
import { ApiClient, call, refusal, TOKEN } from "../../testing/api-client.ts";
import { parseFilePath } from "./file-path.ts";

const pathOf = (path: string) => parseFilePath(`https://h/api/w/demo/files${path}`).path;

describe("parseFilePath", () => {
  it.each([
    ["/a/b.txt", "/workspace/a/b.txt"],
    ["", "/workspace"],
    ["/", "/workspace"],
    ["//a///b//", "/workspace/a/b"],
    ["//etc/passwd", "/workspace/etc/passwd"],
    ["/a%20b/%C3%A9", "/workspace/a b/é"],
    ["/a+b", "/workspace/a+b"],
    ["/%252e%252e/x", "/workspace/%2e%2e/x"],
    ["/%2500", "/workspace/%00"],
    ["/a%252Fb", "/workspace/a%2Fb"],
    ["/...", "/workspace/..."],
    ["/..a", "/workspace/..a"],
    ["/%E2%80%A5", "/workspace/‥"],
    ["/%EF%BC%8F", "/workspace/／"],
    ["/a?b=/../c", "/workspace/a"],
    ["/a#/../c", "/workspace/a"],
    ["/~root", "/workspace/~root"],
    ["/C:", "/workspace/C:"],
    ["/__proto__", "/workspace/__proto__"],
  ])("parseFilePath reads %j as %j", (sent, path) => {
    expect(pathOf(sent)).toBe(path);
  });

  it.each([
    "/..",
    "/../x",
    "/a/../b",
    "/.",
    "/./a",
    "/%2e%2e/x",
    "/%2E%2E",
    "/.%2e/x",
    "/%2e./x",
    "/%2e",
    "/a%2Fb",
    "/..%2f..%2fetc",
    "/%2fetc/passwd",
    "/%2e%2e%2f",
    "/a%5Cb",
    "/a\\b",
    "/..\\..\\x",
    "/..%5c..%5cx",
    "/%00",
    "/a%00.txt",
    "/%C0%AE%C0%AE/x",
    "/%C0%AF",
    "/%E0%80%AE",
    "/%ED%A0%80",
    "/%F8%80%80%80%80",
    "/%FF",
    "/%80",
    "/%",
    "/%2",
    "/%zz",
    "/%u002e%u002e/x",
    "/a%C3",
  ])("parseFilePath refuses %j", (sent) => {
    expect(() => pathOf(sent)).toThrow(expect.objectContaining({ code: "EINVAL" }));
  });

  it("parseFilePath knows a slash at the end", () => {
    const directory = (path: string) => parseFilePath(`https://h/api/w/demo/files${path}`).directory;
    expect([directory(""), directory("/"), directory("/a"), directory("/a/"), directory("/a/?x")]).toEqual([
      false,
      true,
      false,
      true,
      true,
    ]);
  });

  it.each(["a", "A.b_c-9", "x".repeat(64), "..a", "d%65mo"])("parseFilePath takes the workspace %j", (name) => {
    expect(parseFilePath(`https://h/api/w/${name}/files/x`).workspace).toBe(decodeURIComponent(name));
  });

  it.each([
    "",
    ".",
    "..",
    "%2e%2e",
    "...",
    "a%2Fb",
    "a%20b",
    "%C3%A9",
    "a%00",
    "x".repeat(65),
    "a:b",
    "%",
    "a%5Cb",
    "*",
  ])("parseFilePath refuses the workspace %j", (name) => {
    expect(() => parseFilePath(`https://h/api/w/${name}/files/x`)).toThrow(expect.objectContaining({ code: "EINVAL" }));
  });
});

describe("paths that want out", () => {
  it.each([
    "/../../../etc/passwd",
    "/%2e%2e/%2e%2e/etc/passwd",
    "/.%2e/.%2E/etc/passwd",
    "/..%2f..%2fetc%2fpasswd",
    "/%2e%2e%2fsecret",
    "/..%5c..%5csecret",
    "/..\\..\\secret",
    "/a/..%2f..%2f..%2fsecret",
    "/%c0%ae%c0%ae/secret",
    "/secret%00.txt",
    "/%00",
    "/%ff",
    "/a%",
    "/./../secret",
    // Folded, this is the workspace itself.
    "/../../attacks",
  ])("PUT, GET and DELETE of %s are refused, and nothing is changed", async (path) => {
    const callers = [new ApiClient("attacks"), new ApiClient("other")];
    for (const caller of callers) await caller.fs.writeFile("/secret", "secret");
    const before = await Promise.all(callers.map((caller) => caller.state()));
    for (const method of ["GET", "PUT", "DELETE"]) {
      const response = await callers[0]!.send(method, path, method === "PUT" ? { body: "x" } : {});
      // Dots that a URL parser folds leave the route itself.
      expect(["400 EINVAL", "404 NO_ROUTE", "405 METHOD_NOT_ALLOWED"]).toContain(await refusal(response));
    }
    expect(await Promise.all(callers.map((caller) => caller.state()))).toEqual(before);
  });

  it.each([
    ["/%252e%252e/%252e%252e/secret", "%2e%2e/%2e%2e/secret"],
    ["//../secret", "secret"],
    ["/a/../secret", "secret"],
    ["//secret", "secret"],
    ["/%2573ecret", "%73ecret"],
  ])("PUT of %s is an honest name under the root", async (path, name) => {
    const ws = new ApiClient("honest");
    await ws.fs.writeFile("/secret", "secret");
    expect((await ws.put(path, "x")).status).toBe(201);
    expect(await ws.fs.readFile(`/workspace/${name}`, "utf8")).toBe("x");
    expect(await ws.fs.readFile("/secret", "utf8")).toBe("secret");
    expect((await ws.send("DELETE", path)).status).toBe(204);
  });

  it.each(["%00", "a%2Fb", "..%2f", "a%20b", "x".repeat(65), "%ff", "a\u00e9"])(
    "a workspace of the name %j is refused",
    async (name) => {
      const request = new Request(`https://h/api/w/${name}/files/x`, {
        method: "PUT",
        headers: { Authorization: `Bearer ${TOKEN}` },
        body: "x",
      });
      expect(await refusal(await call(request))).toBe("400 EINVAL");
    },
  );
});
