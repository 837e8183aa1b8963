/**
 * A server that breaks off, lies, redirects or refuses: git's exit code, a message, and the repository as it was. The faults are put
 * between ours and a real `git http-backend`.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type GitHost, runCli } from "@workspace/git";
import { createNodeFileSystem } from "@workspace/git/node";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type GitServer, startGitServer } from "../bench/harness/git/git-server.ts";

type Fault = (request: IncomingMessage, answer: () => Promise<Answer>, response: ServerResponse) => Promise<void>;

interface Answer {
  status: number;
  headers: Headers;
  body: Buffer;
}

const env = {
  PATH: process.env.PATH ?? "",
  HOME: "/nonexistent",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_TERMINAL_PROMPT: "0",
  GIT_AUTHOR_NAME: "A",
  GIT_AUTHOR_EMAIL: "a@example.com",
  GIT_COMMITTER_NAME: "A",
  GIT_COMMITTER_EMAIL: "a@example.com",
  LC_ALL: "C",
};
const fs = createNodeFileSystem();
let folder: string;
let backend: GitServer;
let proxy: Server;
let origin: string;
let fault: Fault;
const seen: { authorization: string | undefined; host: string | undefined; url: string }[] = [];

const real = (cwd: string, ...argv: string[]) =>
  execFileSync("git", argv, { cwd, env, encoding: "utf8", stdio: "pipe" });

async function ours(cwd: string, argv: string[], host: Partial<GitHost> = {}) {
  const { exitCode, stderr, stdout } = await runCli(
    { fs, now: () => 1_700_000_000_000, fetch, ...host },
    { argv, cwd, env },
  );
  return { exitCode, stderr: new TextDecoder().decode(stderr), stdout: new TextDecoder().decode(stdout) };
}

const isPack = ({ method, url }: IncomingMessage) => method === "POST" && (url ?? "").endsWith("/git-upload-pack");

async function send({ status, headers, body }: Answer, response: ServerResponse): Promise<void> {
  response.writeHead(status, { "content-type": headers.get("content-type") ?? "text/plain" });
  response.end(body);
}

/** The answer that holds the pack, as the real server gives it. */
const onPack =
  (change: (answer: Answer, response: ServerResponse) => void | Promise<void>): Fault =>
  async (request, answer, response) => {
    const given = await answer();
    if (isPack(request) && Buffer.concat([given.body]).toString("latin1").includes("packfile"))
      await change(given, response);
    else await send(given, response);
  };

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "git-faults-"));
  const work = join(folder, "work");
  mkdirSync(work);
  real(work, "init", "-q", "-b", "main");
  for (let i = 0; i < 30; i++) writeFileSync(join(work, `file-${i}.txt`), `${i} ${"content ".repeat(i * 50)}\n`);
  real(work, "add", ".");
  real(work, "commit", "-q", "-m", "first");
  real(folder, "clone", "-q", "--bare", work, "server.git");
  backend = await startGitServer(folder);
  proxy = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
});

