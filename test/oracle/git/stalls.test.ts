/** A server that falls silent: what waits for it ends, by the limit or by the caller's signal, and nothing has changed. */
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { createGit } from "@workspace/git";
import { createNodeFileSystem } from "@workspace/git/node";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Fault, type FaultyServer, onPack, ours, passOn, startFaultyServer, stateOf } from "./faulty-server.ts";

let server: FaultyServer;

beforeAll(async () => {
  server = await startFaultyServer();
});

afterAll(() => server[Symbol.asyncDispose]());

beforeEach(() => {
  server.fault = passOn;
});

/** Half of the pack, and then nothing, with the connection open. */
const halfOfThePack = (begun = () => {}): Fault =>
  onPack(({ status, body }, response) => {
    begun();
    response.writeHead(status, { "content-type": "application/x-git-upload-pack-result" });
    response.write(body.subarray(0, body.length / 2));
  });

/** A fault that stops in a pack, and a fetch that aborts the caller as soon as the answer with that half has begun to arrive. */
function abortInPack(caller: AbortController): { fault: Fault; fetch: typeof fetch } {
  let hasBegun = false;
  const fault = halfOfThePack(() => (hasBegun = true));
  return {
    fault,
    fetch: async (...args) => {
      const response = await fetch(...args);
      if (hasBegun) setImmediate(() => caller.abort());
      return response;
    },
  };
}

const noAnswer: Fault = async () => {};

const abortBeforeAnswer = (caller: AbortController) => ({ fault: async () => caller.abort(), fetch });

const noAnswerToPushes: Fault = async (request, answer, response) => {
  if (!(request.method === "POST" && request.url?.endsWith("/git-receive-pack")))
    await passOn(request, answer, response);
};

/** Longer than a busy machine takes to start git and answer. */
const impatient = { limits: { idleTimeoutMs: 5000 } };
const tooSlow = "Operation too slow. Less than 1 bytes/sec transferred the last 5 seconds";
const aborted = "Operation was aborted by an application callback";

describe("a server that falls silent", () => {
  it("fetch from a server that stalls in a pack fails without a change", async () => {
    const clone = server.staleClone();
    const before = stateOf(clone);
    server.fault = halfOfThePack();
    expect(await ours(clone, ["fetch"], impatient)).toEqual({
      exitCode: 128,
      stdout: "",
      stderr: `error: RPC failed; curl 28 ${tooSlow}\nfatal: the remote end hung up unexpectedly\n`,
    });
    expect(stateOf(clone)).toBe(before);
  });

  it("clone from a server that stalls in a pack leaves nothing", async () => {
    server.staleClone();
    server.fault = halfOfThePack();
    const { exitCode } = await ours(server.folder, ["clone", `${server.origin}/server.git`, "stalled"], impatient);
    expect(exitCode).toBe(128);
    expect(readdirSync(server.folder)).not.toContain("stalled");
  });

  it("a bare clone from a server that stalls in a pack leaves its existing directory empty", async () => {
    server.staleClone();
    server.fault = halfOfThePack();
    const there = join(server.folder, "there");
    mkdirSync(there);
    const { exitCode } = await ours(there, ["clone", "--bare", `${server.origin}/server.git`, "."], impatient);
    expect(exitCode).toBe(128);
    expect(readdirSync(there)).toEqual([]);
  });

  it("a server that stalls before its response is reported as unreachable", async () => {
    server.fault = noAnswer;
    const { exitCode, stderr } = await ours(server.folder, ["ls-remote", `${server.origin}/server.git`], impatient);
    expect(stderr).toBe(`fatal: unable to access '${server.origin}/server.git/': ${tooSlow}\n`);
    expect(exitCode).toBe(128);
  });

  it("push to a server that stalls after the pack keeps the remote-tracking branch", async () => {
    const clone = server.staleClone();
    expect((await ours(clone, ["commit", "-q", "--allow-empty", "-m", "mine"])).exitCode).toBe(0);
    const before = stateOf(clone);
    server.fault = noAnswerToPushes;
    const { exitCode, stderr } = await ours(clone, ["push", "origin", "HEAD:refs/heads/mine"], impatient);
    expect(stderr).toContain(tooSlow);
    expect(exitCode).not.toBe(0);
    expect(stateOf(clone)).toBe(before);
  });
});

describe("a caller's signal", () => {
  it.each([
    ["in a pack", abortInPack, `error: RPC failed; curl 42 ${aborted}\nfatal: the remote end hung up unexpectedly\n`],
    ["before the answer", abortBeforeAnswer, aborted],
  ])("%s stops a fetch and frees the repository's lock", async (_, aborting, message) => {
    const clone = server.staleClone();
    const before = stateOf(clone);
    const caller = new AbortController();
    const { fault, fetch } = aborting(caller);
    const git = createGit({ fs: createNodeFileSystem(), now: () => 1_700_000_000_000, fetch, cwd: clone });
    server.fault = fault;
    const waiting = git.status();
    const [fetched] = await Promise.all([git.cli({ argv: ["fetch"], signal: caller.signal }), waiting]);
    expect(new TextDecoder().decode(fetched.stderr)).toContain(message);
    expect(fetched.exitCode).toBe(128);
    await expect(git.fetch({ signal: caller.signal })).rejects.toThrow(aborted);
    await git.status();
    expect(stateOf(clone)).toBe(before);
    server.fault = passOn;
    await git.fetch();
    expect(stateOf(clone)).not.toBe(before);
  });

  it("an aborted signal rolls a clone back", async () => {
    server.staleClone();
    const caller = new AbortController();
    const { fault, fetch } = abortInPack(caller);
    server.fault = fault;
    const { exitCode } = await ours(server.folder, ["clone", `${server.origin}/server.git`, join("given", "up")], {
      fetch,
      signal: caller.signal,
    });
    expect(exitCode).toBe(128);
    expect(readdirSync(server.folder).includes("given") ? readdirSync(join(server.folder, "given")) : []).toEqual([]);
  });
});
