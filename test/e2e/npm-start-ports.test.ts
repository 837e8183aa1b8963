/**
 * Every port that `npm start` opens, as a page on another port of localhost or another program sees it: no tool of wrangler answers
 * there (Local Explorer, inspector), and the proxy key is in no argv and no environment.
 */
import { once } from "node:events";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ReferenceServer } from "../support/reference-server.ts";

const FOREIGN = "http://localhost:3000";
const QUERY = "workers/durable_objects/namespaces/workspace-WorkspaceObject/query";
const TOOLS = [
  "/cdn-cgi/explorer/",
  "/cdn-cgi/explorer/api",
  `/cdn-cgi/explorer/api/${QUERY}`,
  "/cdn-cgi/local/explorer/api",
  `/cdn-cgi/local/explorer/api/${QUERY}`,
  "/cdn-cgi/local/observability/query",
  "/cdn-cgi/mf/scheduled",
  "/cdn-cgi/handler/scheduled",
];
const SPELLINGS = [
  ...TOOLS,
  "/CDN-CGI/explorer/api",
  "/%63dn-cgi/explorer/api",
  "/%2563dn-cgi/explorer/api",
  "/cdn%2dcgi/explorer/api",
  "/cdn-cgi%2fexplorer/api",
  "//cdn-cgi/explorer/api",
  "/./cdn-cgi/explorer/api",
  "/%2e/cdn-cgi/explorer/api",
  "/api/../cdn-cgi/explorer/api",
  "/api/%2e%2E/cdn-cgi/explorer/api",
  "/\\cdn-cgi/explorer/api",
  "/api\\..\\cdn-cgi\\explorer\\api",
  "/cdn-cgi;x/explorer/api",
  "/cdn-cgi\t/explorer/api",
];

let server: ReferenceServer;
beforeAll(async () => {
  server = await ReferenceServer.local();
});
afterAll(() => server[Symbol.asyncDispose]());

/** The processes of `npm start`. */
function processes(): number[] {
  const parents = new Map<number, number>();
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name)))
    parents.set(Number(pid), Number(/\) \S (\d+)/.exec(read(Number(pid), "stat"))?.[1]));
  const found = [server.child.pid as number];
  for (const pid of found) for (const [child, parent] of parents) if (parent === pid) found.push(child);
  return found;
}

function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch {
    return "";
  }
}

/** The TCP ports that these processes listen on. */
function listening(pids: readonly number[]): number[] {
  const inodes = new Map<string, number>();
  for (const file of ["tcp", "tcp6"]) {
    for (const line of readFileSync(`/proc/net/${file}`, "utf8").split("\n").slice(1)) {
      const fields = line.trim().split(/\s+/);
      if (fields[3] === "0A") inodes.set(fields[9] as string, Number.parseInt(fields[1]?.split(":")[1] as string, 16));
    }
  }
  const ports = new Set<number>();
  for (const pid of pids) {
    for (const fd of readdirSync(`/proc/${pid}/fd`)) {
      const port = inodes.get(/^socket:\[(\d+)\]$/.exec(linkOf(`/proc/${pid}/fd/${fd}`))?.[1] ?? "");
      if (port !== undefined) ports.add(port);
    }
  }
  return [...ports];
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}

/** The head of an answer to a request whose bytes go out as they are; empty when there is none. */
async function ask(port: number, path: string, { method = "GET", headers = "", body = "" } = {}): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  socket.setTimeout(5000, () => socket.destroy());
  const length = body === "" ? "" : `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
  socket.write(
    `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nOrigin: ${FOREIGN}\r\n${headers}${length}\r\n${body}`,
  );
  const [data] = await Promise.race([once(socket, "data"), once(socket, "close").then(() => [""])]);
  socket.destroy();
  return String(data).split("\r\n\r\n")[0] as string;
}

const WRITES = {
  method: "POST",
  body: JSON.stringify({ durable_object_name: "demo", queries: [{ sql: "select 1" }] }),
};
const PREFLIGHT = { method: "OPTIONS", headers: "Access-Control-Request-Method: POST\r\n" };

describe("the ports of npm start", () => {
  it("serve none of wrangler's own paths to a page on another port of localhost, in any spelling", async () => {
    await fetch(`${server.url}/api/w/demo/files/a.txt`, { method: "PUT", body: "the secret plan" });
    const ports = listening(processes());
    expect(ports).toContain(server.port);
    expect(ports.length).toBeGreaterThan(1);
    for (const port of ports) {
      for (const path of [...SPELLINGS, ...SPELLINGS.map((spelling) => `http://127.0.0.1:${port}${spelling}`)]) {
        for (const options of [{}, WRITES, PREFLIGHT]) {
          const head = await ask(port, path, options);
          expect([port, path, head]).toEqual([
            port,
            path,
            expect.not.stringMatching(/^HTTP\/1.1 [23]|access-control/i),
          ]);
        }
      }
    }
  });

  it("the host check proxy refuses wrangler's paths, in every spelling", async () => {
    for (const path of SPELLINGS.filter((spelling) => !/%25|;|\t/.test(spelling)))
      expect([path, await ask(server.port, path)]).toEqual([path, expect.stringMatching(/^HTTP\/1.1 404 /)]);
  });

  it("offer no inspector", async () => {
    const upgrade = {
      headers:
        "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n",
    };
    for (const port of listening(processes())) {
      for (const path of ["/json", "/json/list", "/json/version", "/ws", "/core:user:workspace"]) {
        for (const options of [{}, upgrade]) {
          const head = await ask(port, path, options);
          expect([port, path, head]).toEqual([port, path, expect.not.stringMatching(/^HTTP\/1.1 [123]/)]);
        }
      }
    }
  });

  it("the proxy key is in no argv and no environment", () => {
    for (const pid of processes()) {
      expect(read(pid, "cmdline")).not.toMatch(/WORKSPACE_LOCAL_KEY|[0-9a-f]{64}/);
      expect(read(pid, "environ")).not.toContain("WORKSPACE_LOCAL_KEY");
    }
  });
});
