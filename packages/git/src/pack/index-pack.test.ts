/** Indexing packs compared with `git index-pack`: the same index byte for byte, and no files left behind by an invalid pack. */
import { execFileSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createNodeFileSystem } from "../../node/node-file-system.ts";
import { GitError } from "../errors.ts";
import { MemoryBudget } from "../memory/memory-budget.ts";
import { openObjectDatabase } from "../odb/open-object-database.ts";
import { type IndexPackOptions, indexPack } from "./index-pack.ts";

const root = mkdtempSync(join(tmpdir(), "index-pack-"));
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
const git = (args: string[], input?: string | Uint8Array) =>
  execFileSync("git", args, { cwd: root, env: environment, input, maxBuffer: 1 << 28, stdio: "pipe" });
const text = (...args: string[]) => git(args).toString().trim();

async function* inPieces(bytes: Uint8Array, step: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += step) yield bytes.subarray(at, at + step);
}

async function take(pack: Uint8Array, options: IndexPackOptions & { memory?: MemoryBudget; step?: number } = {}) {
  const directory = mkdtempSync(join(root, "out-"));
  const { memory = new MemoryBudget(48 << 20), step = 1000 } = options;
  try {
    const indexed = await indexPack({ fs, directory, memory }, inPieces(pack, step), options);
    return { ...indexed, index: readFileSync(indexed.index), pack: readFileSync(indexed.pack), memory };
  } finally {
    expect(memory.live).toBe(0);
    expect(readdirSync(directory).filter((name) => name.startsWith("tmp_"))).toEqual([]);
  }
}

async function refused(pack: Uint8Array): Promise<string> {
  const error = await take(pack).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(GitError);
  return (error as GitError).message;
}

/** What `git index-pack` makes of the same pack. */
function gitIndex(pack: Uint8Array): Uint8Array {
  const directory = mkdtempSync(join(root, "git-"));
  writeFileSync(join(directory, "x.pack"), pack);
  git(["index-pack", join(directory, "x.pack")]);
  return readFileSync(join(directory, "x.idx"));
}

function packAll(...flags: string[]): Uint8Array {
  return git(["pack-objects", "--all", "--stdout", "-q", ...flags], "");
}

/** A pack of hand-made entries, its checksum right. */
function handMade(...entries: readonly Uint8Array[]): Uint8Array {
  const head = Buffer.alloc(12);
  head.write("PACK");
  head.writeUInt32BE(2, 4);
  head.writeUInt32BE(entries.length, 8);
  return sealed(Buffer.concat([head, ...entries]));
}

const sealed = (bytes: Uint8Array) => Buffer.concat([bytes, createHash("sha1").update(bytes).digest()]);
const entry = (type: number, stated: number, body: Uint8Array, before: Uint8Array = Buffer.alloc(0)) =>
  Buffer.concat([Buffer.from([(type << 4) | stated]), before, deflateSync(body)]);

beforeAll(() => {
  git(["init", "-q", "-b", "main"]);
  for (let i = 0; i < 40; i++) {
    const lines = Array.from({ length: 300 }, (_, line) => `line ${line % 40 === i ? `changed ${i}` : line * 7919}`);
    writeFileSync(join(root, "file.txt"), lines.join("\n"));
    writeFileSync(join(root, "noise.bin"), randomBytes(3000 + i));
    git(["add", "file.txt", "noise.bin"]);
    git(["commit", "-q", "-m", `commit ${i}`]);
  }
});
afterAll(() => rmSync(root, { recursive: true }));

