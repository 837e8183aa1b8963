/**
 * What a newcomer does: `npm start`, a few requests with a plain HTTP client, Ctrl-C, `npm start` again. The real script, wrangler
 * and workerd, on ports of their own and with a state directory of their own. (`npm start` runs this script after the install; npm-signals.test.ts runs npm itself.)
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { request } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { freePort } from "../support/free-port.ts";
import { OFFLINE } from "../support/reference-server.ts";
import { root } from "../support/root.ts";

const state = mkdtempSync(join(tmpdir(), "workspace-e2e-"));
const running = new Set<Running>();

afterAll(async () => {
  for (const { child } of running) child.kill("SIGTERM");
  await Promise.all([...running].map(({ exited }) => exited));
  rmSync(state, { recursive: true, force: true });
});

interface Running {
  child: ChildProcess;
  /** Everything it printed. */
  output(): string;
  /** Its exit code, when it and all that it started have let go of its output. */
  exited: Promise<number | null>;
}

function run(args: string[]): Running {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...OFFLINE },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      output += chunk;
    });
  }
  const started: Running = {
    child,
    output: () => output,
    exited: once(child, "close").then(([code]) => code as number | null),
  };
  running.add(started);
  started.exited.then(() => running.delete(started));
  return started;
}

/** The address in the line that says it is ready. */
async function ready(started: Running): Promise<string> {
  for (;;) {
    const line = /ready on (http:\/\/\S+)/i.exec(started.output());
    if (line?.[1] !== undefined) return line[1];
    if (!running.has(started)) throw new Error(`it ended before it was ready:\n${started.output()}`);
    await new Promise((wake) => setTimeout(wake, 50));
  }
}

const start = (port: number) => run(["scripts/start.mjs", "--port", String(port), "--state", state]);

/** A request whose Host is not the address it goes to, as after DNS rebinding. */
async function withHost(url: string, host: string, headers: Record<string, string> = {}): Promise<number | undefined> {
  const sent = request(url, { headers: { ...headers, Host: host } }).end();
  const [response] = await once(sent, "response");
  response.resume();
  return response.statusCode;
}

/** The status of a request whose path goes out as it is; `fetch` would fold it first. */
async function withRawPath(url: string, path: string): Promise<string> {
  const { hostname, port, host } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  let text = "";
  for await (const chunk of socket) text += chunk;
  return text.slice(0, text.indexOf("\r\n"));
}

describe("npm start", () => {
  it("npm start serves files, keeps them over a restart, and accepts only requests from this machine", {
    timeout: 1_800_000,
  }, async () => {
    const port = await freePort();
    const first = start(port);
    const url = await ready(first);
    expect(url).toBe(`http://127.0.0.1:${port}`);
    expect(first.output()).toContain(`curl -T README.md ${url}/api/w/demo/files/README.md`);
    const file = `${url}/api/w/demo/files/notes/today.txt`;

    const created = await fetch(file, { method: "PUT", body: "hello, workspace" });
    const etag = created.headers.get("ETag") as string;
    expect([created.status, etag]).toEqual([201, expect.stringMatching(/^"[\w.]+"$/)]);
    const read = await fetch(file);
    expect([await read.text(), read.headers.get("ETag")]).toEqual(["hello, workspace", etag]);
    const part = await fetch(file, { headers: { Range: "bytes=-9" } });
    expect([part.status, await part.text(), part.headers.get("Content-Range")]).toEqual([
      206,
      "workspace",
      "bytes 7-15/16",
    ]);
    expect((await fetch(file, { method: "HEAD" })).headers.get("Content-Length")).toBe("16");
    expect((await fetch(file, { headers: { "If-None-Match": etag } })).status).toBe(304);

    const replaced = await fetch(file, { method: "PUT", body: "second", headers: { "If-Match": etag } });
    expect(replaced.status).toBe(204);
    expect((await fetch(file, { method: "PUT", body: "third", headers: { "If-Match": etag } })).status).toBe(412);
    expect((await fetch(file, { method: "DELETE", headers: { "If-Match": etag } })).status).toBe(412);
    const listing = (await (await fetch(`${url}/api/w/demo/files/notes/`)).json()) as {
      entries: { name: string; size: number }[];
    };
    expect(listing.entries).toMatchObject([{ name: "today.txt", size: 6 }]);

    const large = new Uint8Array(8 * 1024 * 1024).map((_, i) => i >> 10);
    expect((await fetch(`${file}.bin`, { method: "PUT", body: large })).status).toBe(201);
    expect(Buffer.from(await (await fetch(`${file}.bin`)).arrayBuffer()).equals(large)).toBe(true);
    expect((await fetch(`${file}.bin`, { method: "DELETE" })).status).toBe(204);

    const forged = {
      "MF-Original-URL": file,
      "X-Forwarded-Host": `127.0.0.1:${port}`,
      "CF-Connecting-IP": "127.0.0.1",
    };
    expect(await withHost(file, `127.0.0.1:${port}`)).toBe(200);
    expect(await withHost(file, `evil.example:${port}`)).toBe(403);
    expect(await withHost(file, `evil.example:${port}`, forged)).toBe(403);
    expect(await withHost(file, `127.0.0.1:${port}`, { Origin: "http://evil.example" })).toBe(403);
    for (const path of ["/../../../../etc/passwd", "/%2e%2e/%2e%2e/x", "/..%2f..%2fx", "/a\\..\\b", "/%00"]) {
      expect(await withRawPath(url, `/api/w/demo/files${path}`)).toMatch(/^HTTP\/1.1 40[045] /);
    }

    const second = start(port);
    expect(await second.exited).toBe(1);
    expect(second.output()).toContain(`Port ${port} is taken`);

    first.child.kill("SIGTERM");
    expect(await first.exited).not.toBeNull();
    await expect(fetch(file)).rejects.toThrow();

    const again = start(port);
    await ready(again);
    const retained = await fetch(file);
    expect([await retained.text(), retained.headers.get("ETag")]).toEqual(["second", replaced.headers.get("ETag")]);
    expect(
      (await fetch(file, { method: "DELETE", headers: { "If-Match": retained.headers.get("ETag") as string } })).status,
    ).toBe(204);
    expect((await fetch(file)).status).toBe(404);
    again.child.kill("SIGHUP");
    expect(await again.exited).not.toBeNull();
  });

  it("the deployment without a secret answers 503 to every request", { timeout: 1_800_000 }, async () => {
    expect(readFileSync(join(root, "wrangler.toml"), "utf8")).not.toMatch(/^\s*[^#\s].*WORKSPACE_(LOCAL|TOKEN)/m);
    const args = [
      "--ip",
      "127.0.0.1",
      "--port",
      String(await freePort()),
      "--inspector-port",
      "0",
      "--persist-to",
      join(state, "bare"),
    ];
    const bare = run(["node_modules/wrangler/bin/wrangler.js", "dev", ...args, "--show-interactive-dev-session=false"]);
    const url = await ready(bare);
    for (const path of ["/", "/api", "/api/w/demo/files/a.txt", "/nothing"]) {
      for (const method of ["GET", "PUT", "DELETE"]) {
        const response = await fetch(url + path, { method, headers: { Authorization: "Bearer guess" } });
        expect([response.status, await response.json()]).toMatchObject([503, { error: { code: "NOT_CONFIGURED" } }]);
      }
    }
  });
});
