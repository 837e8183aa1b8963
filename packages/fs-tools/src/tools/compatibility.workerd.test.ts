/** The other families' own examples, unchanged: names, fields, and result fields. The AI SDK family has an end-to-end test. */
import { describe, expect, it } from "vitest";
import { type Answer, type Inside, inWorkspace, unwrap } from "../../test/in-workspace.ts";
import type { AgentTask } from "../toolset/agent-runner.ts";
import { COMPATIBLE_TOOL_NAMES } from "../toolset/aliases.ts";
import type { Toolset } from "../toolset/toolset.ts";
import { SHELL_COMMAND_ALLOWLIST } from "./exec/allowed-commands.ts";

/** A host with every backend that the families use. */
const hosted = (more: Answer = {}) => ({
  exposePort: async (port: number) => ({ url: `https://${port}.preview.example` }),
  web: {
    resolve: async () => ["93.184.215.14"],
    fetch: (async () =>
      new Response("<h1>Docs</h1><script>x()</script><p>Read me.</p>", {
        headers: { "content-type": "text/html" },
      })) as unknown as typeof fetch,
  },
  search: {
    keys: { brave: "key" },
    fetch: (async (url: string) => {
      const results = Array.from({ length: 12 }, (_, i) => ({
        title: `t${i}`,
        url: `http://r/${i}`,
        description: `d${i}`,
      }));
      if (String(url).includes("brave")) return Response.json({ web: { results } });
      return Response.json({ Heading: "Go", AbstractText: "A language.", AbstractURL: "http://go/" });
    }) as unknown as typeof fetch,
  },
  agents: {
    agentId: "agent-123",
    runner: async ({ template, task, role }: AgentTask) => ({ text: `${template ?? role}: ${task}` }),
  },
  ...more,
});

it("every name of the other families is understood", () =>
  inWorkspace(async ({ toolset }) => {
    for (const names of Object.values(COMPATIBLE_TOOL_NAMES))
      for (const name of names) expect([name, toolset.has(name)]).toEqual([name, true]);
  }, hosted()));

describe("the sandbox family", () => {
  it("its five tools take their fields, and return what it says", () =>
    inWorkspace(
      async ({ toolset, fs }) => {
        const ask = async (name: string, input: Answer) => unwrap(await toolset.handle(name, input));
        expect(
          await ask("shell", { command: "echo $((1+1)); pwd", timeout_ms: 30000, working_dir: "src" }),
        ).toMatchObject({
          stdout: "2\n/workspace/src\n",
          stderr: "",
          exit_code: 0,
        });
        const failed = await toolset.handle("shell", { command: "echo no >&2; exit 1" });
        expect([failed.isError, failed.structured]).toEqual([
          true,
          expect.objectContaining({ stdout: "", stderr: "no\n", exit_code: 1 }),
        ]);
        expect(JSON.parse(failed.content)).toMatchObject({ exit_code: 1 });
        expect(await ask("read_file", { path: "src/a.txt" })).toMatchObject({ content: "hello\n", size: 6 });
        // By bytes under our own name, because read_file is also the Go family's, and takes lines.
        expect(await ask("read", { path: "src/a.txt", byteOffset: 1, maxBytes: 3 })).toMatchObject({
          content: "ell",
          size: 6,
        });
        expect(await ask("write_file", { path: "src/a.txt", content: "x" })).toMatchObject({ ok: true, size: 1 });
        expect(await ask("write_file", { path: "src/a.txt", content: "yz", append: true })).toMatchObject({
          ok: true,
          size: 3,
        });
        expect(await fs.readFile("/workspace/src/a.txt", "utf8")).toBe("xyz");
        expect(await ask("glob", { pattern: "*.txt", cwd: "src" })).toEqual({
          files: ["/workspace/src/a.txt"],
          truncated: false,
        });
        expect((await ask("browse", { port: 3000 })).url).toBe("https://3000.preview.example");
      },
      hosted(),
      { "src/a.txt": "hello\n" },
    ));

  it("handleToolCall: an unknown tool and an error are results", () =>
    inWorkspace(async ({ toolset }) => {
      expect(await toolset.handle("nope", {})).toMatchObject({
        isError: true,
        content: expect.stringContaining("no tool"),
      });
      expect(await toolset.handle("read_file", { path: "none" })).toMatchObject({ isError: true });
    }));

  it("its agent loop runs on our schemas and results", () =>
    inWorkspace(
      async ({ toolset, fs }) => {
        const reported = await agentLoop(toolset, "Fix the greeting", [
          [{ type: "tool_use", id: "t1", name: "read", input: { path: "hi.txt" } }],
          [
            { type: "text", text: "I will change it." },
            {
              type: "tool_use",
              id: "t2",
              name: "edit",
              input: { path: "hi.txt", oldString: "Helo", newString: "Hello" },
            },
            { type: "tool_use", id: "t3", name: "read", input: { path: "none.txt" } },
          ],
          [{ type: "text", text: "Done." }],
        ]);
        expect(reported.text).toBe("Done.");
        expect(reported.results.map(({ tool_use_id, is_error }) => [tool_use_id, is_error])).toEqual([
          ["t1", undefined],
          ["t2", undefined],
          ["t3", true],
        ]);
        expect(reported.results[2]!.content).toContain("Use list or glob to find it.");
        expect(await fs.readFile("/workspace/hi.txt", "utf8")).toBe("Hello\n");
      },
      {},
      { "hi.txt": "Helo\n" },
    ));
});

