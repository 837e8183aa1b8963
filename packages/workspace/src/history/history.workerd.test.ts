import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { FsError, getWorkspace, type RevertedChange, Workspace } from "@cloudflare/workspace";
import { describe, expect, it } from "vitest";

const at = (name: string) => `/workspace/${name}`;
const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
let created = 0;

function inWorkspace<T>(body: (ws: Workspace, storage: DurableObjectStorage) => Promise<T>): Promise<T> {
  return runInDurableObject(env.BARE.getByName(`history ${created++}`), (_, { storage }) =>
    body(new Workspace({ storage }), storage),
  );
}

const by = (ws: Workspace, actor: string, callId: string) => ws.as({ actor, callId });
const shown = (changes: readonly RevertedChange[]) =>
  changes.map(({ action, path, from }) => `${action} ${path}${from === undefined ? "" : ` from ${from}`}`);
const failure = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: FsError) => error,
  );

describe("history.log", () => {
  it("is newest first, filtered and by page", () =>
    inWorkspace(async (ws) => {
      const one = by(ws, "coder", "call 1");
      await one.fs.writeMany([
        { path: at("src/a.ts"), content: "a" },
        { path: at("src/b.ts"), content: "b" },
      ]);
      await by(ws, "tester", "call 2").fs.rename(at("src/a.ts"), at("old.ts"));
      await by(ws, "coder", "call 3").fs.writeFile(at("src-2"), "not under src");
      const paths = async (options?: Parameters<typeof ws.history.log>[0]) =>
        (await ws.history.log(options)).entries.map(({ path }) => path);
      expect(await paths({ limit: 4 })).toEqual([at("src-2"), at("old.ts"), at("src/b.ts"), at("src/a.ts")]);
      expect(await paths({ path: at("src") })).toEqual([at("old.ts"), at("src/b.ts"), at("src/a.ts"), at("src")]);
      expect(await paths({ actor: "tester" })).toEqual([at("old.ts")]);
      expect(await paths({ callId: "call 3" })).toEqual([at("src-2")]);
      const first = await ws.history.log({ limit: 1, actor: "coder" });
      const second = await ws.history.log({ limit: 1, actor: "coder", cursor: first.cursor as string });
      expect(second.entries[0]?.path).toBe(at("src/b.ts"));
      expect(await paths({ since: second.entries[0]?.cursor })).toEqual([at("src-2"), at("old.ts")]);
      expect(await paths({ until: second.entries[0]?.cursor, limit: 1 })).toEqual([at("src/b.ts")]);
      const { groups } = await ws.history.groups();
      expect(groups.map(({ callId, entries, ops }) => ({ callId, entries, ops }))).toEqual([
        { callId: "call 3", entries: 1, ops: { create: 1 } },
        { callId: "call 2", entries: 1, ops: { rename: 1 } },
        { callId: "call 1", entries: 3, ops: { create: 3 } },
        { callId: undefined, entries: 2, ops: { create: 2 } },
      ]);
      expect(groups[2]?.paths).toEqual([at("src"), at("src/a.ts"), at("src/b.ts")]);
      await expect(ws.history.log({ limit: 0 })).rejects.toMatchObject({ code: "EINVAL" });
      await expect(ws.history.log({ since: "nonsense" })).rejects.toMatchObject({ code: "EINVAL" });
    }));
});

