/** Malformed objects, and limits at their edge: an error that names the object, never wrong bytes. */
import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { createNodeFileSystem } from "../../node/node-file-system.ts";
import { type ScratchRepository, scratchRepository } from "../../test/scratch-repository.ts";
import type { GitLimits } from "../limits.ts";
import { MemoryBudget } from "../memory/memory-budget.ts";
import type { Oid } from "../object/oid.ts";
import { decode, encode } from "../text/bytes.ts";
import { openObjectDatabase } from "./open-object-database.ts";
import { verifyPack } from "./verify-pack.ts";

const fs = createNodeFileSystem();
const OID = "1234567890123456789012345678901234567890" as Oid;
const open = ({ path }: ScratchRepository, limits: Partial<GitLimits> = {}) =>
  openObjectDatabase({ fs, gitDir: join(path, ".git"), limits });

function plant({ path }: ScratchRepository, bytes: Uint8Array): void {
  mkdirSync(join(path, ".git/objects/12"), { recursive: true });
  writeFileSync(join(path, ".git/objects/12", OID.slice(2)), bytes);
}

describe("LooseStore", () => {
  it.each([
    ["is shorter than it says", deflateSync("blob 5\0text")],
    ["is longer than it says", deflateSync("blob 3\0text")],
    ["is of no known type", deflateSync("blub 4\0text")],
    ["has a size that begins with a zero", deflateSync("blob 04\0text")],
    ["has no size", deflateSync("blob \0text")],
    ["has a header without an end", deflateSync(`blob 4${" ".repeat(200)}text`)],
    ["is cut", deflateSync("blob 4\0text").subarray(0, -3)],
    ["is cut in its header", deflateSync(`blob 300\0${"random text, ".repeat(30)}`).subarray(0, 3)],
    ["is no stream", Buffer.from("blob 4\0text")],
    ["is empty", Buffer.alloc(0)],
  ])("refuses an object that %s", async (_name, bytes) => {
    using repo = scratchRepository();
    plant(repo, bytes);
    await expect(open(repo).need(OID)).rejects.toMatchObject({
      code: "ECORRUPT",
      message: expect.stringContaining(OID),
    });
  });

  it("streams to the size that an object says, and no further", async () => {
    using repo = scratchRepository();
    const text = "some text ".repeat(1000);
    const read = async (reported: number) => {
      plant(repo, deflateSync(`blob ${reported}\0${text}`));
      let input = "";
      for await (const piece of (await open(repo).stream(OID)) ?? []) input += decode(piece);
      return input;
    };
    expect(await read(text.length)).toBe(text);
    await expect(read(text.length - 1)).rejects.toMatchObject({ code: "ECORRUPT" });
    await expect(read(text.length + 1)).rejects.toMatchObject({ code: "ECORRUPT" });
  });

  it("writes a stream of the size it was said to have, and leaves nothing of any other", async () => {
    using repo = scratchRepository();
    const odb = open(repo, { wholeObject: 2 });
    async function* pieces() {
      yield encode("te");
      yield encode("xt");
    }
    const folder = join(repo.path, ".git/objects");
    for (const size of [3, 5])
      await expect(odb.writeStream(size, pieces())).rejects.toMatchObject({
        code: "EINVAL",
        message: `content is not of the ${size} bytes it was said to have`,
      });
    expect(readdirSync(folder).sort()).toEqual(["info", "pack"]);
    expect(repo.git("cat-file", "blob", await odb.writeStream(4, pieces()))).toBe("text");
  });

  it("holds no object whole that is over the limit", async () => {
    using repo = scratchRepository();
    plant(repo, deflateSync("blob 4\0text"));
    expect(decode((await open(repo, { wholeObject: 4 }).need(OID)).body)).toBe("text");
    await expect(open(repo, { wholeObject: 3 }).need(OID)).rejects.toMatchObject({ code: "ETOOBIG" });
  });
});

const hashOf = (text: string) => createHash("sha1").update(text).digest("hex");