interface Block {
  type: string;
  id?: string;
  name?: string;
  input?: Answer;
  text?: string;
}

/** The family's own agent loop, with a scripted client instead of a model. */
async function agentLoop(toolset: Toolset, userMessage: string, script: Block[][]) {
  const tools = toolset.schemas("anthropic");
  const client = {
    create: async (request: { tools: unknown[]; messages: unknown[] }) => {
      expect(request.tools).toHaveLength(toolset.names.length);
      for (const tool of request.tools)
        expect(tool).toMatchObject({ name: expect.any(String), input_schema: { type: "object" } });
      const content = script.shift()!;
      return { content, stop_reason: content.some(({ type }) => type === "tool_use") ? "tool_use" : "end_turn" };
    },
  };
  const messages: { role: string; content: unknown }[] = [{ role: "user", content: userMessage }];
  const results: { type: "tool_result"; tool_use_id: string; content: string; is_error: boolean | undefined }[] = [];
  for (;;) {
    const response = await client.create({ tools, messages });
    messages.push({ role: "assistant", content: response.content });
    if (response.stop_reason !== "tool_use")
      return { text: response.content.flatMap(({ type, text }) => (type === "text" ? [text] : [])).join(""), results };
    const turn = [];
    for (const block of response.content) {
      if (block.type !== "tool_use") continue;
      const { content, isError } = await toolset.handle(block.name!, block.input);
      turn.push({ type: "tool_result" as const, tool_use_id: block.id!, content, is_error: isError });
    }
    results.push(...turn);
    messages.push({ role: "user", content: turn });
  }
}

