/**
 * A server may close a connection that a client keeps for its next request, just as that request is sent. git's curl sends it again on
 * a new connection, and so must ours: this server closes every connection at its second request, before it answers.
 */
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import type { Socket } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type Fault, type FaultyServer, gitEnv, ours, passOn, real, startFaultyServer } from "./faulty-server.ts";

let server: FaultyServer;
let closed: string[] = [];

beforeAll(async () => {
  server = await startFaultyServer();
});

afterAll(() => server[Symbol.asyncDispose]());

beforeEach(() => {
  closed = [];
  server.fault = passOn;
});

function closingIdle(): Fault {
  const used = new WeakSet<Socket>();
  return async (request, answer, response) => {
    if (used.has(request.socket)) {
      closed.push(`${request.method}`);
      request.socket.resetAndDestroy();
      return;
    }
    used.add(request.socket);
    await passOn(request, answer, response);
  };
}

/** Not in the way of the server, which is in this process. */
const realGit = (cwd: string, ...argv: string[]) => promisify(execFile)("git", argv, { cwd, env: gitEnv });

function committed(clone: string): void {
  for (let i = 0; i < 20; i++) writeFileSync(join(clone, `more-${i}`), `${i}\n`);
  real(clone, "add", ".");
  real(clone, "commit", "-q", "-m", "more");
}

it("clone, fetch, push and delete retry a request whose connection the server closed", async () => {
  const clone = server.staleClone();
  committed(clone);
  server.fault = closingIdle();
  const url = `${server.origin}/server.git`;
  expect(await ours(server.folder, ["clone", "-q", url, "ours"])).toMatchObject({ exitCode: 0, stderr: "" });
  expect(await ours(clone, ["fetch", "-q"])).toMatchObject({ exitCode: 0, stderr: "" });
  expect(await ours(clone, ["push", "-q", "origin", "HEAD:refs/heads/kept"])).toMatchObject({
    exitCode: 0,
    stderr: "",
  });
  expect(real(join(server.folder, "server.git"), "rev-parse", "kept")).toBe(real(clone, "rev-parse", "HEAD"));
  expect(await ours(clone, ["push", "-q", "origin", ":kept"])).toMatchObject({ exitCode: 0, stderr: "" });
  expect(real(join(server.folder, "server.git"), "for-each-ref", "refs/heads/kept")).toBe("");
  expect(closed.filter((method) => method === "POST").length).toBeGreaterThan(2);
});

it("real git works with the same server", async () => {
  const clone = server.staleClone();
  committed(clone);
  server.fault = closingIdle();
  await realGit(server.folder, "clone", "-q", `${server.origin}/server.git`, "real");
  await realGit(clone, "fetch", "-q");
  await realGit(clone, "push", "-q", "origin", "HEAD:refs/heads/kept-too");
  expect(closed).toContain("POST");
});

it("fetch fails after curl's number of attempts when the server closes every connection", async () => {
  const clone = server.staleClone();
  committed(clone);
  const before = real(join(server.folder, "server.git"), "for-each-ref");
  server.seen.length = 0;
  server.fault = async (request, answer, response) => {
    if (request.method === "GET") return passOn(request, answer, response);
    request.socket.resetAndDestroy();
  };
  const { exitCode, stderr } = await ours(clone, ["push", "-q", "origin", "HEAD:refs/heads/never"]);
  expect(exitCode).toBe(128);
  expect(stderr).toContain(`unable to access '${server.origin}/server.git/': `);
  expect(server.seen.map(({ url }) => url.slice(url.lastIndexOf("/")))).toEqual([
    "/refs?service=git-receive-pack",
    ...Array(6).fill("/git-receive-pack"),
  ]);
  expect(real(join(server.folder, "server.git"), "for-each-ref")).toBe(before);
});
