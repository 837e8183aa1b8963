/**
 * The moments in a sync at which a write could be lost, one by one: each test stops at such a moment (a wire that is cut after so
 * many messages, a write on the other side in between) and looks at what is left. The random walk over the same is `sync-model`.
 */
import { createFileSystem } from "@workspace/vfs";
import { describe, expect, it } from "vitest";
import { openContainer, type WorkspaceContainer } from "../../packages/workspace/src/container/container.ts";
import { DaemonFixture, run, treeOf } from "../support/workerd/daemon-fixture.ts";
import { type Inside, inObject } from "../support/workerd/in-object.ts";
import { StoppingWire } from "./sync-wire.ts";

interface Pair extends Inside {
  daemon: DaemonFixture;
  container: WorkspaceContainer;
  wire: StoppingWire;
}

const pair = (body: (pair: Pair) => Promise<void>) =>
  inObject(async (inside) => {
    await using daemon = await DaemonFixture.start();
    const wire = new StoppingWire(daemon.sandbox);
    const container = openContainer(inside.volume, { sandbox: wire });
    await body({ ...inside, daemon, container, wire });
    container.link.close();
  });

const same = async ({ fs, daemon }: Pair) => expect(await daemon.tree()).toEqual(await treeOf(fs));
const text = (content: string) => `file 644 ${btoa(content)}`;

describe("a sync that is cut", () => {
  it("pull takes a batch once when the connection breaks between commit and confirmation", () =>
    pair(async (p) => {
      const { fs, daemon, container, wire } = p;
      await container.sync();
      await daemon.write("f", "theirs");
      wire.cutBefore("settle");
      await expect(container.sync()).rejects.toMatchObject({ name: "ContainerError" });
      expect(await fs.readFile("/workspace/f", "utf8")).toBe("theirs");
      const { version } = await fs.stat("/workspace/f");
      expect(await container.sync()).toMatchObject({ conflicts: [] });
      expect((await fs.stat("/workspace/f")).version).toBe(version);
      await same(p);
    }));

  it("pull keeps a local write after a committed batch whose confirmation was cut, and reports no conflict", () =>
    pair(async (p) => {
      const { fs, daemon, container, wire } = p;
      await container.sync();
      await daemon.write("f", "theirs");
      wire.cutBefore("settle");
      await expect(container.sync()).rejects.toMatchObject({ name: "ContainerError" });
      await fs.writeFile("/workspace/f", "mine, over theirs");
      await container.sync();
      expect(await fs.readFile("/workspace/f", "utf8")).toBe("mine, over theirs");
      await same(p);
    }));

  it("push sends the same again when the connection breaks before the object learns that it was applied", () =>
    pair(async (p) => {
      const { fs, container, wire } = p;
      await container.sync();
      await fs.writeFile("/workspace/f", "mine");
      wire.cutAfter("apply");
      await expect(container.sync()).rejects.toMatchObject({ name: "ContainerError" });
      expect(await container.sync()).toMatchObject({ conflicts: [], pulled: { entries: 0 } });
      await same(p);
    }));

  it("push sends everything to a new container after one died, and saves existing files as conflict copies", () =>
    pair(async (p) => {
      const { fs, daemon, container, wire } = p;
      await fs.writeFile("/workspace/f", "mine");
      wire.cutAfter("apply");
      await expect(container.sync()).rejects.toMatchObject({ name: "ContainerError" });
      await daemon.do({ do: "raw", name: btoa("no\xfftext") });
      await daemon.restart();
      await container.sync();
      expect(await daemon.tree()).toEqual({ f: text("mine") });
    }));
});

describe("a write between the steps of a sync", () => {
  it("pull keeps both versions when the workspace writes between read and commit", () =>
    pair(async (p) => {
      const { fs, daemon, container, wire } = p;
      await fs.writeFile("/workspace/f", "base");
      await container.sync();
      await daemon.write("f", "theirs");
      wire.after("take", () => fs.writeFile("/workspace/f", "mine"));
      const { conflicts } = await container.sync();
      expect(await fs.readFile("/workspace/f", "utf8")).toBe("mine");
      expect(conflicts.map(({ path }) => path)).toEqual(["/workspace/f"]);
      expect(await fs.readFile(conflicts[0]?.keptAt as string, "utf8")).toBe("theirs");
      await same(p);
    }));

  it("push sends the newer version of a file changed between offer and content", () =>
    pair(async (p) => {
      const { fs, daemon, container, wire } = p;
      await container.sync();
      await fs.mkdir("/workspace/d");
      await fs.writeFile("/workspace/d/f", "first");
      // A directory is new, so the container is asked what it lacks, and then sent it.
      wire.after("apply", () => fs.writeFile("/workspace/d/f", "later"));
      await container.sync();
      await same(p);
      await daemon.write("d/f", "edited");
      expect(await container.sync()).toMatchObject({ conflicts: [] });
      expect(await fs.readFile("/workspace/d/f", "utf8")).toBe("edited");
    }));

  it("sync reports more work when the container writes after the scan, and removes nothing before taking it", () =>
    pair(async (p) => {
      const { fs, daemon, container, wire } = p;
      await fs.writeFile("/workspace/old", "content");
      await container.sync();
      await daemon.do({ do: "rename", path: "old", to: "new" });
      await daemon.write("new", "content, and more");
      let round = 0;
      wire.always("scan", () => daemon.write("new", `content ${++round}`));
      const report = await container.sync();
      expect(report.skipped).toContainEqual({ path: "/workspace", reason: expect.stringContaining("still being") });
      // The old name stands for its content until the new one is here.
      expect(await fs.readFile("/workspace/old", "utf8")).toBe("content");
      wire.always("scan", null);
      await container.sync();
      expect(await treeOf(fs)).toEqual({ new: text(`content ${round}`) });
      await same(p);
    }));

  it("push leaves a path alone that the container wrote after the scan, and both versions remain", () =>
    pair(async (p) => {
      const { fs, daemon, container, wire } = p;
      await fs.writeFile("/workspace/f", "base");
      await container.sync();
      await fs.writeFile("/workspace/f", "mine");
      wire.before("apply", () => daemon.write("f", "theirs"));
      const { conflicts } = await container.sync();
      expect(conflicts).toHaveLength(1);
      expect(await fs.readFile(conflicts[0]?.keptAt as string, "utf8")).toBe("theirs");
      await same(p);
    }));
});

