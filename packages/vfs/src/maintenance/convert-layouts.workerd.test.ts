/**
 * A database in the old format, with 161 lists of runs: appends, positional writes, truncates, copies and restores of files with
 * rows of 64 bytes. `old-layouts.json` holds its rows, and the content of each file at some points in time.
 */
import { migrations } from "@workspace/migrations";
import { Counter } from "@workspace/testing/counting-storage";
import { type Inside, inObject } from "@workspace/testing/in-object";
import { describe, expect, it } from "vitest";
import { createPastView, createSnapshots, type FileSystem, fsck, gc, maintain } from "../index.ts";
import old from "./old-layouts.json";

type Stored = (string | number | null | { bytes: string })[][];

const LIMITS = { chunkBytes: 64, rowBytes: 256, handleBytes: 128, nodeEntries: 4, denseBytes: 64 };
const KEEP = { days: 1e6, entries: 1e6, bytes: 1e15 };

function inOldDatabase(body: (inside: Inside) => Promise<void>, retention = KEEP): Promise<void> {
  let clock = old.now;
  return inObject(
    async (inside) => {
      const { sql } = inside.storage;
      const tables = old.tables as Record<string, Stored>;
      const applied = tables.ws_migrations?.length as number;
      sql.exec("CREATE TABLE ws_migrations (id INTEGER PRIMARY KEY, tag TEXT NOT NULL, applied INTEGER NOT NULL)");
      for (const { statements } of migrations.slice(0, applied)) for (const text of statements) sql.exec(text);
      for (const [table, rows] of Object.entries(tables)) {
        for (const row of rows) {
          const values = row.map((value) =>
            value !== null && typeof value === "object" ? new TextEncoder().encode(value.bytes) : value,
          );
          sql.exec(`INSERT INTO ${table} VALUES (${values.map(() => "?").join()})`, ...values);
        }
      }
      await body(inside);
    },
    { limits: LIMITS, retention, now: () => (clock += 1_000_000) },
  );
}

const count = ({ storage }: Inside, table: string) =>
  storage.sql.exec(`SELECT count(*) AS n FROM ${table}`).one().n as number;

/** Size and the beginning of the hash of every file. */
async function digest(fs: FileSystem): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  for (const name of await fs.readdir("/workspace")) {
    const bytes = await fs.readFile(`/workspace/${name}`);
    const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
    files[name] =
      `${bytes.length} ${Array.from(hash.subarray(0, 8), (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
  }
  return files;
}

async function expectMoments({ volume }: Inside): Promise<void> {
  for (const { version, files } of old.moments) expect(await digest(createPastView(volume, version).fs)).toEqual(files);
}

async function patch(fs: FileSystem, path: string, at: number, text: string): Promise<void> {
  await using handle = await fs.open(path, "r+");
  await handle.write(text, at);
}

describe("lists of runs that older code wrote", () => {
  it("are read as they are", async () => {
    await inOldDatabase(async (inside) => {
      expect(await digest(inside.fs)).toEqual(old.moments.at(-1)?.files);
      await expectMoments(inside);
      expect(count(inside, "ws_layout")).toBe(161);
      expect(count(inside, "ws_node")).toBe(0);
    });
  });

  it("become trees in small steps, and every moment stays what it was", async () => {
    await inOldDatabase(async (inside) => {
      // Migrates: ALTER TABLE reads the schema, which is no step of the conversion.
      await inside.fs.readdir("/workspace");
      const counter = new Counter(inside.storage);
      let more = true;
      while (more) {
        const cost = await counter.of(async () => {
          ({ more } = await maintain(inside.volume));
        });
        expect(cost.rowsRead + cost.rowsWritten).toBeLessThanOrEqual(1000);
        expect(cost.statements).toBeLessThanOrEqual(250);
      }
      expect(count(inside, "ws_layout")).toBe(0);
      expect(count(inside, "ws_garbage")).toBe(0);
      await expectMoments(inside);
      expect((await fsck(inside.volume)).problems).toEqual([]);
    });
  });

  it("can be written to before they are converted, between steps and afterwards", async () => {
    await inOldDatabase(async (inside) => {
      const { fs, volume } = inside;
      const files = new Map<string, Uint8Array>();
      for (const name of await fs.readdir("/workspace")) files.set(name, await fs.readFile(`/workspace/${name}`));
      for (let step = 0; step < 60; step++) {
        for (const [name, bytes] of files) {
          const at = (step * 37) % bytes.length;
          await patch(fs, `/workspace/${name}`, at, `<${step}>`);
          const after = new Uint8Array(Math.max(bytes.length, at + `<${step}>`.length));
          after.set(bytes);
          after.set(new TextEncoder().encode(`<${step}>`), at);
          files.set(name, after);
        }
        await maintain(volume);
      }
      expect(count(inside, "ws_layout")).toBe(0);
      for (const [name, bytes] of files) expect((await fs.readFile(`/workspace/${name}`)).join()).toBe(bytes.join());
      await expectMoments(inside);
      expect((await fsck(volume)).problems).toEqual([]);
    });
  });

  it("leave no rows behind when all contents are released", async () => {
    await inOldDatabase(async (inside) => {
      const { fs, volume } = inside;
      const now = await digest(fs);
      for (const { id } of await createSnapshots(volume).list()) await createSnapshots(volume).remove(id);
      await gc(volume, { retention: { entries: 0 } });
      expect(await digest(fs)).toEqual(now);
      expect((await fsck(volume)).problems).toEqual([]);
      for (const name of await fs.readdir("/workspace")) await fs.rm(`/workspace/${name}`);
      await gc(volume, { retention: { entries: 0 } });
      expect(
        ["ws_content", "ws_node", "ws_layout", "ws_content_ref", "ws_garbage"].map((table) => count(inside, table)),
      ).toEqual([0, 0, 0, 0, 0]);
    });
  });
});
