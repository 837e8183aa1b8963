/** A failed write frees its bytes at once: no row, no reservation, and the previous size of the database. */

import { type Inside, inObject } from "@workspace/testing/in-object";
import { describe, expect, it } from "vitest";
import {
  createFileSystem,
  createPastView,
  type FileHandle,
  type FileSystem,
  fsck,
  gc,
  type VolumeStore,
} from "../index.ts";

const MIB = 1024 * 1024;
const large = new Uint8Array(8_000_000).fill(7);

const rows = ({ storage }: Inside, table: string) =>
  storage.sql.exec(`SELECT count(*) AS n FROM ${table}`).one().n as number;

async function state(inside: Inside) {
  const { bfree } = await inside.fs.statfs("/workspace");
  return { bfree, contents: rows(inside, "ws_content"), spools: rows(inside, "ws_spool") };
}

/** `count` chunks of a megabyte and a half, then what `end` does. */
async function* chunks(count: number, end: () => void = () => {}): AsyncGenerator<Uint8Array> {
  for (let i = 0; i < count; i++) yield new Uint8Array(1_500_000).fill(i);
  end();
}

const breaks = () => {
  throw new Error("the source broke");
};

/** A handle whose commit fails when it is closed. */
async function closeWithStaleVersion(fs: FileSystem, content: Uint8Array): Promise<void> {
  const { version } = await fs.stat("/workspace/file");
  const handle = await fs.open("/workspace/file", "r+", undefined, { ifVersion: version });
  await fs.appendFile("/workspace/file", "x");
  await handle.write(content);
  await handle.close();
}

const STALE = "000000000000.1";

const FAILURES: Record<string, { code: string; run: (inside: Inside) => Promise<unknown> }> = {
  "writeFile, ESTALE": {
    code: "ESTALE",
    run: ({ fs }) => fs.writeFile("/workspace/file", large, { ifVersion: STALE }),
  },
  "writeFile, ESTALE of a new file": {
    code: "ESTALE",
    run: ({ fs }) => fs.writeFile("/workspace/file", large, { ifVersion: null }),
  },
  "writeFile, EINVAL": {
    code: "EINVAL",
    run: ({ fs }) => fs.writeFile("/workspace/file", large, { ifVersion: 7 as never }),
  },
  "writeFile, EISDIR": { code: "EISDIR", run: ({ fs }) => fs.writeFile("/workspace/dir", large) },
  "writeFile, ENOENT": { code: "ENOENT", run: ({ fs }) => fs.writeFile("/workspace/none/file", large) },
  "writeFile, ENOTDIR": { code: "ENOTDIR", run: ({ fs }) => fs.writeFile("/workspace/file/x", large) },
  "writeFile, ELOOP": { code: "ELOOP", run: ({ fs }) => fs.writeFile("/workspace/loop", large) },
  "writeFile, EEXIST": { code: "EEXIST", run: ({ fs }) => fs.writeFile("/workspace/file", large, { flag: "wx" }) },
  "writeFile, r+ ENOENT": { code: "ENOENT", run: ({ fs }) => fs.writeFile("/workspace/none", large, { flag: "r+" }) },
  "writeFile of text, EISDIR": { code: "EISDIR", run: ({ fs }) => fs.writeFile("/workspace/dir", "é".repeat(2 * MIB)) },
  "writeFile of a stream, EISDIR": { code: "EISDIR", run: ({ fs }) => fs.writeFile("/workspace/dir", chunks(4)) },
  "writeFile of a stream, ESTALE": {
    code: "ESTALE",
    run: ({ fs }) => fs.writeFile("/workspace/file", chunks(4), { ifVersion: STALE }),
  },
  "writeFile of a stream that breaks": {
    code: "the source broke",
    run: ({ fs }) => fs.writeFile("/workspace/file", chunks(4, breaks)),
  },
  "writeFile of a stream with a chunk that is none": {
    code: "EINVAL",
    run: ({ fs }) =>
      fs.writeFile(
        "/workspace/file",
        (async function* () {
          yield* chunks(3);
          yield 7 as never;
        })(),
      ),
  },
  "writeFile of a stream, aborted": {
    code: "ABORT_ERR",
    run: ({ fs }) => {
      const stop = new AbortController();
      return fs.writeFile(
        "/workspace/file",
        chunks(4, () => stop.abort()),
        { signal: stop.signal },
      );
    },
  },
  "writeFile of a stream, aborted while its source stalls": {
    code: "ABORT_ERR",
    run: ({ fs }) => {
      const stop = new AbortController();
      async function* stalls() {
        yield* chunks(4);
        setTimeout(() => stop.abort(), 1);
        await new Promise(() => {});
      }
      return fs.writeFile("/workspace/file", stalls(), { signal: stop.signal });
    },
  },
  "appendFile, ESTALE": {
    code: "ESTALE",
    run: ({ fs }) => fs.appendFile("/workspace/file", large, { ifVersion: STALE }),
  },
  "appendFile, EISDIR": { code: "EISDIR", run: ({ fs }) => fs.appendFile("/workspace/dir", large) },
  "appendFile of a stream, ENOENT": { code: "ENOENT", run: ({ fs }) => fs.appendFile("/workspace/none/f", chunks(4)) },
  "appendFile, EFBIG of both together": {
    code: "EFBIG",
    run: ({ fs }) => fs.appendFile("/workspace/big", new Uint8Array(9 * MIB)),
  },
  "writeFile, EFBIG of a stream": { code: "EFBIG", run: ({ fs }) => fs.writeFile("/workspace/file", chunks(9)) },
  "writeMany, EISDIR in the last entry": {
    code: "EISDIR",
    run: ({ fs }) =>
      fs.writeMany([
        { path: "/workspace/one", content: large },
        { path: "/workspace/two", content: chunks(3) as never },
        { path: "/workspace/dir", content: "x" },
      ]),
  },
  "writeMany, ESTALE": {
    code: "ESTALE",
    run: ({ fs }) => fs.writeMany([{ path: "/workspace/file", content: large, ifVersion: STALE }]),
  },
  "writeMany, a bad path after a large content": {
    code: "EINVAL",
    run: ({ fs }) =>
      fs.writeMany([
        { path: "/workspace/one", content: large },
        { path: 7 as never, content: "x" },
      ]),
  },
  "writeMany, a bad type after a large content": {
    code: "EINVAL",
    run: ({ fs }) => fs.writeMany([{ path: "/workspace/one", content: large }, { path: "/x", type: "no" } as never]),
  },
  "writeMany, a stream that breaks after a large content": {
    code: "the source broke",
    run: ({ fs }) =>
      fs.writeMany([
        { path: "/workspace/one", content: large },
        { path: "/workspace/two", content: chunks(3, breaks) as never },
      ]),
  },
  "FileHandle.close, ESTALE": { code: "ESTALE", run: ({ fs }) => closeWithStaleVersion(fs, large) },
  "FileHandle.close, EFBIG": {
    code: "EFBIG",
    run: async ({ fs }) => {
      await using handle = await fs.open("/workspace/big", "a");
      await handle.write(new Uint8Array(9 * MIB));
    },
  },
  "a past file system, EROFS": {
    code: "EROFS",
    run: async ({ fs, volume }) => {
      const { version } = await fs.stat("/workspace");
      return createPastView(volume, version).fs.writeFile("/workspace/file", large);
    },
  },
};

