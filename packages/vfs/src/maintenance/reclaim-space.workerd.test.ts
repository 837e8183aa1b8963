/** A commit that must drop history first: it may restore exactly what is dropped. */
import { inObject } from "@workspace/testing/in-object";
import {
  createHistory,
  createSnapshots,
  type FileSystem,
  fsck,
  gc,
  type Limits,
  type VolumeStore,
} from "@workspace/vfs";
import { describe, expect, it } from "vitest";

const KIB = 1024;
const FILE = "/workspace/d/f";

/** Fills the database to its limit, so that the next commit must make room. */
async function fillUp(fs: FileSystem, volume: VolumeStore): Promise<void> {
  for (let i = 0; i < 30; i++) await fs.writeFile("/workspace/other", new Uint8Array(100_000).fill(i));
  // So much that the next commit looks at the size of the database.
  await fs.writeFile("/workspace/last", new Uint8Array(1024 * KIB - 500));
  (volume.limits as { -readonly [K in keyof Limits]: Limits[K] }).databaseBytes = volume.store.db.bytes - 100;
}

async function expectWhole(fs: FileSystem, volume: VolumeStore): Promise<void> {
  const { problems } = await fsck(volume);
  expect(problems).toEqual([]);
  for (const name of await fs.readdir("/workspace/d")) await fs.readFile(`/workspace/d/${name}`);
  await gc(volume, { retention: { entries: 0 } });
  expect((await fsck(volume)).problems).toEqual([]);
}

describe.each([10, 127 * KIB, 1024 * KIB, 1024 * KIB + 1, 3072 * KIB])("a file of %i bytes", (size) => {
  const before = new Uint8Array(size).fill(1);
  const after = new Uint8Array(size).fill(2);

  it("undo of a write", async () => {
    await inObject(async ({ fs, volume }) => {
      await fs.mkdir("/workspace/d");
      await fs.writeFile(FILE, before);
      await fs.writeFile(FILE, after);
      await fillUp(fs, volume);
      // Its content has just been dropped.
      expect((await createHistory(volume).undo({ path: FILE })).changes).toEqual([]);
      expect((await fs.readFile(FILE))[0]).toBe(2);
      await expectWhole(fs, volume);
    });
  });

  it("undo of a removal", async () => {
    await inObject(async ({ fs, volume }) => {
      await fs.mkdir("/workspace/d");
      await fs.writeFile(FILE, before);
      await fs.rm(FILE);
      await fillUp(fs, volume);
      expect((await createHistory(volume).undo({ path: FILE })).changes).toEqual([]);
      await expectWhole(fs, volume);
    });
  });

  it.each([undefined, [FILE]])("restore of a snapshot, paths %j", async (paths) => {
    await inObject(async ({ fs, volume }) => {
      const snapshots = createSnapshots(volume);
      await fs.mkdir("/workspace/d");
      await fs.writeFile(FILE, before);
      const { id } = await snapshots.create("before", { pinned: false });
      await fs.writeFile(FILE, after);
      await fillUp(fs, volume);
      const restored = snapshots.restore(id, paths === undefined ? {} : { paths });
      await expect(restored).rejects.toMatchObject({ code: "ENOENT" });
      expect((await fs.readFile(FILE))[0]).toBe(2);
      await expectWhole(fs, volume);
    });
  });
});

it("a file that loses its other name, in a removed tree, counts one name", async () => {
  await inObject(async ({ fs, volume }) => {
    await fs.mkdir("/workspace/d");
    await fs.mkdir("/workspace/removed");
    await fs.writeFile(FILE, "kept");
    await fs.link(FILE, "/workspace/removed/f");
    await fs.rm("/workspace/removed", { recursive: true });
    await fillUp(fs, volume);
    await fs.appendFile(FILE, " and more");
    expect((await fs.stat(FILE)).nlink).toBe(1);
    expect(await fs.readFile(FILE, "utf8")).toBe("kept and more");
    await expectWhole(fs, volume);
  });
});