describe("workspace.at", () => {
  it("reads, lists, searches and asks git as it was, and cannot be changed", () =>
    inWorkspace(async (ws) => {
      await ws.git.cli({ argv: ["init", "-q", "-b", "main"] });
      await ws.fs.writeMany([
        { path: at("src/a.ts"), content: "needle one\n" },
        { path: at("src/deep/b.ts"), content: "b\n" },
      ]);
      await ws.git.cli({ argv: ["add", "."] });
      await ws.git.cli({ argv: ["commit", "-q", "-m", "first"] });
      await ws.fs.appendFile(at("src/a.ts"), "unsaved\n");
      const snap = await ws.snapshots.create("before");
      await ws.fs.rm(at("src/deep"), { recursive: true });
      await ws.fs.writeFile(at("src/a.ts"), "something else\n");
      await ws.git.cli({ argv: ["commit", "-qam", "second"] });
      await ws.fs.rename(at("src"), at("lib"));
      const old = ws.at(snap.id);
      expect(await old.fs.readFile(at("src/a.ts"), "utf8")).toBe("needle one\nunsaved\n");
      expect(await old.fs.glob("src/**/*.ts")).toEqual(["src/a.ts", "src/deep/b.ts"]);
      expect((await old.fs.grep("needle", at(""))).hits.map(({ path, line }) => [path, line])).toEqual([
        [at("src/a.ts"), 1],
      ]);
      expect((await ws.fs.grep("needle", at(""))).hits).toEqual([]);
      const git = async (...argv: string[]) => {
        const { stdout, stderr, exitCode } = await old.git.cli({ argv });
        return [exitCode, text(stdout), text(stderr)];
      };
      expect(await git("log", "--format=%s")).toEqual([0, "first\n", ""]);
      expect(await git("status", "--short")).toEqual([0, " M src/a.ts\n", ""]);
      expect(await git("diff", "--stat")).toEqual([0, expect.stringContaining("src/a.ts | 1 +"), ""]);
      expect((await git("commit", "-qam", "no"))[0]).not.toBe(0);
      const handle = await old.fs.open(at("src/a.ts"));
      expect(await handle.readFile("utf8")).toBe("needle one\nunsaved\n");
      await handle.close();
      for (const change of [
        () => old.fs.writeFile(at("x"), "x"),
        () => old.fs.mkdir(at("x")),
        () => old.fs.rm(at("src"), { recursive: true }),
        () => old.fs.open(at("x"), "w"),
        () => old.fs.writeMany([{ path: at("x"), content: "" }]),
        () => old.fs.utimes(at("src"), 0, 0),
      ])
        await expect(change()).rejects.toMatchObject({ code: "EROFS" });
      const since = await old.fs.changes();
      expect([since.more, since.cursor]).toEqual([false, snap.version]);
      await expect(ws.at("snap-none").fs.stat("/")).rejects.toMatchObject({ code: "ENOENT" });
      expect((await ws.fsck()).problems).toEqual([]);
    }));
});

describe("history.diff", () => {
  it("names what differs, with unified diffs", () =>
    inWorkspace(async (ws) => {
      await ws.fs.writeMany([
        { path: at("a.ts"), content: "one\ntwo\nthree\n" },
        { path: at("gone.ts"), content: "gone" },
        { path: at("dir/moved.ts"), content: "same\n" },
        { path: at("same.ts"), content: "same" },
        { path: at("bytes"), content: new Uint8Array([0, 1]) },
      ]);
      const { version } = await ws.snapshots.create();
      await ws.fs.writeFile(at("a.ts"), "one\n2\nthree\n");
      await ws.fs.rm(at("gone.ts"));
      await ws.fs.rename(at("dir"), at("other"));
      await ws.fs.chmod(at("other/moved.ts"), 0o755);
      await ws.fs.writeFile(at("bytes"), new Uint8Array([0, 2]));
      await ws.fs.writeFile(at("new.ts"), "new\n");
      const { files, truncated } = await ws.history.diff({ from: version });
      expect(truncated).toBe(false);
      expect(files.filter(({ type }) => type === "file").map(({ status, path, from }) => [status, path, from])).toEqual(
        [
          ["modified", at("a.ts"), undefined],
          ["modified", at("bytes"), undefined],
          ["renamed", at("other/moved.ts"), at("dir/moved.ts")],
          ["removed", at("gone.ts"), undefined],
          ["added", at("new.ts"), undefined],
        ],
      );
      expect(files[0]?.patch).toBe(
        "diff --git a/workspace/a.ts b/workspace/a.ts\n--- a/workspace/a.ts\n+++ b/workspace/a.ts\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n",
      );
      expect(files.find(({ path }) => path === at("bytes"))).toMatchObject({ binary: true });
      expect(files.find(({ path }) => path === at("new.ts"))?.patch).toContain("new file mode 100644\n--- /dev/null\n");
      const back = await ws.history.diff({ from: "now", to: version, path: at("a.ts") });
      expect(back.files.map(({ patch }) => patch)).toEqual([expect.stringContaining("-2\n+two\n")]);
      expect((await ws.history.diff({ from: "now" })).files).toEqual([]);
      await expect(ws.history.diff({ from: "now", path: at("nowhere") })).rejects.toMatchObject({ code: "ENOENT" });
    }));
});

