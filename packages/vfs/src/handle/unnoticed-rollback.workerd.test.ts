/** A handle whose file changed in a transaction that was rolled back by a function taken before the workspace was created. */
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { createFileSystem, type FileHandle, type FileSystem, fsck, openVolume, type VolumeStore } from "@workspace/vfs";
import { describe, expect, it } from "vitest";

const FILE = "/workspace/f";
const KIB = 1024;

interface Inside {
  fs: FileSystem;
  volume: VolumeStore;
  handle: FileHandle;
  /** What a file system does without an await in between, in a transaction that is rolled back unnoticed. */
  rollBack(...calls: (() => Promise<unknown>)[]): Promise<void>;
}

let created = 0;

function withFile(content: Uint8Array, body: (inside: Inside) => Promise<void>): Promise<void> {
  return runInDurableObject(env.BARE.getByName(`unnoticed rollback ${created++}`), async (_object, { storage }) => {
    const transactionSync = storage.transactionSync.bind(storage);
    const volume = openVolume(storage);
    const fs = createFileSystem(volume);
    await fs.writeFile(FILE, content);
    const handle = await fs.open(FILE, "r+");
    const rollBack = async (...calls: (() => Promise<unknown>)[]) => {
      const begun: Promise<unknown>[] = [];
      const roll = () =>
        transactionSync(() => {
          begun.push(...calls.map((call) => call()));
          throw new Error("rolled back");
        });
      expect(roll).toThrow("rolled back");
      await Promise.all(begun);
    };
    await body({ fs, volume, handle, rollBack });
    expect((await fsck(volume)).problems).toEqual([]);
  });
}

describe.each([10, 127 * KIB, 129 * KIB, 1024 * KIB, 1024 * KIB + 1])("a file of %i bytes", (size) => {
  const content = new Uint8Array(size).fill(1);
  const change = ({ fs }: Inside) => [
    () => fs.appendFile(FILE, new Uint8Array(200).fill(2)),
    () => fs.writeFile("/workspace/other", "other"),
  ];

  it("is written from what the database holds", async () => {
    await withFile(content, async (inside) => {
      const { fs, handle } = inside;
      await inside.rollBack(...change(inside));
      await handle.write(new Uint8Array([3]), 0, 1, 5);
      await handle.close();
      expect((await fs.readFile(FILE)).join()).toBe(content.with(5, 3).join());
    });
  });

  it("gets its mode on top of what the database holds", async () => {
    await withFile(content, async (inside) => {
      const { fs, handle } = inside;
      await inside.rollBack(...change(inside));
      await handle.chmod(0o600);
      await handle.close();
      expect((await fs.readFile(FILE)).join()).toBe(content.join());
      expect((await fs.stat(FILE)).mode & 0o777).toBe(0o600);
    });
  });

  it.each<[string, (inside: Inside) => Promise<Uint8Array | null | undefined>]>([
    ["readFile", ({ fs }) => fs.readFile(FILE)],
    ["read", async ({ fs }) => (await fs.read(FILE)).content],
    ["readRange", ({ fs }) => fs.readRange(FILE, 0, size)],
    ["readMany", async ({ fs }) => (await fs.readMany([FILE, "/workspace/missing"]))[0]],
    ["readStream", async ({ fs }) => new Response(await fs.readStream(FILE)).bytes()],
    ["FileHandle.readFile", ({ handle }) => handle.readFile()],
  ])("is read by %s as the database holds it, where memory names a content that is gone", async (_verb, read) => {
    await withFile(content, async (inside) => {
      const { fs, handle } = inside;
      await inside.rollBack(() => fs.writeFile(FILE, new Uint8Array(2048 * KIB).fill(2)));
      const bytes = await read(inside).catch((error: Error) => error.message);
      expect(typeof bytes === "string" ? bytes : bytes?.join()).toBe(content.join());
      await handle.close();
    });
  });

  it("is read as the database holds it, where memory names a content that is gone", async () => {
    await withFile(content, async (inside) => {
      const { fs, handle } = inside;
      await inside.rollBack(() => fs.writeFile(FILE, new Uint8Array(2048 * KIB).fill(2)));
      expect((await handle.read(new Uint8Array(8), 0, 8, 0)).buffer.join()).toBe("1,1,1,1,1,1,1,1");
      await handle.close();
    });
  });
});

it.each([1024 * KIB + 1, 9 * 1024 * KIB])("spooled rows of %i bytes that are gone fail the commit", async (size) => {
  await withFile(new Uint8Array(10).fill(1), async ({ fs, handle, rollBack }) => {
    await rollBack(() => handle.write(new Uint8Array(size).fill(2), 0, size, 0));
    await expect(handle.close()).rejects.toMatchObject({ code: "EIO" });
    expect((await fs.readFile(FILE)).join()).toBe("1,1,1,1,1,1,1,1,1,1");
  });
});
