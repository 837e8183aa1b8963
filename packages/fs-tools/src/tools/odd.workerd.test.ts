/** The tools as a model drives them: odd names and types, links that go nowhere, several hands on one file, and what was taken back. */
import { evictDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { getWorkspace } from "@cloudflare/workspace";
import { describe, expect, it } from "vitest";
import { type Answer, codeOf, inWorkspace, unwrap } from "../../test/in-workspace.ts";
import { createToolset } from "../toolset/create-toolset.ts";

describe("odd inputs", () => {
  it("an error says its code once, and what to do", () =>
    inWorkspace(async ({ fs, toolset, refused }) => {
      await fs.symlink("loop", "/workspace/loop");
      expect((await toolset.handle("read", { path: "loop" })).content).toBe(
        "ELOOP: /workspace/loop leads in a circle of links.",
      );
      expect((await toolset.handle("grep", { pattern: "[", regex: true })).content).toBe(
        'INVALID_INPUT: bad pattern "[": unclosed character class (at character 1). Check the regular expression, or search for plain text.',
      );
      for (const [name, input] of [
        ["changes", { since: "nope" }],
        ["exec_output", { id: "nope" }],
        ["exec", { command: "x".repeat(2_000_000) }],
        ["read", { path: "\ud800" }],
      ] as const) {
        const { content } = await toolset.handle(name, input);
        expect(content.match(/\bE[A-Z]{3,}\b/g)?.length, content.slice(0, 200)).toBe(1);
      }
      expect(await refused("read", { path: "a/".repeat(200) })).toBe("ENOENT");
      expect(await refused("undo", { callId: "nope" })).toBe("UNDO_FAILED");
    }));

  it("a field named __proto__ is refused as any that is not there", () =>
    inWorkspace(async ({ toolset }) => {
      const given = JSON.parse('{"path":"x","__proto__":{"content":"y"}}');
      for (const tool of ["read", "write"]) {
        const { content } = await toolset.handle(tool, given);
        expect(content).toMatch(/there is no field __proto__|content: /);
      }
      expect(({} as Answer).content).toBeUndefined();
    }));

  it("a name with a line feed is one line of a tree and of a list", () =>
    inWorkspace(
      async ({ call, toolset }) => {
        expect((await call("tree", {})).tree).toBe('"a\\nb" (1 B)\nc (1 B)');
        expect((await toolset.handle("list", { format: "text" })).content.split("\n")).toHaveLength(3);
      },
      {},
      { "a\nb": "x", c: "x" },
    ));

  it("a link that leads out or in a circle can be seen, moved and taken away, and nothing more", () =>
    inWorkspace(
      async ({ fs, call, refused, more }) => {
        await fs.writeFile("/secret", "s");
        await fs.symlink("/secret", "/workspace/out");
        await fs.symlink("loop", "/workspace/loop");
        await fs.symlink("/", "/workspace/top");
        for (const [path, target] of [
          ["out", "/secret"],
          ["loop", "loop"],
        ]) {
          expect(await call("info", { path })).toMatchObject({ type: "symlink", target, permissions: "lrwxrwxrwx" });
          expect(await call("exists", { path })).toEqual({ path: `/workspace/${path}`, exists: true, type: "symlink" });
          const read = path === "out" ? "OUTSIDE_ROOT" : "ELOOP";
          for (const [tool, more] of [
            ["read", {}],
            ["write", { content: "x" }],
            ["edit", { oldString: "s", newString: "x" }],
            ["grep", { pattern: "s" }],
          ] as const)
            expect([tool, path, await refused(tool, { path, ...more })]).toEqual([tool, path, read]);
          await call("move", { from: path, to: `moved-${path}` });
          await call("copy", { from: `moved-${path}`, to: `copied-${path}` });
          await call("delete", { path: `moved-${path}` });
          await call("delete", { path: `copied-${path}` });
        }
        // Through a directory that is such a link nothing is seen.
        for (const tool of ["info", "exists", "delete"])
          expect([tool, await refused(tool, { path: "top/secret" })]).toEqual([tool, "OUTSIDE_ROOT"]);
        expect(await fs.readFile("/secret", "utf8")).toBe("s");
        await fs.symlink("/secret", "/workspace/.env");
        await fs.symlink("/secret", "/workspace/fixed");
        const careful = await more({ deny: [".env"], writable: ["src/"] });
        expect(codeOf(await careful.handle("info", { path: ".env" }))).toBe("DENIED");
        expect(codeOf(await careful.handle("delete", { path: "fixed" }))).toBe("NOT_WRITABLE");
      },
      {},
      { a: "x" },
    ));

  it("a root that a command made a link to elsewhere does not open that place", () =>
    inWorkspace(
      async ({ fs, more }) => {
        const inner = await more({ root: "/workspace/inner" });
        unwrap(await inner.handle("read", { path: "a" }));
        await fs.rename("/workspace/inner", "/workspace/was");
        await fs.symlink("/workspace/other", "/workspace/inner");
        expect(codeOf(await inner.handle("read", { path: "a" }))).toBe("OUTSIDE_ROOT");
        expect((await inner.handle("list", {})).isError).toBe(true);
      },
      {},
      { "inner/a": "inside", "other/a": "outside" },
    ));
});

describe("deny-globs", () => {
  const files = { ".env": "SECRET=1\n", "keys/a": "SECRET\n", plain: "plain\n" };
  const deny = [".env", "/keys/a"];

  it("hold for undo: what a call changed of a denied file is not put back", () =>
    inWorkspace(
      async ({ fs, workspace, toolset, more }) => {
        await workspace.as({ actor: "agent", callId: "one" }).fs.writeFile("/workspace/.env", "changed\n");
        await workspace.as({ actor: "agent", callId: "two" }).fs.rename("/workspace/keys/a", "/workspace/moved");
        // Into a denied place: to take it back would bring a denied file out.
        await fs.mkdir("/workspace/sub");
        await workspace.as({ actor: "agent", callId: "three" }).fs.rename("/workspace/plain", "/workspace/sub/.env");
        const careful = await more({ deny });
        for (const callId of ["one", "two", "three"])
          for (const force of [false, true])
            expect([callId, codeOf(await careful.handle("undo", { callId, force }))]).toEqual([callId, "DENIED"]);
        expect(await fs.readFile("/workspace/.env", "utf8")).toBe("changed\n");
        unwrap(await toolset.handle("undo", { callId: "one" }));
        expect(await fs.readFile("/workspace/.env", "utf8")).toBe("SECRET=1\n");
      },
      {},
      files,
    ));

  it("hold for history: changes tells nothing of them, nor of a move from or to them", () =>
    inWorkspace(
      async ({ fs, call }) => {
        const { cursor } = await call("changes", {});
        await fs.writeFile("/workspace/.env", "x");
        await fs.rename("/workspace/keys/a", "/workspace/visible");
        await fs.rename("/workspace/plain", "/workspace/sub-plain");
        const { changes } = await call("changes", { since: cursor });
        expect(changes.map(({ path }: Answer) => path)).toEqual(["/workspace/sub-plain"]);
      },
      { deny },
      files,
    ));

  it("hold for patches of every form, and for the verbs that models know by heart", () =>
    inWorkspace(
      async ({ fs, toolset, refused }) => {
        for (const patch of [
          "--- a/.env\n+++ b/.env\n@@ -1 +1 @@\n-SECRET=1\n+x\n",
          "--- /dev/null\n+++ b/deep/.env\n@@ -0,0 +1 @@\n+x\n",
          "--- a/.env\n+++ /dev/null\n@@ -1 +0,0 @@\n-SECRET=1\n",
          "diff --git a/.env b/seen\nsimilarity index 100%\nrename from .env\nrename to seen\n",
          "diff --git a/.env b/seen\nsimilarity index 100%\ncopy from .env\ncopy to seen\n",
          "diff --git a/plain b/.env\nsimilarity index 100%\nrename from plain\nrename to .env\n",
          "*** Begin Patch\n*** Update File: keys/a\n*** Move to: seen\n@@\n-SECRET\n+x\n*** End Patch\n",
          "*** Begin Patch\n*** Delete File: .env\n*** End Patch\n",
          "*** Begin Patch\n*** Add File: .env\n+x\n*** End Patch\n",
          // A patch is all or nothing: what is allowed is not done either.
          "*** Begin Patch\n*** Update File: plain\n@@\n-plain\n+changed\n*** Update File: .env\n@@\n-SECRET=1\n+x\n*** End Patch\n",
        ])
          expect([patch, await refused("apply_patch", { patch })]).toEqual([patch, "DENIED"]);
        expect(await fs.readFile("/workspace/plain", "utf8")).toBe("plain\n");
        for (const input of [
          { command: "view", path: ".env" },
          { command: "str_replace", path: ".env", old_str: "S", new_str: "x" },
          { command: "insert", path: ".env", insert_line: 0, insert_text: "x" },
          { command: "create", path: "/workspace/.env", file_text: "x" },
        ])
          expect([input, codeOf(await toolset.handle("str_replace_based_edit_tool", input))]).toEqual([
            input,
            "DENIED",
          ]);
        for (const [alias, input] of [
          ["read_file", { path: ".env" }],
          ["tool::file_read", { path: "keys/a" }],
          ["filesystem-info", { path: ".env" }],
          ["search_code", { pattern: "SECRET", path: ".env" }],
          ["edit_file", { path: ".env", old_string: "S", new_string: "x" }],
        ] as const)
          expect([alias, codeOf(await toolset.handle(alias, input))]).toEqual([alias, "DENIED"]);
        const found = await toolset.handle("search_code", { pattern: "SECRET" });
        expect(found.content).not.toContain("SECRET");
        expect((await toolset.handle("memory", { command: "view", path: "/memories/../.env" })).content).not.toContain(
          "SECRET",
        );
      },
      { deny },
      files,
    ));

  it("a patch moves nothing out of the root, through a link, or over a file that is there", () =>
    inWorkspace(
      async ({ fs, refused, more }) => {
        await fs.mkdir("/outside");
        await fs.symlink("/outside", "/workspace/out");
        const move = (to: string) =>
          `diff --git a/plain b/${to}\nsimilarity index 100%\nrename from plain\nrename to ${to}\n`;
        expect(await refused("apply_patch", { patch: move("out/x") })).toBe("OUTSIDE_ROOT");
        expect(await refused("apply_patch", { patch: move("../x") })).toBe("OUTSIDE_ROOT");
        expect(await refused("apply_patch", { patch: move("keys/a") })).toBe("PATCH_FAILED");
        const begin = (to: string) =>
          `*** Begin Patch\n*** Update File: plain\n*** Move to: ${to}\n@@\n-plain\n+x\n*** End Patch\n`;
        expect(await refused("apply_patch", { patch: begin("out/x") })).toBe("OUTSIDE_ROOT");
        expect(await refused("apply_patch", { patch: begin("keys/a") })).toBe("PATCH_FAILED");
        const limited = await more({ writable: ["plain"] });
        for (const patch of [move("new"), begin("new")])
          expect(codeOf(await limited.handle("apply_patch", { patch }))).toBe("NOT_WRITABLE");
        expect([await fs.readdir("/outside"), await fs.readFile("/workspace/keys/a", "utf8")]).toEqual([
          [],
          "SECRET\n",
        ]);
      },
      {},
      files,
    ));

  it("hold for proposals and for what a sub-agent wants to write", () =>
    inWorkspace(
      async ({ fs, more }) => {
        const proposing = await more({ mode: "propose" });
        expect(codeOf(await proposing.handle("write", { path: ".env", content: "x" }))).toBe("DENIED");
        const writes = [
          { path: "plain", content: "x" },
          { path: ".env", content: "x" },
        ];
        const parent = await more({ agents: { agentId: "a", runner: async () => ({ text: "", writes }) } });
        expect(codeOf(await parent.handle("agent_spawn", { task: "t" }))).toBe("DENIED");
        expect(await fs.readFile("/workspace/plain", "utf8")).toBe("plain\n");
      },
      { deny },
      files,
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
        await fs.writeFile("/workspace/b", "somebody else's");
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
});

describe("what was taken back", () => {
  it("after an undo a file is unread: it may be written, and an edit is made against what is there", () =>
    inWorkspace(
      async ({ fs, call, refused }) => {
        await call("read", { path: "f" });
        const { callId } = await call("edit", { path: "f", oldString: "one", newString: "two" });
        await call("undo", { callId });
        expect(await refused("edit", { path: "f", oldString: "two", newString: "three" })).toBe("NO_MATCH");
        await call("edit", { path: "f", oldString: "one", newString: "four" });
        expect(await fs.readFile("/workspace/f", "utf8")).toBe("four\n");
        expect(await refused("undo", { callId })).toBe("UNDO_FAILED");
      },
      {},
      { f: "one\n" },
    ));

  it("undo by somebody else is a change by somebody else", () =>
    inWorkspace(
      async ({ more, call, refused }) => {
        const { callId } = await call("write", { path: "f", content: "mine\n" });
        await call("read", { path: "f" });
        unwrap(await (await more({ actor: "other" })).handle("undo", { callId }));
        expect(await refused("write", { path: "f", content: "again\n" })).toBe("STALE");
      },
      {},
      { f: "one\n" },
    ));

  it("undo refuses where a later change touched the same, names it, and force gives that up", () =>
    inWorkspace(
      async ({ fs, toolset, call }) => {
        const { callId } = await call("write", { path: "f", content: "mine\n" });
        await fs.writeFile("/workspace/f", "theirs\n");
        const refusal = await toolset.handle("undo", { callId });
        expect(refusal.structured.error).toMatchObject({ code: "UNDO_FAILED", conflicts: [{ path: "/workspace/f" }] });
        expect(await fs.readFile("/workspace/f", "utf8")).toBe("theirs\n");
        expect(await call("undo", { callId, force: true })).toMatchObject({ overridden: [{ path: "/workspace/f" }] });
        expect(await fs.readFile("/workspace/f", "utf8")).toBe("one\n");
      },
      {},
      { f: "one\n" },
    ));

  it("undo of a command that also wrote outside the root takes back what is inside", () =>
    inWorkspace(
      async ({ fs, workspace, call }) => {
        const { fs: named } = workspace.as({ actor: "agent", callId: "both" });
        await named.writeFile("/outside", "x");
        await named.writeFile("/workspace/f", "changed");
        expect(await call("undo", { callId: "both" })).toMatchObject({ total: 1, changes: [{ path: "/workspace/f" }] });
        expect([await fs.readFile("/workspace/f", "utf8"), await fs.readFile("/outside", "utf8")]).toEqual([
          "one\n",
          "x",
        ]);
      },
      {},
      { f: "one\n" },
    ));

  it("after a rollback of the host nobody's change is overwritten by what a model believes it saw", () =>
    inWorkspace(
      async ({ fs, workspace, storage, call, refused }) => {
        await call("read", { path: "f" });
        await expect(
          storage.transaction(async () => {
            await call("write", { path: "f", content: "never was\n" });
            throw new Error("the host changed its mind");
          }),
        ).rejects.toThrow("changed its mind");
        expect(await fs.readFile("/workspace/f", "utf8")).toBe("one\n");
        // The revision of the write that never was is given out again, to somebody else.
        await workspace.as({ actor: "other" }).fs.writeFile("/workspace/f", "theirs\n");
        expect(await refused("write", { path: "f", content: "mine\n" })).toBe("STALE");
        expect(await fs.readFile("/workspace/f", "utf8")).toBe("theirs\n");
        await call("read", { path: "f" });
        await call("write", { path: "f", content: "mine\n" });
        const audited = (await workspace.toolState.auditLog({ limit: 10 })).map(({ tool, code }) => `${tool} ${code}`);
        expect(audited).toEqual(["write ", "read ", "write STALE", "write ", "read "]);
      },
      {},
      { f: "one\n" },
    ));

  it("undo works over the binding, also for a call of an object that has slept since", async () => {
    const stub = env.WORKSPACE.getByName("undo over the binding");
    using client = getWorkspace(stub);
    const toolset = await createToolset({ workspace: client, actor: "r" });
    unwrap(await toolset.handle("write", { path: "a", content: "one\n" }));
    const { callId } = unwrap(await toolset.handle("write", { path: "a", content: "two\n" }));
    await evictDurableObject(stub);
    using again = getWorkspace(stub);
    const later = await createToolset({ workspace: again, actor: "r" });
    expect(unwrap(await later.handle("undo", { callId }))).toMatchObject({
      undone: callId,
      total: 1,
      changes: [{ path: "/workspace/a", outcome: "write" }],
    });
    expect(await again.fs.readFile("/workspace/a", "utf8")).toBe("one\n");
    expect(codeOf(await later.handle("undo", { callId }))).toBe("UNDO_FAILED");
    await again.fs.writeFile("/workspace/a", "other\n");
    const conflict = await later.handle("write", { path: "a", content: "x\n" });
    expect(conflict.isError).toBeUndefined();
    const { callId: last } = conflict.structured as { callId: string };
    await again.fs.writeFile("/workspace/a", "later\n");
    const refusal = await later.handle("undo", { callId: last });
    expect(refusal.structured.error).toMatchObject({ code: "UNDO_FAILED", conflicts: [{ path: "/workspace/a" }] });
  });
});