describe("history.undo", () => {
  it("takes back everything one call did: made, changed, moved, removed, modes and links", () =>
    inWorkspace(async (ws) => {
      await ws.fs.writeMany([
        { path: at("edited"), content: "before" },
        { path: at("moved"), content: "m" },
        { path: at("tree/deep/file"), content: "t" },
        { path: at("link"), type: "symlink", target: "edited" },
        { path: at("mode"), content: "x" },
      ]);
      await ws.fs.link(at("moved"), at("second name"));
      const before = await ws.fs.stat(at("edited"));
      const call = by(ws, "agent", "call 1");
      await call.fs.writeFile(at("edited"), "after");
      await call.fs.rename(at("moved"), at("elsewhere"));
      await call.fs.rm(at("tree"), { recursive: true });
      await call.fs.unlink(at("link"));
      await call.fs.symlink("other", at("link"));
      await call.fs.chmod(at("mode"), 0o755);
      await call.fs.unlink(at("second name"));
      await call.fs.mkdir(at("new/inner"), { recursive: true });
      await call.fs.writeFile(at("new/inner/file"), "n");
      await ws.fs.writeFile(at("unrelated"), "stays");
      const dry = await ws.history.undo({ callId: "call 1", dryRun: true });
      expect(dry.group).toBe(null);
      expect(await ws.fs.readFile(at("edited"), "utf8")).toBe("after");
      const done = await by(ws, "person", "call 2").history.undo({ callId: "call 1" });
      expect(shown(done.changes)).toEqual(shown(dry.changes));
      expect(shown(done.changes)).toEqual([
        `write ${at("edited")}`,
        `restore ${at("link")}`,
        `attributes ${at("mode")}`,
        // Two names of one file: it does not matter which of them is said to have moved.
        `restore ${at("moved")}`,
        `remove ${at("new")}`,
        `move ${at("second name")} from ${at("elsewhere")}`,
        `restore ${at("tree")}`,
      ]);
      expect(await ws.fs.readFile(at("edited"), "utf8")).toBe("before");
      expect((await ws.fs.stat(at("edited"))).mtimeMs).toBe(before.mtimeMs);
      expect(await ws.fs.readFile(at("tree/deep/file"), "utf8")).toBe("t");
      expect(await ws.fs.readlink(at("link"))).toBe("edited");
      expect((await ws.fs.stat(at("mode"))).mode & 0o777).toBe(0o644);
      expect((await ws.fs.stat(at("moved"))).ino).toBe((await ws.fs.stat(at("second name"))).ino);
      expect((await ws.fs.stat(at("moved"))).nlink).toBe(2);
      expect(await ws.fs.exists(at("new"))).toBe(false);
      expect(await ws.fs.readFile(at("unrelated"), "utf8")).toBe("stays");
      expect((await ws.history.log({ limit: 1 })).entries[0]).toMatchObject({ actor: "person", callId: "call 2" });
      await ws.history.undo({ callId: "call 2" });
      expect(await ws.fs.readFile(at("edited"), "utf8")).toBe("after");
      expect(await ws.fs.readFile(at("new/inner/file"), "utf8")).toBe("n");
      expect(await ws.fs.exists(at("tree"))).toBe(false);
      expect((await ws.fsck()).problems).toEqual([]);
    }));

  it("takes back by group what the log shows as one: every transaction of a call, and none of what stood between", () =>
    inWorkspace(async (ws) => {
      const command = by(ws, "coder", "exec 1");
      await command.fs.mkdir(at("made"));
      for (const name of ["a", "b", "c"]) await command.fs.writeFile(at(`made/${name}`), name);
      await by(ws, "tester", "exec 2").fs.writeFile(at("between"), "1");
      await command.fs.writeFile(at("later"), "2");
      await ws.fs.writeFile(at("nobody's"), "3");
      await ws.fs.writeFile(at("nobody's either"), "4");
      const { groups } = await ws.history.groups({ limit: 5 });
      expect(groups.map(({ callId, entries }) => [callId, entries])).toEqual([
        [undefined, 1],
        [undefined, 1],
        ["exec 1", 1],
        ["exec 2", 1],
        ["exec 1", 4],
      ]);
      const inTheMiddle = (await ws.history.log({ path: at("made/b") })).entries[0]?.group as number;
      const dry = await ws.history.undo({ group: inTheMiddle, dryRun: true });
      const done = await ws.history.undo({ group: groups[4]?.group as number });
      expect(shown(done.changes)).toEqual([`remove ${at("made")}`]);
      expect(dry.changes).toEqual(done.changes);
      expect(await ws.fs.readdir("/workspace")).toEqual(["between", "later", "nobody's", "nobody's either"]);
      await ws.history.undo({ group: groups[1]?.group as number });
      await ws.history.undo({ group: done.group as number });
      expect(await ws.fs.readdir("/workspace")).toEqual(["between", "later", "made", "nobody's either"]);
      expect(await ws.fs.readdir(at("made"))).toEqual(["a", "b", "c"]);
    }));

  it("stops before it changes anything where something later touched the same, and names it", () =>
    inWorkspace(async (ws) => {
      await ws.fs.writeFile(at("a"), "1\n2\n3\n4\n5\n6\n7\n");
      await by(ws, "one", "c1").fs.writeFile(at("a"), "ONE\n2\n3\n4\n5\n6\n7\n");
      await by(ws, "one", "c1").fs.writeFile(at("made"), "made");
      await by(ws, "one", "c1").fs.mkdir(at("dir"));
      await by(ws, "two", "c2").fs.writeFile(at("a"), "ONE\n2\n3\n4\n5\n6\nSEVEN\n");
      await by(ws, "two", "c2").fs.writeFile(at("made"), "edited");
      await by(ws, "two", "c2").fs.writeFile(at("dir/inside"), "theirs");
      const { cursor } = await ws.fs.changes();
      const error = await failure(ws.history.undo({ callId: "c1" }));
      expect(error).toMatchObject({ code: "ECONFLICT" });
      expect(error?.conflicts?.map(({ path, actor, callId }) => [path, actor, callId])).toEqual([
        [at("a"), "two", "c2"],
        [at("made"), "two", "c2"],
        [at("dir/inside"), "two", "c2"],
      ]);
      expect((await ws.fs.changes({ since: cursor })).changes).toEqual([]);
      expect((await ws.history.undo({ callId: "c1", dryRun: true })).conflicts).toHaveLength(3);
      expect(await failure(ws.history.undo({ callId: "c1", path: at("a"), merge: true }))).toBe(null);
      expect(await ws.fs.readFile(at("a"), "utf8")).toBe("1\n2\n3\n4\n5\n6\nSEVEN\n");
      await ws.history.undo({ callId: "c1", path: at("dir"), force: true });
      expect(await ws.fs.exists(at("dir"))).toBe(false);
      await ws.history.undo({ path: at("dir") });
      expect(await ws.fs.readFile(at("dir/inside"), "utf8")).toBe("theirs");
      expect((await ws.fsck()).problems).toEqual([]);
    }));

  it("is not kept from it by what others changed and took back again", () =>
    inWorkspace(async (ws) => {
      await ws.fs.writeMany([
        { path: at("d/old"), content: "old" },
        { path: at("a"), content: "1" },
        { path: at("x"), content: "x" },
      ]);
      await by(ws, "one", "c1").fs.rm(at("d"), { recursive: true });
      await by(ws, "one", "c1").fs.writeFile(at("a"), "2");
      await by(ws, "one", "c1").fs.rename(at("x"), at("y"));
      const two = by(ws, "two", "c2").fs;
      await two.mkdir(at("d"));
      await two.writeFile(at("d/b"), "theirs");
      await two.writeFile(at("a"), "3");
      await two.rename(at("y"), at("z"));
      expect((await failure(ws.history.undo({ callId: "c1" })))?.conflicts?.map(({ path }) => path).sort()).toEqual([
        at("a"),
        at("d"),
        at("x"),
      ]);
      // Not all of it: there is still a directory of theirs.
      await two.unlink(at("d/b"));
      await by(ws, "two", "c3").fs.writeFile(at("a"), "2");
      await by(ws, "two", "c3").fs.rename(at("z"), at("y"));
      expect((await failure(ws.history.undo({ callId: "c1" })))?.conflicts?.map(({ path }) => path).sort()).toEqual([
        at("a"),
        at("d"),
      ]);
      await ws.history.undo({ callId: "c3" });
      await ws.history.undo({ callId: "c2" });
      const { conflicts } = await ws.history.undo({ callId: "c1" });
      expect(conflicts).toEqual([]);
      expect(await ws.fs.readdir("/workspace", { recursive: true })).toEqual(["a", "d", "d/old", "x"]);
      expect([await ws.fs.readFile(at("a"), "utf8"), await ws.fs.readFile(at("d/old"), "utf8")]).toEqual(["1", "old"]);
      expect((await ws.fsck()).problems).toEqual([]);
    }));

  it("says what cannot be merged, and what lies in what was removed later", () =>
    inWorkspace(async (ws) => {
      await ws.fs.writeMany([
        { path: at("a"), content: "1\n" },
        { path: at("d/f"), content: "f" },
        { path: at("e"), content: "e" },
      ]);
      await by(ws, "one", "c1").fs.writeFile(at("a"), "2\n");
      await by(ws, "one", "c1").fs.writeFile(at("d/f"), "changed");
      await by(ws, "one", "c1").fs.unlink(at("e"));
      await ws.fs.writeFile(at("a"), "3\n");
      await ws.fs.rm(at("d"), { recursive: true });
      await ws.fs.writeFile(at("e"), "another");
      const error = await failure(ws.history.undo({ callId: "c1", merge: true }));
      expect(error?.conflicts?.map(({ path, reason }) => `${path}: ${reason}`).sort()).toEqual([
        `${at("a")}: changed later, and cannot be merged`,
        `${at("d/f")}: removed later`,
        `${at("e")}: changed later`,
      ]);
      await ws.history.undo({ callId: "c1", force: true });
      expect([await ws.fs.readFile(at("a"), "utf8"), await ws.fs.readFile(at("e"), "utf8")]).toEqual(["1\n", "e"]);
      await expect(ws.history.undo({})).rejects.toMatchObject({ code: "EINVAL" });
      await expect(ws.history.undo({ callId: "nobody's" })).rejects.toMatchObject({ code: "ENOENT" });
      await expect(ws.history.undo({ group: 987_654_321, dryRun: true })).rejects.toMatchObject({ code: "ENOENT" });
      expect((await ws.fsck()).problems).toEqual([]);
    }));

  it("takes back by path the last call there, by actor and since a moment all of it", () =>
    inWorkspace(async (ws) => {
      await ws.fs.writeMany([
        { path: at("a"), content: "1" },
        { path: at("b"), content: "1" },
      ]);
      const { version } = await ws.snapshots.create();
      await by(ws, "x", "c1").fs.writeFile(at("a"), "2");
      await by(ws, "x", "c2").fs.writeFile(at("a"), "3");
      await by(ws, "x", "c2").fs.writeFile(at("b"), "3");
      await ws.history.undo({ path: at("a") });
      expect([await ws.fs.readFile(at("a"), "utf8"), await ws.fs.readFile(at("b"), "utf8")]).toEqual(["2", "3"]);
      await ws.history.undo({ path: at("a") });
      expect(await ws.fs.readFile(at("a"), "utf8")).toBe("3");
      await ws.history.undo({ actor: "x", path: at("b") });
      expect(await ws.fs.readFile(at("b"), "utf8")).toBe("1");
      await ws.history.undo({ since: version });
      expect([await ws.fs.readFile(at("a"), "utf8"), await ws.fs.readFile(at("b"), "utf8")]).toEqual(["1", "1"]);
    }));
});

