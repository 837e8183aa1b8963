import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { getWorkspace, Workspace } from "@cloudflare/workspace";
import { describe, expect, it } from "vitest";
import { type Answer, codeOf, inWorkspace, unwrap } from "../../test/in-workspace.ts";
import { createToolset } from "../toolset/create-toolset.ts";

describe("exec and git", () => {
  it("exec runs a command string and an argv, and says what changed", () =>
    inWorkspace(
      async ({ call, toolset, refused, fs }) => {
        const done = await call("exec", { command: "echo hi; echo oops >&2; echo new > made.txt" });
        expect(done).toMatchObject({
          exitCode: 0,
          stdout: "hi\n",
          stderr: "oops\n",
          truncated: false,
          state: "exited",
          ranOn: "worker",
          changed: ["/workspace/made.txt"],
        });
        expect(typeof done.callId).toBe("string");
        expect(await call("exec", { argv: ["cat", "made.txt"] })).toMatchObject({ stdout: "new\n" });
        const failed = await toolset.handle("exec", { command: "exit 3" });
        expect([failed.isError, failed.structured.exitCode]).toEqual([true, 3]);
        expect(await refused("exec", { command: "ls", argv: ["ls"] })).toBe("INVALID_INPUT");
        expect(await refused("exec", { command: "ls", cwd: "/etc" })).toBe("OUTSIDE_ROOT");
        // What its own command wrote never trips the guard.
        await call("read", { path: "made.txt" });
        await call("exec", { command: "echo changed > made.txt" });
        await call("write", { path: "made.txt", content: "mine\n" });
        expect(await fs.readFile("/workspace/made.txt", "utf8")).toBe("mine\n");
      },
      {},
      {},
    ));

  it.each([
    [32 * 1024, false],
    [32 * 1024 + 1, true],
  ])("exec keeps head and tail of %i bytes: truncated is %s", (size, truncated) =>
    inWorkspace(async ({ fs, call }) => {
      await fs.writeFile("/workspace/big", `A${"x".repeat(size - 2)}Z`);
      const { stdout, truncated: cut } = await call("exec", { command: "cat big" });
      expect(cut).toBe(truncated);
      expect([stdout[0], stdout.at(-1)]).toEqual(["A", "Z"]);
      expect(new TextEncoder().encode(stdout).length).toBeLessThanOrEqual(32 * 1024);
    }),
  );

  it("exec obeys its list, and is absent where it cannot be held to writable globs", () =>
    inWorkspace(
      async ({ call, refused, more }) => {
        expect(await call("exec", { command: "echo a && echo b" })).toMatchObject({ stdout: "a\nb\n" });
        expect(await refused("exec", { command: "echo a; cat b" })).toBe("COMMAND_REFUSED");
        expect((await more({ writable: ["src/"] })).names).not.toContain("exec");
      },
      { exec: { allowedCommands: ["echo"] } },
    ));

  it("exec in the background is read with exec_output and stopped with exec_kill", () =>
    inWorkspace(async ({ call }) => {
      const { id, state } = await call("exec", { command: "echo one; echo two", background: true });
      expect(state).toBe("running");
      let output: Answer = {};
      for (let i = 0; i < 50 && output.state !== "exited"; i++) output = await call("exec_output", { id });
      expect(output).toMatchObject({ stdout: "one\ntwo\n", exitCode: 0, state: "exited" });
      expect(await call("exec_output", { id, since: output.since })).toMatchObject({ stdout: "" });
      expect(await call("exec_kill", { id })).toMatchObject({ killed: true });
    }));

  it("git runs by argv, and what is denied stays denied in every commit", () =>
    inWorkspace(
      async ({ workspace, call, refused, more }) => {
        await call("git", { argv: ["init", "-q", "-b", "main"] });
        await call("git", { argv: ["add", "."] });
        await call("git", { argv: ["commit", "-qm", "first"] });
        expect((await call("git", { argv: ["log", "--format=%s"] })).stdout).toBe("first\n");
        const careful = await more({ deny: [".env", "keys/"] });
        const run = async (...argv: string[]) => careful.handle("git", { argv });
        for (const argv of [
          ["show", "HEAD:.env"],
          ["show", "HEAD:./.env"],
          ["show", ":.env"],
          ["show", ":0:.env"],
          ["checkout", "HEAD", "--", ".env"],
          ["log", "-p", "--", ".env"],
          ["diff", "HEAD", ".env"],
          ["blame", ".env"],
          ["mv", ".env", "x"],
          ["show", "HEAD:keys/a.pem"],
          // Ways around, tried by hand.
          ["show", "HEAD@{2026-11-17 01:00}:.env"],
          ["show", "HEAD^{/fix: it}:.env"],
          ["show", "HEAD:a/../.env"],
          ["commit", "--allow-empty", "-F.env"],
          ["commit", "--allow-empty", "--file=.env"],
          ["config", "-f.env", "-l"],
          ["diff", "--no-index", ".env", "a.txt"],
          ["rm", "--cached", ".env"],
        ])
          expect([argv, codeOf(await run(...argv))]).toEqual([argv, "DENIED"]);
        for (const argv of [
          ["cat-file", "-p", "HEAD"],
          ["grep", "SECRET"],
          ["archive", "HEAD"],
          ["-c", "alias.x=!y", "x"],
          ["-C", "/", "status"],
          ["--git-dir=/x", "log"],
          ["show", "--output=x.txt", "HEAD"],
          ["show", "--outpu=x.txt", "HEAD"],
          ["show", "--line-prefix=x", "HEAD"],
          ["show", "--src-prefix=x/", "HEAD"],
          ["log", "--graph", "-p"],
          ["format-patch", "--root", "HEAD"],
          ["apply", "a.txt"],
          ["mv", "a.txt", "b.txt"],
          ["clone", ".", "copy"],
          ["update-index", "--add", "a.txt"],
          ["read-tree", "--prefix=x/", "HEAD"],
          ["hash-object", "-w", "a.txt"],
          ["fast-export", "--all"],
          ["worktree", "add", "x"],
        ])
          expect([argv, codeOf(await run(...argv))]).toEqual([argv, "COMMAND_REFUSED"]);
        const oid = new TextDecoder()
          .decode((await workspace.git.cli({ argv: ["rev-parse", "HEAD:.env"] })).stdout)
          .trim();
        for (const argv of [
          ["show", oid],
          ["diff", oid, oid],
          ["diff", `${oid}..${oid}`],
          ["show", oid.slice(0, 8)],
        ])
          expect([argv, codeOf(await run(...argv))]).toEqual([argv, "COMMAND_REFUSED"]);
        for (const config of [
          "color.ui=always",
          "diff.noprefix=true",
          "diff.mnemonicPrefix=true",
          "diff.srcPrefix=x/y/",
        ]) {
          const [key, value] = config.split("=") as [string, string];
          await call("git", { argv: ["config", key, value] });
          for (const argv of [
            ["show", "HEAD"],
            ["log", "-p"],
            ["show", "--cc", "HEAD"],
            ["whatchanged", "-p"],
          ]) {
            const { stdout } = unwrap(await run(...argv));
            expect([config, argv, stdout.includes("SECRET"), stdout.includes("hello")]).toEqual([
              config,
              argv,
              false,
              true,
            ]);
          }
          await call("git", { argv: ["config", "--unset", key] });
        }
        const shown = unwrap(await run("show", "HEAD"));
        expect(shown.stdout).toContain("+hello");
        expect(shown.stdout).not.toContain("SECRET");
        expect(await refused("git", { argv: ["diff", "--no-index", "/etc/passwd", "a.txt"] })).toBe("OUTSIDE_ROOT");
        expect(await refused("git", { argv: ["show", "HEAD:../../x"] })).toBe("OUTSIDE_ROOT");
      },
      {},
      { "a.txt": "hello\n", ".env": "SECRET=1\n", "keys/a.pem": "SECRET\n" },
    ));

  it("git hides a denied file whose name it quotes, and one in a directory of its own", () =>
    inWorkspace(
      async ({ call, more }) => {
        for (const argv of [
          ["init", "-q", "-b", "main"],
          ["add", "."],
          ["commit", "-qm", "first"],
        ])
          await call("git", { argv });
        const careful = await more({ deny: ["geheim-ü", "/sub/only-here", "tab\there"] });
        const { stdout } = unwrap(await careful.handle("git", { argv: ["show", "HEAD"] }));
        expect([stdout.includes("SECRET"), stdout.match(/off limits/g)?.length, stdout.includes("hello")]).toEqual([
          false,
          3,
          true,
        ]);
      },
      {},
      { "a.txt": "hello\n", "geheim-ü": "SECRET 1\n", "sub/only-here": "SECRET 2\n", "tab\there": "SECRET 3\n" },
    ));

  it("git shows nothing of a repository that reaches beyond the root", () =>
    inWorkspace(
      async ({ call, more }) => {
        for (const argv of [
          ["init", "-q", "-b", "main"],
          ["add", "."],
          ["commit", "-qm", "first"],
        ])
          await call("git", { argv });
        const inner = await more({ root: "/workspace/inner" });
        expect(codeOf(await inner.handle("git", { argv: ["show", "HEAD:outer.txt"] }))).toBe("OUTSIDE_ROOT");
        expect(codeOf(await inner.handle("git", { argv: ["log", "-p"] }))).toBe("OUTSIDE_ROOT");
        unwrap(await inner.handle("git", { argv: ["init", "-q", "-b", "main"] }));
        unwrap(await inner.handle("git", { argv: ["status", "--short"] }));
        // Files of somebody else, by a line in the configuration.
        const config = await inner.handle("read", { path: ".git/config" });
        const content = `${unwrap(config).content}\n[core]\n\tworktree = /workspace\n`;
        unwrap(await inner.handle("write", { path: ".git/config", content }));
        expect(codeOf(await inner.handle("git", { argv: ["add", "-A"] }))).toBe("OUTSIDE_ROOT");
      },
      {},
      { "outer.txt": "outside\n", "inner/a.txt": "inside\n" },
    ));
});

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
          ["copy", { from: "deep", to: "x" }],
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
        expect(await refused("git", { argv: ["init"] })).toBe("COMMAND_REFUSED");
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
        expect(codeOf(await toolset.handle("git", { argv: ["init"] }))).toBe("COMMAND_REFUSED");
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
});

