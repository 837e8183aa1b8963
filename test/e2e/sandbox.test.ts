/**
 * `npm run daemon:dev` on a developer's machine: a page in the browser, or another program, can connect to the daemon's port but gets
 * nothing from it. (The script itself, its daemon and real WebSockets.)
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { Client } from "../../container/test/daemon-client.ts";
import { root } from "../support/root.ts";

const base = mkdtempSync(join(tmpdir(), "workspace-sandbox-"));
const tree = join(base, "tree");
const secretFile = `${tree}.secret`;
const OWN_SECRET = "a secret that the page has chosen itself";
let daemon: ChildProcess;
let port: number;

beforeAll(async () => ({ daemon, port } = await start()));
afterAll(async () => {
  await stop(daemon);
  rmSync(base, { recursive: true, force: true });
});

async function start(args: string[] = ["--root", tree]): Promise<{ daemon: ChildProcess; port: number }> {
  const child = spawn(process.execPath, ["scripts/sandbox.mjs", "--port", "0", ...args], {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
  for (;;) {
    const found = /listens on 127\.0\.0\.1:(\d+)/.exec(output)?.[1];
    if (found !== undefined) return { daemon: child, port: Number(found) };
    if (child.exitCode !== null) throw new Error(output);
    await new Promise((wake) => setTimeout(wake, 20));
  }
}

async function stop(child: ChildProcess): Promise<void> {
  const closed = once(child, "close");
  child.kill("SIGTERM");
  await closed;
}

/** The status with which an upgrade is refused; 101 when it is accepted. */
async function upgrade(headers: Record<string, string>, path = "/connect"): Promise<number | undefined> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers });
  socket.on("error", () => {});
  const status = new Promise<number | undefined>((resolve) => {
    socket.once("open", () => resolve(101));
    socket.once("unexpected-response", (_sent, response: IncomingMessage) => resolve(response.statusCode));
  });
  const found = await status;
  socket.terminate();
  return found;
}

async function get(path: string, headers: Record<string, string>): Promise<number | undefined> {
  const [response] = (await once(request({ port, path, headers }).end(), "response")) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}

describe("npm run daemon:dev", () => {
  it("closes a connection whose hello has another secret", async () => {
    for (const hello of [{ secret: OWN_SECRET }, { secret: "" }, {}]) {
      using client = await Client.open(port);
      await expect(client.ask("hello", hello)).rejects.toMatchObject({ closed: 4401 });
    }
    using owner = await Client.open(port);
    await owner.ask("hello", { secret: readFileSync(secretFile, "utf8").trim() });
    expect(await owner.run("p1", "echo mine")).toBe("mine\n");
  });

  it("refuses every request and upgrade with an Origin, and every Host but its own", async () => {
    const secret = readFileSync(secretFile, "utf8").trim();
    const own = `127.0.0.1:${port}`;
    for (const Origin of ["http://evil.example", "null", `http://${own}`, "http://localhost:3000", ""]) {
      expect([Origin, await upgrade({ Origin })]).toEqual([Origin, 403]);
      expect([Origin, await upgrade({ Origin, "x-workspace-secret": secret }, "/ports/80/")]).toEqual([Origin, 403]);
      expect([Origin, await get("/health", { Origin })]).toEqual([Origin, 403]);
      expect(await get("/ports/80/", { Origin, "x-workspace-secret": secret })).toBe(403);
    }
    for (const Host of ["evil.example", `evil.example:${port}`, "127.0.0.1", `127.0.0.1:${port + 1}`, "sandbox", "."]) {
      expect([Host, await upgrade({ Host })]).toEqual([Host, 403]);
      expect([Host, await get("/health", { Host })]).toEqual([Host, 403]);
      expect(await get("/ports/80/", { Host, "x-workspace-secret": secret })).toBe(403);
    }
    for (const Host of [own, `localhost:${port}`, `LocalHost:${port}`, `[::1]:${port}`]) {
      expect([Host, await upgrade({ Host })]).toEqual([Host, 101]);
      expect([Host, await get("/health", { Host })]).toEqual([Host, 200]);
    }
  });

  it("stores the secret in a file with mode 0600, and in no argv or environment", async () => {
    const secret = readFileSync(secretFile, "utf8").trim();
    expect(secret).toMatch(/^[0-9a-f]{64}$/);
    expect((statSync(secretFile).mode & 0o777).toString(8)).toBe("600");
    for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
      for (const file of ["cmdline", "environ"]) expect(readProcess(pid, file)).not.toContain(secret);
    }
  });

  it("reads the same file at the next start, and refuses one that others can read", async () => {
    const file = join(base, "kept.secret");
    const again = async () => {
      const { daemon: child } = await start(["--root", join(base, "other"), "--secret-file", file]);
      await stop(child);
      return readFileSync(file, "utf8");
    };
    const first = await again();
    expect(await again()).toBe(first);
    const open = join(base, "open.secret");
    writeFileSync(open, `${OWN_SECRET}\n`, { mode: 0o644 });
    await expect(start(["--root", join(base, "other"), "--secret-file", open])).rejects.toThrow("open.secret");
    const short = join(base, "short.secret");
    writeFileSync(short, "short\n", { mode: 0o600 });
    await expect(start(["--root", join(base, "other"), "--secret-file", short])).rejects.toThrow("32 characters");
  });
});

function readProcess(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch {
    return "";
  }
}
