/** Names and shapes of other families: tools that providers' models are trained on, and the other families' tool names. */
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
      expect((await toolset.handle("shell", { command: "echo x", timeout_ms: 60_000 })).structured).toMatchObject({
        stdout: "x\n",
        exit_code: 0,
      });
      expect((await toolset.handle("shell", { command: ["echo", "a b"] })).structured).toMatchObject({
        stdout: "a b\n",
      });
      expect(
        (await toolset.handle("shell", { action: { commands: ["echo 1", "exit 2"], timeout_ms: 60_000 } })).structured
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

  it("str_replace_based_edit_tool, a transcript with what goes wrong", () =>
    inWorkspace(
      async ({ fs, toolset }) => {
        const say = async (input: Record<string, unknown>) =>
          (await toolset.handle("str_replace_based_edit_tool", input)).content;
        const path = "/workspace/crlf.txt";
        expect(await say({ command: "view", path, view_range: [2, 1] })).toBe(
          "INVALID_INPUT: view_range is [2, 1]: give a first line from 1 and a last line after it, or -1 for the end.",
        );
        expect(await say({ command: "view", path, view_range: [0, 5] })).toContain("give a first line from 1");
        expect(await say({ command: "view", path, view_range: [9, -1] })).toBe(
          "OUT_OF_RANGE: /workspace/crlf.txt has 3 lines; line 9 is past its end.",
        );
        expect(await say({ command: "view", path, view_range: [1, 99] })).toBe(
          "Here's the result of running `cat -n` on /workspace/crlf.txt:\n     1\ta\r\n     2\tb\r\n     3\tc",
        );
        expect(await say({ command: "str_replace", path, old_str: "a\nb", new_str: "x" })).toBe(
          [
            "NO_MATCH: old_str is not in /workspace/crlf.txt; nothing was changed. It differs: the file has CRLF line endings. " +
              "Copy the text exactly as read shows it. It is line 1 but for line-endings.",
            "The closest place is line 1:",
            "     1\ta␍",
            "     2\tb␍",
          ].join("\n"),
        );
        expect(await say({ command: "str_replace", path, old_str: "\r\n", new_str: "" })).toBe(
          "AMBIGUOUS_MATCH: old_str matches 2 places in /workspace/crlf.txt (lines 1, 2); nothing was changed. Include more of the surrounding lines.",
        );
        expect(await say({ command: "str_replace", path, old_str: "", new_str: "x" })).toBe(
          "INVALID_INPUT: old_str is empty: give the text to replace, or use write for a new file.",
        );
        expect(await say({ command: "str_replace", path, new_str: "x" })).toBe(
          "INVALID_INPUT: The field old_str is missing for this command.",
        );
        expect(await say({ command: "insert", path, insert_line: 4, insert_text: "x" })).toBe(
          "OUT_OF_RANGE: insert_line is 4, and /workspace/crlf.txt has 3 lines.",
        );
        await say({ command: "insert", path, insert_line: 3, insert_text: "d\ne" });
        await say({ command: "str_replace", path, old_str: "a\r\n" });
        expect(await fs.readFile(path, "utf8")).toBe("b\r\nc\r\nd\r\ne");
        await fs.writeFile("/workspace/bom.txt", "\uFEFFone\n");
        await say({ command: "insert", path: "bom.txt", insert_line: 0, insert_text: "zero" });
        expect([...(await fs.readFile("/workspace/bom.txt"))].slice(0, 5)).toEqual([0xef, 0xbb, 0xbf, 0x7a, 0x65]);
        expect(await say({ command: "undo_edit", path })).toContain(
          'expected one of "view"|"create"|"str_replace"|"insert"',
        );
        await fs.writeFile("/workspace/long.txt", "x\n".repeat(2001));
        expect((await say({ command: "view", path: "long.txt" })).slice(-60)).toContain(
          "  2000\tx\n[There is more: view_range [2001, -1].]",
        );
        expect(await say({ command: "view", path: "long.txt", view_range: [2001, 2001] })).not.toContain("[There");
      },
      {},
      { "crlf.txt": "a\r\nb\r\nc" },
    ));

  it("bash, shell and memory, with what goes wrong", () =>
    inWorkspace(
      async ({ fs, toolset }) => {
        const say = async (name: string, input: unknown) => (await toolset.handle(name, input)).content;
        expect(await say("bash", {})).toBe("INVALID_INPUT: Give command, or argv, and not both.");
        expect(await say("bash", { command: "  " })).toBe("INVALID_INPUT: command is empty.");
        expect(await say("bash", { command: "ls", colour: 1 })).toContain("there is no field colour");
        expect(await say("shell", {})).toBe("INVALID_INPUT: The field command is missing.");
        expect(await say("shell", { command: [] })).toContain("argv[0] must be the bare name of a program");
        expect(await say("shell", { action: { commands: [] } })).toContain("action.commands");
        const shell = await toolset.handle("shell", { commands: ["echo abc; exit 3"], max_output_length: 2 });
        expect(shell.structured).toMatchObject({
          output: [{ stdout: "ab", stderr: "", outcome: { type: "exit", exit_code: 3 } }],
          max_output_length: 2,
        });
        expect(await say("memory", { command: "view" })).toBe(
          "INVALID_INPUT: The field path is missing for this command.",
        );
        expect(await say("memory", { command: "rename", old_path: "/memories/a" })).toContain(
          "The field new_path is missing",
        );
        expect(await say("memory", { command: "view", path: "/memories/none" })).toBe(
          "ENOENT: The path /memories/none does not exist. View /memories to see what is there.",
        );
        expect(await say("memory", { command: "create", path: "/memories", file_text: "x" })).toBe(
          "EISDIR: /memories is a directory; give the path of a file in it.",
        );
        expect(await say("memory", { command: "delete", path: "/memories/" })).toContain("EBUSY");
        expect(await say("memory", { command: "view", path: "notes" })).toContain("OUTSIDE_ROOT");
        for (const name of ["a", "b", ".hidden"]) await fs.writeFile(`/workspace/memories/${name}`, "x");
        expect(await say("memory", { command: "view", path: "/memories" })).toBe(
          [
            "Here're the files and directories up to 2 levels deep in /memories, excluding hidden items:",
            "-\t/memories",
            "1 B\t/memories/a",
            "[1 more: view a directory below.]",
          ].join("\n"),
        );
      },
      { limits: { entries: 1 } },
      { "memories/.keep": "" },
    ));

  it("apply_patch takes what OpenAI's models send, and says what is wrong with it", () =>
    inWorkspace(
      async ({ fs, toolset }) => {
        const say = async (input: unknown) => (await toolset.handle("apply_patch", input)).content;
        expect(await say({ operation: { type: "update_file", path: "none", diff: "@@\n-a\n+b" } })).toBe(
          "PATCH_FAILED: There is no file none to update. Nothing was changed.",
        );
        expect(await say({ operation: { type: "rename_file", path: "a" } })).toContain("INVALID_INPUT");
        expect(await say("*** Begin Patch\n*** Update File: a\n@@\n-x\n+y\n*** End Patch")).toContain('has no "x"');
        await fs.writeFile("/workspace/bin", Uint8Array.of(0xff, 0xfe, 0));
        const gone = await toolset.handle("apply_patch", { operation: { type: "delete_file", path: "bin" } });
        expect([gone.isError, await fs.exists("/workspace/bin")]).toEqual([undefined, false]);
        const twice =
          "--- a/a\n+++ b/a\n@@ -1 +1 @@\n-a\n+b\ndiff --git a/a b/c\nsimilarity index 100%\nrename from a\nrename to c\n";
        expect(await say({ patch: twice })).toContain("a appears in the patch twice");
        expect(await fs.readFile("/workspace/a", "utf8")).toBe("a\n");
      },
      {},
      { a: "a\n" },
    ));

  it("aliases of the other families keep their meaning", () =>
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
        expect((await ask("search_files", { pattern: "*.ts", base_path: "src" })).content).toBe(
          "/workspace/src/a.ts\n/workspace/src/b.ts",
        );
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