describe("agents", () => {
  it("spawns within depth and quota; what the sub-agent writes joins the parent's", () =>
    inWorkspace(
      async ({ fs, call, more, refused }) => {
        const done = await call("agent_spawn", { task: "do it", role: "explorer" });
        expect(done).toMatchObject({ response: "explorer did: do it at 1", depth: 1, writes: ["from-sub.txt"] });
        expect(await fs.readFile("/workspace/from-sub.txt", "utf8")).toBe("sub");
        expect(await refused("agent_spawn", { task: "x", role: "boss" })).toBe("INVALID_INPUT");
        await call("agent_spawn", { message: "again" });
        expect(await refused("agent_spawn", { task: "third" })).toBe("QUOTA");
        const deep = await more({ agents: { runner: async () => ({ text: "" }), agentId: "deep", depth: 5 } });
        expect(codeOf(await deep.handle("agent_spawn", { task: "x" }))).toBe("QUOTA");
      },
      {
        limits: { agentsPerParent: 2 },
        agents: {
          agentId: "top",
          runner: async ({ role, task, depth }) => ({
            text: `${role} did: ${task} at ${depth}`,
            writes: [{ path: "from-sub.txt", content: "sub" }],
          }),
        },
      },
    ));

  it("sends within size, queue and rate, under the host's word for who sends", () =>
    inWorkspace(
      async ({ call, refused, more, toolset }) => {
        const runner = async () => ({ text: "" });
        for (let i = 0; i < 9; i++) await call("agent_send", { targetAgentId: "b", message: `m${i}` });
        const other = await more({ agents: { runner, agentId: "b" } });
        unwrap(
          await other.handle("tool::agent_send", { agentId: "somebody else", targetAgentId: "a", message: "back" }),
        );
        // The tenth of the pair is in; the eleventh, either way, is not.
        expect(await refused("agent_send", { targetAgentId: "b", message: "more" })).toBe("QUOTA");
        expect(codeOf(await other.handle("agent_send", { targetAgentId: "a", message: "more" }))).toBe("QUOTA");
        expect(await toolset.inbox()).toMatchObject([{ from: "b", to: "a", text: "back" }]);
        expect((await other.inbox()).length).toBe(9);
        expect(await other.inbox()).toEqual([]);
        expect(await call("agent_send", { targetAgentId: "c", message: "x".repeat(100_000) })).toEqual({
          sent: true,
          targetAgentId: "c",
          callId: expect.any(String),
        });
        expect(await refused("agent_send", { targetAgentId: "c", message: "x".repeat(100_001) })).toBe("TOO_LARGE");
      },
      { agents: { runner: async () => ({ text: "" }), agentId: "a" } },
    ));
});