/** Versions of a file, each a delta on the next. */
function chained(
  repo: ScratchRepository,
  flags = ["--delta-base-offset"],
): { oids: Oid[]; pack: string; index: string } {
  const lines = Array.from({ length: 300 }, (_, line) => `line ${line} of the file`);
  for (let i = 0; i < 6; i++) {
    // Neighbours have more in common than others, so the deltas make a chain.
    lines.splice(i * 50, 50, ...Array.from({ length: 50 }, (_, line) => hashOf(`${i} ${line}`)));
    repo.write({ file: lines.join("\n") });
    repo.git("add", ".");
    repo.git("commit", "-qm", `${i}`);
  }
  repo.git("-c", `repack.useDeltaBaseOffset=${flags.length > 0}`, "repack", "-adfq", "--depth=10", "--window=10");
  const folder = join(repo.path, ".git/objects/pack");
  const named = (end: string) => join(folder, readdirSync(folder).find((name) => name.endsWith(end)) as string);
  const oids = Array.from({ length: 6 }, (_, i) => repo.git("rev-parse", `HEAD~${i}:file`).trim() as Oid);
  for (const end of [".pack", ".idx"]) chmodSync(named(end), 0o644);
  return { oids, pack: named(".pack"), index: named(".idx") };
}

describe("PackReader", () => {
  it("follows no longer chain of deltas than the limit, by object, header and stream", async () => {
    using repo = scratchRepository();
    const { oids } = chained(repo);
    const depths = new Map(
      [
        ...repo
          .git("cat-file", "--batch-all-objects", "--batch-check=%(objectname) %(deltabase)")
          .matchAll(/(\w+) (\w+)\n/g),
      ].map(([, oid, base]) => [oid as Oid, base as Oid] as const),
    );
    const depthOf = (oid: Oid): number =>
      /^0+$/.test(depths.get(oid) ?? "0") ? 0 : 1 + depthOf(depths.get(oid) as Oid);
    const deepest = oids.reduce((a, b) => (depthOf(b) > depthOf(a) ? b : a));
    const depth = depthOf(deepest);
    expect(depth).toBeGreaterThan(2);
    await open(repo, { deltaDepth: depth }).need(deepest);
    await open(repo, { deltaDepth: depth }).header(deepest);
    const tooLong = { code: "ECORRUPT", message: expect.stringContaining("delta chain too long") };
    await expect(open(repo, { deltaDepth: depth - 1 }).need(deepest)).rejects.toMatchObject(tooLong);
    await expect(open(repo, { deltaDepth: depth - 1 }).header(deepest)).rejects.toMatchObject(tooLong);
    const streamed = async () => {
      // Too large to be held, so that it is not read whole.
      const odb = open(repo, { deltaDepth: depth - 1, wholeObject: 16 });
      for await (const _ of (await odb.stream(deepest)) ?? []);
    };
    await expect(streamed()).rejects.toMatchObject(tooLong);
  });

  it("holds nothing whole that is over the limit, a delta's result neither", async () => {
    using repo = scratchRepository();
    const { oids } = chained(repo);
    for (const oid of oids) {
      const { size } = (await open(repo).header(oid)) as { size: number };
      await expect(open(repo, { wholeObject: size - 1 }).need(oid)).rejects.toMatchObject({ code: "ETOOBIG" });
    }
  });
});

/** Where the entry of an object begins, and the bytes of the pack to change. */
function entryOf(repo: ScratchRepository, index: string, pack: string, oid: Oid) {
  const line = repo
    .git("verify-pack", "-v", index)
    .split("\n")
    .find((one) => one.startsWith(oid)) as string;
  const bytes = readFileSync(pack);
  const at = Number(line.split(/ +/)[4]);
  let dataAt = at;
  while ((bytes[dataAt++] as number) >= 128);
  return { bytes, at, dataAt, isDelta: line.split(/ +/).length > 5 };
}

