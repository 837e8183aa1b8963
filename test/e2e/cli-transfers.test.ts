/** `wsx cp` where transfers break: every size of file on the machine's own Node, and connections that a proxy cuts. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, request as send } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ReferenceServer } from "../support/reference-server.ts";
import { WSX, Wsx } from "./wsx.ts";

const home = mkdtempSync(join(tmpdir(), "wsx-transfers-"));
let server: ReferenceServer;
let wsx: Wsx;

beforeAll(async () => {
  server = await ReferenceServer.local();
  wsx = new Wsx(home, { WSX_URL: server.url, WSX_WORKSPACE: "transfers" });
}, 240_000);

afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
  rmSync(home, { recursive: true, force: true });
});

/** Node as the machine has it, which on a fresh machine is older than the project's. */
function machineNode(): string {
  const folders = (process.env.PATH ?? "").split(delimiter).filter((folder) => !folder.includes("node_modules"));
  return folders.map((folder) => join(folder, "node")).find(existsSync) ?? process.execPath;
}

/** Sizes around tar's blocks of 512 bytes and the chunks that files are read in. */
const SIZES = [0, 1, 511, 512, 513, 1024, 10_240, 256 * 1024 - 1, 256 * 1024, 512 * 1024];

/** What a proxy does to a request: cuts the connection after so many bytes of the body, or answers 503; null lets it through. */
type Fault = { cutAfter: number } | { busy: true } | null;

interface Proxy extends AsyncDisposable {
  readonly url: string;
  readonly seen: string[];
}