describe("the verbs models were trained on", () => {
  it("str_replace_based_edit_tool views, creates, replaces and inserts", () =>
    inWorkspace(async ({ toolset }) => {
      const say = async (input: Record<string, unknown>) =>
        (await toolset.handle("str_replace_based_edit_tool", input)).content;
      expect(await say({ command: "create", path: "/workspace/a.py", file_text: "def f():\n    return 1\n" })).toBe(
        "File created successfully at: /workspace/a.py",
      );
      expect(await say({ command: "view", path: "/workspace/a.py" })).toBe(
        "Here's the result of running `cat -n` on /workspace/a.py:\n     1\tdef f():\n     2\t    return 1\n",
      );
      expect(await say({ command: "view", path: "/workspace/a.py", view_range: [2, -1] })).toContain(
        "     2\t    return 1\n",
      );
      expect(
        await say({ command: "str_replace", path: "/workspace/a.py", old_str: "return 1", new_str: "return 2" }),
      ).toContain("     2\t    return 2");
      expect(await say({ command: "insert", path: "/workspace/a.py", insert_line: 0, insert_text: "# top" })).toContain(
        "     1\t# top\n     2\tdef f():",
      );
      expect(await say({ command: "str_replace", path: "/workspace/a.py", old_str: "nope", new_str: "x" })).toContain(
        "NO_MATCH",
      );
      expect(await say({ command: "view", path: "/workspace" })).toContain("a.py (");
    }));

  it("bash, shell, memory and apply_patch answer as their models expect", () =>
    inWorkspace(async ({ toolset, fs }) => {
      const say = async (name: string, input: unknown) => (await toolset.handle(name, input)).content;
      expect(await say("bash", { command: "echo out; echo err >&2" })).toBe("out\nerr\n");
      expect(await say("bash", { command: "exit 4" })).toBe("[exit code 4]");
      expect(await say("bash", { restart: true })).toBe("tool has been restarted.");
      expect((await toolset.handle("shell", { command: "echo x", timeout_ms: 1000 })).structured).toMatchObject({
        stdout: "x\n",
        exit_code: 0,
      });
      expect((await toolset.handle("shell", { command: ["echo", "a b"] })).structured).toMatchObject({
        stdout: "a b\n",
      });
      expect(
        (await toolset.handle("shell", { action: { commands: ["echo 1", "exit 2"], timeout_ms: 1000 } })).structured
          .output,
      ).toEqual([
        { stdout: "1\n", stderr: "", outcome: { type: "exit", exit_code: 0 } },
        { stdout: "", stderr: "", outcome: { type: "exit", exit_code: 2 } },
      ]);
      expect(await say("memory", { command: "view", path: "/memories" })).toContain("-\t/memories");
      expect(await say("memory", { command: "create", path: "/memories/n.md", file_text: "one\n" })).toBe(
        "File created successfully at: /memories/n.md",
      );
      expect(await say("memory", { command: "view", path: "/memories/n.md" })).toBe(
        "Here's the content of /memories/n.md with line numbers:\n     1\tone\n",
      );
      expect(
        await say("memory", { command: "str_replace", path: "/memories/n.md", old_str: "one", new_str: "two" }),
      ).toBe("The memory file has been edited.");
      expect(
        await say("memory", { command: "insert", path: "/memories/n.md", insert_line: 1, insert_text: "three\n" }),
      ).toBe("The file /memories/n.md has been edited.");
      expect(await say("memory", { command: "rename", old_path: "/memories/n.md", new_path: "/memories/m.md" })).toBe(
        "Successfully renamed /memories/n.md to /memories/m.md",
      );
      expect(await fs.readFile("/workspace/memories/m.md", "utf8")).toBe("two\nthree\n");
      expect(await say("memory", { command: "view", path: "/memories" })).toContain("\t/memories/m.md");
      expect(await say("memory", { command: "view", path: "/memories/../secret" })).toContain("OUTSIDE_ROOT");
      expect(await say("memory", { command: "delete", path: "/memories/m.md" })).toBe(
        "Successfully deleted /memories/m.md",
      );
      await toolset.handle("apply_patch", "*** Begin Patch\n*** Add File: p.txt\n+one\n*** End Patch");
      await toolset.handle("apply_patch", {
        operation: { type: "update_file", path: "p.txt", diff: "@@\n-one\n+two\n" },
      });
      expect(await fs.readFile("/workspace/p.txt", "utf8")).toBe("two\n");
      await toolset.handle("apply_patch", { operation: { type: "create_file", path: "q.txt", diff: "+q\n" } });
      await toolset.handle("apply_patch", { operation: { type: "delete_file", path: "p.txt" } });
      expect([await fs.exists("/workspace/p.txt"), await fs.readFile("/workspace/q.txt", "utf8")]).toEqual([
        false,
        "q\n",
      ]);
      expect(toolset.providerTools("anthropic").map(({ name }) => name)).toEqual([
        "str_replace_based_edit_tool",
        "bash",
        "memory",
      ]);
      expect(toolset.providerTools("openai")).toEqual([{ type: "apply_patch" }, { type: "shell" }]);
    }));

  it("aliases of the other documents keep their meaning", () =>
    inWorkspace(
      async ({ toolset, fs }) => {
        const ask = async (name: string, input: unknown) => toolset.handle(name, input);
        expect((await ask("read_file", { path: "src/a.ts", offset: 2, limit: 1 })).structured.content).toBe("b\n");
        expect(
          (await ask("filesystem-read", { path: "src/a.ts", lines: "1", offset: "0", format: "json" })).structured
            .content,
        ).toBe("a\n");
        expect(
          (await ask("filesystem-list", { path: "src", recursive: "true", format: "json" })).structured.entries,
        ).toHaveLength(2);
        expect((await ask("filesystem-exists", { path: "src" })).structured.exists).toBe(true);
        expect((await ask("filesystem-info", { path: "src/a.ts" })).structured.permissions).toBe("-rw-r--r--");
        expect((await ask("tool::file_read", { path: "src/a.ts", maxBytes: 3 })).structured).toMatchObject({
          content: "a\nb",
          size: 6,
        });
        expect((await ask("tool::file_write", { path: "out/r.json", content: "{}" })).structured).toMatchObject({
          written: true,
          path: "/workspace/out/r.json",
          size: 2,
        });
        expect((await ask("tool::file_list", { path: "src" })).structured.path).toBe("/workspace/src");
        expect(
          (await ask("tool::apply_patch", { path: "src/a.ts", patch: "@@ -1 +1 @@\n-a\n+A\n" })).structured.patched,
        ).toBe(true);
        expect((await ask("tool::shell_exec", { argv: ["echo", "x"], cwd: "src" })).structured).toMatchObject({
          stdout: "x\n",
          exitCode: 0,
        });
        expect((await ask("write_file", { path: "w", content: "1", append: false })).structured).toMatchObject({
          ok: true,
          size: 1,
        });
        expect(
          (await ask("edit_file", { path: "src/a.ts", old_string: "b", new_string: "B" })).isError,
        ).toBeUndefined();
        expect(await fs.readFile("/workspace/src/a.ts", "utf8")).toBe("A\nB\nc\n");
        expect((await ask("list_directory", { path: ".", depth: 1 })).content).toBe("out/\nsrc/\nw (1 B)");
        expect((await ask("search_files", { pattern: "**/*.ts", base_path: "src" })).structured.files).toEqual([
          "/workspace/src/a.ts",
          "/workspace/src/b.ts",
        ]);
        expect(
          (await ask("search_code", { pattern: "^B$", path: ".", file_glob: "*.ts", context_lines: 1 })).content,
        ).toBe("/workspace/src/a.ts-1-A\n/workspace/src/a.ts:2:B\n/workspace/src/a.ts-3-c");
      },
      {},
      { "src/a.ts": "a\nb\nc\n", "src/b.ts": "x\n" },
    ));
});

