import { containerOn, DaemonFixture, gather, run, treeOf } from "@workspace/testing/daemon-fixture";
import { type Inside, inObject } from "@workspace/testing/in-object";
import { createFileSystem, createHistory } from "@workspace/vfs";
import { describe, expect, it } from "vitest";
import type { WorkspaceContainer } from "../container/container.ts";
import type { SyncOptions } from "./policy.ts";

interface Pair extends Inside {
  lab: DaemonFixture;
  container: WorkspaceContainer;
}

const pair = (body: (pair: Pair) => Promise<void>, options: SyncOptions = {}) =>
  inObject(async (inside) => {
    await using lab = await DaemonFixture.start();
    const container = containerOn(inside.volume, lab, options);
    await body({ ...inside, lab, container });
    container.link.close();
  });

const same = async ({ fs, lab }: Pair) => expect(await lab.tree()).toEqual(await treeOf(fs));
const text = (content: string) => `file 644 ${btoa(content)}`;

describe("sync", () => {
  it("push brings every kind of entry, change of type, rename, mode and removal", () =>
    pair(async (p) => {
      const { fs, container } = p;
      await fs.writeMany([
        { path: "/workspace/a/one.txt", content: "one" },
        { path: "/workspace/a/run.sh", content: "#!", mode: 0o755 },
        { path: "/workspace/link", type: "symlink", target: "a/one.txt" },
        { path: "/workspace/empty", type: "dir" },
        { path: "/workspace/new\nline", content: "" },
        { path: "/workspace/was-file", content: "x" },
        { path: "/workspace/was-dir/x", content: "x" },
      ]);
      await container.sync();
      await same(p);
      await fs.rename("/workspace/a", "/workspace/b");
      await fs.chmod("/workspace/b/one.txt", 0o600);
      await fs.rm("/workspace/was-file");
      await fs.mkdir("/workspace/was-file");
      await fs.rm("/workspace/was-dir", { recursive: true });
      await fs.writeFile("/workspace/was-dir", "now a file");
      await fs.rename("/workspace/empty", "/workspace/Empty");
      await fs.unlink("/workspace/link");
      const report = await container.sync();
      await same(p);
      // What was renamed is there already: only the new file's bytes travel.
      expect(report.pushed.bytes).toBe("now a file".length);
      expect(report.pulled.entries).toBe(0);
    }));

  it("pull brings the same the other way, and what it cannot take it names", () =>
    pair(async (p) => {
      const { fs, lab, container } = p;
      await container.sync();
      await lab.write("a/one.txt", "one");
      await lab.write("was-file", "x");
      await lab.write("was-dir/x", "x");
      await lab.do({ do: "symlink", path: "link", target: "a/one.txt" }, { do: "mkdir", path: "empty" });
      await lab.do({ do: "link", path: "a/two.txt", target: "a/one.txt" });
      await container.sync();
      await same(p);
      const before = (await fs.stat("/workspace/a/one.txt")).version;
      await lab.do(
        { do: "rename", path: "a", to: "b" },
        { do: "rm", path: "was-file" },
        { do: "mkdir", path: "was-file" },
        { do: "rm", path: "was-dir" },
        { do: "rename", path: "empty", to: "Empty" },
        { do: "chmod", path: "b/one.txt", mode: 0o600 },
      );
      await lab.write("was-dir", "now a file");
      const report = await container.sync();
      await same(p);
      expect(report.conflicts).toEqual([]);
      expect((await fs.stat("/workspace/b/one.txt")).version).not.toBe(before);
      expect((await container.sync()).pulled.entries).toBe(0);
    }));

  it("an edit within the same tick and of the same size is seen", () =>
    pair(async ({ fs, lab, container }) => {
      await lab.write("f", "aaaa", { mtime: 1_700_000_000 });
      await container.sync();
      for (const content of ["bbbb", "cccc", "dddd"]) {
        await lab.write("f", content, { mtime: 1_700_000_000 });
        await container.sync();
        expect(await fs.readFile("/workspace/f", "utf8")).toBe(content);
      }
    }));

  it("a path changed on both sides keeps both, and the report names them", () =>
    pair(async (p) => {
      const { fs, lab, container } = p;
      await fs.writeFile("/workspace/f", "base");
      await fs.writeFile("/workspace/gone-here", "base");
      await fs.writeFile("/workspace/gone-there", "base");
      await container.sync();
      await fs.writeFile("/workspace/f", "mine");
      await lab.write("f", "theirs");
      await fs.rm("/workspace/gone-here");
      await lab.write("gone-here", "edited");
      await fs.writeFile("/workspace/gone-there", "edited");
      await lab.do({ do: "rm", path: "gone-there" });
      const report = await container.sync();
      expect(report.conflicts.map(({ path }) => path).sort()).toEqual(["/workspace/f", "/workspace/gone-here"]);
      const keptAt = Object.fromEntries(report.conflicts.map((conflict) => [conflict.path, conflict.keptAt]));
      expect(await fs.readFile("/workspace/f", "utf8")).toBe("mine");
      expect(await fs.readFile(keptAt["/workspace/f"]!, "utf8")).toBe("theirs");
      expect(await fs.exists("/workspace/gone-here")).toBe(false);
      expect(await fs.readFile(keptAt["/workspace/gone-here"]!, "utf8")).toBe("edited");
      expect(await fs.readFile("/workspace/gone-there", "utf8")).toBe("edited");
      expect(report.skipped).toContainEqual({
        path: "/workspace/gone-there",
        reason: expect.stringContaining("it stays"),
      });
      await same(p);
      expect(await container.sync()).toMatchObject({ conflicts: [], pushed: { entries: 0 }, pulled: { entries: 0 } });
    }));

  it("a directory against a file keeps both, whichever side has which", () =>
    pair(async (p) => {
      const { fs, lab, container } = p;
      await container.sync();
      await fs.writeFile("/workspace/x", "a file here");
      await lab.write("x/deep/inside", "a directory there");
      await fs.writeMany([{ path: "/workspace/y/inside", content: "a directory here" }]);
      await lab.write("y", "a file there");
      await container.sync();
      await container.sync();
      await same(p);
      const contents = Object.values(await lab.tree());
      for (const retained of ["a file here", "a directory there", "a directory here", "a file there"])
        expect(contents.filter((entry) => entry === text(retained))).toHaveLength(1);
      expect(await fs.readFile("/workspace/x", "utf8")).toBe("a file here");
      expect(await fs.readFile("/workspace/y/inside", "utf8")).toBe("a directory here");
    }));

  it("a file with several names is synced under each, and accepts an edit under one", () =>
    pair(async (p) => {
      const { fs, lab, container } = p;
      await fs.writeFile("/workspace/a", "1");
      await fs.link("/workspace/a", "/workspace/b");
      await container.sync();
      await fs.writeFile("/workspace/a", "2");
      await container.sync();
      expect(await lab.tree()).toEqual({ a: text("2"), b: text("2") });
      await lab.write("b", "3");
      await container.sync();
      expect(await treeOf(fs)).toEqual({ a: text("2"), b: text("3") });
      await same(p);
    }));

  it("policy leaves container-only paths there and here, and says so", () =>
    pair(
      async (p) => {
        const { fs, lab, container } = p;
        await fs.writeFile("/workspace/.workspaceignore", "*.tmp\n");
        await fs.writeMany([{ path: "/workspace/.workspace/spool", content: "ours" }]);
        await lab.write("node_modules/m/index.js", "x");
        await lab.write("big.bin", "x");
        await lab.write("scratch.tmp", "x");
        await lab.write("kept/node_modules/m.js", "x");
        await container.sync();
        const report = await container.sync();
        expect(Object.keys(await treeOf(fs)).sort()).toEqual([
          ".workspace",
          ".workspace/spool",
          ".workspaceignore",
          "kept",
          "kept/node_modules",
          "kept/node_modules/m.js",
        ]);
        const reason = "container-only by policy";
        expect(report.skipped.toSorted((a, b) => (a.path < b.path ? -1 : 1))).toEqual(
          ["big.bin", "node_modules", "scratch.tmp"].map((name) => ({ path: `/workspace/${name}`, reason })),
        );
        expect(Object.keys(await lab.tree())).not.toContain(".workspace");
      },
      {
        policy: [
          { glob: "*.bin", keep: "container-only" },
          { glob: "/kept/node_modules/", keep: "durable" },
        ],
      },
    ));

  it("a budget stops a runaway tree before anything of it is taken", () =>
    pair(
      async ({ fs, lab, container }) => {
        await container.sync();
        for (let i = 0; i < 12; i++) await lab.write(`out/${i}`, "x");
        const { skipped, pulled } = await container.sync();
        expect(pulled.entries).toBe(0);
        expect(skipped).toEqual([
          {
            path: "/workspace",
            reason: expect.stringMatching(/over the budget.*more than 10 entries; most are in "out"/),
          },
        ]);
        expect(await fs.readdir("/workspace")).toEqual([]);
      },
      { budget: { entries: 10 } },
    ));

  it("large contents go in pieces both ways", () =>
    pair(async (p) => {
      const { fs, lab, container } = p;
      const mine = "0123456789abcdef".repeat(200_000);
      const theirs = "fedcba9876543210".repeat(220_000);
      await fs.writeFile("/workspace/mine", mine);
      await lab.write("theirs", theirs);
      await container.sync();
      expect(await fs.readFile("/workspace/theirs", "utf8")).toBe(theirs);
      await same(p);
    }));

  it("changes of a running command flow both ways, under its name", () =>
    pair(async ({ fs, container, volume }) => {
      const command = "echo ready; until [ -e go ]; do sleep 0.05; done; cat go; echo made > made";
      const process = await container.backend.start({
        id: "w",
        command,
        cwd: "/workspace",
        env: {},
        stdin: null,
        timeoutMs: 0,
        callId: "w",
      });
      const events = process.events[Symbol.asyncIterator]();
      await events.next();
      await fs.writeFile("/workspace/go", "gone on");
      expect(new TextDecoder().decode((await events.next()).value.value)).toBe("gone on");
      expect((await events.next()).value).toMatchObject({ name: "exit", value: { exitCode: 0 } });
      const { changes } = await fs.changes({ path: "/workspace/made" });
      expect(changes.at(-1)).toMatchObject({ op: "create", callId: "w" });
      expect(volume.root).toBe("/workspace");
    }));

  it("a directory whose place is taken goes beside it, also when that place is taken too", () =>
    pair(async (p) => {
      const { fs, lab, container } = p;
      await container.sync();
      await fs.writeFile("/workspace/x", "a file here");
      await lab.write("x/inside", "one");
      const [first] = (await container.sync()).conflicts;
      // Another writer puts a file where the directory was saved, and the container has a directory in the place of `x` again.
      await fs.rm(first?.keptAt as string, { recursive: true });
      await fs.writeFile(first?.keptAt as string, "a file in its place");
      await container.sync();
      await lab.do({ do: "rm", path: "x" });
      await lab.write("x/inside", "two");
      await fs.writeFile("/workspace/x", "written again here");
      const { conflicts } = await container.sync();
      expect(conflicts).toContainEqual({ path: "/workspace/x", keptAt: `${first?.keptAt}-2` });
      await container.sync();
      await same(p);
      expect(await fs.readFile("/workspace/x", "utf8")).toBe("written again here");
      expect(await fs.readFile(first?.keptAt as string, "utf8")).toBe("a file in its place");
      expect(await fs.readFile(`${first?.keptAt}-2/inside`, "utf8")).toBe("two");
    }));

  it("a group names every command that ran, and the background where none does", () =>
    pair(async ({ fs, container }) => {
      const until = (...files: string[]) => files.map((file) => `until [ -e ${file} ]; do sleep 0.02; done`).join("; ");
      const running = await Promise.all(
        ["one", "two"].map((id) =>
          container.backend.start({
            id,
            // Busy to the end: one that only waits is not named.
            command: `${until("go")}; echo ${id} > ${id}; ${until("one", "two")}; for i in $(seq 15); do sleep 0.02; done`,
            cwd: "/workspace",
            env: {},
            stdin: null,
            timeoutMs: 0,
            callId: id,
          }),
        ),
      );
      const runs = running.map(({ events }) => gather(events));
      await fs.writeFile("/workspace/go", "");
      for (const { exit } of await Promise.all(runs)) expect(exit.exitCode).toBe(0);
      const { exit } = await run(container, "(sleep 0.5; echo late > late) > /dev/null 2>&1 &", { id: "three" });
      expect(exit.exitCode).toBe(0);
      while (!(await fs.exists("/workspace/late"))) await new Promise((resolve) => setTimeout(resolve, 20));
      const { changes } = await fs.changes();
      const named = new Map(changes.map(({ path, callId }) => [path, callId]));
      expect([named.get("/workspace/one"), named.get("/workspace/two")]).toEqual(["one,two", "one,two"]);
      expect(named.get("/workspace/late")).toBe("background");
    }));

  it("what a command changed can be undone, and the container follows", () =>
    pair(async (p) => {
      const { fs, lab, container, volume } = p;
      await fs.writeMany([
        { path: "/workspace/edited", content: "before" },
        { path: "/workspace/old/removed", content: "still wanted" },
      ]);
      await container.sync();
      const before = await treeOf(fs);
      const { exit } = await run(container, "echo after > edited; rm -r old; mkdir new; echo made > new/made", {
        id: "regretted",
      });
      expect(exit.sync?.pulled.entries).toBeGreaterThan(3);
      const undone = await createHistory(volume).undo({ callId: "regretted" });
      expect(undone.conflicts).toEqual([]);
      await container.sync();
      expect(await treeOf(fs)).toEqual(before);
      await same(p);
      expect(await lab.tree()).toEqual(before);
    }));

  it.each([
    ["node", 'node -e \'require("http").createServer(() => {}).listen(0, () => console.log("ready"))\''],
    [
      "python",
      'python3 -u -c \'import http.server as h; s = h.HTTPServer(("", 0), None); print("ready"); s.serve_forever()\'',
    ],
  ])("a call beside a server that waits for requests (%s) is undone without force", (_name, server) =>
    pair(async ({ fs, container, volume }) => {
      const started = await container.backend.start({
        id: "server",
        command: server,
        cwd: "/workspace",
        env: {},
        stdin: null,
        timeoutMs: 0,
        callId: "server",
      });
      const events = started.events[Symbol.asyncIterator]();
      expect((await events.next()).value).toMatchObject({ name: "stdout" });
      // It is named as long as it is busy with its own start.
      let callId: string | undefined;
      for (let i = 0; i < 100 && callId !== `call${i - 1}`; i++) {
        await run(container, `echo ${i} > made${i}; mkdir -p d`, { id: `call${i}` });
        callId = (await fs.changes({ path: `/workspace/made${i}` })).changes[0]?.callId;
      }
      const created = `/workspace/made${callId?.slice("call".length)}`;
      expect(await fs.exists(created)).toBe(true);
      expect((await createHistory(volume).undo({ callId: callId as string })).conflicts).toEqual([]);
      expect(await fs.exists(created)).toBe(false);
      await started.kill("SIGKILL");
      await events.next();
    }),
  );

  it("a call beside a command that writes all the time names both", () =>
    pair(async ({ fs, container, volume }) => {
      const started = await container.backend.start({
        id: "busy",
        command: "echo ready; while :; do echo x >> log; done",
        cwd: "/workspace",
        env: {},
        stdin: null,
        timeoutMs: 0,
        callId: "busy",
      });
      const events = started.events[Symbol.asyncIterator]();
      await events.next();
      await run(container, "n=$(wc -c < log); until [ $(wc -c < log) -gt $n ]; do :; done; echo made > made", {
        id: "call",
      });
      expect((await fs.changes({ path: "/workspace/made" })).changes[0]?.callId).toBe("busy,call");
      await expect(createHistory(volume).undo({ callId: "call" })).rejects.toMatchObject({ code: "ECONFLICT" });
      await started.kill("SIGKILL");
      await events.next();
    }));

  it("what several commands changed together is undone together, by any of their names, when that is forced", () =>
    pair(async (p) => {
      const { fs, container, volume } = p;
      const history = createHistory(volume);
      // As a pull logs it that overlaps two commands.
      const together = createFileSystem(volume, { callId: "alpha,beta" });
      await createFileSystem(volume, { callId: "alpha" }).writeFile("/workspace/alone", "1");
      await together.writeFile("/workspace/shared", "2");
      await createFileSystem(volume, { callId: "alp" }).writeFile("/workspace/neither", "3");
      const reason = 'made while "beta" ran too; with force their changes go with it';
      const conflict = { path: "/workspace/shared", reason, callId: "alpha,beta" };
      await expect(history.undo({ callId: "alpha" })).rejects.toMatchObject({
        code: "ECONFLICT",
        conflicts: [conflict],
      });
      expect(await fs.exists("/workspace/alone")).toBe(true);
      const { conflicts, changes } = await history.undo({ callId: "alpha", dryRun: true });
      expect(conflicts).toEqual([conflict]);
      expect(changes.map(({ path }) => path)).toEqual(["/workspace/alone", "/workspace/shared"]);
      expect((await history.log({ callId: "beta" })).entries.map(({ path }) => path)).toEqual(["/workspace/shared"]);
      expect((await history.undo({ callId: "alpha", force: true })).conflicts).toEqual([conflict]);
      expect((await fs.readdir("/workspace")).sort()).toEqual(["neither"]);
      await expect(history.undo({ callId: "lph" })).rejects.toMatchObject({ code: "ENOENT" });
      // The group's own name causes no conflict.
      await createFileSystem(volume, { callId: "delta,gamma" }).writeFile("/workspace/shared", "4");
      expect((await history.undo({ callId: "delta,gamma" })).conflicts).toEqual([]);
      await container.sync();
      await same(p);
    }));
});
