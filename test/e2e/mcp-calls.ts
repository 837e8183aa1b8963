/**
 * A valid call of every tool that the MCP server lists, with what it must have done. Each makes the files it needs under a folder of
 * its own, through the API and not through the tools, and looks at the outcome the same way. A tool without an entry fails the test.
 */
import { expect } from "vitest";

// biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came back
export type Structured = Record<string, any>;

export interface McpTools {
  /** The structured answer; a failure is an error of the test. */
  call(name: string, input: Record<string, unknown>): Promise<Structured>;
  put(path: string, text: string): Promise<void>;
  /** Null: there is no such file. */
  get(path: string): Promise<string | null>;
}

type Check = (tools: McpTools) => Promise<void>;

const at = (path: string) => `/workspace/${path}`;

export const mcpCalls: Readonly<Record<string, Check>> = {
  read: async ({ call, put }) => {
    await put("read/a.txt", "one\ntwo\nthree\n");
    const answer = await call("read", { path: at("read/a.txt"), offset: 2, limit: 1 });
    expect(answer).toMatchObject({ content: "two\n", startLine: 2, endLine: 2, nextOffset: 3, truncated: true });
  },
  write: async ({ call, get }) => {
    expect(await call("write", { path: at("write/deep/a.txt"), content: "written\n" })).toMatchObject({
      ok: true,
      size: 8,
    });
    await call("write", { path: "write/deep/a.txt", content: "more\n", append: true });
    expect(await get("write/deep/a.txt")).toBe("written\nmore\n");
  },
  edit: async ({ call, put, get }) => {
    await put("edit/a.txt", "one\r\ntwo\r\nthree\r\n");
    const edits = [{ oldText: "two\nthree", newText: "2\n3" }];
    const answer = await call("edit", { path: at("edit/a.txt"), edits });
    expect(answer).toMatchObject({ ok: true, replaced: 1, edits: [{ rung: "line-endings", line: 2 }] });
    expect(answer.diff).toContain("-two");
    expect(await get("edit/a.txt")).toBe("one\r\n2\r\n3\r\n");
  },
  apply_patch: async ({ call, put, get }) => {
    await put("patch/a.txt", "one\ntwo\n");
    await put("patch/gone.txt", "x\n");
    const patch = `*** Begin Patch
*** Update File: patch/a.txt
@@
 one
-two
+2
*** Add File: patch/new.txt
+new
*** Delete File: patch/gone.txt
*** End Patch
`;
    const { files } = await call("apply_patch", { patch });
    expect(files.map(({ op }: Structured) => op)).toEqual(["update", "add", "delete"]);
    expect([await get("patch/a.txt"), await get("patch/new.txt"), await get("patch/gone.txt")]).toEqual([
      "one\n2\n",
      "new\n",
      null,
    ]);
  },
  grep: async ({ call, put }) => {
    await put("grep/a.ts", "const a = 1;\nconst needle = 2;\n");
    await put("grep/b.md", "needle\n");
    const answer = await call("grep", { pattern: "need.e", regex: true, path: at("grep"), glob: "*.ts" });
    expect(answer).toMatchObject({
      hits: [{ path: at("grep/a.ts"), line: 2, text: "const needle = 2;" }],
      truncated: false,
    });
  },
  glob: async ({ call, put }) => {
    for (const name of ["b.ts", "a.ts", "c.md"]) await put(`glob/in/${name}`, "x");
    const answer = await call("glob", { pattern: "**/*.ts", cwd: at("glob") });
    expect(answer).toEqual({ files: [at("glob/in/a.ts"), at("glob/in/b.ts")], truncated: false });
  },
  find: async ({ call, put }) => {
    await put("find/small", "x");
    await put("find/large", "x".repeat(100));
    const { entries } = await call("find", { path: at("find"), larger: 50, type: "file" });
    expect(entries).toMatchObject([{ path: at("find/large"), type: "file", size: 100 }]);
  },
  list: async ({ call, put }) => {
    await put("list/dir/f", "x");
    await put("list/a", "abc");
    const { entries } = await call("list", { path: at("list") });
    expect(entries).toMatchObject([
      { name: "a", type: "file", size: 3 },
      { name: "dir", type: "directory" },
    ]);
  },
  tree: async ({ call, put }) => {
    await put("tree/dir/f", "abc");
    expect(await call("tree", { path: at("tree") })).toMatchObject({
      tree: "dir/\n  f (3 B)",
      files: 1,
      directories: 1,
    });
  },
  exists: async ({ call, put }) => {
    await put("exists/f", "x");
    expect(await call("exists", { path: at("exists/f") })).toMatchObject({ exists: true, type: "file" });
    expect(await call("exists", { path: at("exists/none") })).toMatchObject({ exists: false });
  },
  info: async ({ call, put }) => {
    await put("info/f", "abc");
    const answer = await call("info", { path: at("info/f") });
    expect(answer).toMatchObject({ name: "f", type: "file", size: 3, permissions: "-rw-r--r--", octal: "0644" });
  },
  stats: async ({ call, put }) => {
    await put("stats/a/f", "abc");
    await put("stats/g", "de");
    expect(await call("stats", { path: at("stats") })).toMatchObject({ files: 2, directories: 1, bytes: 5 });
  },
  changes: async ({ call, put }) => {
    await put("changes/f", "x");
    const { cursor } = await call("changes", { path: at("changes") });
    await put("changes/f", "y");
    const { changes } = await call("changes", { path: at("changes"), since: cursor });
    expect(changes).toMatchObject([{ op: "write", path: at("changes/f") }]);
  },
  move: async ({ call, put, get }) => {
    await put("move/a", "x");
    expect(await call("move", { from: at("move/a"), to: at("move/to/b") })).toMatchObject({ ok: true, type: "file" });
    expect([await get("move/a"), await get("move/to/b")]).toEqual([null, "x"]);
  },
  copy: async ({ call, put, get }) => {
    await put("copy/dir/a", "x");
    expect(await call("copy", { from: at("copy/dir"), to: at("copy/other") })).toMatchObject({ type: "directory" });
    expect([await get("copy/dir/a"), await get("copy/other/a")]).toEqual(["x", "x"]);
  },
  delete: async ({ call, put, get }) => {
    await put("delete/dir/a", "x");
    expect(await call("delete", { path: at("delete/dir"), recursive: true })).toMatchObject({ ok: true });
    expect(await get("delete/dir/a")).toBeNull();
  },
  undo: async ({ call, put, get }) => {
    await put("undo/a", "before\n");
    const { callId } = await call("write", { path: at("undo/a"), content: "after\n" });
    expect(await get("undo/a")).toBe("after\n");
    expect(await call("undo", { callId })).toMatchObject({ ok: true, undone: callId, total: 1 });
    expect(await get("undo/a")).toBe("before\n");
  },
  exec: async ({ call, get, put }) => {
    await put("exec/a", "x\n");
    const answer = await call("exec", { command: "cat a; cp a b", cwd: at("exec"), description: "copy a" });
    expect(answer).toMatchObject({ exitCode: 0, stdout: "x\n", stderr: "", state: "exited", untrusted: true });
    expect(answer.changed).toContain(at("exec/b"));
    expect(await get("exec/b")).toBe("x\n");
  },
  exec_output: async ({ call }) => {
    const { id } = await call("exec", { command: "echo one; echo two", background: true });
    let output: Structured = {};
    for (let i = 0; i < 100 && output.state !== "exited"; i++) output = await call("exec_output", { id });
    expect(output).toMatchObject({ state: "exited", exitCode: 0, stdout: "one\ntwo\n" });
  },
  exec_kill: async ({ call }) => {
    const { id } = await call("exec", { command: "sleep 60", background: true });
    expect(await call("exec_kill", { id, signal: "SIGKILL" })).toMatchObject({ id, killed: true });
    let output: Structured = {};
    for (let i = 0; i < 100 && (output.state ?? "running") === "running"; i++)
      output = await call("exec_output", { id });
    expect(output.state).toBe("killed");
  },
  git: async ({ call, put }) => {
    await put("git/a", "x\n");
    for (const argv of [
      ["init", "-q", "-b", "main"],
      ["add", "a"],
      ["commit", "-qm", "first"],
    ])
      expect(await call("git", { argv, cwd: at("git") })).toMatchObject({ exitCode: 0 });
    expect((await call("git", { argv: ["log", "--format=%s"], cwd: at("git") })).stdout).toBe("first\n");
  },
};
