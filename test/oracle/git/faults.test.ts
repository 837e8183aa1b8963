/**
 * A server that breaks off, lies, redirects or refuses: git's exit code, a message, and the repository as it was. The faults are put
 * between ours and a real `git http-backend`.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  gitEnv as env,
  type Fault,
  type FaultyServer,
  isPack,
  onPack,
  ours,
  passOn,
  real,
  send,
  startFaultyServer,
  stateOf,
} from "./faulty-server.ts";

let server: FaultyServer;
let count = 0;

beforeAll(async () => {
  server = await startFaultyServer();
});

afterAll(() => server[Symbol.asyncDispose]());

beforeEach(() => {
  server.seen.length = 0;
  server.fault = passOn;
});

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
    "401 without credentials",
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
  it.each(faults)("%s: fails and leaves the repository unchanged", async (_, how, message) => {
    const clone = server.staleClone();
    const before = stateOf(clone);
    server.fault = how;
    const { exitCode, stderr } = await ours(clone, ["fetch"]);
    expect(stderr).toMatch(message);
    expect(exitCode).toBe(128);
    expect(stateOf(clone)).toBe(before);
    // And when the fault is gone, it works.
    server.fault = passOn;
    expect((await ours(clone, ["fetch", "-q"])).exitCode).toBe(0);
    expect(real(clone, "fsck", "--full")).toBe("");
  });

  it.each(faults)("clone, %s: leaves nothing", async (_, how) => {
    server.fault = how;
    const target = `gone-${count++}`;
    expect((await ours(server.folder, ["clone", "-q", `${server.origin}/server.git`, target])).exitCode).toBe(128);
    expect(readdirSync(server.folder)).not.toContain(target);
  });
});

describe("hostile trees", () => {
  it.each([[".git/config"], ["../escape"], ["a/../../escape"]])("a tree with %s is never checked out", async (path) => {
    const bare = join(server.folder, `hostile-${count++}.git`);
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
    const commit = execFileSync("git", ["commit-tree", "-m", "evil", oid], {
      cwd: bare,
      env,
      encoding: "utf8",
      stdio: "pipe",
    }).trim();
    real(bare, "update-ref", "refs/heads/main", commit);
    const target = `victim-${count}`;
    const { exitCode, stderr } = await ours(server.folder, [
      "clone",
      "-q",
      `${server.backend}/${bare.split("/").at(-1)}`,
      target,
    ]);
    expect(exitCode).not.toBe(0);
    expect(stderr).toMatch(/invalid path|hasDotgit|hasDotdot|fullPathname/);
    expect(readdirSync(server.folder)).not.toContain("escape");
  });
});