describe("snapshots", () => {
  it("restores some paths and leaves the rest, with a copy of what lives elsewhere now", () =>
    inWorkspace(async (ws) => {
      await ws.fs.writeMany([
        { path: at("a/edited"), content: "1", mode: 0o755, mtime: 1000 },
        { path: at("a/moved"), content: "m", mtime: 2000 },
        { path: at("a/sub/gone"), content: "g" },
        { path: at("b/edited"), content: "1" },
      ]);
      const snap = await by(ws, "agent", "call 9").snapshots.create("before");
      expect(snap).toMatchObject({ name: "before", pinned: true, actor: "agent", callId: "call 9" });
      await ws.fs.writeFile(at("a/edited"), "2");
      await ws.fs.rename(at("a/moved"), at("b/moved"));
      await ws.fs.rm(at("a/sub"), { recursive: true });
      await ws.fs.writeFile(at("a/new"), "n");
      await ws.fs.writeFile(at("b/edited"), "2");
      const { changes, group } = await ws.snapshots.restore(snap.id, { paths: [at("a"), at("a/sub")] });
      expect(shown(changes)).toEqual([
        `write ${at("a/edited")}`,
        `restore ${at("a/moved")}`,
        `remove ${at("a/new")}`,
        `restore ${at("a/sub")}`,
      ]);
      expect(await ws.fs.readMany(["a/edited", "a/moved", "a/sub/gone", "b/edited", "b/moved"].map(at))).toEqual(
        ["1", "m", "g", "2", "m"].map((content) => new TextEncoder().encode(content)),
      );
      const stat = await ws.fs.stat(at("a/moved"));
      expect([stat.mtimeMs, stat.nlink]).toEqual([2_000_000, 1]);
      expect((await ws.history.diff({ from: snap.id, path: at("a") })).files).toEqual([]);
      await ws.history.undo({ group: group as number });
      expect(await ws.fs.readdir(at("a"))).toEqual(["edited", "new"]);
      await expect(ws.snapshots.restore(snap.id, { paths: [] })).rejects.toMatchObject({ code: "EINVAL" });
      expect((await ws.snapshots.list()).map(({ id }) => id)).toEqual([snap.id]);
      await ws.snapshots.remove(snap.id);
      await expect(ws.snapshots.get(snap.id)).rejects.toMatchObject({ code: "ENOENT" });
      expect((await ws.fsck()).problems).toEqual([]);
    }));

  it("keeps what a pinned one needs, and lets go of the others with the history they need", () =>
    inWorkspace(async (ws) => {
      await ws.fs.writeFile(at("a"), "1");
      const loose = await ws.snapshots.create("loose", { pinned: false });
      await ws.fs.writeFile(at("a"), "2");
      const pinned = await ws.snapshots.create("pinned");
      await ws.fs.writeFile(at("a"), "3");
      await ws.fs.rm(at("a"));
      await ws.gc({ retention: { entries: 0 } });
      expect((await ws.snapshots.list()).map(({ name }) => name)).toEqual(["pinned"]);
      expect(await ws.at(pinned.id).fs.readFile(at("a"), "utf8")).toBe("2");
      const error = await failure(ws.at(loose.version).fs.stat("/"));
      expect(error).toMatchObject({ code: "EGONE", oldest: pinned.version });
      await ws.snapshots.restore(pinned.id);
      expect(await ws.fs.readFile(at("a"), "utf8")).toBe("2");
      await ws.snapshots.remove(pinned.id);
      await ws.gc({ retention: { entries: 0 } });
      expect(await failure(ws.at(pinned.version).fs.stat("/"))).toMatchObject({ code: "EGONE" });
      expect((await ws.history.use()).bytes).toBe(0);
      expect((await ws.fsck()).problems).toEqual([]);
    }));
});

