import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startHostCheckProxy } from "./host-check-proxy.mjs";

const MiB = 1024 * 1024;
const portOf = (server: Server) => (server.address() as AddressInfo).port;

let upstream: Server;
let gate: Server;
let seen: IncomingMessage[] = [];

/** An upstream that echoes the request, swallows it, responds early, hangs up, or echoes a raw connection. */
function createUpstream(): Server {
  const server = createServer((request, response) => {
    seen.push(request);
    if (request.url === "/cut")
      return void response.writeHead(200, { "Content-Length": "10" }).write("12345", () => response.destroy());
    if (request.url === "/early") return void response.writeHead(413).end("too large");
    if (request.url === "/lost")
      return void response.writeHead(500).end("Error: Network connection lost.\n    at entry.worker.js");
    if (request.url === "/fault")
      return void response.writeHead(500, { "X-Content-Type-Options": "nosniff" }).end("own");
    if (request.url === "/gone") return void request.socket.destroy();
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
    });
    request.on("end", () => response.writeHead(201, "Made", { ETag: '"1"' }).end(String(size)));
  });
  server.on("upgrade", (request, socket) => {
    seen.push(request);
    socket.write("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n");
    socket.pipe(socket);
  });
  return server.listen(0, "127.0.0.1");
}

beforeAll(async () => {
  upstream = createUpstream();
  await once(upstream, "listening");
  gate = await startHostCheckProxy({ port: 0, upstreamPort: portOf(upstream), key: "key" });
});
afterAll(() => {
  gate.closeAllConnections();
  gate.close();
  upstream.closeAllConnections();
  upstream.close();
});

/** Sends a request byte by byte as given; returns the whole response as text. */
async function raw(head: string): Promise<string> {
  const socket = connect(portOf(gate), "127.0.0.1");
  socket.write(`${head.replaceAll("\n", "\r\n")}\r\n\r\n`);
  let text = "";
  for await (const chunk of socket) text += chunk;
  return text;
}

const get = (headers: string) => raw(`GET / HTTP/1.1\nConnection: close\n${headers}`);
const own = () => `127.0.0.1:${portOf(gate)}`;