async function furnish({ fs }: Inside): Promise<void> {
  await fs.mkdir("/workspace/dir");
  await fs.writeFile("/workspace/file", "file");
  await fs.symlink("loop", "/workspace/loop");
  await fs.writeFile("/workspace/big", new Uint8Array(2 * MIB));
}

const LIMITS = { limits: { fileBytes: 10 * MIB } };

async function failed(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => "resolved",
    (error: Error & { code?: string }) => error.code ?? error.message,
  );
}

describe("a write that fails", () => {
  it.each(Object.entries(FAILURES))("%s: leaves no bytes behind", async (_name, { code, run }) => {
    await inObject(async (inside) => {
      await furnish(inside);
      // The first time may create pages that stay, of the log for example.
      expect(await failed(run(inside))).toBe(code);
      const before = await state(inside);
      for (let i = 0; i < 3; i++) expect(await failed(run(inside))).toBe(code);
      const after = await state(inside);
      expect({ ...after, bfree: before.bfree - after.bfree <= 2 }).toEqual({ ...before, spools: 0, bfree: true });
      expect((await fsck(inside.volume)).problems).toEqual([]);
    }, LIMITS);
  });

  it("ENOSPC is over when there is room again", async () => {
    const tooLarge: Record<string, (fs: FileSystem) => Promise<unknown>> = {
      bytes: (fs) => fs.writeFile("/workspace/new", new Uint8Array(20 * MIB)),
      stream: (fs) => fs.writeFile("/workspace/new", chunks(16)),
      append: (fs) => fs.appendFile("/workspace/file", new Uint8Array(20 * MIB)),
      many: (fs) =>
        fs.writeMany([
          { path: "/workspace/a", content: large },
          { path: "/workspace/b", content: large },
          { path: "/workspace/c", content: large },
        ]),
      handle: async (fs) => {
        using handle = (await fs.open("/workspace/new", "w")) as FileHandle & Disposable;
        for (let i = 0; i < 20; i++) await handle.write(new Uint8Array(MIB));
      },
    };
    for (const [name, run] of Object.entries(tooLarge)) {
      await inObject(
        async (inside) => {
          await furnish(inside);
          const before = await state(inside);
          for (let i = 0; i < 3; i++) expect([name, await failed(run(inside.fs))]).toEqual([name, "ENOSPC"]);
          expect([name, (await state(inside)).spools]).toEqual([name, 0]);
          expect(before.bfree - (await state(inside)).bfree).toBeLessThanOrEqual(4);
          await inside.fs.writeFile("/workspace/fits", large);
          expect((await inside.fs.readFile("/workspace/fits")).length).toBe(large.length);
          expect((await fsck(inside.volume)).problems).toEqual([]);
        },
        { limits: { databaseBytes: 16 * MIB } },
      );
    }
  });

  it("a handle takes up no part of a write that found no room", async () => {
    await inObject(
      async (inside) => {
        const { fs } = inside;
        await using handle = await fs.open("/workspace/f", "a");
        let accepted = 0;
        for (let i = 0; i < 20; i++) {
          const part = new Uint8Array(700_000).fill(i + 1);
          if ((await failed(handle.write(part))) === "resolved") accepted += part.length;
        }
        expect(accepted).toBeGreaterThan(MIB);
        expect(accepted).toBeLessThan(20 * 700_000);
        expect((await handle.stat()).size).toBe(accepted);
        await handle.truncate(0);
        await handle.close();
        expect(rows(inside, "ws_spool")).toBe(0);
        expect((await fsck(inside.volume)).problems).toEqual([]);
      },
      { limits: { databaseBytes: 8 * MIB } },
    );
  });

  it("a handle that is dropped, or whose file has no name, frees what it gathered", async () => {
    await inObject(async (inside) => {
      const { fs } = inside;
      const dropped = (await fs.open("/workspace/a", "w")) as FileHandle & Disposable;
      await dropped.write(large);
      expect(rows(inside, "ws_spool")).toBeGreaterThan(0);
      dropped[Symbol.dispose]();
      expect([rows(inside, "ws_spool"), rows(inside, "ws_content")]).toEqual([0, 0]);
      const nameless = await fs.open("/workspace/b", "w");
      await nameless.write(large);
      await fs.unlink("/workspace/b");
      await nameless.close();
      expect([rows(inside, "ws_spool"), rows(inside, "ws_content")]).toEqual([0, 0]);
      expect((await fsck(inside.volume)).problems).toEqual([]);
    });
  });

  it("a write to a file in many pieces that fails leaves no row and no node", async () => {
    await inObject(
      async (inside) => {
        const { fs } = inside;
        await fs.writeFile("/workspace/f", new Uint8Array(3 * MIB));
        await using handle = await fs.open("/workspace/f", "r+");
        for (let i = 0; i < 6; i++) {
          await handle.write(Uint8Array.of(1), 0, 1, i * 300_000 + 7);
          await handle.sync();
        }
        const before = await state(inside);
        await expect(fs.appendFile("/workspace/f", new Uint8Array(9 * MIB))).rejects.toMatchObject({ code: "EFBIG" });
        inside.storage.sql.exec("CREATE TRIGGER refuse BEFORE INSERT ON ws_log BEGIN SELECT RAISE(ABORT, 'no'); END");
        await expect(fs.appendFile("/workspace/f", "x")).rejects.toThrow("no");
        inside.storage.sql.exec("DROP TRIGGER refuse");
        const after = await state(inside);
        expect([after.contents, after.spools]).toEqual([before.contents, 0]);
        expect((await fsck(inside.volume)).problems).toEqual([]);
      },
      { limits: { nodeEntries: 4, fileBytes: 10 * MIB } },
    );
  });

  it("what cannot be freed at once is freed with the next write", async () => {
    await inObject(async (inside) => {
      const { fs, storage } = inside;
      await fs.mkdir("/workspace/dir");
      storage.sql.exec("CREATE TRIGGER refuse BEFORE DELETE ON ws_spool BEGIN SELECT RAISE(ABORT, 'no'); END");
      await expect(fs.writeFile("/workspace/dir", large)).rejects.toMatchObject({ code: "EISDIR" });
      storage.sql.exec("DROP TRIGGER refuse");
      await expect(fs.writeFile("/workspace/dir", large)).rejects.toMatchObject({ code: "EISDIR" });
      expect([rows(inside, "ws_spool"), rows(inside, "ws_content")]).toEqual([0, 0]);
      expect((await fsck(inside.volume)).problems).toEqual([]);
    });
  });

  it("fsck reports a block of this incarnation without a writer, and gc frees it", async () => {
    await inObject(async (inside) => {
      const { fs, volume, storage } = inside;
      await fs.writeFile("/workspace/f", "f");
      storage.sql.exec("INSERT INTO ws_spool VALUES (900, 901, ?)", epochOf(volume));
      storage.sql.exec("INSERT INTO ws_content VALUES (900, x'00')");
      expect((await fsck(volume)).problems).toMatchObject([{ subject: "900" }]);
      await gc(volume);
      expect((await fsck(volume)).problems).toEqual([]);
      expect(rows(inside, "ws_content")).toBe(1);
    });
  });

  it("thirty failed writes of 8 MB leave the database as large as it was", async () => {
    await inObject(async (inside) => {
      const fs = createFileSystem(inside.volume, { callId: "call" });
      await fs.mkdir("/workspace/dir");
      const before = inside.storage.sql.databaseSize;
      for (let i = 0; i < 30; i++) await expect(fs.writeFile("/workspace/dir", large)).rejects.toThrow("EISDIR");
      expect(inside.storage.sql.databaseSize - before).toBeLessThan(100_000);
    });
  });
});

const epochOf = (volume: VolumeStore) => volume.store.epochToken;