describe("files with several names", () => {
  it("have as many in the past as they had, and are restored under one that they still have", () =>
    inWorkspace(async (ws) => {
      await ws.fs.writeFile(at("a"), "one");
      await ws.fs.mkdir(at("d"));
      await ws.fs.link(at("a"), at("b"));
      const two = await ws.snapshots.create();
      await ws.fs.link(at("a"), at("d/c"));
      const past = ws.at(two.id).fs;
      await past.readdir("/workspace", { withFileTypes: true });
      expect([(await past.stat(at("a"))).nlink, (await past.stat(at("b"))).nlink]).toEqual([2, 2]);
      // Last seen at a name that it has lost since.
      await ws.fs.chmod(at("d/c"), 0o600);
      await ws.fs.unlink(at("d/c"));
      await ws.fs.unlink(at("b"));
      await ws.snapshots.restore(two.id);
      const { entries } = await ws.history.log({ limit: 2 });
      expect(entries.map(({ op, path }) => [op, path])).not.toContainEqual(["attr", at("d/c")]);
      expect([(await ws.fs.stat(at("a"))).mode & 0o777, (await ws.fs.readdir(at("d"))).length]).toEqual([0o644, 0]);
    }));
});

/** `toEqual` of millions of bytes takes half a minute. */
const same = (one: Uint8Array, other: Uint8Array) =>
  one.length === other.length && one.every((byte, i) => byte === other[i]);

