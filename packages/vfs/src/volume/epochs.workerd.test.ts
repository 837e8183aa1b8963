/** Versions stay valid over many more incarnations than are in memory, and are invalid after a restore. */
import { Counter } from "@workspace/testing/counting-storage";
import { inObject } from "@workspace/testing/in-object";
import { describe, expect, it } from "vitest";

describe("a version", () => {
  it("stays the same over hundreds of incarnations, and still guards a write", async () => {
    await inObject(async ({ fs, volume, storage }) => {
      await fs.writeFile("/workspace/old", "old");
      const { version } = await fs.stat("/workspace/old");
      for (let i = 0; i < 300; i++) {
        volume.store.invalidateCaches();
        await fs.writeFile("/workspace/other", `${i}`);
      }
      volume.store.invalidateCaches();
      const counter = new Counter(storage);
      const opening = await counter.of(() => fs.stat("/"));
      expect(opening.rowsRead).toBeLessThan(200);
      expect((await fs.stat("/workspace/old")).version).toBe(version);
      await fs.writeFile("/workspace/old", "new", { ifVersion: version });
      await expect(fs.writeFile("/workspace/old", "newer", { ifVersion: version })).rejects.toMatchObject({
        code: "ESTALE",
      });
    });
  });

  it("of a time that a restore took away is not mistaken for another", async () => {
    await inObject(async ({ fs, volume, storage }) => {
      await fs.writeFile("/workspace/a", "1");
      const retained = await fs.changes();
      // What a restored database looks like to a new incarnation: the last entries are gone, and with them their epoch.
      volume.store.invalidateCaches();
      const lost = await fs.writeFile("/workspace/a", "2");
      const head = storage.sql.exec("SELECT max(rev) AS rev FROM ws_log").one().rev as number;
      storage.sql.exec("DELETE FROM ws_log WHERE rev = ?", head);
      storage.sql.exec("DELETE FROM ws_epoch WHERE first_rev = ?", head);
      volume.store.invalidateCaches();
      const again = await fs.writeFile("/workspace/a", "3");
      expect(again.version.split(".")[1]).toBe(lost.version.split(".")[1]);
      expect(again.version).not.toBe(lost.version);
      await expect(fs.changes({ since: lost.version })).rejects.toMatchObject({ code: "EGONE" });
      await expect(fs.writeFile("/workspace/a", "4", { ifVersion: lost.version })).rejects.toMatchObject({
        code: "ESTALE",
      });
      expect((await fs.changes({ since: retained.cursor })).changes).toHaveLength(1);
    });
  });
});
