/** Rollback on stores without a history: snapshots of files, and restoring them, all of them or with an outcome for each. */
import { describe, expect, it } from "vitest";
import { bareStore } from "../../test/file-store-contract.ts";
import { createToolset } from "../toolset/create-toolset.ts";
import type { FileStore } from "./file-store.ts";
import { InMemoryFileStore } from "./in-memory-file-store.ts";
import { restoreSnapshots, snapshotFiles } from "./snapshots.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const contents = async (store: FileStore, ...paths: string[]) =>
  Promise.all(
    paths.map(async (path) => {
      const content = await store.read(path);
      return content === null ? null : new TextDecoder().decode(content);
    }),
  );

describe("snapshotFiles and restoreSnapshots", () => {
  it("put back contents and modes, delete what was made, and pass over a deletion of nothing", async () => {
    const store = new InMemoryFileStore({ "/a": "one", "/gone": "old" });
    await store.write("/a", bytes("one"), { mode: 0o755 });
    const snapshots = await snapshotFiles(store, [
      { path: "/a" },
      { path: "/new" },
      { path: "/gone", delete: true },
      { path: "/never", delete: true },
    ]);
    expect(snapshots.map(({ path, content }) => [path, content === null])).toEqual([
      ["/a", false],
      ["/new", true],
      ["/gone", false],
    ]);
    await store.write("/a", bytes("two"), { mode: 0o644 });
    await store.write("/new", bytes("made"));
    await store.remove("/gone");
    expect(await restoreSnapshots(store, snapshots)).toEqual([
      { path: "/a", outcome: "restored" },
      { path: "/new", outcome: "deleted" },
      { path: "/gone", outcome: "restored" },
    ]);
    expect(await contents(store, "/a", "/new", "/gone")).toEqual(["one", null, "old"]);
    expect((await store.stat("/a"))?.mode).toBe(0o755);
  });

  it("goes on after an error, and says of each path what became of it", async () => {
    const store = bareStore();
    await store.write("/a", bytes("one"));
    const snapshots = await snapshotFiles(store, [{ path: "/new" }, { path: "/a" }]);
    await store.write("/new", bytes("made"));
    await store.write("/a", bytes("two"));
    // A store with four methods cannot delete.
    expect(await restoreSnapshots(store, snapshots)).toEqual([
      { path: "/new", outcome: "failed", message: "This store cannot delete /new." },
      { path: "/a", outcome: "restored" },
    ]);
  });
});

describe("undo without a history", () => {
  const patch = "*** Begin Patch\n*** Update File: a\n@@\n-one\n+two\n*** Add File: new\n+made\n*** End Patch";

  it("takes back a call and then its own undoing, and knows no call that is not there", async () => {
    const store = new InMemoryFileStore({ "/a": "one\n" });
    const toolset = await createToolset({ store });
    await toolset.handle("apply_patch", { patch }, { callId: "patch" });
    expect(await contents(store, "/a", "/new")).toEqual(["two\n", "made\n"]);
    const undone = await toolset.handle("undo", { callId: "patch" }, { callId: "undo" });
    expect(undone.structured).toMatchObject({ ok: true, undone: "patch", total: 2 });
    expect(await contents(store, "/a", "/new")).toEqual(["one\n", null]);
    await toolset.handle("undo", { callId: "undo" });
    expect(await contents(store, "/a", "/new")).toEqual(["two\n", "made\n"]);
    expect((await toolset.handle("undo", { callId: "never" })).content).toContain("UNDO_FAILED: Nothing is stored");
  });

  it("is all or nothing; with force it is what can be done, with an outcome for each path", async () => {
    const store = bareStore();
    await store.write("/a", bytes("one\n"));
    const toolset = await createToolset({ store });
    await toolset.handle("apply_patch", { patch }, { callId: "patch" });
    const refused = await toolset.handle("undo", { callId: "patch" });
    expect(refused.content).toBe(
      "UNDO_FAILED: Nothing was undone: /new: This store cannot delete /new. Pass force to undo the rest.",
    );
    expect(await contents(store, "/a", "/new")).toEqual(["two\n", "made\n"]);
    expect((await toolset.handle("undo", { callId: "patch", force: true })).structured.changes).toEqual([
      { path: "/a", outcome: "restored" },
      { path: "/new", outcome: "failed", message: "This store cannot delete /new." },
    ]);
    expect(await contents(store, "/a", "/new")).toEqual(["one\n", "made\n"]);
  });

  it("refuses if another actor changed a file since, unless forced", async () => {
    const store = new InMemoryFileStore({ "/a": "one\n" });
    const toolset = await createToolset({ store });
    await toolset.handle("write", { path: "a", content: "two\n" }, { callId: "write" });
    await store.write("/a", bytes("theirs\n"));
    expect((await toolset.handle("undo", { callId: "write" })).content).toMatch(/^STALE: /);
    expect(await contents(store, "/a")).toEqual(["theirs\n"]);
    await toolset.handle("undo", { callId: "write", force: true });
    expect(await contents(store, "/a")).toEqual(["one\n"]);
  });
});
