import { describe, expect, it } from "vitest";
import { ApiClient, call, refusal, TOKEN } from "../testing/api-client.ts";

const FILE = "/api/w/door/files/a.txt";
/** Every kind of route, known and unknown. */
const FULL_SCOPE = ["/", "/api", FILE, "/api/w/door/files/", "/nothing", "/api/w/%00/files/x"];
const METHODS = ["GET", "HEAD", "PUT", "DELETE", "POST", "OPTIONS"];

let sources = 0;
/** Each from its own address: failed attempts of one address are rate limited. */
const request = (
  method: string,
  path: string,
  headers: Record<string, string> = {},
  origin = "http://127.0.0.1:8787",
) =>
  new Request(origin + path, {
    method,
    headers: { Host: new URL(origin).host, "CF-Connecting-IP": String(sources++), ...headers },
  });

describe("the auth middleware without a secret or local mode", () => {
  it.each([
    {},
    { WORKSPACE_TOKEN: "" },
    { WORKSPACE_LOCAL: "" },
    { WORKSPACE_LOCAL: "0" },
    { WORKSPACE_LOCAL: "true" },
    { WORKSPACE_LOCAL: " 1" },
    { WORKSPACE_LOCAL_KEY: "k" },
  ])("the auth middleware answers 503 to everything with %j", async (vars) => {
    for (const path of FULL_SCOPE) {
      for (const method of METHODS) {
        for (const Authorization of ["", "Bearer ", `Bearer ${TOKEN}`]) {
          const response = await call(request(method, path, { Authorization }), vars);
          expect(response.status).toBe(503);
          if (method !== "HEAD") expect(await refusal(response)).toBe("503 NOT_CONFIGURED");
        }
      }
    }
  });
});

describe("the auth middleware with a token", () => {
  it("the auth middleware accepts the right token, with any case of the scheme", async () => {
    for (const scheme of ["Bearer", "bearer", "BEARER"]) {
      const response = await call(request("GET", "/api", { Authorization: `${scheme} ${TOKEN}` }));
      expect(response.status).toBe(200);
    }
  });

  it.each([
    ["none", undefined],
    ["an empty one", ""],
    ["a scheme alone", "Bearer"],
    ["an empty token", "Bearer "],
    ["a prefix", `Bearer ${TOKEN.slice(0, -1)}`],
    ["the first letter", `Bearer ${TOKEN[0]}`],
    ["one letter too many", `Bearer ${TOKEN}x`],
    ["one letter wrong at the end", `Bearer ${TOKEN.slice(0, -1)}X`],
    ["one letter wrong at the start", `Bearer X${TOKEN.slice(1)}`],
    ["another case", `Bearer ${TOKEN.toUpperCase()}`],
    ["a NUL's worth", `Bearer ${TOKEN}%00`],
    ["two tokens", `Bearer ${TOKEN}, Bearer ${TOKEN}`],
    ["two words", `Bearer ${TOKEN} ${TOKEN}`],
    ["quotes", `Bearer "${TOKEN}"`],
    ["no scheme", TOKEN],
    ["Basic", `Basic ${btoa(`x:${TOKEN}`)}`],
    ["the token as a scheme", `${TOKEN} Bearer`],
    ["the word undefined", "Bearer undefined"],
    ["a long one", `Bearer ${"x".repeat(100_000)}`],
  ])("the auth middleware refuses %s on every route, and nothing is changed", async (_, authorization) => {
    const ws = new ApiClient("door");
    const before = await ws.state();
    for (const path of FULL_SCOPE) {
      for (const method of METHODS) {
        const response = await call(
          request(method, path, authorization === undefined ? {} : { Authorization: authorization }),
        );
        expect(response.status).toBe(401);
        expect(response.headers.get("WWW-Authenticate")).toBe('Bearer realm="workspace"');
        if (method !== "HEAD") expect(await refusal(response)).toBe("401 UNAUTHORIZED");
      }
    }
    expect(await ws.state()).toBe(before);
  });

  it("the auth middleware takes a token from the Authorization header alone", async () => {
    const elsewhere = [
      request("GET", `${FILE}?token=${TOKEN}&access_token=${TOKEN}`),
      request("GET", FILE, { Cookie: `token=${TOKEN}`, "X-Api-Key": TOKEN, "Proxy-Authorization": `Bearer ${TOKEN}` }),
      request("GET", FILE, {}, `http://x:${TOKEN}@127.0.0.1:8787`.replace(`x:${TOKEN}@`, "")),
    ];
    for (const each of elsewhere) expect((await call(each)).status).toBe(401);
  });

  it("the auth middleware trusts no header that says where a request comes from", async () => {
    const headers = {
      "X-Forwarded-For": "127.0.0.1",
      "CF-Connecting-IP": "127.0.0.1",
      Forwarded: "for=127.0.0.1;host=localhost",
    };
    expect((await call(request("GET", FILE, { ...headers, "X-Workspace-Gate": "k" }))).status).toBe(401);
  });
});