describe("startHostCheckProxy", () => {
  it("says 503 in the one shape for a fault of wrangler's own, and passes on those of the Worker and of a preview", async () => {
    const ask = (path: string, host: string) => raw(`GET ${path} HTTP/1.1\nConnection: close\nHost: ${host}`);
    const lost = await ask("/lost", own());
    expect(lost).toMatch(/^HTTP\/1\.1 503 /);
    expect(lost).toMatch(/Retry-After: 1\r\n/i);
    expect(JSON.parse(lost.slice(lost.indexOf("\r\n\r\n")).match(/\{.*\}/)?.[0] ?? "{}").error.code).toBe(
      "UNAVAILABLE",
    );
    expect(lost).not.toContain("entry.worker");
    expect(await ask("/fault", own())).toMatch(/^HTTP\/1\.1 500 [\s\S]*own/);
    const preview = `p3000-${"a".repeat(20)}.localhost:${portOf(gate)}`;
    expect(await ask("/lost", preview)).toMatch(/^HTTP\/1\.1 500 /);
  });

  it("startHostCheckProxy passes a request and its answer on, bodies streamed, and stamps it", async () => {
    seen = [];
    const body = new Blob([new Uint8Array(20 * MiB)]).stream();
    const response = await fetch(`http://${own()}/a%2Fb?c=%20`, { method: "PUT", body, duplex: "half" } as RequestInit);
    expect([response.status, response.statusText, response.headers.get("ETag")]).toEqual([201, "Made", '"1"']);
    expect(await response.text()).toBe(String(20 * MiB));
    expect([seen[0]?.url, seen[0]?.headers["x-workspace-gate"], seen[0]?.headers.host]).toEqual([
      "/a%2Fb?c=%20",
      "key",
      own(),
    ]);
  });

  it.each(["localhost", "[::1]", "LocalHost"])(
    "startHostCheckProxy knows this machine as %s, with its port",
    async (name) => {
      expect(await get(`Host: ${name}:${portOf(gate)}`)).toMatch(/^HTTP\/1.1 201 /);
      expect(await get(`Host: ${name}`)).toMatch(/^HTTP\/1.1 403 /);
      expect(await get(`Host: ${name}:1`)).toMatch(/^HTTP\/1.1 403 /);
    },
  );

  it("startHostCheckProxy refuses every other Host, and the upstream hears nothing of it", async () => {
    seen = [];
    const port = portOf(gate);
    for (const host of [
      `evil.example:${port}`,
      `127.0.0.1:${port}.evil.example`,
      `127.0.0.1.evil.example:${port}`,
      "",
      `x@${own()}`,
    ]) {
      expect(await get(`Host: ${host}\nMF-Original-URL: http://${own()}/\nX-Workspace-Gate: key`)).toMatch(
        /^HTTP\/1.1 403 /,
      );
    }
    // Refused by Node itself or by the proxy.
    expect(await get(`Host: ${own()}\nHost: evil.example`)).toMatch(/^HTTP\/1.1 40[03] /);
    expect(await raw("GET / HTTP/1.0")).toMatch(/^HTTP\/1.1 403 /);
    expect(seen).toEqual([]);
    const answer = await get("Host: evil.example");
    expect(JSON.parse(answer.slice(answer.indexOf("\r\n\r\n") + 4).match(/\{.*\}/)?.[0] ?? "")).toMatchObject({
      error: { code: "FORBIDDEN" },
    });
  });

  it("startHostCheckProxy drops the tool's own headers and a key that the client made up", async () => {
    seen = [];
    await get(
      `Host: ${own()}\nMF-Original-URL: http://evil/\nmf-route-override: x\nX-Workspace-Gate: guess\nX-Other: kept`,
    );
    const names = seen[0]?.rawHeaders.filter((_, i) => i % 2 === 0).map((name) => name.toLowerCase()) ?? [];
    expect(names.filter((name) => name.startsWith("mf-"))).toEqual([]);
    expect(seen[0]?.headersDistinct["x-workspace-gate"]).toEqual(["key"]);
    expect(seen[0]?.headers["x-other"]).toBe("kept");
  });

  it.each([
    "/cdn-cgi/explorer/api",
    "/CDN-CGI/",
    "/cdn-cgi",
    "//cdn-cgi/x",
    "/%63dn-cgi/x",
    "/%2563dn-cgi/x",
    "/cdn%2Dcgi%2Fx",
    "/./cdn-cgi/x",
    "/a/%2e%2e/cdn-cgi/x",
    "/\\cdn-cgi\\x",
    "/%09/cdn-cgi/x",
    "/cdn-cgi/../api",
    "/cdn-cgi?x",
    "http://127.0.0.1/cdn-cgi/x",
  ])("startHostCheckProxy answers 404 for wrangler's own path %j and forwards nothing", async (path) => {
    seen = [];
    expect(await raw(`GET ${path} HTTP/1.1\nConnection: close\nHost: ${own()}`)).toMatch(/^HTTP\/1.1 404 /);
    const upgrade = "Connection: Upgrade\nUpgrade: websocket";
    expect(await raw(`GET ${path} HTTP/1.1\n${upgrade}\nHost: ${own()}`)).toMatch(/^HTTP\/1.1 404 /);
    expect(seen).toEqual([]);
  });

  it.each(["/api/w/demo/files/cdn-cgi/x", "/api/w/demo/files/a%2Fcdn-cgi", "/api?next=/cdn-cgi/", "/x/cdn-cgi"])(
    "startHostCheckProxy passes %j on",
    async (path) => {
      seen = [];
      await raw(`GET ${path} HTTP/1.1\nConnection: close\nHost: ${own()}`);
      expect(seen.map(({ url }) => url)).toEqual([path]);
    },
  );

  it("startHostCheckProxy hands an early refusal to a client that is still sending", async () => {
    const body = new Blob([new Uint8Array(30 * MiB)]).stream();
    const response = await fetch(`http://${own()}/early`, { method: "PUT", body, duplex: "half" } as RequestInit);
    expect([response.status, await response.text()]).toEqual([413, "too large"]);
  });

  it("startHostCheckProxy passes a cut answer on as a cut one, and says when there is none", async () => {
    await expect(fetch(`http://${own()}/cut`).then((response) => response.text())).rejects.toThrow();
    const gone = await fetch(`http://${own()}/gone`);
    expect([gone.status, gone.headers.get("Retry-After")]).toEqual([503, "1"]);
    expect(await gone.json()).toMatchObject({ error: { code: "UNAVAILABLE" } });
  });

  it("startHostCheckProxy joins the two ends of an upgrade, for this machine only", async () => {
    seen = [];
    const upgrade = (host: string) =>
      `GET /ws HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n`;
    const socket = connect(portOf(gate), "127.0.0.1");
    socket.write(upgrade(own()));
    expect(String((await once(socket, "data"))[0])).toMatch(/^HTTP\/1.1 101 /);
    socket.write("ping");
    expect(String((await once(socket, "data"))[0])).toBe("ping");
    expect(seen[0]?.headers["x-workspace-gate"]).toBe("key");
    socket.destroy();

    const foreign = connect(portOf(gate), "127.0.0.1");
    foreign.write(upgrade("evil.example"));
    expect(String((await once(foreign, "data"))[0])).toMatch(/^HTTP\/1.1 403 /);
    expect(seen).toHaveLength(1);
  });

  it("startHostCheckProxy says that its port is taken", async () => {
    await expect(startHostCheckProxy({ port: portOf(gate), upstreamPort: 1, key: "k" })).rejects.toMatchObject({
      code: "EADDRINUSE",
    });
  });
});