describe("an entry of a pack that lies", () => {
  const damaged = async (repack: string[], change: (entry: ReturnType<typeof entryOf>) => void) => {
    using repo = scratchRepository();
    const { oids, ...paths } = chained(repo, repack);
    const oid = oids.find((one) => entryOf(repo, paths.index, paths.pack, one).isDelta) as Oid;
    const entry = entryOf(repo, paths.index, paths.pack, oid);
    change(entry);
    writeFileSync(paths.pack, entry.bytes);
    return await open(repo)
      .need(oid)
      .then(String, (error: { code: string; message: string }) => `${error.code} ${error.message}`);
  };

  it("about its size is refused", async () => {
    for (const more of [1, 15])
      expect(
        await damaged([], ({ bytes, at }) => {
          const first = bytes[at] as number;
          bytes[at] = (first & 0xf0) | (((first & 15) + more) & 15);
        }),
      ).toMatch(/^ECORRUPT .*incorrect length/);
  });

  it("about where its base is is refused", async () => {
    const beyond = await damaged(["--delta-base-offset"], ({ bytes, dataAt }) => {
      for (let at = dataAt; (bytes[at] as number) >= 128; at++) bytes[at] = 0xff;
      bytes[dataAt] = (bytes[dataAt] as number) | 0x7f;
    });
    expect(beyond).toMatch(/^ECORRUPT .*delta base offset out of bound/);
  });

  it("about which its base is is refused", async () => {
    const missing = await damaged([], ({ bytes, dataAt }) => bytes.fill(0xab, dataAt, dataAt + 20));
    expect(missing).toMatch(/^ECORRUPT .*delta base (ab){20} is missing/);
  });

  it("beyond the end of the pack is refused", async () => {
    using repo = scratchRepository();
    const { oids, index } = chained(repo);
    const bytes = readFileSync(index);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const count = view.getUint32(8 + 1020);
    for (let i = 0; i < count; i++) view.setUint32(8 + 1024 + 24 * count + 4 * i, 0x7fffff00 + i);
    writeFileSync(index, bytes);
    await expect(open(repo).need(oids[0] as Oid)).rejects.toMatchObject({
      code: "ECORRUPT",
      message: expect.stringContaining("is beyond the pack"),
    });
  });
});

describe("verifyPack", () => {
  const verified = async (index: string) => {
    const oids: Oid[] = [];
    for await (const { oid } of verifyPack(fs, index, new MemoryBudget(1 << 24))) oids.push(oid);
    return oids;
  };

  it("takes a whole pack, and none that was changed or is indexed under other names", async () => {
    using repo = scratchRepository();
    const { pack, index } = chained(repo);
    expect((await verified(index)).length).toBe(18);
    const [wholePack, wholeIndex] = [readFileSync(pack), readFileSync(index)];
    const changed = Buffer.from(wholePack);
    changed[changed.length - 25] = (changed[changed.length - 25] as number) ^ 1;
    writeFileSync(pack, changed);
    await expect(verified(index)).rejects.toMatchObject({ message: expect.stringContaining("SHA1 checksum mismatch") });
    writeFileSync(pack, wholePack);
    const renamed = Buffer.from(wholeIndex);
    // The last byte of the first name: the order of the names stays.
    const at = 8 + 1024 + 19;
    renamed[at] = (renamed[at] as number) ^ 1;
    writeFileSync(index, renamed);
    await expect(verified(index)).rejects.toMatchObject({
      message: expect.stringMatching(/packed \w+ from .* is corrupt/),
    });
  });
});

describe("GitObjectDatabase", () => {
  it("reads another copy of an object that is damaged in its pack, and says what is wrong where there is none", async () => {
    using repo = scratchRepository();
    const git = (...argv: string[]) => repo.git(...argv);
    writeFileSync(join(repo.path, "a"), "content\n");
    git("add", "a");
    git("commit", "-q", "-m", "one");
    const oids = ["HEAD", "HEAD^{tree}", "HEAD:a"].map((name) => git("rev-parse", name).trim() as Oid);
    const objects = join(repo.path, ".git/objects");
    const loose = oids.map((oid) => readFileSync(join(objects, oid.slice(0, 2), oid.slice(2))));
    git("repack", "-a", "-d", "-q");
    const name = readdirSync(join(objects, "pack")).find((file) => file.endsWith(".pack")) as string;
    const pack = readFileSync(join(objects, "pack", name));
    chmodSync(join(objects, "pack", name), 0o644);
    writeFileSync(join(objects, "pack", name), pack.fill(0xff, 13, pack.length - 20));
    for (const oid of oids) await expect(open(repo).need(oid)).rejects.toMatchObject({ code: "ECORRUPT" });
    for (const [i, oid] of oids.entries()) {
      mkdirSync(join(objects, oid.slice(0, 2)), { recursive: true });
      writeFileSync(join(objects, oid.slice(0, 2), oid.slice(2)), loose[i] as Uint8Array);
    }
    const odb = open(repo);
    for (const oid of oids) expect(await odb.header(oid)).toMatchObject({ size: expect.any(Number) });
    expect(decode((await odb.need(oids[2] as Oid, "blob")).body)).toBe("content\n");
    const found: string[] = [];
    for await (const { oid, object } of odb.readMany(oids)) if (object !== null) found.push(oid);
    expect(found.sort()).toEqual([...oids].sort());
  });
});