describe("the filesystem-* family", () => {
  const FILES = {
    "CMakeLists.txt": "project(yaze)\n",
    "src/cli/service/agent/tool_dispatcher.h": Array.from({ length: 60 }, (_, i) => `line ${i + 1}\n`).join(""),
    "src/cli/service/agent/tools/filesystem_tool.cc": "// tool\n",
    "src/cli/service/agent/tools/README.md": "# tools\n",
    "docs/internal/agents/x.md": "x\n",
  };
  const dispatch =
    ({ toolset }: Pick<Inside, "toolset">) =>
    async (call: { tool_name: string; args: Answer }) =>
      unwrap(await toolset.handle(call.tool_name, call.args));

  it("its four examples", () =>
    inWorkspace(
      async (inside) => {
        const ask = dispatch(inside);
        const { entries } = await ask({
          tool_name: "filesystem-list",
          args: { path: "src/cli/service/agent", recursive: "true", format: "json" },
        });
        expect(entries.map(({ name, type }: Answer) => `${type} ${name}`)).toEqual([
          "file tool_dispatcher.h",
          "directory tools",
          "file tools/README.md",
          "file tools/filesystem_tool.cc",
        ]);
        const args = { path: "src/cli/service/agent/tool_dispatcher.h", lines: "50", offset: "0", format: "json" };
        expect(await ask({ tool_name: "filesystem-read", args })).toMatchObject({
          startLine: 1,
          endLine: 50,
          nextOffset: 51,
          truncated: true,
        });
        const { path, lines: _, ...all } = { ...args, offset: "0" };
        expect(await ask({ tool_name: "filesystem-read", args: { path, ...all } })).toMatchObject({ endLine: 60 });
        expect(
          await ask({ tool_name: "filesystem-exists", args: { path: "docs/internal/agents", format: "json" } }),
        ).toEqual({
          path: "/workspace/docs/internal/agents",
          exists: true,
          type: "directory",
        });
        expect(
          await ask({ tool_name: "filesystem-info", args: { path: "CMakeLists.txt", format: "json" } }),
        ).toMatchObject({
          name: "CMakeLists.txt",
          type: "file",
          size: 14,
          modified: expect.stringMatching(/^\d{4}-/),
          permissions: "-rw-r--r--",
          path: "/workspace/CMakeLists.txt",
        });
      },
      { root: "auto" },
      FILES,
    ));

  it("its workflow: check, list, read each source file", () =>
    inWorkspace(
      async (inside) => {
        const ask = dispatch(inside);
        const path = "src/cli/service/agent/tools";
        const contents: string[] = [];
        if ((await ask({ tool_name: "filesystem-exists", args: { path } })).exists) {
          for (const entry of (await ask({ tool_name: "filesystem-list", args: { path } })).entries)
            if (entry.type === "file" && entry.name.endsWith(".cc"))
              contents.push(
                (await ask({ tool_name: "filesystem-read", args: { path: `${path}/${entry.name}` } })).content,
              );
        }
        expect(contents).toEqual(["// tool\n"]);
      },
      {},
      FILES,
    ));
});

describe("the tool::* family", () => {
  it("its examples, one after the other", () =>
    inWorkspace(
      async ({ toolset, fs }) => {
        const trigger = async (name: string, input: Answer) => unwrap(await toolset.handle(name, input));
        const read = await trigger("tool::file_read", { path: "src/config.ts", maxBytes: 10000 });
        expect([read.content.length, read.size, read.path]).toEqual([10_000, 12_000, "/workspace/src/config.ts"]);
        const content = JSON.stringify({ status: "success" }, null, 2);
        expect(await trigger("tool::file_write", { path: "output/result.json", content })).toMatchObject({
          written: true,
          path: "/workspace/output/result.json",
          size: content.length,
        });
        const { path, entries } = await trigger("tool::file_list", { path: "src" });
        expect([path, entries[0]]).toEqual([
          "/workspace/src",
          { name: "config.ts", type: "file", size: 12_000, modified: expect.stringMatching(/Z$/) },
        ]);
        const patch = '@@ -1,3 +1,3 @@\n-const version = "1.0.0";\n+const version = "1.1.0";\n';
        expect(await trigger("tool::apply_patch", { path: "src/version.ts", patch })).toMatchObject({
          patched: true,
          path: "/workspace/src/version.ts",
        });
        expect(await fs.readFile("/workspace/src/version.ts", "utf8")).toBe('const version = "1.1.0";\n');
        await trigger("git", { argv: ["init", "-q"], cwd: "my-project" });
        expect(
          await trigger("tool::shell_exec", { argv: ["git", "status", "--short"], cwd: "my-project" }),
        ).toMatchObject({
          exitCode: 0,
          stdout: "?? main.go\n",
        });
        expect((await toolset.handle("tool::shell_exec", { argv: ["bash", "-c", "git"] })).content).toContain(
          "COMMAND_REFUSED",
        );
        expect(await trigger("tool::web_fetch", { url: "https://example.com/docs", maxSize: 100000 })).toEqual({
          url: "https://example.com/docs",
          status: 200,
          contentType: "text/html",
          content: "# Docs\n\nRead me.",
          truncated: false,
          untrusted: true,
        });
        const found = await trigger("tool::web_search", {
          query: "TypeScript async patterns",
          provider: "brave",
          maxResults: 10,
        });
        expect([found.provider, found.results.length, found.results[0]]).toEqual([
          "brave",
          10,
          { title: "t0", url: "http://r/0", content: "d0" },
        ]);
        const message = "Analyze the TypeScript files in src/";
        expect(
          await trigger("tool::agent_spawn", { template: "code-analyzer", parentId: "agent-123", message }),
        ).toMatchObject({ agentId: expect.any(String), depth: 1, response: `code-analyzer: ${message}` });
        const send = {
          agentId: "agent-123",
          targetAgentId: "agent-456",
          message: "Task completed, ready for next step",
        };
        expect(await trigger("tool::agent_send", send)).toMatchObject({ sent: true, targetAgentId: "agent-456" });
      },
      hosted({ exec: { allowedCommands: SHELL_COMMAND_ALLOWLIST } }),
      {
        "src/config.ts": "x".repeat(12_000),
        "src/version.ts": 'const version = "1.0.0";\n',
        "my-project/main.go": "package main\n",
      },
    ));
});