async function faultyProxy(faultOf: (request: IncomingMessage, seen: readonly string[]) => Fault): Promise<Proxy> {
  const upstream = new URL(server.url);
  const seen: string[] = [];
  const proxy = createServer((request, response) => {
    const fault = faultOf(request, seen);
    seen.push(`${request.method} ${request.url?.replace(/^\/api\/w\/[^/]+\//, "").replace(/\?.*/, "")}`);
    if (fault !== null && "busy" in fault) {
      request.resume();
      response.writeHead(503, { "Content-Type": "application/json", "Retry-After": "1" });
      response.end('{"error":{"code":"UNAVAILABLE","message":"busy"}}');
      return;
    }
    if (fault !== null) {
      let bytes = 0;
      request.on("data", (chunk) => {
        bytes += chunk.length;
        if (bytes > fault.cutAfter) request.socket.destroy();
      });
      request.on("end", () => request.socket.destroy());
      return;
    }
    const { method, url: path, headers } = request;
    const sent = send({
      host: upstream.hostname,
      port: upstream.port,
      method,
      path,
      headers: { ...headers, host: upstream.host },
    });
    sent.on("response", (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    sent.on("error", () => response.destroy());
    request.pipe(sent);
  });
  await new Promise<void>((resolve) => void proxy.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    seen,
    async [Symbol.asyncDispose]() {
      proxy.closeAllConnections();
      await new Promise((closed) => proxy.close(closed));
    },
  };
}

const isArchive = ({ method, url }: IncomingMessage) => method === "PUT" && /\/archive\?/.test(url ?? "");
const archivesIn = (seen: readonly string[]) => seen.filter((line) => line === "PUT archive").length;

describe("wsx cp", () => {
  it.each([
    ["the machine's own Node", machineNode()],
    ["the project's Node", process.execPath],
  ])("wsx cp copies files of every size both ways on %s", async (_, node) => {
    const tree = join(home, `sizes-${node === process.execPath ? "own" : "machine"}`);
    mkdirSync(tree);
    for (const size of SIZES) writeFileSync(join(tree, `${size}`), Buffer.alloc(size, "0123456789abcdef!"));
    const name = tree.slice(home.length + 1);
    expect(await wsx.run(["cp", "-r", tree, ":"], { node })).toEqual({ code: 0, out: "", err: "" });
    expect(await wsx.run(["cp", "-r", `:${name}`, `${tree}-back`], { node })).toEqual({ code: 0, out: "", err: "" });
    for (const size of SIZES) {
      const original = readFileSync(join(tree, `${size}`));
      expect(Buffer.compare(readFileSync(join(`${tree}-back`, `${size}`)), original)).toBe(0);
      // Some by themselves too, and from standard input.
      if (size > 512) continue;
      expect(await wsx.run(["cp", join(tree, `${size}`), ":one"], { node })).toMatchObject({ code: 0, err: "" });
      expect(await wsx.run(["put", "-", "two"], { node, input: original })).toMatchObject({ code: 0, err: "" });
      for (const path of ["one", "two"])
        expect(Buffer.from((await wsx.run(["cat", path], { node })).out).equals(original)).toBe(true);
    }
  });

  it("wsx cp -r sends a batch again when its connection breaks or the server is busy", async () => {
    const tree = join(home, "many");
    mkdirSync(tree);
    for (let i = 0; i < 5200; i++) writeFileSync(join(tree, `f${i}`), `file ${i}\n`);
    const faults: Fault[] = [null, { cutAfter: 20_000 }, { busy: true }];
    await using proxy = await faultyProxy((request, seen) =>
      isArchive(request) ? (faults[archivesIn(seen)] ?? null) : null,
    );
    expect(await wsx.run(["cp", "-r", tree, ":many"], { env: { WSX_URL: proxy.url } })).toEqual({
      code: 0,
      out: "",
      err: "",
    });
    expect(archivesIn(proxy.seen)).toBe(4);
    const listed = (await wsx.out("ls", "many")).trim().split("\n");
    expect(listed.length).toBe(5200);
  });

  it("wsx cp -r reports how many files arrived when it cannot continue", { timeout: 1_800_000 }, async () => {
    await using proxy = await faultyProxy((request, seen) =>
      isArchive(request) && archivesIn(seen) > 0 ? { cutAfter: 1000 } : null,
    );
    const ran = await wsx.run(["cp", "-r", join(home, "many"), ":part", "--json"], { env: { WSX_URL: proxy.url } });
    expect(ran.code).toBe(69);
    const { error } = JSON.parse(ran.err);
    // The first batch has 5000 entries, of which one is the directory.
    expect(error).toMatchObject({
      code: "EUNREACHABLE",
      message: expect.stringMatching(/; 4999 of 5200 files arrived before that$/),
      hint: expect.stringContaining("Remove part, then run the same command again"),
    });
    expect((await wsx.out("ls", "part")).trim().split("\n").length).toBe(4999);
  });

  it("wsx cp -r from a workspace retries an interrupted transfer, and leaves no partial file", async () => {
    const tree = join(home, "sizes-own");
    let cut = 0;
    await using proxy = await faultyProxy(({ method, url = "" }) =>
      method === "GET" && /\/files\//.test(url) && cut++ < 3 ? { cutAfter: 0 } : null,
    );
    const single = join(home, "single");
    expect(await wsx.run(["cp", ":sizes-own/1024", single], { env: { WSX_URL: proxy.url } })).toMatchObject({
      code: 0,
    });
    expect(readFileSync(single).length).toBe(1024);
    cut = 0;
    const to = join(home, "repeated");
    expect(await wsx.run(["cp", "-r", ":sizes-own", to], { env: { WSX_URL: proxy.url } })).toMatchObject({
      code: 0,
      err: "",
    });
    expect(readdirSync(to).sort()).toEqual(readdirSync(tree).sort());
  });
});

describe("output into a slow pipe", () => {
  /** The bytes that a reader gets which starts to read when the program has had time to end. */
  async function readLate(
    program: string,
    argv: string[],
    options: { cwd: string; env: NodeJS.ProcessEnv },
  ): Promise<number> {
    const quoted = [process.execPath, program, ...argv].map((word) => `'${word}'`).join(" ");
    const shell = spawn("bash", ["-c", `${quoted} | { sleep 2; wc -c; }`], {
      ...options,
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [text] = await Promise.all([shell.stdout.setEncoding("utf8").toArray(), once(shell, "close")]);
    return Number(text.join(""));
  }

  // More than a pipe holds (64 KiB), by less than a stream buffers before it says so.
  const SIZE = 70_000;

  it("wsx cat delivers every byte before it exits", async () => {
    writeFileSync(join(home, "slow"), "x".repeat(SIZE));
    await wsx.out("put", "slow");
    const env = { ...process.env, ...wsx.env, XDG_CONFIG_HOME: join(home, "config") };
    expect(await readLate(WSX, ["cat", "slow"], { cwd: home, env })).toBe(SIZE);
  });
});
