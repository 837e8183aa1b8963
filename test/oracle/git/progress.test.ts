/**
 * Progress reaches stderr as it happens: the server goes on only when its first words have arrived. And what a transfer reports
 * is git's, except for the speed, which differs.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { runCli } from "@workspace/git";
import { createNodeFileSystem } from "@workspace/git/node";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type FaultyServer, gitEnv, onPack, ours, passOn, real, startFaultyServer } from "./faulty-server.ts";

const fs = createNodeFileSystem();
let server: FaultyServer;

beforeAll(async () => {
  server = await startFaultyServer();
});

afterAll(() => server[Symbol.asyncDispose]());

beforeEach(() => {
  server.fault = passOn;
});

const packet = (band: number, text: string) =>
  Buffer.from(`${(text.length + 5).toString(16).padStart(4, "0")}${String.fromCharCode(band)}${text}`, "latin1");

/** Runs ours, and hands each piece of stderr to `reported` while it runs. */
function watched(cwd: string, argv: string[], reported: (text: string) => void) {
  return runCli(
    { fs, now: () => 1_700_000_000_000, fetch },
    { argv, cwd, env: gitEnv, onStderr: (data) => reported(new TextDecoder().decode(data)) },
  );
}

it("fetch prints a server's message before the rest arrives", async () => {
  const clone = server.staleClone();
  let notify = () => {};
  const arrived = new Promise<void>((resolve) => (notify = resolve));
  server.fault = onPack(async ({ body, headers }, response) => {
    response.writeHead(200, { "content-type": headers.get("content-type") ?? "" });
    const start = Buffer.concat([body]).toString("latin1").indexOf("packfile\n") + "packfile\n".length;
    response.write(body.subarray(0, start));
    response.write(packet(2, "Looking for it:  10%\rLooking for it: 100%, done.\nand on\n"));
    await arrived;
    response.end(body.subarray(start));
  });
  let text = "";
  const { exitCode } = await watched(clone, ["fetch", "--progress"], (piece) => {
    text += piece;
    if (text.includes("and on")) notify();
  });
  expect(exitCode).toBe(0);
  expect(text).toContain(
    "remote: Looking for it:  10%        \rremote: Looking for it: 100%, done.        \nremote: and on        \n",
  );
});

it("fetch and clone report how much they received", async () => {
  const clone = server.staleClone();
  const fetched = await ours(clone, ["fetch", "--progress"]);
  expect(fetched.stderr).toMatch(/^remote: Enumerating objects: \d+, done\. {8}$/m);
  const cloned = await ours(server.folder, ["clone", "--progress", `${server.origin}/server.git`, "told"]);
  expect(cloned.stderr).toMatch(/^Receiving objects: 100% \((\d+)\/\1\), [\d.]+ (bytes|KiB), done\.$/m);
  const silent = await ours(server.folder, ["clone", `${server.origin}/server.git`, "untold"]);
  expect(silent.stderr).toBe("Cloning into 'untold'...\n");
});

it("push reports how much it wrote, only with --progress", async () => {
  const clone = server.staleClone();
  await ours(clone, ["pull", "-q"]);
  for (let i = 0; i < 600; i++) writeFileSync(join(clone, `more-${i}`), `${i}\n`);
  real(clone, "add", ".");
  real(clone, "commit", "-q", "-m", "many");
  const { stderr, exitCode } = await ours(clone, ["push", "--progress", "origin", "HEAD:refs/heads/told"]);
  expect(exitCode).toBe(0);
  const lines = stderr.split("\n");
  expect(lines[0]).toBe("Enumerating objects: 602, done.");
  expect(lines[1]).toMatch(
    /^Writing objects: {2}42% \(256\/602\)\rWriting objects: {2}85% \(512\/602\)\rWriting objects: 100% \(602\/602\), [\d.]+ KiB, done\.$/,
  );
  expect((await ours(clone, ["push", "origin", "HEAD:refs/heads/untold"])).stderr).toBe(
    `To ${server.origin}/server.git\n * [new branch]      HEAD -> untold\n`,
  );
});

it("a partial clone omits the filtered blobs, and fetches a single blob on demand", async () => {
  const bare = join(server.folder, "server.git");
  real(bare, "config", "uploadpack.allowFilter", "true");
  real(bare, "config", "uploadpack.allowAnySHA1InWant", "true");
  const argv = ["clone", "-q", "-n", "--filter=blob:none", `${server.origin}/server.git`, "partial"];
  expect((await ours(server.folder, argv)).exitCode).toBe(0);
  const clone = join(server.folder, "partial");
  const missing = () =>
    real(clone, "rev-list", "--objects", "--missing=print", "HEAD")
      .split("\n")
      .filter((line) => line.startsWith("?"));
  const before = missing();
  expect(before.length).toBeGreaterThan(29);
  server.seen.length = 0;
  expect((await ours(clone, ["cat-file", "-p", "HEAD:file-3.txt"])).stdout).toBe(`3 ${"content ".repeat(150)}\n`);
  expect(server.seen.map(({ url }) => url)).toEqual([
    "/server.git/info/refs?service=git-upload-pack",
    "/server.git/git-upload-pack",
  ]);
  expect(missing().length).toBe(before.length - 1);
  // History is there: no request.
  server.seen.length = 0;
  expect((await ours(clone, ["log", "--oneline", "--name-only"])).exitCode).toBe(0);
  expect(server.seen).toEqual([]);
  // A checkout asks once for all it lacks.
  expect((await ours(clone, ["checkout", "-q", "main"])).exitCode).toBe(0);
  expect(server.seen.length).toBe(2);
  expect(real(clone, "status", "--porcelain")).toBe("");
  // And when the server is gone, what is missing is an error, not an empty file.
  server.fault = async (_, __, response) => void response.writeHead(500).end();
  const gone = await ours(server.folder, ["-C", "partial", "cat-file", "-p", (before[0] as string).slice(1)]);
  if (missing().includes(before[0] as string)) expect(gone.exitCode).not.toBe(0);
  real(bare, "config", "--unset", "uploadpack.allowFilter");
});