it("what the tools remember lives in the object, inside and over the binding", async () => {
  const stub = env.WORKSPACE.getByName("tool state");
  using client = getWorkspace(stub);
  const remote = await createToolset({ workspace: client, actor: "r" });
  unwrap(await remote.handle("write", { path: "a.txt", content: "one\n" }));
  unwrap(await remote.handle("read", { path: "a.txt" }));
  await client.fs.writeFile("/workspace/a.txt", "two\n");
  // Another toolset, of another request: the guard is durable.
  const later = await createToolset({ workspace: getWorkspace(stub), actor: "r" });
  expect(codeOf(await later.handle("write", { path: "a.txt", content: "three\n" }))).toBe("STALE");
  await later.saveDisabled(["delete"]);
  expect((await createToolset({ workspace: client })).names).not.toContain("delete");
  expect((await later.audit({ limit: 2 })).map(({ tool, outcome, code }) => [tool, outcome, code])).toEqual([
    ["write", "failure", "STALE"],
    ["read", "success", ""],
  ]);
  await later.saveDisabled([]);
  const proposing = await createToolset({ workspace: client, mode: "propose", actor: "p" });
  unwrap(await proposing.handle("write", { path: "big.txt", content: "x".repeat(2 * 1024 * 1024) }));
  expect((await proposing.proposals.list())[0]!.content?.length).toBe(2 * 1024 * 1024);
  await runInDurableObject(stub, async (_object, { storage }) => {
    const workspace = new Workspace({ storage });
    expect((await workspace.toolState.proposals("p")).length).toBe(1);
    expect(storage.sql.exec("SELECT count(*) AS n FROM ws_meta WHERE key = 'tools.disabled'").one().n).toBe(0);
  });
});
