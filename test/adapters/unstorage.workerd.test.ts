/** The driver under unstorage: the checks of unstorage's own driver suite (test/drivers/utils.ts), and what files add to them. */
import { asUnstorageDriver } from "@cloudflare/workspace/adapters/unstorage";
import { createStorage, restoreSnapshot, type Storage, type StorageValue, snapshot } from "unstorage";
import { describe, expect, it, vi } from "vitest";
import { rememberUser } from "./examples/unstorage.ts";
import { type AnyWorkspace, PLACES, withWorkspace } from "./with-workspace.ts";

const base = "/workspace/data";

describe.each(PLACES)("unstorage on a workspace %s", (place) => {
  const test = (name: string, body: (storage: Storage, workspace: AnyWorkspace) => Promise<void>) =>
    it(name, () =>
      withWorkspace(place, (workspace) =>
        body(createStorage({ driver: asUnstorageDriver(workspace.fs, { base }) }), workspace),
      ),
    );

  test("has, sets, gets and removes items", async (storage) => {
    expect(await storage.hasItem("s1:a")).toBe(false);
    expect(await storage.getItem("s2:a")).toBe(null);
    await storage.setItem("s1:a", "test_data");
    await storage.setItem("s2:a", "test_data");
    expect([await storage.hasItem("s1:a"), await storage.getItem("s1:a")]).toEqual([true, "test_data"]);
    expect((await storage.getKeys()).sort()).toEqual(["s1:a", "s2:a"]);
    expect(await storage.getKeys("s1")).toEqual(["s1:a"]);
    await storage.removeItem("s1:a");
    await storage.removeItem("s1:none");
    expect([await storage.hasItem("s1:a"), await storage.getItem("s1:a")]).toEqual([false, null]);
  });

  test("serializes objects, numbers, booleans, dates and toJSON", async (storage) => {
    for (const [at, value] of [{ json: "works" }, 0, 1, true, false, [1, "two"]].entries()) {
      await storage.setItem(`serialized:${at}`, value);
      expect(await storage.getItem(`serialized:${at}`)).toEqual(value);
    }
    await storage.setItem("serialized:json", { toJSON: () => "SERIALIZED" });
    expect(await storage.getItem("serialized:json")).toBe("SERIALIZED");
    await expect(storage.setItem("serialized:function", (() => {}) as never)).rejects.toThrow();
  });

  test("keeps raw bytes", async (storage, { fs }) => {
    const bytes = new Uint8Array([0, 255, 1, 128]);
    await storage.setItemRaw("value.bin", bytes);
    expect(new Uint8Array((await storage.getItemRaw<Uint8Array>("value.bin"))!)).toEqual(bytes);
    expect(await fs.readFile(`${base}/value.bin`)).toEqual(bytes);
    await expect(storage.setItemRaw("object.bin", { not: "bytes" })).rejects.toThrow("string or bytes");
    expect(await storage.hasItem("object.bin")).toBe(false);
  });

  test("sets and gets many, all at once", async (storage, { fs }) => {
    await storage.setItems<StorageValue>([
      { key: "t:1", value: "one" },
      { key: "t:2", value: { two: 2 } },
    ]);
    expect(await storage.getItems(["t:1", "t:2", "t:3"])).toEqual([
      { key: "t:1", value: "one" },
      { key: "t:2", value: { two: 2 } },
      { key: "t:3", value: null },
    ]);
    const { changes } = await fs.changes();
    const writes = changes.filter(({ op, path }) => op === "create" && path.startsWith(`${base}/t/`));
    expect(new Set(writes.map(({ group }) => group)).size).toBe(1);
  });

  test("lists keys to a depth", async (storage) => {
    for (const key of ["depth0", "a:depth1", "a:b:depth2"]) await storage.setItem(key, "x");
    expect(await storage.getKeys(undefined, { maxDepth: 0 })).toEqual(["depth0"]);
    expect((await storage.getKeys(undefined, { maxDepth: 1 })).sort()).toEqual(["a:depth1", "depth0"]);
    expect((await storage.getKeys("a", { maxDepth: 1 })).sort()).toEqual(["a:depth1"]);
  });

  test("clears below a base and everywhere, and takes a snapshot back", async (storage, { fs }) => {
    await storage.setItems(["a:1", "a:2", "b:1"].map((key) => ({ key, value: key })));
    const retained = await snapshot(storage, "");
    await asUnstorageDriver(fs, { base }).clear("a:");
    expect(await storage.getKeys()).toEqual(["b:1"]);
    await storage.clear();
    expect(await storage.getKeys()).toEqual([]);
    await restoreSnapshot(storage, retained);
    expect((await storage.getKeys()).sort()).toEqual(["a:1", "a:2", "b:1"]);
  });

  test("has native meta data", async (storage) => {
    await storage.setItem("meta", "1234");
    const { mtime, size } = await storage.getMeta("meta");
    expect([mtime instanceof Date, size]).toEqual([true, 4]);
    expect(await storage.getMeta("none")).toEqual({});
  });

  test("refuses keys that leave its base", async (storage, { fs }) => {
    await fs.writeFile("/workspace/secret", "s");
    const driver = asUnstorageDriver(fs, { base });
    for (const key of ["..:secret", "a:..:..:secret", "..", "a::b", ""])
      await expect(async () => driver.getItem(key)).rejects.toThrow("invalid key");
    expect(() => asUnstorageDriver(fs, { base: "data" })).toThrow("absolute");
    expect(await storage.getKeys()).toEqual([]);
  });

  test("watches what anybody changes below its base", async (storage, { fs }) => {
    const seen = vi.fn();
    const unwatch = await storage.watch((event, key) => seen(event, key));
    await fs.mkdir(`${base}/w`, { recursive: true });
    await fs.writeFile(`${base}/w/a`, "1");
    await fs.rename(`${base}/w/a`, `${base}/w/b`);
    await fs.unlink(`${base}/w/b`);
    await vi.waitFor(() => expect(seen.mock.calls.at(-1)).toEqual(["remove", "w:b"]), 5000);
    expect(seen.mock.calls).toEqual([
      ["update", "w:a"],
      ["remove", "w:a"],
      ["update", "w:b"],
      ["remove", "w:b"],
    ]);
    await unwatch();
    await fs.writeFile(`${base}/w/c`, "1");
    expect(seen).toHaveBeenCalledTimes(4);
  });

  it("runs the guide's example", () =>
    withWorkspace(place, async (workspace) => {
      expect(await rememberUser(workspace)).toEqual(["users:ada"]);
      expect(JSON.parse(await workspace.fs.readFile(`${base}/users/ada`, "utf8"))).toEqual({ name: "Ada" });
    }));
});
