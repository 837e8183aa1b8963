/** In-memory state that a host transaction created and that is not in the database: a rollback undoes it as well. */

import { type Inside, inObject } from "@workspace/testing/in-object";
import { ENDINGS, ROLLBACKS } from "@workspace/testing/rollbacks";
import { describe, expect, it } from "vitest";
import { createFileSystem, createHistory, createReadOnlyFileSystem, fsck, gc, pastView } from "../index.ts";

const PATH = "/workspace/f";
const OTHER = "/workspace/other";
const MIB = 1024 * 1024;

async function expectSound({ volume, storage }: Inside): Promise<void> {
  expect((await fsck(volume)).problems).toEqual([]);
  await gc(volume);
  expect(storage.sql.exec("SELECT count(*) AS n FROM ws_spool").one().n).toBe(0);
  expect((await fsck(volume)).problems).toEqual([]);
}

describe.each(Object.entries(ROLLBACKS))("after a transaction that %s", (_, rollBack) => {
  it("close does not write what was synced to the file while it was removed", () =>
    inObject(async (inside) => {
      const { fs } = inside;
      await fs.writeFile(PATH, "0123456789");
      const file = await fs.open(PATH, "r+");
      const second = await fs.open(PATH, "r");
      await rollBack(inside, async () => {
        await fs.unlink(PATH);
        await file.write("AA");
        await file.chmod(0o700);
        await file.sync();
        expect(await second.readFile("utf8")).toBe("AA23456789");
      });
      expect((await second.read(new Uint8Array(2), 0, 2, 0)).buffer).toEqual(new TextEncoder().encode("01"));
      expect((await file.stat()).mode & 0o777).toBe(0o644);
      await file.close();
      await second.close();
      expect(await fs.readFile(PATH, "utf8")).toBe("0123456789");
      expect((await fs.stat(PATH)).mode & 0o777).toBe(0o644);
      await expectSound(inside);
    }));

  it.each([10, 3 * MIB])("a removed file of %i bytes holds what was synced to it before", (size) =>
    inObject(async (inside) => {
      const { fs } = inside;
      await fs.writeFile(PATH, "");
      const file = await fs.open(PATH, "r+");
      await fs.unlink(PATH);
      await file.write(new Uint8Array(size).fill(1), 0, size, 0);
      await file.sync();
      // Written before the transaction, synced in it.
      await file.write(new Uint8Array(size).fill(2), 0, size, size);
      await rollBack(inside, async () => {
        await file.sync();
        await file.truncate(1);
        await file.utimes(7, 7);
        await file.sync();
      });
      const bytes = new Uint8Array(3 * size);
      expect((await file.read(bytes, 0, bytes.length, 0)).bytesRead).toBe(size);
      expect(bytes.subarray(0, size).every((byte) => byte === 1)).toBe(true);
      expect((await file.stat()).mtimeMs).not.toBe(7000);
      await file.close();
      await expectSound(inside);
    }),
  );

  it("nothing is left of a removed file whose last handle was closed in it", () =>
    inObject(async (inside) => {
      const { fs } = inside;
      await fs.writeFile(PATH, "");
      const file = await fs.open(PATH, "r+");
      await fs.unlink(PATH);
      await file.write(new Uint8Array(3 * MIB));
      await file.sync();
      await rollBack(inside, async () => {
        await file.write("more");
        await file.sync();
        await file.close();
      });
      await expectSound(inside);
    }));

  it("a removed file still has its edits when an undo had brought it back in between", () =>
    inObject(async (inside) => {
      const { fs, volume } = inside;
      const size = 3 * MIB;
      await fs.writeFile(PATH, "0123456789");
      const file = await fs.open(PATH, "r+");
      await createFileSystem(volume, { callId: "removal" }).unlink(PATH);
      await file.write(new Uint8Array(size).fill(1), 0, size, 0);
      await file.sync();
      const written = (await file.stat()).mtimeMs;
      await rollBack(inside, async () => {
        await createHistory(volume).undo({ callId: "removal" });
        await file.sync();
        expect((await fs.stat(PATH)).size).toBe(size);
      });
      const bytes = new Uint8Array(size);
      expect((await file.read(bytes, 0, size, 0)).bytesRead).toBe(size);
      expect(bytes.every((byte) => byte === 1)).toBe(true);
      expect((await file.stat()).mtimeMs).toBe(written);
      await createHistory(volume).undo({ callId: "removal" });
      await file.close();
      expect((await fs.stat(PATH)).size).toBe(size);
      await expectSound(inside);
    }));

  it("a handle with ifVersion is held to the version that the file has now", () =>
    inObject(async (inside) => {
      const { fs } = inside;
      await fs.writeFile(PATH, "before");
      const open = async () => fs.open(PATH, "r+", undefined, { ifVersion: (await fs.stat(PATH)).version });
      const [first, second] = [await open(), await open()];
      for (const file of [first, second])
        await rollBack(inside, async () => {
          await file.write("in it", 0);
          await file.sync();
        });
      await first.write("after", 0);
      await first.sync();
      expect(await fs.readFile(PATH, "utf8")).toBe("aftere");
      // The revision that the rolled back commit had is that of another's change now.
      await second.write("lost!", 0);
      await expect(second.close()).rejects.toMatchObject({ code: "ESTALE" });
      await first.close();
      expect(await fs.readFile(PATH, "utf8")).toBe("aftere");
    }));

  it("a handle on a file that is gone does not lead to the file that gets its number", () =>
    inObject(async (inside) => {
      const { fs } = inside;
      await fs.writeFile("/workspace/first", "");
      let opened: Promise<Awaited<ReturnType<typeof fs.open>>> | undefined;
      let ino = 0;
      await rollBack(inside, async () => {
        opened = fs.open(PATH, "w+");
        ino = (await (await opened).stat()).ino;
      });
      await fs.writeFile(OTHER, "other");
      expect((await fs.stat(OTHER)).ino).toBe(ino);
      const file = await opened;
      const later = await fs.open(OTHER, "r+");
      await expect(file?.stat()).rejects.toMatchObject({ code: "EIO" });
      await expect(file?.read(new Uint8Array(5))).rejects.toMatchObject({ code: "EIO" });
      await expect(file?.write("gone")).rejects.toMatchObject({ code: "EIO" });
      await file?.close();
      await later.write("OTHER");
      await later.close();
      expect(await fs.readFile(OTHER, "utf8")).toBe("OTHER");
      await expectSound(inside);
    }));

  it.each([
    ["a small file", 5000],
    ["a large file", 3 * MIB],
  ])("a stream of %s that is gone fails, and gives no bytes of another", (_what, size) =>
    inObject(async (inside) => {
      const { fs } = inside;
      await fs.writeFile(PATH, "before");
      let stream: ReadableStream<Uint8Array> | undefined;
      await rollBack(inside, async () => {
        await fs.writeFile(PATH, new Uint8Array(size).fill(1));
        stream = await fs.readStream(PATH);
      });
      await fs.writeFile(OTHER, new Uint8Array(size).fill(2));
      expect(await outcomeOf(stream)).toBe("EIO");
      expect(await fs.readFile(PATH, "utf8")).toBe("before");
    }),
  );

  it("a stream of an appended part that is gone fails, and gives no other part", () =>
    inObject(async (inside) => {
      const { fs } = inside;
      await fs.writeFile(PATH, "before");
      let stream: ReadableStream<Uint8Array> | undefined;
      await rollBack(inside, async () => {
        await fs.appendFile(PATH, " in it");
        stream = await fs.readStream(PATH);
      });
      await fs.appendFile(PATH, " after");
      expect(await outcomeOf(stream)).toBe("EIO");
    }));

  it("a stream that began in it goes on where nothing of the file is gone", () =>
    inObject(async (inside) => {
      const { fs } = inside;
      await fs.writeFile(PATH, "before");
      let stream: ReadableStream<Uint8Array> | undefined;
      await rollBack(inside, async () => {
        await fs.chmod(PATH, 0o600);
        stream = await fs.readStream(PATH);
      });
      expect(await new Response(stream).text()).toBe("before");
    }));

  it("a moment with the revision of one that is gone can be looked at", () =>
    inObject(async (inside) => {
      const { fs, volume } = inside;
      await fs.writeFile(PATH, "before");
      const at = (rev: number) => createReadOnlyFileSystem(() => pastView(volume, rev)).readFile(PATH, "utf8");
      let rev = 0;
      await rollBack(inside, async () => {
        await fs.writeFile(PATH, "in it");
        rev = volume.revisions.head;
        expect(await at(rev)).toBe("in it");
      });
      await fs.writeFile(PATH, "after");
      expect(volume.revisions.head).toBe(rev);
      expect(await at(rev)).toBe("after");
    }));

  it("the first moment of a workspace can be looked at, when its first write is gone", () =>
    inObject(async (inside) => {
      const { fs, volume } = inside;
      const rev = volume.ensureOpen().revisions.head;
      const list = () => createReadOnlyFileSystem(() => pastView(volume, rev)).readdir("/");
      await rollBack(inside, async () => {
        await fs.writeFile(PATH, "in it");
        expect(await list()).toEqual(["workspace"]);
      });
      expect(await list()).toEqual(["workspace"]);
    }));

  it("a watch that began in it goes on", () =>
    inObject(async (inside) => {
      const { fs } = inside;
      await fs.writeFile(PATH, "before");
      const ended = new AbortController();
      const seen: string[] = [];
      let watching: Promise<void> | undefined;
      await rollBack(inside, async () => {
        await fs.writeFile(PATH, "in it");
        watching = (async () => {
          for await (const { filename } of fs.watch("/workspace", { signal: ended.signal })) {
            seen.push(filename);
            if (filename === "last") return;
          }
        })();
        await null;
      });
      await fs.writeFile(OTHER, "other");
      await fs.writeFile("/workspace/last", "");
      await watching;
      expect(seen).toEqual(["other", "last"]);
    }));

  it("a commit that failed half way before it is still undone", () =>
    inObject(async (inside) => {
      const { fs, storage } = inside;
      await fs.writeFile(PATH, "before");
      const fault = failFrom(storage, "INTO ws_dirent");
      await expect(fs.writeFile(OTHER, "other")).rejects.toThrow("injected");
      fault.repair();
      expect(fault.failed()).toBeGreaterThan(1);
      await rollBack(inside, async () => {});
      expect(await fs.exists(OTHER)).toBe(false);
      await fs.writeFile(OTHER, "other");
      await expectSound(inside);
    }));
});

