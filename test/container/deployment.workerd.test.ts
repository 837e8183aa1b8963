/** The reference deployment with a real container behind it, asked as a client asks it; and sandboxes with settings of their own. */
import { runInDurableObject } from "cloudflare:test";
import { env, exports } from "cloudflare:workers";
import { getWorkspace } from "@cloudflare/workspace";
import { afterAll, describe, expect, it } from "vitest";

interface Bindings {
  WORKSPACE: DurableObjectNamespace;
  ALLOWED: DurableObjectNamespace;
  SLEEPING: DurableObjectNamespace;
  SANDBOX: DurableObjectNamespace;
  ALLOWING: DurableObjectNamespace;
  SLEEPY: DurableObjectNamespace;
  WORKSPACE_TOKEN: string;
}
const bound = env as unknown as Bindings;

const NAME = `deployed-${Date.now()}`;
const boxes = () => [
  bound.SANDBOX.get(bound.SANDBOX.idFromName(bound.WORKSPACE.idFromName(NAME).toString())),
  bound.ALLOWING.getByName("allowing"),
  bound.SLEEPY.getByName("sleepy"),
];
const worker = (exports as unknown as { default: Fetcher }).default;
const api = (path: string, init: RequestInit = {}) =>
  worker.fetch(`https://api.example/api/w/${NAME}/${path}`, {
    ...init,
    headers: { authorization: `Bearer ${bound.WORKSPACE_TOKEN}`, "content-type": "application/json" },
  });
const open = (namespace: DurableObjectNamespace, name = NAME) => getWorkspace(namespace as never, name);
const exec = async (namespace: DurableObjectNamespace, command: string) =>
  (await open(namespace).shell.exec(command, { encoding: "utf8" })).result();

const SERVER = `
  const http = require("http"), crypto = require("crypto");
  const s = http.createServer((q, r) => { r.write("first " + q.method + " " + q.url); setTimeout(() => r.end(" last"), 700); });
  s.on("upgrade", (q, k) => {
    const a = crypto.createHash("sha1").update(q.headers["sec-websocket-key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest("base64");
    k.write("HTTP/1.1 101 Switching Protocols\\r\\nUpgrade: websocket\\r\\nConnection: Upgrade\\r\\nSec-WebSocket-Accept: " + a + "\\r\\n\\r\\n");
    // Echoes each short text frame, unmasked.
    k.on("data", (f) => { if ((f[0] & 15) !== 1) return k.end(); const n = f[1] & 127, m = f.subarray(2, 6); const p = Buffer.from(f.subarray(6, 6 + n).map((b, i) => b ^ m[i % 4])); k.write(Buffer.concat([Buffer.from([0x81, n]), p])); });
  });
  s.listen(3000, () => console.log("listening"));`;

