/** Detached contents: `writeMany` gives them names, and unclaimed ones are freed, by their owner or after a crash. */
import { type Inside, inObject } from "@workspace/testing/in-object";
import { describe, expect, it } from "vitest";
import { createFileSystem, type DetachedContents, fsck, gc } from "../index.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

function count({ storage }: Inside, table: string): number {
  return storage.sql.exec(`SELECT count(*) AS n FROM ${table}`).one().n as number;
}

/** As a writer has them: with the file system of the same volume. */
async function staged({ volume }: Inside, texts: readonly string[]) {
  const fs = createFileSystem(volume);
  const contents = await fs.stage(texts.map(bytes));
  const file = (name: string, index: number) => ({
    ...{ path: `/workspace/${name}`, type: "staged" as const },
    ...{ contents, index },
  });
  return { fs, contents, file };
}

describe("stage", () => {
  it("gives contents to files in one writeMany, shared where two name the same one", async () => {
    await inObject(async (inside) => {
      const { fs, file } = await staged(inside, ["one", "two"]);
      expect(count(inside, "ws_spool")).toBe(1);
      await fs.writeMany([{ ...file("a", 0), mode: 0o755 }, file("d/b", 1), file("d/c", 1)]);
      expect(await fs.readFile("/workspace/a", "utf8")).toBe("one");
      expect((await fs.stat("/workspace/a")).mode & 0o777).toBe(0o755);
      expect(await fs.readFile("/workspace/d/b", "utf8")).toBe("two");
      await fs.rm("/workspace/d/b");
      await gc(inside.volume, { retention: { entries: 0 } });
      expect(await fs.readFile("/workspace/d/c", "utf8")).toBe("two");
      expect([count(inside, "ws_spool"), count(inside, "ws_content")]).toEqual([0, 2]);
      expect((await fsck(inside.volume)).problems).toEqual([]);
    });
  });

  it("keeps what is left for later, and frees it when it is disposed of", async () => {
    await inObject(async (inside) => {
      const { fs, contents, file } = await staged(inside, ["0", "1", "2", "3", "4"]);
      await fs.writeMany([file("two", 2)]);
      expect((contents as DetachedContents).spans).toHaveLength(2);
      await gc(inside.volume);
      await fs.writeMany([file("three", 3), file("zero", 0)]);
      await expect(fs.writeMany([file("again", 2)])).rejects.toMatchObject({ code: "EINVAL" });
      contents[Symbol.dispose]();
      await expect(fs.writeMany([file("late", 4)])).rejects.toMatchObject({ code: "EINVAL" });
      expect([count(inside, "ws_spool"), count(inside, "ws_content")]).toEqual([0, 3]);
      expect(await fs.readFile("/workspace/three", "utf8")).toBe("3");
      expect((await fsck(inside.volume)).problems).toEqual([]);
    });
  });

  it("changes nothing when the writeMany fails", async () => {
    await inObject(async (inside) => {
      const { fs, file } = await staged(inside, ["one", "two"]);
      await fs.mkdir("/workspace/directory");
      await expect(fs.writeMany([file("a", 0), file("directory", 1)])).rejects.toMatchObject({ code: "EISDIR" });
      expect(await fs.exists("/workspace/a")).toBe(false);
      await fs.writeMany([file("a", 0), file("b", 1)]);
      expect(await fs.readFile("/workspace/b", "utf8")).toBe("two");
      expect((await fsck(inside.volume)).problems).toEqual([]);
    });
  });

  it("refuses what is no row", async () => {
    await inObject(
      async (inside) => {
        const fs = createFileSystem(inside.volume);
        await fs.mkdir("/workspace/d");
        await expect(fs.stage([bytes("x"), new Uint8Array(0)])).rejects.toMatchObject({ code: "EFBIG" });
        await expect(fs.stage([new Uint8Array(fs.detachedBytes() + 1)])).rejects.toMatchObject({ code: "EFBIG" });
        expect([count(inside, "ws_spool"), count(inside, "ws_content")]).toEqual([0, 0]);
      },
      { limits: { rowBytes: 1000 } },
    );
  });

  it("is records of at most as many rows as the collector frees in a step", async () => {
    await inObject(
      async (inside) => {
        const { contents } = await staged(inside, ["0", "1", "2", "3", "4"]);
        expect(contents.spans.map(({ first, last }) => last - first + 1)).toEqual([2, 2, 1]);
        expect(count(inside, "ws_spool")).toBe(3);
      },
      { limits: { gcStepRows: 2 } },
    );
  });

  it("leaves what a crash left to the collector, and the files that had taken theirs", async () => {
    const name = "staged and left";
    await inObject(
      async (inside) => {
        const { fs, file } = await staged(inside, ["0", "1", "2", "3"]);
        await fs.writeMany([file("kept", 1)]);
      },
      {},
      name,
    );
    const { evictDurableObject } = await import("cloudflare:test");
    const { env } = await import("cloudflare:workers");
    await evictDurableObject(env.BARE.getByName(name));
    await inObject(
      async (inside) => {
        expect(count(inside, "ws_content")).toBe(4);
        expect((await fsck(inside.volume)).problems).toEqual([]);
        // Numbers of rows that are still recorded are not given out again.
        await inside.fs.writeFile("/workspace/new", "new");
        await gc(inside.volume);
        expect([count(inside, "ws_spool"), count(inside, "ws_content")]).toEqual([0, 2]);
        expect(await inside.fs.readFile("/workspace/kept", "utf8")).toBe("1");
        expect(await inside.fs.readFile("/workspace/new", "utf8")).toBe("new");
        expect((await fsck(inside.volume)).problems).toEqual([]);
      },
      {},
      name,
    );
  });

  it("says so when a rollback took the contents, or the files back", async () => {
    await inObject(async (inside) => {
      const { storage, volume } = inside;
      let lost: Awaited<ReturnType<typeof staged>> | undefined;
      await storage
        .transaction(async () => {
          lost = await staged(inside, ["lost"]);
          throw new Error("back");
        })
        .catch(() => {});
      await expect(lost?.fs.writeMany([lost.file("a", 0)])).rejects.toMatchObject({ code: "EIO" });
      lost?.contents[Symbol.dispose]();
      const { fs, file, contents } = await staged(inside, ["one", "two"]);
      await storage
        .transaction(async () => {
          await fs.writeMany([file("a", 0)]);
          throw new Error("back");
        })
        .catch(() => {});
      expect(await fs.exists("/workspace/a")).toBe(false);
      await expect(fs.writeMany([file("b", 1)])).rejects.toMatchObject({ code: "EIO" });
      contents[Symbol.dispose]();
      await gc(volume);
      expect([count(inside, "ws_spool"), count(inside, "ws_content")]).toEqual([0, 0]);
      expect((await fsck(volume)).problems).toEqual([]);
    });
  });
});