describe("indexPack", () => {
  it.each([1, 7, 1000, 1 << 20])("makes git's index of a pack that comes %i bytes at a time", async (step) => {
    const pack = packAll("--delta-base-offset");
    const taken = await take(pack, { step });
    expect(taken.objects).toBe(160);
    expect(Buffer.compare(taken.pack, pack)).toBe(0);
    expect(Buffer.compare(taken.index, gitIndex(pack))).toBe(0);
  });

  it("takes deltas that name their base, and no deltas at all", async () => {
    const byName = packAll("--no-reuse-delta", "--window=20");
    expect(Buffer.compare((await take(byName)).index, gitIndex(byName))).toBe(0);
    const whole = packAll("--window=0");
    expect(Buffer.compare((await take(whole)).index, gitIndex(whole))).toBe(0);
  });

  it("completes a thin pack with the bases it lacks", async () => {
    const thin = git(["pack-objects", "--thin", "--revs", "--stdout", "-q", "--delta-base-offset"], "HEAD\n^HEAD~5\n");
    expect(await refused(thin)).toMatch(/^pack has \d+ unresolved deltas?$/);
    const odb = openObjectDatabase({ fs, gitDir: join(root, ".git") });
    const taken = await take(thin, { base: (oid) => odb.read(oid) });
    expect(taken.objects).toBeGreaterThan(new DataView(thin.buffer, thin.byteOffset).getUint32(8));
    expect(Buffer.compare(taken.index, gitIndex(taken.pack))).toBe(0);
  });

  it("names what is too large to hold, deltas on it too, within its memory", async () => {
    const content = randomBytes(900_000);
    const blobs = [0, 1, 2, 3].map((i) => {
      content.set(Buffer.from(`changed ${i}`), i * 200_000);
      return git(["hash-object", "-w", "--stdin"], content).toString();
    });
    const flags = ["pack-objects", "--stdout", "-q", "--window=10", "--delta-base-offset"];
    const pack = git(flags, blobs.join(""));
    expect(pack.length).toBeLessThan(1_900_000);
    const memory = new MemoryBudget(8 << 20);
    const taken = await take(pack, { memory, step: 65536 });
    expect(Buffer.compare(taken.index, gitIndex(pack))).toBe(0);
    expect(memory.peak).toBeLessThan(8 << 20);
  });

  it("refuses what is no pack, cut, or changed", async () => {
    const pack = packAll("--delta-base-offset");
    expect(await refused(Buffer.from("not a pack, is it"))).toBe("pack signature mismatch");
    expect(await refused(pack.subarray(0, 5))).toBe("early EOF");
    expect(await refused(pack.subarray(0, pack.length / 2))).toBe("early EOF");
    expect(await refused(pack.subarray(0, pack.length - 1))).toBe("early EOF");
    expect(await refused(Buffer.concat([pack, Buffer.from("x")]))).toBe("pack has junk at the end");
    const changed = Buffer.from(pack);
    changed[pack.length - 1] = (changed[pack.length - 1] as number) ^ 1;
    expect(await refused(changed)).toBe("pack is corrupted (SHA1 mismatch)");
    await expect(take(pack, { maxObjects: 100 })).rejects.toThrow("pack has 160 objects, and there is memory for 100");
    const version = Buffer.from(pack);
    version[7] = 9;
    expect(await refused(version)).toBe("pack version 9 unsupported");
  });

  it("refuses entries that lie", async () => {
    const blob = Buffer.from("hello");
    expect(await refused(handMade(entry(3, 9, blob)))).toMatch(/bad object at offset 12: .*smaller/);
    expect(await refused(handMade(entry(3, 2, blob)))).toMatch(/bad object at offset 12: .*larger/);
    expect(await refused(handMade(entry(5, 5, blob)))).toMatch(/bad object at offset 12: unknown object type 5/);
    expect(await refused(handMade(entry(3, 5, blob), entry(3, 5, blob)))).toMatch(/appears twice in the pack/);
    expect(await refused(handMade(entry(6, 5, blob, Buffer.from([99]))))).toMatch(/base offset is out of bound/);
    // A delta of five bytes on a base of five that says its base has six.
    const delta = Buffer.from([6, 5, 0x90, 5]);
    const lie = handMade(entry(3, 5, blob), entry(6, delta.length, delta, Buffer.from([entry(3, 5, blob).length])));
    expect(await refused(lie)).toMatch(/bad object at offset \d+: delta does not fit its base/);
  });

  it("refuses deltas that go round in a circle", async () => {
    const delta = Buffer.from([5, 5, 0x90, 5]);
    const [a, b] = [Buffer.alloc(20, 0xaa), Buffer.alloc(20, 0xbb)];
    expect(await refused(handMade(entry(7, 4, delta, a), entry(7, 4, delta, b)))).toBe("pack has 2 unresolved deltas");
  });

  it("answers a broken pack with an error, never with a crash", async () => {
    const pack = packAll("--delta-base-offset");
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 3 }), async (changes) => {
        const broken = Buffer.from(pack.subarray(0, pack.length - 20));
        for (const [at, byte] of changes) broken[12 + (at % (broken.length - 12))] = byte;
        await take(sealed(broken), { step: 4096 }).catch((error: unknown) => expect(error).toBeInstanceOf(GitError));
      }),
      { numRuns: 150 },
    );
  });

  it("counts what arrives", async () => {
    const pack = packAll("--delta-base-offset");
    const seen: number[] = [];
    let last = { objects: 0, received: 0, deltas: 0, resolved: -1, bytes: 0 };
    await take(pack, {
      progress: (progress) => {
        seen.push(progress.received);
        last = progress;
      },
    });
    expect(last).toMatchObject({ objects: 160, received: 160, bytes: pack.length });
    expect(last.resolved).toBe(last.deltas);
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
    expect(text("rev-list", "--all", "--count")).toBe("40");
  });
});