describe("history.purge", () => {
  it("takes a secret out of the database, wherever the past kept it, and says so afterwards", () =>
    inWorkspace(async (ws, storage) => {
      const secret = "hunter2-".repeat(50);
      const found = () =>
        [
          ...storage.sql.exec("SELECT cast(bytes AS TEXT) AS t FROM ws_content"),
          ...storage.sql.exec("SELECT ifnull(target, '') AS t FROM ws_inode"),
        ].filter(({ t }) => (t as string).includes("hunter2")).length;
      await ws.fs.writeFile(at("env/key"), "safe").catch(() => ws.fs.mkdir(at("env")));
      await ws.fs.writeFile(at("env/key"), secret);
      await ws.fs.writeFile(at("env/key"), "safe");
      await ws.fs.writeFile(at("env/cut"), `x${secret}`);
      await ws.fs.truncate(at("env/cut"), 1);
      await ws.fs.writeFile(at("env/removed"), secret);
      const { version } = await ws.snapshots.create();
      await ws.fs.rm(at("env/removed"));
      await ws.fs.mkdir(at("env/tree"));
      await ws.fs.writeFile(at("env/tree/inner"), secret);
      await ws.fs.writeFile(at("env/large"), new TextEncoder().encode(secret.repeat(4000)));
      await ws.fs.rm(at("env/large"));
      await ws.fs.rm(at("env/tree"), { recursive: true });
      await ws.fs.writeFile(at("other"), "other");
      expect(found()).toBeGreaterThan(4);
      expect((await ws.fs.du(at("env"))).historyBytes).toBeGreaterThan(secret.length * 4000);
      const { states, shared } = await ws.history.purge(at("env"));
      expect([states > 0, shared]).toEqual([true, []]);
      expect(found()).toBe(0);
      expect((await ws.fs.du(at("env"))).historyBytes).toBe(0);
      expect(await ws.fs.readFile(at("env/key"), "utf8")).toBe("safe");
      expect(await ws.fs.readFile(at("env/cut"), "utf8")).toBe("x");
      const old = ws.at(version);
      await expect(old.fs.readFile(at("env/removed"))).rejects.toMatchObject({ code: "EGONE" });
      expect((await old.fs.grep("hunter2", at(""))).hits).toEqual([]);
      const { conflicts } = await ws.snapshots.restore(version);
      expect(conflicts.map(({ path }) => path)).toEqual([at("env/removed")]);
      expect((await ws.history.diff({ from: version })).files).toMatchObject([
        { path: at("env/removed"), status: "removed", purged: true },
      ]);
      expect((await ws.fsck()).problems).toEqual([]);
    }));

  it("is refused inside a transaction, where nothing could be overwritten, and changes nothing", () =>
    inWorkspace(async (ws, storage) => {
      await ws.fs.writeFile(at("key"), "secret");
      await ws.fs.writeFile(at("key"), "safe");
      await storage.transaction(() =>
        expect(ws.history.purge(at("key"))).rejects.toMatchObject({ code: "EBUSY", syscall: "purge" }),
      );
      expect(await ws.history.purge(at("key"))).toMatchObject({ states: 1 });
      expect(await ws.history.purge(at("key"))).toMatchObject({ states: 0 });
    }));

  it("leaves a content that is being read to its reader, and maintenance erases it afterwards", () =>
    inWorkspace(async (ws, storage) => {
      const secret = new TextEncoder().encode("hunter2-".repeat(400_000));
      await ws.fs.writeFile(at("key"), secret);
      const stream = await ws.fs.readStream(at("key"));
      await ws.fs.writeFile(at("key"), "safe");
      await ws.history.purge(at("key"));
      expect(same(new Uint8Array(await new Response(stream).arrayBuffer()), secret)).toBe(true);
      const { nextDueMs } = await ws.maintain({ budget: 100 });
      const rows = storage.sql.exec("SELECT length(bytes) AS n FROM ws_content").toArray();
      const queued = storage.sql.exec("SELECT * FROM ws_garbage UNION ALL SELECT 1 FROM ws_meta WHERE key = 'erase'");
      expect([rows, queued.toArray()]).toEqual([[{ n: 4 }], []]);
      expect(nextDueMs).toBeGreaterThan(Date.now() + 86_400_000);
      expect((await ws.fsck()).problems).toEqual([]);
    }));

  it("keeps the bytes and the version of a large file whose rows it moves", () =>
    inWorkspace(async (ws) => {
      const bytes = new Uint8Array(3_000_000).map((_, i) => i % 251);
      await ws.fs.writeFile(at("big"), bytes);
      {
        await using file = await ws.fs.open(at("big"), "r+");
        await file.write(new Uint8Array(10), 0, 10, 1_500_000);
      }
      await ws.fs.copyFile(at("big"), at("copy"));
      const { version } = await ws.fs.stat(at("big"));
      await ws.history.purge(at("big"));
      bytes.fill(0, 1_500_000, 1_500_010);
      expect((await ws.fs.stat(at("big"))).version).toBe(version);
      for (const name of ["big", "copy"]) expect(same(await ws.fs.readFile(at(name)), bytes)).toBe(true);
      await ws.fs.writeFile(at("big"), "x", { ifVersion: version });
      await ws.gc({ retention: { entries: 0 } });
      expect(same(await ws.fs.readFile(at("copy")), bytes)).toBe(true);
      expect((await ws.fsck()).problems).toEqual([]);
    }));

  it("names copies that keep the content", () =>
    inWorkspace(async (ws) => {
      await ws.fs.writeFile(at("key"), "secret");
      await ws.fs.copyFile(at("key"), at("copy"));
      await ws.fs.rm(at("key"));
      expect(await ws.history.purge(at("key"))).toMatchObject({ shared: [at("copy")] });
      expect(await ws.fs.readFile(at("copy"), "utf8")).toBe("secret");
      expect((await ws.fsck()).problems).toEqual([]);
    }));
});

