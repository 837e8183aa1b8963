/** Large files in `workspaced`: long work does not block other requests. */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { SYNC_LIMITS } from "@workspace/protocol";
import { describe, expect, it } from "vitest";
import { type Client, TestDaemon } from "../test/daemon-client.ts";

const SIZE = 96 * 1024 * 1024;
const large = (path: string, more: object = {}) => ({
  path,
  type: "file",
  mode: 0o644,
  mtime: 1,
  size: SIZE,
  version: "v.1",
  content: "c.1",
  ...more,
});

async function push(client: Client): Promise<void> {
  const piece = Buffer.alloc(SYNC_LIMITS.pieceBytes, "large ");
  for (let offset = 0; offset < SIZE; offset += piece.length)
    await client.ask("stage", { key: "c.1", size: SIZE, offset }, piece);
  const entries = [{ path: "d", type: "dir", mode: 0o755, mtime: 1, version: "v.0" }, large("d/a", { staged: "c.1" })];
  expect((await client.ask("apply", { policy: "", entries })).header.outcomes).toEqual(["ok", "ok"]);
}

/** How many other requests were answered before this one. */
async function answeredMeanwhile(client: Client, requested: Promise<unknown>): Promise<number> {
  let done = false;
  let count = 0;
  const finished = requested.finally(() => (done = true));
  while (!done) {
    await client.ask("no such verb").catch(() => {});
    if (!done) count++;
  }
  await finished;
  return count;
}

const staging = (daemon: TestDaemon) =>
  readdirSync(dirname(daemon.root)).filter((name) => name.startsWith(".root.workspaced-"))[0] as string;

describe("a large file", () => {
  it("apply renames a large file without content on the wire, and answers other requests meanwhile", async () => {
    await using daemon = await TestDaemon.start();
    using client = await daemon.connect();
    await push(client);
    const entries = [large("b", { version: "v.2" }), { path: "d", type: "absent" }];
    const applied = client.ask("apply", { policy: "", entries });
    // In one go there would be none, or the one that came before it.
    expect(await answeredMeanwhile(client, applied)).toBeGreaterThan(10);
    expect((await applied).header.outcomes).toEqual(["ok", "ok"]);
    expect(readdirSync(daemon.root)).toEqual(["b"]);
    const expected = Buffer.alloc(SIZE, Buffer.alloc(SYNC_LIMITS.pieceBytes, "large "));
    expect(Buffer.compare(readFileSync(join(daemon.root, "b")), expected)).toBe(0);
    expect(statSync(join(daemon.root, "b")).mode & 0o777).toBe(0o644);
    expect(readdirSync(join(dirname(daemon.root), staging(daemon)))).toEqual(["clock"]);
  });

  it("apply neither copies nor removes a large file that a command changed meanwhile", async () => {
    await using daemon = await TestDaemon.start();
    using client = await daemon.connect();
    await push(client);
    writeFileSync(join(daemon.root, "d/a"), "mine");
    const entries = [large("b", { version: "v.2" }), { path: "d", type: "absent" }];
    expect((await client.ask("apply", { policy: "", entries })).header.outcomes).toEqual(["need", "dirty"]);
    expect(readFileSync(join(daemon.root, "d/a"), "utf8")).toBe("mine");
    expect(existsSync(join(daemon.root, "b"))).toBe(false);
    expect(readdirSync(join(dirname(daemon.root), staging(daemon)))).toEqual(["clock"]);
  });

  it("scan hashes a large renamed file piece by piece, and answers other requests meanwhile", async () => {
    await using daemon = await TestDaemon.start();
    using client = await daemon.connect();
    await push(client);
    await client.run("mv", "mv d/a moved");
    const scanned = client.ask("scan", { policy: "", maxEntries: 1000, maxBytes: 1e9 });
    expect(await answeredMeanwhile(client, scanned)).toBeGreaterThan(10);
    const { header } = await client.ask("take", { scan: (await scanned).header.scan, from: 0 });
    expect(header.entries).toMatchObject([
      { op: "put", path: "moved", same: { path: "d/a", version: "v.1" } },
      { op: "remove", path: "d/a" },
    ]);
  });
});
