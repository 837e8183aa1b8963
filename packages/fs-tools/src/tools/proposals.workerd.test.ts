/** Pending changes, and changes by several actors. */
import { env } from "cloudflare:workers";
import { getWorkspace } from "@cloudflare/workspace";
import { describe, expect, it } from "vitest";
import { type Answer, codeOf, inWorkspace, unwrap } from "../../test/in-workspace.ts";
import { createToolset } from "../toolset/create-toolset.ts";

describe("undo and proposals", () => {
  it("undo takes back a write, a patch of several files, a delete and a command", () =>
    inWorkspace(
      async ({ workspace, fs, call, toolset, refused }) => {
        const state = async () =>
          Promise.all(["a", "b", "c"].map((name) => fs.readFile(`/workspace/${name}`, "utf8").catch(() => null)));
        const before = await state();
        const write = await call("write", { path: "a", content: "A2" });
        await call("undo", { callId: write.callId });
        expect(await state()).toEqual(before);
        const patch = await call("apply_patch", {
          patch:
            "*** Begin Patch\n*** Update File: a\n@@\n-one\n+1\n*** Delete File: b\n*** Add File: c\n+new\n*** End Patch",
        });
        expect(await state()).toEqual(["1\n", null, "new\n"]);
        await call("undo", { callId: patch.callId });
        expect(await state()).toEqual(before);
        const command = await call("exec", { command: "rm b; echo x > a; echo y > c" });
        await call("undo", { callId: command.callId });
        expect(await state()).toEqual(before);
        const edit = await call("edit", { path: "a", oldString: "one", newString: "uno" });
        await workspace.as({ actor: "bob" }).fs.writeFile("/workspace/a", "bob's\n");
        const conflict = await toolset.handle("undo", { callId: edit.callId });
        expect(codeOf(conflict)).toBe("UNDO_FAILED");
        expect(await fs.readFile("/workspace/a", "utf8")).toBe("bob's\n");
        await call("undo", { callId: edit.callId, force: true });
        expect(await state()).toEqual(before);
        expect(await refused("undo", { callId: "never" })).toBe("UNDO_FAILED");
      },
      {},
      { a: "one\n", b: "two\n" },
    ));

  it("a proposal has the time at which it was queued, here and behind a restart, and so has the directory that it makes", () =>
    inWorkspace(
      async ({ more }) => {
        let now = Date.parse("2026-11-17T10:00:00Z");
        const first = await more({ now: () => now });
        unwrap(await first.handle("write", { path: "new/a.txt", content: "a" }));
        now += 60_000;
        unwrap(await first.handle("write", { path: "new/b.txt", content: "b" }));
        unwrap(await first.handle("edit", { path: "old.txt", oldString: "x", newString: "y" }));
        const toolset = await more();
        const { entries } = unwrap(await toolset.handle("list", { recursive: true }));
        expect(entries.map(({ name, modified }: Answer) => [name, modified])).toEqual([
          ["new", "2026-11-17T10:01:00.000Z"],
          ["new/a.txt", "2026-11-17T10:00:00.000Z"],
          ["new/b.txt", "2026-11-17T10:01:00.000Z"],
          ["old.txt", "2026-11-17T10:01:00.000Z"],
        ]);
        for (const [path, modified] of [
          ["new", "2026-11-17T10:01:00.000Z"],
          ["new/a.txt", "2026-11-17T10:00:00.000Z"],
        ])
          expect(unwrap(await toolset.handle("info", { path })).modified).toBe(modified);
        const since = { newer: "2026-11-17T10:00:30Z", type: "file" };
        const found = unwrap(await toolset.handle("find", { ...since, older: "2026-11-17T10:02:00Z" }));
        expect(found.entries.map(({ path }: Answer) => path)).toEqual(["/workspace/new/b.txt", "/workspace/old.txt"]);
      },
      { mode: "propose" },
      { "old.txt": "x" },
    ));

  it("proposals are seen by read, list and grep, not by exec, and applied or dropped as a whole", () =>
    inWorkspace(
      async ({ workspace, fs, call, toolset, more }) => {
        expect(await call("write", { path: "new/file.txt", content: "fresh needle\n" })).toMatchObject({
          proposed: true,
        });
        await call("edit", { path: "a.txt", edits: [{ oldText: "one", newText: "needle one" }] });
        await call("delete", { path: "gone.txt" });
        expect(await fs.exists("/workspace/new/file.txt")).toBe(false);
        expect((await call("read", { path: "a.txt" })).content).toBe("needle one\n");
        expect((await toolset.handle("read", { path: "gone.txt" })).isError).toBe(true);
        expect((await call("list", { recursive: true })).entries.map(({ name }: Answer) => name)).toEqual([
          "a.txt",
          "keep.txt",
          "new",
          "new/file.txt",
        ]);
        expect((await call("glob", { pattern: "**/*.txt" })).files).toEqual([
          "/workspace/a.txt",
          "/workspace/keep.txt",
          "/workspace/new/file.txt",
        ]);
        expect(
          (await call("grep", { pattern: "needle" })).hits.map(({ path, line }: Answer) => `${path}:${line}`),
        ).toEqual(["/workspace/a.txt:1", "/workspace/keep.txt:1", "/workspace/new/file.txt:1"]);
        expect(await call("exec", { command: "cat a.txt" })).toMatchObject({
          stdout: "one\n",
          note: expect.stringContaining("without the queued"),
        });
        expect((await toolset.handle("git", { argv: ["init"] })).isError).toBe(true);
        expect((await toolset.handle("exec", { command: "echo x > a.txt" })).isError).toBe(true);
        const listed = await toolset.proposals.list();
        expect(listed.map(({ path, delete: gone }) => [path, gone ?? false])).toEqual([
          ["/workspace/a.txt", false],
          ["/workspace/gone.txt", true],
          ["/workspace/new/file.txt", false],
        ]);
        expect(listed[0]!.diff).toContain("-one\n+needle one");
        // Another toolset of the same object sees them: they are in its tables.
        expect((await (await more()).proposals.list()).length).toBe(3);
        await fs.writeFile("/workspace/a.txt", "moved on\n");
        await expect(toolset.proposals.apply()).rejects.toMatchObject({ code: "STALE" });
        expect(await fs.exists("/workspace/new/file.txt")).toBe(false);
        await toolset.proposals.drop(["/workspace/a.txt"]);
        const { callId } = await toolset.proposals.apply();
        expect([await fs.exists("/workspace/gone.txt"), await fs.readFile("/workspace/new/file.txt", "utf8")]).toEqual([
          false,
          "fresh needle\n",
        ]);
        expect(await toolset.proposals.list()).toEqual([]);
        await workspace.history.undo({ callId });
        expect(await fs.exists("/workspace/gone.txt")).toBe(true);
      },
      { mode: "propose" },
      { "a.txt": "one\n", "gone.txt": "x\n", "keep.txt": "needle\n" },
    ));

  it("grep searches proposals with the engine of the workspace: the same hits as in files, in linear time", () =>
    inWorkspace(
      async ({ call, toolset, refused }) => {
        const content = `${"a".repeat(10_000)}\nfirst Line\nline two\n`;
        await call("write", { path: "p.txt", content });
        const queries = [
          { pattern: "a.*a.*a.*a.*a.*b" },
          { pattern: `${"a?".repeat(30)}${"a".repeat(30)}b` },
          { pattern: "^line|first", contextLines: 1 },
          { pattern: "LINE\\s", ignoreCase: true },
        ].map((query) => ({ ...query, path: "p.txt", regex: true }));
        const proposed = [];
        for (const query of queries) proposed.push((await call("grep", query)).hits);
        expect(proposed.map((hits) => hits.map(({ line }: Answer) => line))).toEqual([[], [], [2, 3], [3]]);
        expect(await refused("grep", { pattern: "(", path: "p.txt", regex: true })).toBe("INVALID_INPUT");
        await toolset.proposals.apply();
        for (const [i, query] of queries.entries()) expect((await call("grep", query)).hits).toEqual(proposed[i]);
      },
      { mode: "propose" },
    ));

  it("grep refuses a regular expression over proposals of a workspace in another object, and finds plain text", async () => {
    using workspace = getWorkspace(env.WORKSPACE, "proposals over a binding");
    const toolset = await createToolset({ workspace, mode: "propose" });
    unwrap(await toolset.handle("write", { path: "p.txt", content: "one\nTwo\n" }));
    expect(codeOf(await toolset.handle("grep", { pattern: "t.o", path: "p.txt", regex: true }))).toBe("INVALID_INPUT");
    const { hits } = unwrap(await toolset.handle("grep", { pattern: "two", path: "p.txt", ignoreCase: true }));
    expect(hits).toEqual([{ path: "/workspace/p.txt", line: 2, text: "Two" }]);
  });

  it("move, copy, delete and patches are proposed too, with the modes of their files, and undone as one", () =>
    inWorkspace(
      async ({ fs, call, toolset, more, refused }) => {
        for (const name of ["run.sh", "tool.sh"]) await fs.chmod(`/workspace/${name}`, 0o755);
        const state = async () => {
          const names = (await fs.readdir("/workspace")).filter((name) => !name.startsWith("."));
          return Promise.all(
            names.map(async (name) => `${name} ${((await fs.stat(`/workspace/${name}`)).mode & 0o777).toString(8)}`),
          );
        };
        const before = await state();
        expect(await call("move", { from: "run.sh", to: "start.sh" })).toMatchObject({ proposed: true });
        await call("edit", { path: "start.sh", oldString: "one", newString: "two" });
        await call("copy", { from: "tool.sh", to: "copy.sh" });
        await call("delete", { path: "gone" });
        const patch =
          "diff --git a/new.sh b/new.sh\nnew file mode 100755\n--- /dev/null\n+++ b/new.sh\n@@ -0,0 +1 @@\n+new\n" +
          "diff --git a/tool.sh b/tool.sh\nold mode 100755\nnew mode 100644\n--- a/tool.sh\n+++ b/tool.sh\n@@ -1 +1 @@\n-tool\n+TOOL\n";
        expect(await call("apply_patch", { patch })).toMatchObject({ patched: true, proposed: true });
        expect(await call("info", { path: "start.sh" })).toMatchObject({ proposed: true, size: 4 });
        // Deleting a file that was only proposed removes the proposal.
        await call("write", { path: "never", content: "x" });
        await call("delete", { path: "never" });
        expect((await toolset.handle("read", { path: "run.sh" })).isError).toBe(true);
        expect(await refused("move", { from: "dir", to: "dir2" })).toBe("UNAVAILABLE");
        expect(await refused("delete", { path: "dir", recursive: true })).toBe("UNAVAILABLE");
        expect(toolset.names).not.toContain("undo");
        expect(await state()).toEqual(before);
        const listed = await toolset.proposals.list();
        expect(listed.map(({ path, delete: gone }) => `${path.slice(11)}${gone ? " goes" : ""}`)).toEqual([
          "copy.sh",
          "gone goes",
          "new.sh",
          "run.sh goes",
          "start.sh",
          "tool.sh",
        ]);
        const { callId } = await toolset.proposals.apply();
        expect(await state()).toEqual(["copy.sh 755", "dir 755", "new.sh 755", "start.sh 755", "tool.sh 644"]);
        expect(await fs.readFile("/workspace/start.sh", "utf8")).toBe("two\n");
        unwrap(await (await more({ mode: "direct" })).handle("undo", { callId }));
        expect(await state()).toEqual(before);
      },
      { mode: "propose" },
      { "run.sh": "one\n", "tool.sh": "tool\n", gone: "x\n", "dir/a": "a" },
    ));

  it("proposals are held to the root when they are applied, too: what was a directory may be a link by now", () =>
    inWorkspace(
      async ({ fs, toolset, call }) => {
        await call("write", { path: "dir/x", content: "new" });
        await fs.mkdir("/outside");
        await fs.rm("/workspace/dir", { recursive: true });
        await fs.symlink("/outside", "/workspace/dir");
        await expect(toolset.proposals.apply()).rejects.toMatchObject({ code: "OUTSIDE_ROOT" });
        expect([await fs.readdir("/outside"), (await toolset.proposals.list()).length]).toEqual([[], 1]);
      },
      { mode: "propose" },
      { "dir/a": "a" },
    ));

  it("calls at the same time do not take each other's proposals away, and a call sees what it proposed", () =>
    inWorkspace(
      async ({ call, toolset, more }) => {
        const edit = (from: string, to: string) =>
          toolset.handle("edit", { path: "f", edits: [{ oldText: from, newText: to }] });
        const results = await Promise.all([edit("one", "ONE"), edit("two", "TWO"), edit("three", "THREE")]);
        expect(results.map(({ isError }) => isError ?? false)).toEqual([false, true, true]);
        expect(codeOf(results[1]!)).toBe("STALE");
        expect((await call("read", { path: "f" })).content).toBe("ONE\ntwo\nthree\n");
        const many = await Promise.all(
          Array.from({ length: 5 }, (_, i) => toolset.handle("write", { path: `n${i}`, content: `${i}` })),
        );
        expect(many.every(({ isError }) => isError === undefined)).toBe(true);
        expect((await toolset.proposals.list()).length).toBe(6);
        const verb = { command: "str_replace", path: "f", old_str: "two", new_str: "2" };
        expect((await toolset.handle("str_replace_based_edit_tool", verb)).content).toContain("     2\t2\n");
        const few = await more({ limits: { proposals: 6 } });
        unwrap(await few.handle("write", { path: "n0", content: "again" }));
        expect(codeOf(await few.handle("write", { path: "n6", content: "x" }))).toBe("QUOTA");
      },
      { mode: "propose" },
      { f: "one\ntwo\nthree\n" },
    ));
});