describe("what a push must not take away", () => {
  it("push keeps an empty directory that a command created in a removed one, or in place of a file", () =>
    pair(async (p) => {
      const { fs, daemon, container } = p;
      await fs.writeMany([
        { path: "/workspace/d/x", content: "x" },
        { path: "/workspace/f", content: "f" },
      ]);
      await container.sync();
      await fs.rm("/workspace/d", { recursive: true });
      await fs.rm("/workspace/f");
      await daemon.do({ do: "mkdir", path: "d/made" }, { do: "rm", path: "f" }, { do: "mkdir", path: "f" });
      await container.sync();
      expect(Object.keys(await treeOf(fs)).sort()).toEqual(["d", "d/made", "f"]);
      await same(p);
    }));

  it("push keeps a second version with the bytes of an overwritten conflict copy", () =>
    pair(async (p) => {
      const { fs, daemon, container } = p;
      const conflict = async (round: string) => {
        await fs.writeFile("/workspace/f", `base ${round}`);
        await container.sync();
        await fs.writeFile("/workspace/f", `mine ${round}`);
        await daemon.write("f", "theirs");
        const [retained] = (await container.sync()).conflicts;
        return retained?.keptAt as string;
      };
      const first = await conflict("1");
      await fs.writeFile(first, "something else");
      const second = await conflict("2");
      expect(second).not.toBe(first);
      expect(await fs.readFile(first, "utf8")).toBe("something else");
      expect(await fs.readFile(second, "utf8")).toBe("theirs");
      await same(p);
    }));
});

describe("what a push must take away", () => {
  it("push removes the entries of a directory that was moved or removed, then created again", () =>
    pair(async (p) => {
      const { fs, container } = p;
      await fs.writeMany([
        { path: "/workspace/moved/x", content: "x" },
        { path: "/workspace/removed/deep/y", content: "y" },
        { path: "/workspace/removed/z", content: "z" },
      ]);
      await container.sync();
      await fs.rename("/workspace/moved", "/workspace/elsewhere");
      await fs.mkdir("/workspace/moved");
      await fs.rm("/workspace/removed", { recursive: true });
      await fs.writeMany([{ path: "/workspace/removed/z", content: "z again" }]);
      await container.sync();
      await same(p);
    }));
});

describe("skipped", () => {
  it("skipped lists hard links on both sides, and names that are not UTF-8 with their bytes", () =>
    pair(async ({ volume, fs, daemon, container }) => {
      await fs.writeFile("/workspace/a", "1");
      await createFileSystem(volume).link("/workspace/a", "/workspace/b");
      await daemon.do({ do: "raw", name: btoa("bad\xffname") }, { do: "raw", name: btoa("bad\xfename") });
      const first = await container.sync();
      expect(first.skipped.toSorted(byPath)).toEqual([
        { path: "/workspace/a", reason: expect.stringContaining("several names") },
        { path: "/workspace/b", reason: expect.stringContaining("several names") },
        { path: "/workspace/bad\\xfename", reason: "the name is not UTF-8" },
        { path: "/workspace/bad\\xffname", reason: "the name is not UTF-8" },
      ]);
      const { exit } = await run(container, "echo two > c; ln c d");
      expect(exit.sync?.skipped.filter(({ reason }) => /hard link/.test(reason)).map(({ path }) => path)).toEqual([
        "/workspace/c",
        "/workspace/d",
      ]);
      expect(await fs.readFile("/workspace/d", "utf8")).toBe("two\n");
    }));
});

function byPath(a: { path: string }, b: { path: string }): number {
  return a.path < b.path ? -1 : 1;
}