describe("history.blame", () => {
  it("says which call wrote each line, through renames over it, and not who brought it back", () =>
    inWorkspace(async (ws) => {
      await by(ws, "ann", "c1").fs.writeFile(at("f"), "a\nb\nc\n");
      await by(ws, "bob", "c2").fs.writeFile(at("f"), "a\nB\nc\n");
      await by(ws, "eve", "c3").fs.writeFile(at("f"), "all\nof it\nis eve's\n");
      await by(ws, "ann", "c4").history.undo({ callId: "c3" });
      await by(ws, "dan", "c5").fs.writeFile(at("tmp"), "a\nB\nc\nd\n");
      await by(ws, "dan", "c5").fs.rename(at("tmp"), at("f"));
      const { lines } = await ws.history.blame(at("f"));
      expect(lines.map(({ text: line, actor, callId }) => [line, actor, callId])).toEqual([
        ["a", "ann", "c1"],
        ["B", "bob", "c2"],
        ["c", "ann", "c1"],
        ["d", "dan", "c5"],
      ]);
      await ws.gc({ retention: { entries: 2 } });
      expect((await ws.history.blame(at("f"))).lines.map(({ actor }) => actor ?? "?").join()).toBe("?,?,?,dan");
      await expect(ws.history.blame(at(""))).rejects.toMatchObject({ code: "EISDIR" });
    }));
});