describe("the Go family", () => {
  it("its ten definitions, with the fields it gives them", () =>
    inWorkspace(
      async ({ toolset, fs }) => {
        const ask = async (name: string, input: Answer) => toolset.handle(name, input);
        const read = await ask("read_file", { path: "internal/a.go", offset: 2, limit: 1 });
        expect(read.structured).toMatchObject({ content: "func A() {}\n", nextOffset: 3, truncated: true });
        expect((await ask("read_file", { path: "internal/a.go", offset: 0, limit: 0 })).structured.totalLines).toBe(3);
        unwrap(await ask("write_file", { path: "new/b.go", content: "package b\n" }));
        unwrap(await ask("edit_file", { path: "new/b.go", old_string: "package b", new_string: "package c" }));
        expect(await fs.readFile("/workspace/new/b.go", "utf8")).toBe("package c\n");
        const twice = await ask("edit_file", { path: "internal/a.go", old_string: "func", new_string: "f" });
        expect(twice.content).toContain("matches 2 places");
        expect((await ask("list_directory", { path: ".", depth: 1 })).content).toBe("internal/\nnew/");
        expect((await ask("list_directory", { path: ".", depth: 9 })).content).toBe(
          "internal/\n  a.go (34 B)\nnew/\n  b.go (10 B)",
        );
        expect((await ask("search_files", { pattern: "**/*.go" })).content).toBe(
          "/workspace/internal/a.go\n/workspace/new/b.go",
        );
        expect((await ask("search_code", { pattern: "^func [A-Z]", path: ".", file_glob: "*.go" })).content).toBe(
          "/workspace/internal/a.go:2:func A() {}\n/workspace/internal/a.go:3:func B() {}",
        );
        const bash = { command: "echo out; echo err >&2", description: "Prints both streams" };
        expect((await ask("bash", bash)).content).toBe("out\nerr\n");
        expect(unwrap(await ask("web_fetch", { url: "https://example.com/readme" })).content).toBe(
          "# Docs\n\nRead me.",
        );
        expect(unwrap(await ask("web_search", { query: "Go" })).results.length).toBe(5);
        const spawned = unwrap(await ask("spawn_agent", { task: "count", role: "explorer", model_id: "m" }));
        expect(spawned).toMatchObject({ response: "explorer: count", depth: 1 });
      },
      hosted(),
      { "internal/a.go": "package a\nfunc A() {}\nfunc B() {}\n" },
    ));
});
