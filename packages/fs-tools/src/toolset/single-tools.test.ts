/** The AI SDK family's five tools, one at a time: plain AI SDK tools with that family's options and defaults. */
import { describe, expect, it } from "vitest";
import type { ToolExecOptions, ToolWorkspace } from "../definition/tool-workspace.ts";
import { InMemoryFileStore } from "../store/in-memory-file-store.ts";
import type { AiTool } from "./ai-tool.ts";
import { createEditTool, createExecTool, createGrepTool, createReadTool, createWriteTool } from "./single-tools.ts";
import { ToolMetrics } from "./tool-metrics.ts";

// biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came back
type Answer = Record<string, any>;

const call = async (tool: AiTool, input: Answer, toolCallId = "one"): Promise<Answer> =>
  (await tool.execute(input, { toolCallId, messages: [] } as never)) as Answer;
const store = () => new InMemoryFileStore({ "/a.txt": "1\n2\n3\n", "/run.sh": "echo\n" });

describe("createReadTool", () => {
  it("takes maxLines and maxBytes, which a call's own limit does not exceed", async () => {
    const files = store();
    const two = createReadTool({ store: files, maxLines: 2 });
    expect(await call(two, { path: "/a.txt" })).toMatchObject({ content: "1\n2\n", nextOffset: 3, truncated: true });
    expect(await call(two, { path: "/a.txt", limit: 99 })).toMatchObject({ content: "1\n2\n" });
    expect(await call(two, { path: "/a.txt", offset: 3 })).toMatchObject({ content: "3\n", truncated: false });
    const bytes = createReadTool({ store: files, maxBytes: 4 });
    expect(await call(bytes, { path: "/a.txt" })).toMatchObject({ content: "1\n2\n", nextOffset: 3 });
    expect((await call(createReadTool({ store: files }), { path: "/a.txt" })).truncated).toBe(false);
  });

  it("reads a large file by its chunks alone, and stops where the window ends", async () => {
    const requested: string[] = [];
    const chunk = new TextEncoder().encode("0123456\n".repeat(8192));
    const lazy = createReadTool({
      store: {
        stat: async () => ({ size: 100 * chunk.length, mode: 0o644, mtime: 0, type: "file", version: "1" }),
        read: async () => Promise.reject(new Error("the whole file was asked for")),
        async *readChunks() {
          for (let i = 0; i < 100; i++) {
            requested.push(`chunk ${i}`);
            yield chunk;
          }
        },
        write: async () => {},
      },
    });
    expect(await call(lazy, { path: "/big", offset: 8190, limit: 5 })).toMatchObject({
      content: "0123456\n".repeat(5),
      startLine: 8190,
      endLine: 8194,
      nextOffset: 8195,
    });
    // One to detect text, two for the window.
    expect(requested).toEqual(["chunk 0", "chunk 0", "chunk 1"]);
  });
});

describe("createWriteTool and createEditTool", () => {
  it("keep the mode, take maxBytes, and point at edit", async () => {
    const files = store();
    await files.write("/run.sh", new TextEncoder().encode("echo\n"), { mode: 0o755 });
    const write = createWriteTool({ store: files, maxBytes: 10 });
    expect(await call(write, { path: "/run.sh", content: "0123456789" })).toMatchObject({ ok: true, size: 10 });
    expect((await files.stat("/run.sh"))?.mode).toBe(0o755);
    expect(await call(write, { path: "/run.sh", content: "0123456789a" })).toMatchObject({
      error: { code: "TOO_LARGE", suggestedTool: "edit", maxBytes: 10 },
    });
    const edit = createEditTool({ store: files, maxBytes: 10 });
    const edits = (oldText: string, newText: string) => ({ path: "/run.sh", edits: [{ oldText, newText }] });
    expect(await call(edit, edits("9", "9a"))).toMatchObject({ error: { code: "TOO_LARGE" } });
    expect(await call(edit, edits("9", "z"))).toMatchObject({ ok: true, diff: expect.stringContaining("+012345678z") });
    await files.write("/run.sh", new TextEncoder().encode("0123456789a"));
    expect(await call(edit, edits("a", ""))).toMatchObject({
      error: { code: expect.stringMatching(/STALE|TOO_LARGE/) },
    });
  });

  it("tools of one store share what they saw: a file that changed since is not overwritten", async () => {
    const files = store();
    await call(createReadTool({ store: files }), { path: "/a.txt" });
    await files.write("/a.txt", new TextEncoder().encode("theirs\n"));
    const refused = await call(createWriteTool({ store: files }), { path: "/a.txt", content: "mine\n" });
    expect(refused).toMatchObject({ error: { code: "STALE", diff: expect.stringContaining("+theirs") } });
  });

  it("count their calls where the host asks for it", async () => {
    const metrics = new ToolMetrics();
    const read = createReadTool({ store: store(), metrics });
    await call(read, { path: "/a.txt" });
    await call(read, { path: "/none" });
    expect(metrics.snapshot().tool_execution_total).toEqual([
      { tool: "read", status: "success", count: 1 },
      { tool: "read", status: "failure", count: 1 },
    ]);
  });
});

