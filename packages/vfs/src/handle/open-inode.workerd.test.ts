/**
 * A handle follows its file across operations that only a workspace has: undo, restore, rollback, a trimmed log, garbage
 * collection.
 */
import { Counter } from "@workspace/testing/counting-storage";
import { type Inside, inObject } from "@workspace/testing/in-object";
import { describe, expect, it } from "vitest";
import {
  createFileSystem,
  createHistory,
  createReadOnlyFileSystem,
  createSnapshots,
  fsck,
  gc,
  pastView,
} from "../index.ts";

const at = (name: string) => `/workspace/${name}`;
const text = ({ fs }: Inside, name: string) => fs.readFile(at(name), "utf8");

function count({ storage }: Inside, table: string): number {
  return storage.sql.exec(`SELECT count(*) AS n FROM ${table}`).one().n as number;
}

async function linkedElsewhere({ fs }: Inside) {
  await fs.mkdir(at("tmp"));
  await fs.mkdir(at("final"));
  const file = await fs.open(at("tmp/x"), "w");
  await file.write("first ");
  await file.sync();
  await fs.link(at("tmp/x"), at("final/x"));
  await fs.unlink(at("tmp/x"));
  return file;
}

describe("FileHandle", () => {
  it("finds the remaining name after the log is dropped", () =>
    inObject(async (inside) => {
      const file = await linkedElsewhere(inside);
      await gc(inside.volume, { retention: { entries: 0 } });
      expect(count(inside, "ws_log")).toBe(0);
      await file.write("second");
      await file.close();
      expect(await text(inside, "final/x")).toBe("first second");
    }));

  it("finds the name that is left when the tree of the other was collected", () =>
    inObject(async (inside) => {
      const { fs, volume } = inside;
      await fs.mkdir(at("a/b"), { recursive: true });
      const file = await fs.open(at("a/b/x"), "w");
      await fs.link(at("a/b/x"), at("y"));
      await fs.rm(at("a"), { recursive: true });
      await gc(volume, { retention: { entries: 0 } });
      await file.write("text");
      await file.close();
      expect(await text(inside, "y")).toBe("text");
      expect((await fsck(volume)).problems).toEqual([]);
    }));

  it("finds the name that is left without reading all the names there are", () =>
    inObject(async (inside) => {
      const { fs, storage } = inside;
      await fs.writeMany(Array.from({ length: 3000 }, (_, i) => ({ path: at(`many/f${i}`), content: "" })));
      const file = await linkedElsewhere(inside);
      await file.write("second");
      const cost = await new Counter(storage).of(() => file.sync());
      expect(cost.rowsRead).toBeLessThan(100);
      await file.close();
    }));

  it.each(["rename", "link and unlink", "unlink", "rename over it", "rm of the directory"])(
    "finds its file after a transaction with %s is rolled back",
    (what) =>
      inObject(async (inside) => {
        const { fs, storage, volume } = inside;
        await fs.mkdir(at("d"));
        await fs.writeFile(at("other"), "other");
        const file = await fs.open(at("d/x"), "w");
        const change: Record<string, () => Promise<void>> = {
          rename: () => fs.rename(at("d/x"), at("y")),
          "link and unlink": async () => {
            await fs.link(at("d/x"), at("y"));
            await fs.unlink(at("d/x"));
          },
          unlink: () => fs.unlink(at("d/x")),
          "rename over it": () => fs.rename(at("other"), at("d/x")),
          "rm of the directory": () => fs.rm(at("d"), { recursive: true }),
        };
        await storage.transaction(async (txn) => {
          await change[what]?.();
          await file.stat();
          txn.rollback();
        });
        // Another name of the path's last directory: the path alone does not lead back to the file.
        await fs.rename(at("d"), at("e"));
        await file.write("text");
        await file.close();
        expect(await text(inside, "e/x")).toBe("text");
        expect((await fsck(volume)).problems).toEqual([]);
      }),
  );

  it.each([
    ["its file", "d/x"],
    ["the directory it is in", "d"],
  ])("writes to its file again when an undo brings back %s", (_, removed) =>
    inObject(async (inside) => {
      const { fs, volume } = inside;
      await fs.mkdir(at("d"));
      await fs.writeFile(at("d/x"), "0123456789");
      const file = await fs.open(at("d/x"), "r+");
      const second = await fs.open(at("d/x"), "r+");
      await createFileSystem(volume, { callId: "removal" }).rm(at(removed), { recursive: true });
      await file.write("AA");
      await file.chmod(0o700);
      await file.sync();
      await createHistory(volume).undo({ callId: "removal" });
      await file.write("BB");
      await file.sync();
      expect(await text(inside, "d/x")).toBe("AABB456789");
      expect((await fs.stat(at("d/x"))).mode).toBe(0o100700);
      expect(await second.readFile("utf8")).toBe("AABB456789");
      await second.close();
      await file.close();
      expect(await text(inside, "d/x")).toBe("AABB456789");
      expect((await fsck(volume)).problems).toEqual([]);
    }),
  );

  it("follows its file when a restore moves it back", () =>
    inObject(async (inside) => {
      const { fs, volume } = inside;
      await fs.mkdir(at("d"));
      await fs.writeFile(at("d/x"), "old");
      const snapshots = createSnapshots(volume);
      const { id } = await snapshots.create();
      await fs.link(at("d/x"), at("y"));
      await fs.unlink(at("d/x"));
      await fs.rename(at("d"), at("e"));
      const file = await fs.open(at("y"), "a");
      await snapshots.restore(id);
      await file.write(" new");
      await file.close();
      expect(await text(inside, "d/x")).toBe("old new");
      expect(await fs.readdir(at(""))).toEqual(["d"]);
    }));

  it("keeps the past of a removed file from what is written to it afterwards", () =>
    inObject(async (inside) => {
      const { fs, volume } = inside;
      await fs.writeFile(at("x"), "then");
      const then = volume.revisions.head;
      const file = await fs.open(at("x"), "r+");
      await fs.unlink(at("x"));
      await file.write("now!");
      await file.sync();
      const past = createReadOnlyFileSystem(() => pastView(volume, then));
      await using before = await past.open(at("x"));
      expect(await before.readFile("utf8")).toBe("then");
      await file.close();
    }));

  it("frees what was written to a removed file with its last handle", () =>
    inObject(async (inside) => {
      const { fs, volume } = inside;
      await fs.writeFile(at("x"), "short");
      const file = await fs.open(at("x"), "r+");
      const second = await fs.open(at("x"), "r");
      await fs.unlink(at("x"));
      const part = new Uint8Array(3_000_000).fill(7);
      for (let i = 0; i < 4; i++) {
        await file.write(part, 0, part.length, i * part.length);
        await file.sync();
      }
      await file.close();
      await gc(volume, { retention: { entries: 0 } });
      expect((await second.stat()).size).toBe(12_000_000);
      const end = new Uint8Array(100);
      expect([(await second.read(end, 0, 100, 11_999_990)).bytesRead, end[9], end[10]]).toEqual([10, 7, 0]);
      await second.close();
      await gc(volume, { retention: { entries: 0 } });
      expect(["ws_content", "ws_layout", "ws_spool", "ws_garbage", "ws_orphan"].map((t) => count(inside, t))).toEqual([
        0, 0, 0, 0, 0,
      ]);
      expect(volume.handles.size).toBe(0);
    }));

  it("keeps thousands of synced edits of a removed file as few", () =>
    inObject(async ({ fs }) => {
      const size = 20_000;
      await fs.writeFile(at("x"), new Uint8Array(size));
      await using file = await fs.open(at("x"), "r+");
      await using second = await fs.open(at("x"), "r");
      await fs.unlink(at("x"));
      const expected = new Uint8Array(size);
      for (let i = 0; i < 9000; i++) {
        const position = (i * 7919) % size;
        const byte = new Uint8Array([i % 251]);
        expected.set(byte, position);
        await file.write(byte, 0, 1, position);
        if (i % 3 === 0) await file.sync();
      }
      await file.sync();
      expect(await second.readFile()).toEqual(expected);
    }));

  it("fails with ESTALE when the file it was opened on by version is removed, and frees what it had gathered", () =>
    inObject(async (inside) => {
      const { fs, volume } = inside;
      for (const removed of ["d/x", "d"]) {
        await fs.mkdir(at("d"), { recursive: true });
        const { version } = await fs.writeFile(at("d/x"), "old");
        const file = await fs.open(at("d/x"), "r+", undefined, { ifVersion: version });
        await file.write(new Uint8Array(5_000_000));
        await fs.rm(at(removed), { recursive: true });
        await expect(file.sync()).rejects.toMatchObject({ code: "ESTALE" });
        await expect(file.close()).rejects.toMatchObject({ code: "ESTALE" });
      }
      await gc(volume);
      expect(count(inside, "ws_spool")).toBe(0);
    }));
});