describe("the auth middleware in local mode", () => {
  const local = { WORKSPACE_LOCAL: "1" };

  it.each(["127.0.0.1:8787", "localhost:8787", "[::1]:8787", "LOCALHOST:8787", "localhost"])(
    "the auth middleware accepts %s without a token",
    async (host) => {
      expect((await call(request("GET", "/api", {}, `http://${host}`), local)).status).toBe(200);
    },
  );

  it.each([
    "evil.example",
    "evil.example:8787",
    "127.0.0.1.evil.example:8787",
    "localhost.evil.example",
    "evil.example:127.0.0.1",
    "127.0.0.1@evil.example",
    "evil.example#127.0.0.1",
    "127.0.0.1:8787, evil.example",
    "127.0.0.1:port",
    "127.0.0.1:",
    "localhost.",
    "localhost.:8787",
    "xlocalhost",
    "127.0.0.2:8787",
    "127.1:8787",
    "2130706433:8787",
    "0x7f000001",
    "0.0.0.0:8787",
    "[::]:8787",
    "[::ffff:127.0.0.1]:8787",
    "192.168.0.1:8787",
    "",
  ])("the auth middleware refuses the Host %j, whatever else a request claims", async (host) => {
    const ws = new ApiClient("door");
    const before = await ws.state();
    const claims = {
      Host: host,
      Authorization: `Bearer ${TOKEN}`,
      "X-Forwarded-Host": "127.0.0.1:8787",
      "X-Forwarded-For": "127.0.0.1",
      "CF-Connecting-IP": "127.0.0.1",
    };
    for (const vars of [local, { ...local, WORKSPACE_TOKEN: TOKEN }]) {
      for (const method of METHODS) {
        const response = await call(request(method, FILE, claims), vars);
        expect(response.status).toBe(403);
        if (method !== "HEAD") expect(await refusal(response)).toBe("403 FORBIDDEN");
      }
    }
    expect(await ws.state()).toBe(before);
  });

  it("the auth middleware refuses a request without a Host", async () => {
    expect((await call(new Request(`http://127.0.0.1:8787${FILE}`), local)).status).toBe(403);
  });

  it.each([
    "http://evil.example",
    "https://127.0.0.1:8787",
    "http://127.0.0.1:3000",
    "http://127.0.0.1",
    "http://localhost:8787",
    "http://127.0.0.1:8787.evil.example",
    "http://127.0.0.1:8787/",
    "null",
    "file://",
    "",
  ])("the auth middleware refuses changes and reads from a page of the origin %j", async (Origin) => {
    const ws = new ApiClient("door");
    const before = await ws.state();
    for (const method of ["PUT", "DELETE", "POST", "GET"]) {
      expect(await refusal(await call(request(method, FILE, { Origin }), local))).toBe("403 FORBIDDEN");
    }
    expect(await ws.state()).toBe(before);
  });

  it("the auth middleware accepts changes from its own pages and from no page, as http:local", async () => {
    const ws = new ApiClient("door-local");
    const since = await ws.state();
    for (const headers of [{}, { Origin: "http://127.0.0.1:8787" }] as Record<string, string>[]) {
      const put = new Request("http://127.0.0.1:8787/api/w/door-local/files/a.txt", {
        method: "PUT",
        headers: { Host: "127.0.0.1:8787", ...headers },
        body: "x",
      });
      expect([201, 204]).toContain((await call(put, local)).status);
    }
    const { changes } = await ws.fs.changes({ since });
    expect(changes.map(({ actor }) => actor)).toEqual(["http:local", "http:local"]);
  });

  it("the auth middleware requires the proxy key when one is set", async () => {
    const vars = { ...local, WORKSPACE_LOCAL_KEY: "key-of-the-gate" };
    const status = async (headers: Record<string, string>) =>
      (await call(request("GET", "/api", headers), vars)).status;
    expect(await status({})).toBe(403);
    expect(await status({ "X-Workspace-Gate": "" })).toBe(403);
    expect(await status({ "X-Workspace-Gate": "key-of-the-gat" })).toBe(403);
    expect(await status({ Authorization: "Bearer key-of-the-gate" })).toBe(403);
    expect(await status({ "X-Workspace-Gate": "key-of-the-gate" })).toBe(200);
    expect(await status({ "X-Workspace-Gate": "key-of-the-gate", Host: "evil.example" })).toBe(403);
  });
});