describe("several hands", () => {
  it("edits of one file at the same time: each is applied or refused, and none is lost", () =>
    inWorkspace(
      async ({ fs, more }) => {
        const toolsets = await Promise.all(Array.from({ length: 8 }, (_, i) => more({ actor: `agent-${i}` })));
        const results = await Promise.all(
          toolsets.map((one, i) => one.handle("edit", { path: "f", oldString: `line ${i};`, newString: `LINE ${i};` })),
        );
        const text = await fs.readFile("/workspace/f", "utf8");
        for (const [i, result] of results.entries()) {
          if (result.isError) expect(codeOf(result)).toBe("STALE");
          expect([i, text.includes(`LINE ${i};`)]).toEqual([i, result.isError !== true]);
        }
        expect(results.some(({ isError }) => isError !== true)).toBe(true);
      },
      {},
      { f: Array.from({ length: 8 }, (_, i) => `line ${i};\n`).join("") },
    ));

  it("calls of one model at the same time do not trip over each other", () =>
    inWorkspace(
      async ({ fs, toolset }) => {
        await toolset.handle("read", { path: "f" });
        const results = await Promise.all(
          Array.from({ length: 5 }, (_, i) =>
            toolset.handle("write", { path: "log", content: `${i}\n`, append: true }),
          ),
        );
        expect(results.map(({ isError }) => isError)).toEqual(Array(5).fill(undefined));
        expect((await fs.readFile("/workspace/log", "utf8")).split("\n").sort().join("")).toBe("01234");
      },
      {},
      { f: "x" },
    ));

  it("proposals in conflict change nothing, stay, and can be dropped one by one", () =>
    inWorkspace(
      async ({ fs, more }) => {
        const toolset = await more({ mode: "propose" });
        for (const path of ["a", "b"])
          unwrap(await toolset.handle("edit", { path, oldString: "old", newString: "new" }));
        unwrap(await toolset.handle("delete", { path: "c" }));
        await fs.writeFile("/workspace/b", "another actor's");
        await expect(toolset.proposals.apply()).rejects.toMatchObject({
          code: "STALE",
          details: { paths: ["/workspace/b"] },
        });
        expect([await fs.readFile("/workspace/a", "utf8"), await fs.exists("/workspace/c")]).toEqual(["old", true]);
        expect((await toolset.proposals.list()).map(({ path }) => path)).toEqual([
          "/workspace/a",
          "/workspace/b",
          "/workspace/c",
        ]);
        await toolset.proposals.drop(["/workspace/b"]);
        const { paths, callId } = await toolset.proposals.apply();
        expect(paths).toEqual(["/workspace/a", "/workspace/c"]);
        expect([await fs.readFile("/workspace/a", "utf8"), await fs.exists("/workspace/c")]).toEqual(["new", false]);
        expect(await toolset.proposals.list()).toEqual([]);
        const direct = await more();
        unwrap(await direct.handle("undo", { callId }));
        expect([await fs.readFile("/workspace/a", "utf8"), await fs.exists("/workspace/c")]).toEqual(["old", true]);
      },
      {},
      { a: "old", b: "old", c: "x" },
    ));

  it("what an actor did through a token or a binding, which put their own name before it, is its own", () =>
    inWorkspace(
      async ({ workspace, call, refused }) => {
        await call("read", { path: "f" });
        await workspace.as({ actor: "token/agent" }).fs.writeFile("/workspace/f", "mine, over HTTP\n");
        await call("write", { path: "f", content: "mine\n" });
        await workspace.as({ actor: "token/other-agent" }).fs.writeFile("/workspace/f", "theirs\n");
        expect(await refused("write", { path: "f", content: "mine\n" })).toBe("STALE");
      },
      {},
      { f: "one\n" },
    ));

  it("to append to a file, or to move it, is not to have read what others changed in it", () =>
    inWorkspace(
      async ({ fs, workspace, call, refused }) => {
        const other = workspace.as({ actor: "bob" }).fs;
        await call("read", { path: "log" });
        await other.writeFile("/workspace/log", "bob's\n");
        await call("write", { path: "log", content: "more\n", append: true });
        expect(await refused("write", { path: "log", content: "all mine\n" })).toBe("STALE");
        expect(await fs.readFile("/workspace/log", "utf8")).toBe("bob's\nmore\n");
        await call("read", { path: "log" });
        await call("write", { path: "log", content: "more\n", append: true });
        await call("write", { path: "log", content: "all mine\n" });
        await call("read", { path: "f" });
        await other.writeFile("/workspace/f", "bob's\n");
        expect(await refused("move", { from: "f", to: "g" })).toBe("STALE");
        await call("read", { path: "f" });
        await call("move", { from: "f", to: "g" });
        await other.writeFile("/workspace/g", "bob's again\n");
        expect(await refused("write", { path: "g", content: "mine\n" })).toBe("STALE");
        // It knows a file that it created by appending.
        await call("write", { path: "made", content: "1\n", append: true });
        await other.writeFile("/workspace/made", "bob's\n");
        expect(await refused("write", { path: "made", content: "mine\n" })).toBe("STALE");
      },
      {},
      { log: "one\n", f: "one\n" },
    ));
});
