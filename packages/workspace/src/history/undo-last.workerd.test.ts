/**
 * An undo of the last change, or of one since which others changed only other files, has no conflict and restores the previous
 * tree.
 */
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { Workspace } from "@cloudflare/workspace";
import { describe, expect, it } from "vitest";

const at = (name: string) => `/workspace/${name}`;
let created = 0;

function inWorkspace<T>(body: (ws: Workspace) => Promise<T>): Promise<T> {
  return runInDurableObject(env.BARE.getByName(`undo last ${created++}`), (_, { storage }) =>
    body(new Workspace({ storage })),
  );
}

/** Every path but those of others, with inode, links and bytes. */
async function treeOf(ws: Workspace): Promise<unknown[]> {
  const lines: unknown[] = [];
  for (const path of await ws.fs.readdir(at(""), { recursive: true })) {
    if (path.startsWith("others")) continue;
    const { ino, nlink, mode } = await ws.fs.stat(at(path));
    lines.push([path, ino, nlink, mode, (mode & 0o170000) === 0o100000 && (await ws.fs.readFile(at(path), "utf8"))]);
  }
  return lines;
}

describe.each([
  ["nothing", false],
  ["a write of others elsewhere", true],
])("undo with %s in between", (_, meanwhile) => {
  const others = async (ws: Workspace) => {
    if (meanwhile) await ws.as({ callId: "background" }).fs.appendFile(at("others/log"), "line\n");
  };

  it("takes back a restore that took a file out of a removed directory, and that directory's removal after it", () =>
    inWorkspace(async (ws) => {
      await ws.fs.writeMany([
        { path: at("b"), content: "b" },
        { path: at("others/log"), content: "" },
      ]);
      const { id } = await ws.snapshots.create();
      await ws.fs.mkdir(at("d/z"), { recursive: true });
      await ws.fs.rename(at("b"), at("d/x"));
      const full = await treeOf(ws);
      await ws.as({ callId: "removal" }).fs.rm(at("d"), { recursive: true });
      const removed = await treeOf(ws);
      const { group } = await ws.snapshots.restore(id);
      const restored = await treeOf(ws);
      await others(ws);
      const undone = await ws.history.undo({ group: group as number });
      expect(await treeOf(ws)).toEqual(removed);
      expect(undone.changes.filter(({ path }) => !path.startsWith(at("others")))).toEqual([
        { path: at("b"), action: "remove" },
      ]);
      await others(ws);
      const redone = await ws.history.undo({ group: undone.group as number });
      expect(await treeOf(ws)).toEqual(restored);
      await others(ws);
      await ws.history.undo({ group: redone.group as number });
      await others(ws);
      // The removed directory holds again what it held.
      await ws.history.undo({ callId: "removal" });
      expect(await treeOf(ws)).toEqual(full);
      expect((await ws.fsck()).problems).toEqual([]);
    }));

  it.each([
    ["renames over one of two hard links", (ws: Workspace) => ws.fs.rename(at("f"), at("h1"))],
    [
      "renames over one of two hard links, twice",
      async (ws: Workspace) => {
        await ws.fs.rename(at("f"), at("h1"));
        await ws.fs.rename(at("g"), at("h1"));
      },
    ],
    [
      "renames over both hard links",
      async (ws: Workspace) => {
        await ws.fs.rename(at("f"), at("h1"));
        await ws.fs.rename(at("g"), at("h2"));
      },
    ],
    ["renames one of two hard links", (ws: Workspace) => ws.fs.rename(at("h1"), at("x"))],
    [
      "renames one of two hard links over a file, and removes it",
      async (ws: Workspace) => {
        await ws.fs.rename(at("h1"), at("f"));
        await ws.fs.rm(at("f"));
      },
    ],
    [
      "replaces an empty directory",
      async (ws: Workspace) => {
        await ws.fs.rename(at("d"), at("e"));
        await ws.fs.writeFile(at("e/new"), "new");
      },
    ],
    [
      "moves a directory into one that it makes, and removes that",
      async (ws: Workspace) => {
        await ws.fs.mkdir(at("m"));
        await ws.fs.rename(at("d"), at("m/d"));
        await ws.fs.writeFile(at("m/d/i"), "changed");
        await ws.fs.rm(at("m"), { recursive: true });
      },
    ],
  ] as const)("takes back a call that %s, and takes that back", (_title, call) =>
    inWorkspace(async (ws) => {
      const files = ["f", "g", "h1", "d/i", "others/log"];
      await ws.fs.writeMany(files.map((name) => ({ path: at(name), content: name })));
      await ws.fs.link(at("h1"), at("h2"));
      await ws.fs.mkdir(at("e"));
      const before = await treeOf(ws);
      await call(ws.as({ callId: "call" }));
      const after = await treeOf(ws);
      await others(ws);
      const { group } = await ws.history.undo({ callId: "call" });
      expect(await treeOf(ws)).toEqual(before);
      await others(ws);
      await ws.history.undo({ group: group as number });
      expect(await treeOf(ws)).toEqual(after);
      expect((await ws.fsck()).problems).toEqual([]);
    }),
  );
});

