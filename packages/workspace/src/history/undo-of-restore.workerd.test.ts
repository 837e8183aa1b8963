/** Undoing a restore: what it restored is removed again, and a later restore finds it in its previous state. */
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { Workspace } from "@cloudflare/workspace";
import { expect, it } from "vitest";

const at = (name: string) => `/workspace/${name}`;
let created = 0;

function inWorkspace<T>(body: (ws: Workspace) => Promise<T>): Promise<T> {
  return runInDurableObject(env.BARE.getByName(`undo of restore ${created++}`), (_, { storage }) =>
    body(new Workspace({ storage })),
  );
}

it.each([
  ["a file", at("a/h")],
  ["the directory it is in", at("a")],
])("undoes the restore of %s that was edited and removed, and then the removal", (_, removed) =>
  inWorkspace(async (ws) => {
    await ws.fs.writeMany([
      { path: at("a/h"), content: "1" },
      { path: at("a/i"), content: "i" },
    ]);
    const snapshot = await ws.snapshots.create();
    await ws.fs.writeFile(at("a/h"), "2");
    await ws.fs.chmod(at("a/h"), 0o600);
    await ws.as({ callId: "removal" }).fs.rm(removed, { recursive: true });
    const before = await ws.fs.readdir(at(""), { recursive: true });
    const { group } = await ws.snapshots.restore(snapshot.id);
    expect(await ws.fs.readFile(at("a/h"), "utf8")).toBe("1");

    const undone = await ws.history.undo({ group: group as number });
    expect(undone.changes).toEqual([{ path: removed, action: "remove" }]);
    expect(await ws.fs.readdir(at(""), { recursive: true })).toEqual(before);

    // The undo removed it as well, later: so it takes force.
    await ws.history.undo({ callId: "removal", force: true });
    expect(await ws.fs.readFile(at("a/h"), "utf8")).toBe("2");
    expect((await ws.fs.stat(at("a/h"))).mode & 0o777).toBe(0o600);
    expect((await ws.fsck()).problems).toEqual([]);
  }),
);

it("a file with a name outside the directory that goes keeps what the undo gives it", () =>
  inWorkspace(async (ws) => {
    await ws.fs.writeMany([
      { path: at("a/h"), content: "1" },
      { path: at("b"), content: "b" },
    ]);
    await ws.fs.link(at("b"), at("a/k"));
    const snapshot = await ws.snapshots.create();
    await ws.fs.writeFile(at("a/k"), "both");
    await ws.fs.rm(at("a"), { recursive: true });
    const { group } = await ws.snapshots.restore(snapshot.id);
    expect(await ws.fs.readFile(at("b"), "utf8")).toBe("b");
    await ws.history.undo({ group: group as number });
    expect(await ws.fs.readFile(at("b"), "utf8")).toBe("both");
    expect(await ws.fs.readdir(at(""))).toEqual(["b"]);
  }));