afterAll(async () => {
  proxy.closeAllConnections();
  proxy.close();
  await backend[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

beforeEach(() => {
  seen.length = 0;
  fault = async (_, answer, response) => send(await answer(), response);
});

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  seen.push({ authorization: request.headers.authorization, host: request.headers.host, url: request.url ?? "" });
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const answer = async (): Promise<Answer> => {
    const headers: Record<string, string> = {};
    for (const name of ["content-type", "git-protocol"])
      if (request.headers[name]) headers[name] = String(request.headers[name]);
    const init = {
      method: request.method ?? "GET",
      headers,
      ...(request.method === "POST" ? { body: Buffer.concat(parts) } : {}),
    };
    const given = await fetch(`${backend.origin}${request.url}`, init as RequestInit);
    return { status: given.status, headers: given.headers, body: Buffer.from(await given.arrayBuffer()) };
  };
  await fault(request, answer, response);
}

/** A clone that is one commit behind the server. */
let count = 0;
function staleClone(): string {
  const clone = join(folder, `clone-${count++}`);
  // By path: real git must not wait for a server in the process that waits for it.
  real(folder, "clone", "-q", "--no-hardlinks", join(folder, "server.git"), clone);
  real(clone, "remote", "set-url", "origin", `${origin}/server.git`);
  const work = join(folder, "work");
  writeFileSync(join(work, "new.txt"), `new ${count}\n${"more\n".repeat(2000)}`);
  real(work, "add", ".");
  real(work, "commit", "-q", "-m", `next ${count}`);
  real(work, "push", "-q", join(folder, "server.git"), "main");
  return clone;
}

function stateOf(clone: string): string {
  const packs = readdirSync(join(clone, ".git", "objects", "pack")).filter((name) => !name.endsWith(".rev"));
  const refs = real(clone, "for-each-ref");
  return [refs, packs.sort().join("\n"), real(clone, "fsck", "--full"), real(clone, "status", "--porcelain")].join(
    "\n",
  );
}

const faults: [string, Fault, RegExp][] = [
  [
    "cut in the middle of the pack",
    onPack(({ body, headers }, response) => {
      response.writeHead(200, { "content-type": headers.get("content-type") ?? "" });
      response.write(body.subarray(0, Math.floor(body.length / 2)), () => response.destroy());
    }),
    /hung up|early EOF|unexpected/,
  ],
  [
    "ended in the middle of the pack",
    onPack(({ body, ...rest }, response) =>
      send({ ...rest, body: body.subarray(0, Math.floor(body.length / 2)) }, response),
    ),
    /hung up|early EOF|unexpected/,
  ],
  [
    "a pack with a wrong byte",
    onPack(({ body, ...rest }, response) => {
      const broken = Buffer.from(body);
      const at = broken.length - 200;
      broken[at] = (broken[at] as number) ^ 0xff;
      return send({ ...rest, body: broken }, response);
    }),
    /./,
  ],
  [
    "garbage instead of packets",
    onPack((answer, response) => send({ ...answer, body: Buffer.from("this is no packet at all") }, response)),
    /protocol error: bad line length/,
  ],
  [
    "500 for the pack",
    async (request, answer, response) =>
      isPack(request) ? void response.writeHead(500).end("oops") : send(await answer(), response),
    /HTTP 500/,
  ],
  [
    "500 at once",
    async (_, __, response) => void response.writeHead(500).end("oops"),
    /The requested URL returned error: 500/,
  ],
  ["403", async (_, __, response) => void response.writeHead(403).end("no"), /The requested URL returned error: 403/],
  ["404", async (_, __, response) => void response.writeHead(404).end("no"), /repository '.*' not found/],
  [
    "401 and nobody who knows a password",
    async (_, __, response) => void response.writeHead(401, { "www-authenticate": "Basic" }).end(),
    /could not read Username .*: terminal prompts disabled/,
  ],
  [
    "a page of HTML",
    async (_, __, response) => void response.writeHead(200, { "content-type": "text/html" }).end("<html>"),
    /dumb|not valid/,
  ],
  [
    "an error packet",
    onPack((answer, response) => send({ ...answer, body: Buffer.from("0015ERR go away please") }, response)),
    /remote error: go away/,
  ],
];

describe("fetch", () => {
  it.each(faults)("%s: an error, and the repository is as it was", async (_, how, message) => {
    const clone = staleClone();
    const before = stateOf(clone);
    fault = how;
    const { exitCode, stderr } = await ours(clone, ["fetch"]);
    expect(stderr).toMatch(message);
    expect(exitCode).toBe(128);
    expect(stateOf(clone)).toBe(before);
    // And when the fault is gone, it works.
    fault = async (__, answer, response) => send(await answer(), response);
    expect((await ours(clone, ["fetch", "-q"])).exitCode).toBe(0);
    expect(real(clone, "fsck", "--full")).toBe("");
  });

  it.each(faults)("clone, %s: nothing is left", async (_, how) => {
    fault = how;
    const target = `gone-${count++}`;
    expect((await ours(folder, ["clone", "-q", `${origin}/server.git`, target])).exitCode).toBe(128);
    expect(readdirSync(folder)).not.toContain(target);
  });
});

describe("credentials", () => {
  const wants: Fault = async (request, answer, response) => {
    const basic = `Basic ${Buffer.from("me:secret").toString("base64")}`;
    if (request.headers.authorization === basic) await send(await answer(), response);
    else response.writeHead(401, { "www-authenticate": "Basic realm=x" }).end();
  };

  it("come from the host, by origin, and are written nowhere", async () => {
    fault = wants;
    const asked: string[] = [];
    const credentials: GitHost["credentials"] = ({ origin: from }) => {
      asked.push(from);
      return { username: "me", password: "secret" };
    };
    const { exitCode, stderr } = await ours(folder, ["clone", `${origin}/server.git`, "private"], { credentials });
    expect(stderr).toBe("Cloning into 'private'...\n");
    expect(exitCode).toBe(0);
    expect([...new Set(asked)]).toEqual([origin]);
    expect(readFileSync(join(folder, "private", ".git", "config"), "utf8")).not.toContain("secret");
  });

  it("that are wrong are git's error", async () => {
    fault = wants;
    const credentials = () => ({ username: "me", password: "wrong" });
    const { exitCode, stderr } = await ours(folder, ["ls-remote", `${origin}/server.git`], { credentials });
    expect(stderr).toBe(`fatal: Authentication failed for '${origin}/server.git/'\n`);
    expect(exitCode).toBe(128);
  });

  it("are not sent to where a redirect leads", async () => {
    const elsewhere = createServer((request, response) => {
      seen.push({ authorization: request.headers.authorization, host: request.headers.host, url: request.url ?? "" });
      response.writeHead(401, { "www-authenticate": "Basic" }).end();
    });
    await new Promise<void>((resolve) => elsewhere.listen(0, "127.0.0.1", resolve));
    const other = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
    fault = async (request, _, response) => {
      if (request.headers.authorization === undefined) response.writeHead(401, { "www-authenticate": "Basic" }).end();
      else response.writeHead(302, { location: `${other}${request.url}` }).end();
    };
    const credentials: GitHost["credentials"] = ({ origin: from }) =>
      from === origin ? { username: "me", password: "secret" } : null;
    const { exitCode } = await ours(folder, ["ls-remote", `${origin}/server.git`], { credentials });
    elsewhere.close();
    expect(exitCode).toBe(128);
    const there = seen.filter(({ host }) => host === other.slice("http://".length));
    expect(there.length).toBeGreaterThan(0);
    expect(there.every(({ authorization }) => authorization === undefined)).toBe(true);
  });

  it("cannot be set by the repository's own configuration", async () => {
    const clone = staleClone();
    for (const [key, value] of [
      ["http.extraHeader", "Authorization: Bearer stolen"],
      ["http.proxy", "http://127.0.0.1:1"],
      ["credential.helper", "!echo password=stolen"],
    ] as const)
      real(clone, "config", key, value);
    expect((await ours(clone, ["fetch", "-q"])).exitCode).toBe(0);
    expect(seen.every(({ authorization }) => authorization === undefined)).toBe(true);
  });

  it("a redirect within the server is followed, and told", async () => {
    fault = async (request, answer, response) => {
      if ((request.url ?? "").startsWith("/moved.git/")) {
        response.writeHead(302, { location: (request.url ?? "").replace("/moved.git/", () => "/server.git/") }).end();
      } else await send(await answer(), response);
    };
    const { exitCode, stderr } = await ours(folder, ["ls-remote", "-q", `${origin}/moved.git`]);
    expect(stderr).toBe(`warning: redirecting to ${origin}/server.git/\n`);
    expect(exitCode).toBe(0);
  });
});

describe("hostile trees", () => {
  it.each([[".git/config"], ["../escape"], ["a/../../escape"]])("a tree with %s is never checked out", async (path) => {
    const bare = join(folder, `hostile-${count++}.git`);
    mkdirSync(bare);
    real(bare, "init", "-q", "--bare", "-b", "main");
    const blob = execFileSync("git", ["hash-object", "-w", "--stdin"], {
      cwd: bare,
      env,
      input: "evil",
      encoding: "utf8",
    }).trim();
    let oid = blob;
    let mode = "100644";
    // Made by hand: git itself would refuse to.
    for (const name of path.split("/").reverse()) {
      const body = Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(oid, "hex")]);
      oid = execFileSync("git", ["hash-object", "-w", "-t", "tree", "--literally", "--stdin"], {
        cwd: bare,
        env,
        input: body,
        encoding: "utf8",
      }).trim();
      mode = "40000";
    }
    const commit = execFileSync("git", ["commit-tree", "-m", "evil", oid], { cwd: bare, env, encoding: "utf8" }).trim();
    real(bare, "update-ref", "refs/heads/main", commit);
    const target = `victim-${count}`;
    const { exitCode, stderr } = await ours(folder, [
      "clone",
      "-q",
      `${backend.origin}/${bare.split("/").at(-1)}`,
      target,
    ]);
    expect(exitCode).not.toBe(0);
    expect(stderr).toMatch(/invalid path|hasDotgit|hasDotdot|fullPathname/);
    expect(readdirSync(folder)).not.toContain("escape");
  });
});
