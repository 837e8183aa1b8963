/**
 * One root, deny globs and writable globs: enforced for every tool, verb and alias, through links and in every form of argument.
 */
import { describe, expect, it } from "vitest";
import { type Answer, codeOf, inWorkspace, unwrap } from "../../test/in-workspace.ts";

describe("containment", () => {
  it("neither .. nor a link leads out, also to what does not exist yet; a..b is a name", () =>
    inWorkspace(
      async ({ fs, call, refused }) => {
        await fs.mkdir("/outside");
        await fs.writeFile("/outside/secret", "s");
        await fs.symlink("/outside", "/workspace/out");
        await fs.symlink("/outside/new", "/workspace/dangling");
        await fs.symlink("../../outside/secret", "/workspace/sub/file");
        for (const path of [
          "../outside/secret",
          "/outside/secret",
          "out/secret",
          "sub/../../outside/secret",
          "sub/file",
          "/workspace/../outside/secret",
          "/etc/passwd",
          "out",
        ])
          expect([path, await refused("read", { path })]).toEqual([path, "OUTSIDE_ROOT"]);
        for (const path of ["out/new", "dangling", "out/a/b", "../x"])
          expect([path, await refused("write", { path, content: "x" })]).toEqual([path, "OUTSIDE_ROOT"]);
        for (const [name, input] of [
          ["list", { path: "out" }],
          ["grep", { pattern: "s", path: "out" }],
          ["move", { from: "a..b", to: "out/x" }],
          ["copy", { from: "out/secret", to: "x" }],
          ["delete", { path: "out/secret" }],
          ["exists", { path: "out/secret" }],
          ["info", { path: "../x" }],
          ["apply_patch", { path: "out/p", patch: "@@ -0,0 +1 @@\n+x\n" }],
          ["exec", { command: "ls", cwd: "out" }],
          ["git", { argv: ["status"], cwd: "out" }],
        ] as const)
          expect([name, await refused(name, input)]).toEqual([name, "OUTSIDE_ROOT"]);
        expect(await fs.exists("/outside/new")).toBe(false);
        expect((await call("read", { path: "a..b" })).content).toBe("fine");
        expect((await call("read", { path: "./sub/..//a..b" })).content).toBe("fine");
        expect(await refused("read", { path: "a\0b" })).toBe("INVALID_INPUT");
      },
      {},
      { "a..b": "fine", "sub/x": "" },
    ));

  it("deny-globs hold for every tool, and through links", () =>
    inWorkspace(
      async ({ fs, call, refused }) => {
        await fs.symlink(".env", "/workspace/link");
        for (const [name, input] of [
          ["read", { path: ".env" }],
          ["read", { path: "link" }],
          ["read", { path: "deep/.env" }],
          ["read", { path: "keys/a" }],
          ["write", { path: ".env", content: "x" }],
          ["edit", { path: ".env", oldString: "S", newString: "x" }],
          ["move", { from: ".env", to: "x" }],
          ["copy", { from: ".env", to: "x" }],
          ["move", { from: "deep", to: "x" }],
          ["move", { from: "a", to: ".env" }],
          ["delete", { path: ".env" }],
          ["delete", { path: "deep", recursive: true }],
          ["info", { path: ".env" }],
          ["exists", { path: ".env" }],
          ["grep", { pattern: "S", path: ".env" }],
          ["apply_patch", { path: ".env", patch: "@@ -1 +1 @@\n-SECRET\n+x\n" }],
        ] as const)
          expect([name, input, await refused(name, input)]).toEqual([name, input, "DENIED"]);
        expect((await call("grep", { pattern: "SECRET", hidden: true, ignored: true })).hits).toEqual([]);
        expect((await call("glob", { pattern: "**/*" })).files).toEqual(["/workspace/a", "/workspace/link"]);
        expect((await call("list", { recursive: true })).entries.map(({ name }: Answer) => name)).toEqual([
          "a",
          "deep",
          "link",
        ]);
        expect((await call("find", {})).entries.map(({ path }: Answer) => path)).toEqual([
          "/workspace/a",
          "/workspace/deep",
          "/workspace/link",
        ]);
        expect((await call("tree", { depth: 5 })).tree).not.toContain(".env");
        expect((await call("changes", {})).changes.every(({ path }: Answer) => !path.includes(".env"))).toBe(true);
        expect(await call("stats", {})).toMatchObject({ files: 1 });
        expect(await fs.readFile("/workspace/.env", "utf8")).toBe("SECRET\n");
      },
      { deny: [".env", "keys/"] },
      { ".env": "SECRET\n", "deep/.env": "SECRET\n", "keys/a": "SECRET\n", a: "plain\n" },
    ));

  it("writable limits every tool that changes something", () =>
    inWorkspace(
      async ({ call, refused, toolset }) => {
        await call("write", { path: "src/a.ts", content: "x" });
        for (const [name, input] of [
          ["write", { path: "b", content: "x" }],
          ["edit", { path: "b", oldString: "a", newString: "x" }],
          ["move", { from: "src/a.ts", to: "b2" }],
          ["move", { from: "b", to: "src/b" }],
          ["copy", { from: "src/a.ts", to: "b2" }],
          ["delete", { path: "b" }],
          ["apply_patch", { path: "b", patch: "@@ -1 +1 @@\n-b\n+x\n" }],
        ] as const)
          expect([name, await refused(name, input)]).toEqual([name, "NOT_WRITABLE"]);
        expect((await toolset.handle("git", { argv: ["init"] })).isError).toBe(true);
        await call("copy", { from: "b", to: "src/b" });
        expect(toolset.names).not.toContain("exec");
      },
      { writable: ["src/"] },
      { b: "b\n" },
    ));

  it("root auto is the nearest project, never above the workspace", () =>
    inWorkspace(
      async ({ more }) => {
        expect((await more({ root: "auto", cwd: "/workspace/app/src" })).root).toBe("/workspace/app");
        expect((await more({ root: "auto", cwd: "/workspace/other" })).root).toBe("/workspace");
        expect((await more({ root: "auto", cwd: "/workspace/app/src", rootMarkers: ["MARK"] })).root).toBe(
          "/workspace/app/src",
        );
        const inside = await more({ root: "auto", cwd: "/workspace/app/src" });
        expect(unwrap(await inside.handle("read", { path: "MARK" })).path).toBe("/workspace/app/src/MARK");
        expect(codeOf(await inside.handle("read", { path: "../../other/x" }))).toBe("OUTSIDE_ROOT");
      },
      {},
      { "app/package.json": "{}", "app/src/MARK": "", "other/x": "" },
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
        // Into a denied place: an undo would bring a denied file out.
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

  it("hold for undo: a later change of a denied file is in the way, and not named", () =>
    inWorkspace(
      async ({ fs, workspace, more }) => {
        const as = (callId: string) => workspace.as({ actor: "agent", callId }).fs;
        await as("secret").writeFile("/workspace/.env", "changed\n");
        await as("both").writeMany([
          { path: "/workspace/keys/a", content: "b\n" },
          { path: "/workspace/plain", content: "b\n" },
        ]);
        for (const path of [".env", "keys/a", "plain"]) await fs.writeFile(`/workspace/${path}`, "later\n");
        const careful = await more({ deny });
        for (const callId of ["secret", "both"])
          for (const force of [false, true]) {
            const reported = await careful.handle("undo", { callId, force });
            expect([callId, reported.isError]).toEqual([callId, true]);
            // The call's own input may name the path; the error names no other path.
            if (!force) expect(reported.content + JSON.stringify(reported.structured)).not.toMatch(/\.env|keys/);
          }
        expect(codeOf(await careful.handle("undo", { callId: "secret" }))).toBe("DENIED");
        expect(codeOf(await careful.handle("undo", { callId: "both" }))).toBe("DENIED");
        expect(await fs.readFile("/workspace/plain", "utf8")).toBe("later\n");
      },
      {},
      files,
    ));

  it("hold for history: changes tells nothing of them, and of a move only the name that came or went", () =>
    inWorkspace(
      async ({ fs, call }) => {
        const { cursor } = await call("changes", {});
        await fs.writeFile("/workspace/.env", "x");
        await fs.rename("/workspace/keys/a", "/workspace/visible");
        await fs.rename("/workspace/plain", "/workspace/sub-plain");
        const { changes } = await call("changes", { since: cursor });
        expect(changes.map(({ path }: Answer) => path)).toEqual(["/workspace/visible", "/workspace/sub-plain"]);
        expect(changes.map(({ from }: Answer) => from)).toEqual([undefined, "/workspace/plain"]);
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
          // A patch is all or nothing: its allowed part is not applied either.
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

describe("links", () => {
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
        // Nothing is visible through a directory that is such a link.
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