describe("undo", () => {
  it("is refused where what the last call replaced was purged", () =>
    inWorkspace(async (ws) => {
      await ws.fs.writeFile(at("a"), "secret");
      await ws.as({ callId: "call" }).fs.writeFile(at("a"), "public");
      await ws.history.purge(at("a"));
      const refused = await ws.history.undo({ callId: "call" }).catch((error) => error);
      expect(refused).toMatchObject({ code: "ECONFLICT", conflicts: [{ path: at("a") }] });
      expect(refused.message).toContain("what it held then was purged; there is nothing else to undo");
      expect(await ws.fs.readFile(at("a"), "utf8")).toBe("public");
      expect((await ws.history.undo({ callId: "call", force: true })).changes).toEqual([]);
    }));

  it("of a call with more than what was purged undoes the rest by force", () =>
    inWorkspace(async (ws) => {
      await ws.fs.writeFile(at("a"), "secret");
      await ws.fs.writeFile(at("b"), "before");
      const call = ws.as({ callId: "call" });
      await call.fs.writeFile(at("a"), "public");
      await call.fs.writeFile(at("b"), "after");
      await ws.history.purge(at("a"));
      const refused = await ws.history.undo({ callId: "call" }).catch((error) => error);
      expect(refused.message).toContain("what it held then was purged; pass force to undo the rest");
      await ws.history.undo({ callId: "call", force: true });
      expect(await ws.fs.readFile(at("a"), "utf8")).toBe("public");
      expect(await ws.fs.readFile(at("b"), "utf8")).toBe("before");
    }));

  it("leaves alone a name that the call only used for a while, and others use now", () =>
    inWorkspace(async (ws) => {
      const call = ws.as({ callId: "call" });
      await call.fs.writeFile(at("a"), "1");
      await call.fs.writeFile(at("lock"), "");
      await call.fs.rm(at("lock"));
      await ws.fs.writeFile(at("lock"), "theirs");
      expect((await ws.history.undo({ callId: "call" })).changes).toEqual([{ path: at("a"), action: "remove" }]);
      expect(await ws.fs.readFile(at("lock"), "utf8")).toBe("theirs");
    }));

  it("brings back one of two names though others removed the other one", () =>
    inWorkspace(async (ws) => {
      await ws.fs.writeFile(at("h1"), "h");
      await ws.fs.link(at("h1"), at("h2"));
      await ws.as({ callId: "call" }).fs.rm(at("h1"));
      await ws.fs.rm(at("h2"));
      await ws.history.undo({ callId: "call" });
      expect(await treeOf(ws)).toMatchObject([["h1", expect.anything(), 1, expect.anything(), "h"]]);
      expect((await ws.fsck()).problems).toEqual([]);
    }));

  it("is refused where others wrote to what the call made and touched again", () =>
    inWorkspace(async (ws) => {
      const call = ws.as({ callId: "call" });
      await call.fs.writeFile(at("a"), "1");
      await ws.as({ callId: "theirs" }).fs.writeFile(at("a"), "2");
      await call.fs.rename(at("a"), at("b"));
      const refused = await ws.history.undo({ callId: "call" }).catch((error) => error);
      expect(refused).toMatchObject({ code: "ECONFLICT", conflicts: [{ path: at("b"), callId: "theirs" }] });
      await ws.history.undo({ callId: "call", force: true });
      expect(await treeOf(ws)).toEqual([]);
    }));

  it("is refused where others moved what the call moved, between two of its entries too", () =>
    inWorkspace(async (ws) => {
      const call = ws.as({ callId: "call" });
      await ws.fs.mkdir(at("s/inside"), { recursive: true });
      await call.fs.rename(at("s"), at("x"));
      await ws.as({ callId: "theirs" }).fs.rename(at("x"), at("y"));
      await call.fs.rename(at("y"), at("z"));
      const refused = await ws.history.undo({ callId: "call" }).catch((error) => error);
      expect(refused).toMatchObject({ code: "ECONFLICT" });
      expect(refused.conflicts).toContainEqual(expect.objectContaining({ path: at("s"), callId: "theirs" }));
      await ws.history.undo({ callId: "call", force: true });
      expect((await ws.fsck()).problems).toEqual([]);
      expect(await ws.fs.readdir(at(""), { recursive: true })).toEqual(["s", "s/inside"]);
    }));
});
