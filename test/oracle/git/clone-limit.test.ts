/** A pack with more objects than there is memory for is refused before it is read, with what to do instead; nothing is left of it. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type FaultyServer, onPack, ours, passOn, startFaultyServer, stateOf } from "./faulty-server.ts";

const MiB = 1024 * 1024;
const HINT = `hint: Ask for fewer: 'git clone --depth=<n>' leaves out older commits,
hint: 'git clone --filter=blob:none' files until they are needed, and
hint: 'git clone --single-branch' other branches.
`;

let server: FaultyServer;
beforeAll(async () => {
  server = await startFaultyServer();
});
afterAll(() => server[Symbol.asyncDispose]());
beforeEach(() => {
  server.fault = passOn;
});

/** The server says that its pack has so many objects. */
function claim(count: number) {
  server.fault = onPack(({ status, headers, body }, response) => {
    const start = body.indexOf(Buffer.from("PACK\0\0\0\x02", "latin1"));
    new DataView(body.buffer, body.byteOffset).setUint32(start + 8, count);
    response.writeHead(status, { "content-type": headers.get("content-type") ?? "" });
    response.end(body);
  });
}

it.each([
  ["an object", 48 * MiB, 652_447],
  ["wsgit", 24 * MiB, 326_223],
])("clone in the memory of %s accepts objects up to the limit", async (_, memory, max) => {
  const url = `${server.origin}/server.git`;
  claim(max + 1);
  const refused = await ours(server.folder, ["clone", "-q", url, "large"], { limits: { memory } });
  expect(refused).toEqual({
    exitCode: 128,
    stdout: "",
    stderr: `fatal: pack has ${max + 1} objects, and there is memory for ${max}\n${HINT}`,
  });
  expect(existsSync(join(server.folder, "large"))).toBe(false);
  // One fewer is read, and found to be cut short.
  claim(max);
  const { stderr } = await ours(server.folder, ["clone", "-q", url, "large"], { limits: { memory } });
  expect(stderr).not.toContain("memory");
});

it("a fetch of too many objects changes nothing", async () => {
  const clone = server.staleClone();
  const before = stateOf(clone);
  claim(1_000_000);
  const { exitCode, stderr } = await ours(clone, ["fetch", "-q"]);
  expect([exitCode, stderr]).toEqual([128, `fatal: pack has 1000000 objects, and there is memory for 652447\n${HINT}`]);
  expect(stateOf(clone)).toBe(before);
});