describe("space", () => {
  it("is made of history before a write fails, and of nothing that a pinned snapshot needs", () =>
    runInDurableObject(env.BARE.getByName("history space"), async (_, { storage }) => {
      const ws = new Workspace({ storage, limits: { databaseBytes: 12 * 1024 * 1024 } });
      for (let i = 0; i < 30; i++) await ws.fs.writeFile(at("big"), new Uint8Array(1024 * 1024).fill(i));
      expect(storage.sql.databaseSize).toBeLessThan(13 * 1024 * 1024);
      expect((await ws.fs.readFile(at("big")))[0]).toBe(29);
      const { id } = await ws.snapshots.create();
      const fill = async () => {
        for (let i = 0; i < 30; i++) await ws.fs.writeFile(at("big"), new Uint8Array(1024 * 1024).fill(i));
      };
      expect(await failure(fill())).toMatchObject({ code: "ENOSPC" });
      expect((await ws.at(id).fs.readFile(at("big")))[0]).toBe(29);
      const { historyBytes = 0 } = await ws.fs.statfs("/");
      expect(historyBytes).toBeGreaterThan(5 * 1024 * 1024);
      await ws.snapshots.remove(id);
      await fill();
      expect((await ws.fsck()).problems).toEqual([]);
    }));
});

describe("over a binding", () => {
  it("is the same: log, diff, undo with its conflicts, snapshots, and files and git as they were", async () => {
    using ws = getWorkspace(env.WORKSPACE, "history over rpc");
    await ws.git.cli({ argv: ["init", "-q", "-b", "main"] });
    await ws.fs.writeFile(at("a"), "1\n");
    const snap = await ws.snapshots.create("first");
    await ws.as({ actor: "one", callId: "c1" }).fs.writeFile(at("a"), "2\n");
    await ws.as({ actor: "two", callId: "c2" }).fs.writeFile(at("a"), "3\n");
    const old = ws.at(snap.id);
    expect(await old.fs.readFile(at("a"), "utf8")).toBe("1\n");
    expect(text((await old.git.cli({ argv: ["status", "--short"] })).stdout)).toBe("?? a\n");
    await expect(old.fs.rm(at("a"))).rejects.toMatchObject({ code: "EROFS" });
    const error = await failure(ws.history.undo({ callId: "c1" }));
    expect(error).toBeInstanceOf(FsError);
    expect(error).toMatchObject({ code: "ECONFLICT", conflicts: [{ path: at("a"), actor: "two", callId: "c2" }] });
    expect((await ws.history.diff({ from: snap.id })).files[0]?.patch).toContain("-1\n+3\n");
    expect((await ws.history.log({ callId: "c2" })).entries).toHaveLength(1);
    expect((await ws.history.groups({ limit: 1 })).groups[0]).toMatchObject({ callId: "c2", paths: [at("a")] });
    expect((await ws.history.blame(at("a"))).lines[0]).toMatchObject({ text: "3", actor: "two" });
    expect((await ws.snapshots.restore(snap.id)).total).toBe(1);
    expect(await ws.fs.readFile(at("a"), "utf8")).toBe("1\n");
    expect((await ws.snapshots.list()).map(({ id }) => id)).toEqual([snap.id]);
    expect((await ws.history.use()).snapshots).toBe(1);
    expect((await ws.history.purge(at("a"))).states).toBe(3);
    await ws.snapshots.remove(snap.id);
    await expect(ws.snapshots.get(snap.id)).rejects.toMatchObject({ code: "ENOENT" });
    await expect(ws.history.undo({ callId: 7 as never })).rejects.toMatchObject({ code: "EINVAL" });
  });
});
