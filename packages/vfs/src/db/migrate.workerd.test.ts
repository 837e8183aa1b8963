import { migrations } from "@workspace/migrations";
import { Counter } from "@workspace/testing/counting-storage";
import { inObject } from "@workspace/testing/in-object";
import { describe, expect, it } from "vitest";
import { createFileSystem, openVolume } from "../index.ts";

const tables = (storage: DurableObjectStorage) =>
  storage.sql
    .exec(
      "SELECT name FROM sqlite_master WHERE type IN ('table', 'index') AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '_cf_%'",
    )
    .toArray()
    .map((row) => row.name as string);

describe("migrate", () => {
  it("makes no table for a read, then ws_* tables and nothing else for the first write", async () => {
    await inObject(async ({ fs, storage }) => {
      expect(tables(storage)).toEqual([]);
      await fs.readdir("/");
      expect(tables(storage)).toEqual([]);
      await fs.mkdir("/workspace/d");
      expect(tables(storage).length).toBeGreaterThan(5);
      expect(tables(storage).filter((name) => !name.startsWith("ws_"))).toEqual([]);
      const applied = storage.sql.exec("SELECT tag FROM ws_migrations ORDER BY id").toArray();
      expect(applied.map((row) => row.tag)).toEqual(migrations.map((migration) => migration.tag));
    });
  });

  it("refuses a database that newer code has migrated, and changes nothing", async () => {
    const name = "newer";
    await inObject(
      async ({ fs, storage, volume }) => {
        await fs.writeFile("/workspace/a", "a");
        storage.sql.exec("INSERT INTO ws_migrations VALUES (999, '9999_future', 0)");
        volume.store.invalidateCaches();
        const counter = new Counter(storage);
        const cost = await counter.of(() =>
          expect(fs.readFile("/workspace/a")).rejects.toMatchObject({
            code: "EVERSION",
            message: expect.stringContaining("9999_future"),
          }),
        );
        expect(cost.rowsWritten).toBe(0);
        storage.sql.exec("DELETE FROM ws_migrations WHERE id = 999");
        expect(await fs.readFile("/workspace/a", "utf8")).toBe("a");
      },
      {},
      name,
    );
  });

  it("makes all of it or nothing", async () => {
    await inObject(async ({ storage, fs, volume }) => {
      storage.sql.exec("CREATE TABLE ws_log (mine INTEGER)");
      await expect(fs.mkdir("/workspace/d")).rejects.toThrow("ws_log");
      expect(tables(storage)).toEqual(["ws_log"]);
      expect(await fs.readdir("/workspace")).toEqual([]);
      storage.sql.exec("DROP TABLE ws_log");
      await createFileSystem(volume).mkdir("/workspace/d");
      expect(await fs.readdir("/workspace")).toEqual(["d"]);
    });
  });
});

describe("openVolume", () => {
  it("gives the same volume for the same storage, and refuses other options for it", async () => {
    await inObject(async ({ storage, volume }) => {
      expect(openVolume(storage)).toBe(volume);
      expect(() => openVolume(storage, { root: "/elsewhere" })).toThrow(expect.objectContaining({ code: "EINVAL" }));
      expect(() => openVolume(storage, { limits: { rowBytes: 5 } })).toThrow(
        expect.objectContaining({ code: "EINVAL" }),
      );
    });
  });
});
