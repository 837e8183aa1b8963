/** Written packs and received packs, both verified by git itself. */
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createNodeFileSystem } from "../../node/node-file-system.ts";
import type { Oid } from "../object/oid.ts";
import { ingestPack } from "./ingest-pack.ts";
import { openObjectDatabase } from "./open-object-database.ts";
import { writePack } from "./write-pack.ts";

const root = mkdtempSync(join(tmpdir(), "write-pack-"));
const fs = createNodeFileSystem();
const environment = {
  PATH: process.env.PATH,
  HOME: root,
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "A U Thor",
  GIT_AUTHOR_EMAIL: "author@example.com",
  GIT_COMMITTER_NAME: "C O Mitter",
  GIT_COMMITTER_EMAIL: "committer@example.com",
};
const git = (args: string[], input?: string | Uint8Array, cwd = root) =>
  execFileSync("git", args, { cwd, env: environment, input, maxBuffer: 1 << 28, stdio: "pipe" });
const text = (...args: string[]) => git(args).toString().trim();
const open = (directory = join(root, ".git"), limits = {}) => openObjectDatabase({ fs, gitDir: directory, limits });
const all = () => text("rev-list", "--objects", "--all", "--no-object-names").split("\n") as Oid[];
let repositories = 0;
function emptyRepository(): string {
  const directory = join(root, `empty-${repositories++}.git`);
  git(["init", "-q", "--bare", directory]);
  return directory;
}

async function gather(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const piece of pieces) parts.push(piece);
  return Buffer.concat(parts);
}

async function* pieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 5000) yield bytes.subarray(at, at + 5000);
}

/** git indexes it, and has every object afterwards. */
function proved(pack: Uint8Array, oids: readonly Oid[]): string {
  const directory = emptyRepository();
  git(["index-pack", "--stdin", "--strict"], pack, directory);
  const listed = git(["cat-file", "--batch-all-objects", "--batch-check=%(objectname)"], "", directory).toString();
  expect(listed.trim().split("\n")).toEqual([...oids].sort());
  return git(["verify-pack", "-v", ...packsOf(directory)], "", directory).toString();
}

const packsOf = (directory: string) =>
  readdirSync(join(directory, "objects/pack"))
    .filter((name) => name.endsWith(".pack"))
    .map((name) => join(directory, "objects/pack", name));

beforeAll(() => {
  git(["init", "-q", "-b", "main"]);
  for (let i = 0; i < 30; i++) {
    const lines = Array.from({ length: 300 }, (_, line) => `line ${line % 40 === i ? `changed ${i}` : line * 7919}`);
    writeFileSync(join(root, "file.txt"), lines.join("\n"));
    writeFileSync(join(root, `small${i}`), `${i}`);
    git(["add", "file.txt", `small${i}`]);
    git(["commit", "-q", "-m", `commit ${i}`]);
  }
});
afterAll(() => rmSync(root, { recursive: true }));

describe("writePack", () => {
  it("packs loose objects, with deltas where they pay", async () => {
    const oids = all();
    const pack = await gather(writePack(open(), oids));
    expect(proved(pack, oids)).toMatch(/chain length = 2: /);
    const whole = await gather(writePack(open(), oids, { delta: false }));
    expect(proved(whole, oids)).not.toMatch(/chain length/);
    expect(pack.length).toBeLessThan(whole.length / 2);
  });

  it("copies what lies in packs, and what is a delta on something left out it writes whole", async () => {
    git(["repack", "-adfq", "--depth=20"]);
    const oids = all();
    const copied = await gather(writePack(open(), oids));
    expect(proved(copied, oids)).toMatch(/chain length = \d/);
    const half = oids.filter((_, i) => i % 2 === 0);
    const directory = emptyRepository();
    git(["index-pack", "--stdin"], await gather(writePack(open(), half)), directory);
  });

  it("streams what is too large to hold", async () => {
    const content = randomBytes(300_000);
    const first = git(["hash-object", "-w", "--stdin"], content).toString().trim() as Oid;
    content.set(Buffer.from("changed"), 100_000);
    const second = git(["hash-object", "-w", "--stdin"], content).toString().trim() as Oid;
    const limits = { wholeObject: 64 * 1024 };
    proved(await gather(writePack(open(undefined, limits), [first, second])), [first, second]);
    const odb = open(undefined, limits);
    await expect(odb.read(second)).rejects.toThrow("over the limit");
    expect(Buffer.compare(await gather(await odb.stream(second)), content)).toBe(0);
    // The same as deltas in a pack, one on the other.
    const directory = emptyRepository();
    const packed = git(["pack-objects", "--stdout", "-q", "--delta-base-offset"], `${first}\n${second}\n`);
    expect(packed.length).toBeLessThan(400_000);
    git(["index-pack", "--stdin"], packed, directory);
    const other = open(directory, limits);
    expect(Buffer.compare(await gather(await other.stream(second)), content)).toBe(0);
    proved(await gather(writePack(other, [second])), [second]);
  });

  it("refuses what is not there", async () => {
    await expect(gather(writePack(open(), ["1".repeat(40) as Oid]))).rejects.toThrow("unable to read 1111");
  });
});

describe("ingestPack", () => {
  it("keeps a large pack, and the database knows its objects at once", async () => {
    const directory = emptyRepository();
    const odb = open(directory);
    const oids = all();
    expect(await odb.missing(oids)).toHaveLength(oids.length);
    const received = await ingestPack(odb, writePack(open(), oids));
    expect(received).toEqual({ objects: oids.length, checksum: expect.stringMatching(/^[0-9a-f]{40}$/) });
    expect(await odb.missing(oids)).toEqual([]);
    expect(packsOf(directory)).toHaveLength(1);
    git(["fsck", "--strict"], "", directory);
  });

  it("unpacks a small one, thin too", async () => {
    const directory = emptyRepository();
    const odb = open(directory);
    const before = text("rev-list", "--objects", "--no-object-names", "HEAD~3").split("\n") as Oid[];
    await ingestPack(odb, writePack(open(), before), { unpackLimit: 0 });
    expect(packsOf(directory)).toHaveLength(1);
    const thin = git(["pack-objects", "--thin", "--revs", "--stdout", "-q", "--delta-base-offset"], "HEAD\n^HEAD~3\n");
    const fresh = text("rev-list", "--objects", "--no-object-names", "HEAD", "^HEAD~3").split("\n") as Oid[];
    expect(await ingestPack(odb, pieces(thin))).toEqual({ objects: fresh.length, checksum: null });
    expect(await odb.missing(fresh)).toEqual([]);
    expect(packsOf(directory)).toHaveLength(1);
    const counted = git(["count-objects", "-v"], "", directory).toString();
    expect(counted).toContain(`count: ${fresh.length}\n`);
    expect(counted).toContain("garbage: 0\n");
    git(["update-ref", "refs/heads/main", text("rev-parse", "HEAD")], "", directory);
    git(["fsck", "--strict"], "", directory);
  });

  it("leaves nothing behind of a pack that is cut", async () => {
    const directory = emptyRepository();
    const pack = await gather(writePack(open(), all()));
    await expect(ingestPack(open(directory), pieces(pack.subarray(0, -30)))).rejects.toThrow("early EOF");
    await expect(ingestPack(open(directory), pieces(pack.subarray(0, 4)))).rejects.toThrow("early EOF");
    expect(readdirSync(join(directory, "objects/pack"))).toEqual([]);
  });
});