describe("a transaction that commits", () => {
  it("leaves what was synced to a removed file with its handles", () =>
    inObject(async (inside) => {
      const { fs, storage } = inside;
      await fs.writeFile(PATH, "0123456789");
      const file = await fs.open(PATH, "r+");
      await ENDINGS.commits?.(inside, async () => {
        await fs.unlink(PATH);
        await file.write("AA");
        await file.sync();
      });
      await ROLLBACKS.throws?.({ storage }, async () => {});
      expect((await file.read(new Uint8Array(4), 0, 4, 0)).buffer).toEqual(new TextEncoder().encode("AA23"));
      await file.close();
    }));
});

async function outcomeOf(stream: ReadableStream<Uint8Array> | undefined): Promise<string> {
  return new Response(stream).text().then(
    (text) => text.slice(0, 20),
    (error: { code?: string }) => error.code ?? String(error),
  );
}

/** Fails every statement from the first that contains `text` on. */
function failFrom({ sql }: DurableObjectStorage, text: string): { repair(): void; failed(): number } {
  const exec = sql.exec;
  let failed = 0;
  const value = (statement: string, ...values: SqlStorageValue[]) => {
    if (failed === 0 && !statement.includes(text)) return exec.call(sql, statement, ...values);
    failed++;
    throw new Error("injected: database or disk is full");
  };
  Object.defineProperty(sql, "exec", { configurable: true, value });
  return {
    repair: () => Object.defineProperty(sql, "exec", { configurable: true, value: exec }),
    failed: () => failed,
  };
}