describe("createGrepTool and createExecTool", () => {
  /** Records the calls to the workspace; the workerd tests cover their effects. */
  function recording() {
    const asked: { grep: unknown[]; exec: [unknown, ToolExecOptions][] } = { grep: [], exec: [] };
    const result = { id: "x", state: "exited", exitCode: 0, stdout: "o".repeat(40_000), stderr: "", truncated: false };
    const workspace = {
      root: "/workspace",
      fs: {
        realpath: async (path: string) => path,
        stat: async () => ({ size: 0, mode: 0o755, mtimeMs: 0, isDirectory: () => true, type: "dir" }),
        grep: async (...given: unknown[]) => {
          asked.grep.push(given);
          return {
            hits: [],
            truncated: false,
            truncatedBy: null,
            cursor: null,
            engine: "local",
            stats: { filesIgnored: 0 },
          };
        },
      },
      shell: {
        exec: async (command: unknown, options: ToolExecOptions) => {
          asked.exec.push([command, options]);
          return { id: "x", ranOn: "worker", result: async () => ({ ...result, output: null, ranOn: "worker" }) };
        },
      },
    } as unknown as ToolWorkspace;
    return { asked, workspace };
  }

  it("grep takes maxHits and maxBytesPerLine; 200 and 1 KiB without them", async () => {
    const { asked, workspace } = recording();
    await call(createGrepTool({ workspace, maxHits: 3, maxBytesPerLine: 20 }), { pattern: "x", path: "/workspace" });
    await call(createGrepTool({ workspace }), { pattern: "x", path: "/workspace" });
    expect(asked.grep.map((given) => (given as unknown[])[2])).toMatchObject([
      { maxHits: 3, maxBytesPerLine: 20, regex: false },
      { maxHits: 200, maxBytesPerLine: 1024, regex: false },
    ]);
  });

  it("exec takes defaultCwd, allowedCommands, timeoutMs and a budget of output", async () => {
    const { asked, workspace } = recording();
    const exec = createExecTool({ workspace, defaultCwd: "/workspace/app", allowedCommands: ["ls"], timeoutMs: 5 });
    const done = await call(exec, { command: "ls -l" });
    expect(done).toMatchObject({ exitCode: 0, truncated: true, stderr: "" });
    expect(done.stdout.length).toBeLessThanOrEqual(32 * 1024);
    await call(exec, { command: "ls", cwd: "/workspace/other" });
    expect(await call(exec, { command: "rm -rf ." })).toMatchObject({ error: { code: "COMMAND_REFUSED" } });
    await call(createExecTool({ workspace, timeoutMs: 0 }), { command: "anything | goes" });
    const small = await call(createExecTool({ workspace, maxOutputBytes: 100 }), { command: "ls" });
    expect(small.stdout.length).toBeLessThanOrEqual(100);
    expect(asked.exec.map(([command, { cwd, timeoutMs, encoding }]) => [command, cwd, timeoutMs, encoding])).toEqual([
      ["ls -l", "/workspace/app", 5, "utf8"],
      ["ls", "/workspace/other", 5, "utf8"],
      ["anything | goes", "/workspace", 0, "utf8"],
      ["ls", "/workspace", 60_000, "utf8"],
    ]);
  });
});
