/** Names and shapes of other families: what providers' models know by heart, and what the other documents call their tools. */
import { describe, expect, it } from "vitest";
import { inWorkspace } from "../../test/in-workspace.ts";

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