describe("the deployment", () => {
  afterAll(async () => {
    for (const box of boxes())
      await runInDurableObject(box, (object) => (object as unknown as { destroy(): Promise<void> }).destroy());
  });

  it("serves a port under a signed address over HTTP and WebSocket, streaming, until it is closed", async () => {
    const workspace = open(bound.WORKSPACE);
    await workspace.fs.writeFile("/workspace/server.cjs", SERVER);
    const run = await workspace.shell.exec("node server.cjs", { encoding: "utf8" });
    for await (const event of run) if (event.name === "stdout") break;
    const shown = await api("ports", { method: "POST", body: JSON.stringify({ port: 3000 }) });
    const reported = await shown.text();
    expect([shown.status, reported]).toEqual([201, expect.any(String)]);
    const { url } = JSON.parse(reported) as { url: string };
    const { origin, hostname } = new URL(url);
    expect(hostname).toEqual(expect.stringMatching(/^p3000-[0-9a-f]{20}\.preview\.example$/));

    expect((await worker.fetch(`${origin}/`)).status).toBe(401);
    const entered = await worker.fetch(url, { redirect: "manual" });
    expect(entered.status).toBe(302);
    expect((await worker.fetch(url, { redirect: "manual" })).status).toBe(401);
    const cookie = (entered.headers.get("set-cookie") as string).split(";")[0] as string;

    const answer = await worker.fetch(`${origin}/a?b=c`, { headers: { cookie } });
    const chunks: string[] = [];
    const times: number[] = [];
    for await (const chunk of answer.body as ReadableStream<Uint8Array>) {
      chunks.push(new TextDecoder().decode(chunk));
      times.push(Date.now());
    }
    expect(chunks).toEqual(["first GET /a?b=c", " last"]);
    expect((times[1] as number) - (times[0] as number)).toBeGreaterThan(300);

    const upgraded = await worker.fetch(`${origin}/socket`, { headers: { cookie, upgrade: "websocket" } });
    const socket = upgraded.webSocket as WebSocket;
    const said = new Promise((resolve) => socket.addEventListener("message", ({ data }) => resolve(data)));
    socket.accept();
    socket.send("said back");
    expect(await said).toBe("said back");
    socket.close();

    expect((await api("ports/3000", { method: "DELETE" })).status).toBe(204);
    expect((await worker.fetch(`${origin}/`, { headers: { cookie } })).status).toBe(404);
    await run.kill("SIGKILL");
  });

  it("greps in the container on request over RPC, and finds only files of the workspace", async () => {
    const { fs } = open(bound.WORKSPACE);
    await fs.writeMany([
      { path: "/workspace/src/a.txt", content: "one\nneedle here\n" },
      { path: "/workspace/src/b.txt", content: "needle there\n" },
    ]);
    await exec(bound.WORKSPACE, "mkdir -p node_modules && echo needle > node_modules/c.txt");
    for (const engine of ["container", "local", "auto"] as const) {
      const answer = await fs.grep("needle", "/workspace/src", { engine });
      expect(answer.engine).toBe(engine === "auto" ? "container" : engine);
      expect(answer.hits.map(({ path, line }) => `${path}:${line}`)).toEqual([
        "/workspace/src/a.txt:2",
        "/workspace/src/b.txt:1",
      ]);
    }
    const whole = await fs.grep("needle", "/workspace", { engine: "container" });
    expect(whole.hits.map(({ path }) => path)).not.toContain("/workspace/node_modules/c.txt");
  });

  it("syncs denied files neither to the container nor from it", async () => {
    const { fs } = open(bound.WORKSPACE);
    await fs.writeMany([
      { path: "/workspace/.secret", content: "s3cret-token" },
      { path: "/workspace/deep/key.pem", content: "s3cret-key" },
      { path: "/workspace/deep/seen", content: "seen" },
    ]);
    const { stdout, sync } = await exec(
      bound.WORKSPACE,
      "ls -A . deep | grep -e secret -e pem; cat deep/seen; echo mine > .secret; grep -rl s3cret . | grep -v node_modules; true",
    );
    expect(stdout).toBe("seen");
    expect(sync?.skipped).toContainEqual({ path: "/workspace/.secret", reason: "container-only by policy" });
    expect(await fs.readFile("/workspace/.secret", "utf8")).toBe("s3cret-token");
  });

  it("reaches the hosts that are allowed, and no others", async () => {
    const ask = (host: string) => `curl -s -m 10 http://${host}/ || echo failed`;
    expect((await exec(bound.ALLOWED, ask("allowed.example"))).stdout).toBe("the allowed one");
    expect((await exec(bound.ALLOWED, ask("other.example"))).stdout).toMatch(/^(Origin is disallowed|failed\n)$/);
  });

  it("keeps a container awake while a command runs, stops it soon after, and starts it again on demand", async () => {
    const running = () =>
      runInDurableObject(bound.SLEEPY.getByName("sleepy"), (_, { container }) => container?.running);
    const until = async (wanted: boolean, seconds: number) => {
      for (let i = 0; i < seconds * 5 && (await running()) !== wanted; i++)
        await new Promise((resolve) => setTimeout(resolve, 200));
      return running();
    };
    // No client follows it: only the daemon knows that a process runs.
    const { exitCode } = await exec(bound.SLEEPING, "touch here; (sleep 8; touch late) > /dev/null 2>&1 &");
    expect(exitCode).toBe(0);
    await new Promise((resolve) => setTimeout(resolve, 6500));
    expect(await running()).toBe(true);
    expect(await until(false, 25)).toBe(false);
    expect((await exec(bound.SLEEPING, "ls")).stdout).toMatch(/^here\n/);
    expect(await running()).toBe(true);
  });
});
