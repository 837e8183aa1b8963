import { describe, expect, it } from "vitest";
import { codeOfResult } from "../../test/code-of-result.ts";
import type { ToolWorkspace } from "../definition/tool-workspace.ts";
import { ReadCache } from "../files/read-cache.ts";
import { defaultToolLimits } from "../limits.ts";
import { redact } from "../redact/redact.ts";
import { MemoryToolState } from "../state/memory-tool-state.ts";
import { InMemoryFileStore } from "../store/in-memory-file-store.ts";
import { allTools } from "../tools/all-tools.ts";
import { COMPATIBLE_TOOL_NAMES } from "./aliases.ts";
import { createToolset } from "./create-toolset.ts";
import { DIALECTS } from "./dialects.ts";
import { mcpTools } from "./foreign-mcp-tools.ts";
import { ToolMetrics, withToolMetrics } from "./tool-metrics.ts";

/** A host with every backend, so that every tool is available; none is called. */
const everything = {
  workspace: { fs: {}, git: {}, shell: {}, history: {} } as unknown as ToolWorkspace,
  web: {},
  search: {},
  agents: { runner: async () => ({ text: "" }), agentId: "a" },
  exposePort: async () => ({ url: "" }),
};

const ALL = allTools.map(({ name }) => name);

describe("createToolset", () => {
  it("has every name of the contract", async () => {
    const contract =
      "read write edit apply_patch grep glob find list tree exists info stats changes move copy delete exec exec_output exec_kill git browse web_fetch web_search agent_spawn agent_send undo";
    expect([...(await createToolset(everything)).names].sort()).toEqual(contract.split(" ").sort());
  });

  it("leaves out what the host has nothing for", async () => {
    expect((await createToolset({ store: new InMemoryFileStore() })).names).toEqual([
      "read",
      "write",
      "edit",
      "apply_patch",
      "undo",
    ]);
    const bare = await createToolset({ workspace: { fs: {} } as unknown as ToolWorkspace });
    for (const name of ["exec", "git", "browse", "web_fetch", "web_search", "agent_spawn", "agent_send", "undo"]) {
      expect(bare.names).not.toContain(name);
      expect(bare.systemPrompt()).not.toContain(name);
      expect(JSON.stringify(bare.schemas("json"))).not.toContain(`"${name}"`);
    }
  });

  const READING = [
    "read",
    "grep",
    "glob",
    "find",
    "list",
    "tree",
    "exists",
    "info",
    "stats",
    "changes",
    "web_fetch",
    "web_search",
  ];
  const RUNNING = ["exec", "exec_output", "exec_kill"];
  it.each([
    ["explorer", READING],
    ["planner", [...READING, ...RUNNING]],
    ["coder", ALL],
    ["full", ALL],
  ])("the role %s has its tools", async (role, names) => {
    expect([...(await createToolset({ ...everything, role })).names].sort()).toEqual([...names].sort());
  });

  it("refuses an unknown role, preset and group", async () => {
    await expect(createToolset({ ...everything, role: "boss" })).rejects.toThrow("explorer, planner, coder, full");
    await expect(createToolset({ ...everything, preset: "tiny" as never })).rejects.toThrow("preset");
    await expect(createToolset({ ...everything, groups: { nope: false } as never })).rejects.toThrow("group");
  });

  it("takes the other families' names in allow and disabled, and refuses names that no tool has", async () => {
    const names = async (options: object) => (await createToolset({ ...everything, ...options })).names;
    for (const name of Object.values(COMPATIBLE_TOOL_NAMES).flat()) {
      expect([name, (await names({ allow: [name] })).length]).toEqual([name, 1]);
      const off = await createToolset({ ...everything, disabled: [name] });
      expect([name, off.has(name), off.names.length]).toEqual([name, false, ALL.length - 1]);
    }
    expect(await names({ allow: ["read_file", "bash"] })).toEqual(["read", "exec"]);
    const quiet = await createToolset({ ...everything, disabled: ["str_replace_based_edit_tool"] });
    expect([quiet.has("str_replace_based_edit_tool"), quiet.has("memory"), quiet.has("edit")]).toEqual([
      false,
      true,
      true,
    ]);
    expect(JSON.stringify(quiet.providerTools("anthropic"))).not.toContain("str_replace");
    for (const options of [
      { allow: ["reed"] },
      { disabled: ["Bash"] },
      { disabled: ["exec "] },
      { allow: ["__proto__"] },
    ])
      await expect(createToolset({ ...everything, ...options })).rejects.toMatchObject({ code: "UNKNOWN_TOOL" });
    const saved = await createToolset({ ...everything, state: new MemoryToolState() });
    await saved.saveDisabled(["bash", "search_code"]);
    expect([saved.has("exec"), saved.has("bash"), saved.has("grep")]).toEqual([false, false, false]);
    await expect(saved.saveDisabled(["nothing"])).rejects.toMatchObject({ code: "UNKNOWN_TOOL" });
  });

  it("selects by allow, disabled, groups and preset", async () => {
    expect((await createToolset({ ...everything, allow: [] })).names).toEqual([]);
    expect((await createToolset({ ...everything, allow: ["read", "exec"], role: "explorer" })).names).toEqual(["read"]);
    expect((await createToolset({ ...everything, allow: ["read", "write"], disabled: ["write"] })).names).toEqual([
      "read",
    ]);
    expect((await createToolset({ ...everything, groups: { web: false, agents: false } })).names).not.toContain(
      "web_fetch",
    );
    expect((await createToolset({ ...everything, preset: "core" })).names).toEqual([
      "read",
      "write",
      "edit",
      "grep",
      "glob",
      "list",
      "exec",
    ]);
  });

  it("remembers what is switched off, for later toolsets too; an empty set forgets", async () => {
    const state = new MemoryToolState();
    const toolset = await createToolset({ ...everything, state });
    // Called before: a resolved name is cached, but not after it becomes invalid.
    expect([toolset.has("exec"), toolset.has("bash"), toolset.has("shell")]).toEqual([true, true, true]);
    await toolset.saveDisabled(["exec", "git"]);
    expect([toolset.has("exec"), toolset.has("bash"), toolset.has("shell")]).toEqual([false, false, false]);
    expect(toolset.names).not.toContain("exec");
    expect(codeOfResult(await toolset.handle("exec", { command: "ls" }))).toBe("UNKNOWN_TOOL");
    expect((await toolset.handle("bash", { command: "ls" })).isError).toBe(true);
    const later = await createToolset({ ...everything, state });
    expect(later.names).not.toContain("git");
    await later.saveDisabled([]);
    expect((await createToolset({ ...everything, state })).names).toContain("git");
    await expect(later.saveDisabled(["nope"])).rejects.toThrow("no tool");
  });

  it("keeps its schemas small: core within 4 KB, full within 24 KB, in every dialect", async () => {
    for (const dialect of DIALECTS) {
      const size = async (preset: "core" | "full") =>
        JSON.stringify((await createToolset({ ...everything, preset })).schemas(dialect)).length;
      expect(await size("core")).toBeLessThanOrEqual(4096);
      expect(await size("full")).toBeLessThanOrEqual(24 * 1024);
    }
  });

  it("says the same in every dialect", async () => {
    const toolset = await createToolset({ ...everything, allow: ["exists"] });
    const name = "exists";
    const description = "Whether a path exists, and as what.";
    const schema = {
      type: "object",
      properties: {
        path: { type: "string" },
        format: { type: "string", enum: ["json", "text"] },
      },
      required: ["path"],
      additionalProperties: false,
    };
    expect(toolset.schemas("json")).toEqual([{ name, description, inputSchema: schema }]);
    expect(toolset.schemas("anthropic")).toEqual([{ name, description, input_schema: schema }]);
    expect(toolset.schemas("openai")).toEqual([
      { type: "function", function: { name, description, parameters: schema } },
    ]);
    const annotations = { readOnlyHint: true, destructiveHint: false, openWorldHint: false };
    expect(toolset.schemas("mcp")).toEqual([{ name, description, inputSchema: schema, annotations }]);
  });

  it("pins every schema", async () => {
    expect((await createToolset(everything)).schemas("mcp")).toMatchSnapshot();
  });

  it("validates, coerces strings, and names the wrong field", async () => {
    const toolset = await createToolset({ store: new InMemoryFileStore({ "/a": "1\n2\n3\n" }) });
    expect(toolset.validate("read", { path: "a", limit: "2" })).toBeNull();
    expect(toolset.validate("read", { path: "a", limit: "two" })).toContain("limit");
    expect(toolset.validate("read", '{"path":"a","__proto__":{"limit":1}}')).toContain("there is no field __proto__");
    expect(toolset.validate("read", {})).toContain("path");
    expect(toolset.validate("read", { path: "a", colour: 1 })).toContain("colour");
    expect(toolset.validate("edit", { path: "a", old_string: "1", new_string: "2" })).toContain(
      "there is no field old_string, new_string; the fields are path, edits, oldString, newString, replaceAll",
    );
    expect(toolset.validate("nope", {})).toContain("no tool");
    expect(
      (await toolset.handle("read", { path: "a", limit: "1", lineNumbers: "true", offset: null })).structured.content,
    ).toBe("     1\t1\n");
    expect((await toolset.handle("read", '{"path":"a","limit":"1"}')).structured.content).toBe("1\n");
    const malformed = await toolset.handle("read", "{nope");
    expect([codeOfResult(malformed), malformed.content]).toEqual([
      "INVALID_INPUT",
      expect.stringContaining("not valid JSON"),
    ]);
    for (const wrong of [[], 7, "[]", true])
      expect(codeOfResult(await toolset.handle("read", wrong))).toBe("INVALID_INPUT");
    expect(toolset.usage("read")).toContain("read({ path, offset?, limit?, byteOffset?");
    const unknown = await toolset.handle("nope", {});
    expect(unknown.content).toContain("Tools: read, write, edit, apply_patch, undo");
  });

  it("makes a prompt from the active tools; overrides change nothing shared, extra comes last", async () => {
    const toolset = await createToolset({
      ...everything,
      allow: ["read", "edit", "grep", "exec"],
      guidance: { read: "READ ME" },
      descriptions: { read: "Other words." },
    });
    const prompt = toolset.systemPrompt({ extra: "Be brief." });
    for (const words of ["nextOffset", "must not overlap", "truncated", "untrusted", "Paths are absolute", "READ ME"])
      expect(prompt).toContain(words);
    expect(prompt.endsWith("Be brief.")).toBe(true);
    expect(prompt).not.toContain("web_fetch");
    expect(toolset.systemPrompt({ guidance: { read: "" } })).not.toContain("- read:");
    expect(toolset.schemas("json")[0]!.description).toBe("Other words.");
    expect((await createToolset({ ...everything, allow: ["read"] })).schemas("json")[0]!.description).not.toBe(
      "Other words.",
    );
    expect((await createToolset({ ...everything, allow: [] })).systemPrompt()).toBe("");
    expect((await createToolset({ ...everything, seed: 7 })).settings()).toEqual({ seed: 7 });
  });
});

it("a store without a history shows what changed from what was read", async () => {
  const store = new InMemoryFileStore({ "/f": "one\ntwo\nthree\n" });
  const toolset = await createToolset({ store });
  await toolset.handle("read", { path: "f" });
  await store.write("/f", new TextEncoder().encode("one\n2\nthree\n"));
  const refused = await toolset.handle("write", { path: "f", content: "x" });
  expect(codeOfResult(refused)).toBe("STALE");
  expect(refused.content).toContain("-two\n+2\n");
  const edited = await toolset.handle("edit", { path: "f", oldString: "one", newString: "1" });
  expect(codeOfResult(edited)).toBe("STALE");
  await toolset.handle("read", { path: "f" });
  expect((await toolset.handle("edit", { path: "f", oldString: "one", newString: "1" })).isError).toBeUndefined();
});

it("the numbers of the contract are the defaults", () => {
  const [KIB, MIB] = [1024, 1024 * 1024];
  expect(defaultToolLimits).toMatchObject({
    ...{ readLines: 2000, readBytes: 256 * KIB, mediaBytes: 3 * MIB, sniffBytes: 512 },
    ...{ writeBytes: 2 * MIB, editBytes: 2 * MIB, patchBytes: 2 * MIB },
    ...{ grepHits: 200, grepLineBytes: KIB, entries: 1000, treeDepth: 2, treeMaxDepth: 5 },
    ...{ execTimeoutMs: 60_000, stdoutBytes: 32 * KIB, stderrBytes: 32 * KIB },
    ...{ fetchBytes: 500_000, fetchTextBytes: 100_000, fetchTimeoutMs: 20_000, fetchRedirects: 5, searchResults: 5 },
    ...{ agentDepth: 5, agentsPerParent: 20, messageBytes: 100_000, messageQueue: 1000, messagesPerMinute: 10 },
    messagesPerSenderMinute: 60,
  });
});

it("no edit mangles UTF-16, with a mark or without", async () => {
  const wide = (text: string) => Uint8Array.from([...text].flatMap((one) => [one.charCodeAt(0), 0]));
  const files = { "/marked": Uint8Array.of(0xff, 0xfe, ...wide("hi\n")), "/plain": wide("hi\n") };
  const store = new InMemoryFileStore(files);
  const toolset = await createToolset({ store });
  for (const [path, content] of Object.entries(files)) {
    for (const [name, input] of [
      ["edit", { path, oldString: "h", newString: "hello" }],
      ["edit", { path, edits: [{ oldText: "h", newText: "hello" }] }],
      ["str_replace_based_edit_tool", { command: "insert", path, insert_line: 0, insert_text: "x" }],
    ] as const)
      expect([path, codeOfResult(await toolset.handle(name, input))]).toEqual([path, "ENCODING"]);
    expect(await store.read(path)).toEqual(content);
  }
  expect((await toolset.handle("read", { path: "/marked" })).content).toBe(
    "BINARY_FILE: /marked is UTF-16 text (8 bytes), not UTF-8: it holds NUL bytes. Convert a copy with exec (iconv -f UTF-16 -t UTF-8).",
  );
});

it("line numbers count in the budget of a read", async () => {
  const toolset = await createToolset({
    store: new InMemoryFileStore({ "/f": "x\n".repeat(50) }),
    limits: { readBytes: 100 },
  });
  const { content, nextOffset } = (await toolset.handle("read", { path: "f", lineNumbers: true })).structured;
  expect([(content as string).length, nextOffset]).toEqual([90, 11]);
});

it("what was read is kept for a refusal's diff within a bound: the oldest goes first", () => {
  const recent = new ReadCache();
  const half = new Uint8Array(512 * 1024);
  for (let i = 0; i < 9; i++) recent.put("a", `/f${i}`, "1", half);
  expect(Array.from({ length: 9 }, (_, i) => recent.get("a", `/f${i}`, "1") !== undefined)).toEqual([
    false,
    ...Array(8).fill(true),
  ]);
  recent.put("a", "/big", "1", new Uint8Array(512 * 1024 + 1));
  expect([recent.get("a", "/big", "1"), recent.get("a", "/f8", "2"), recent.get("b", "/f8", "1")]).toEqual(
    Array(3).fill(undefined),
  );
});

it("refuses arguments that are nested too deep, as data, as JSON and for a foreign tool", async () => {
  const client = {
    listTools: async () => ({ tools: [{ name: "mine", inputSchema: {} }] }),
    callTool: async (call: unknown) => JSON.parse(JSON.stringify(call)),
  };
  const toolset = await createToolset({ store: new InMemoryFileStore(), extraTools: await mcpTools(client) });
  const json = (depth: number) => `{"a":${"[".repeat(depth)}${"]".repeat(depth)}}`;
  for (const tool of ["read", "mine", "edit_file", "apply_patch", "bash", "nope"])
    for (const text of [json(100_000), json(64), json(100_000).replaceAll("[", '{"b":[').replaceAll("]", "]}")])
      for (const input of [text, JSON.parse(text)]) {
        const { structured } = await toolset.handle(tool, input);
        const code = toolset.has(tool) ? "INVALID_INPUT" : "UNKNOWN_TOOL";
        expect([tool, structured.error]).toEqual([tool, expect.objectContaining({ code })]);
      }
  expect((await toolset.handle("mine", JSON.parse(json(60)))).isError).toBeUndefined();
  const cyclic: Record<string, unknown> = { path: "a" };
  cyclic.self = cyclic;
  expect((await toolset.handle("read", cyclic)).structured.error).toMatchObject({ code: "INVALID_INPUT" });
});

describe("metrics and audit", () => {
  it("counts every call, and keeps a redacted record of it", async () => {
    let clock = 1000;
    const metrics = new ToolMetrics();
    const toolset = await createToolset({ store: new InMemoryFileStore({ "/a": "x" }), metrics, now: () => clock++ });
    await toolset.handle("read", { path: "a" }, { callId: "one" });
    await toolset.handle("read", { path: "b" }, { callId: "two" });
    await toolset.handle("write", { path: "/../etc", content: "token=abc" }, { callId: "three" });
    await toolset.handle("nope", { password: "hunter2" });
    expect(metrics.snapshot().tool_execution_total).toEqual([
      { tool: "read", status: "success", count: 1 },
      { tool: "read", status: "failure", count: 1 },
      { tool: "write", status: "success", count: 1 },
      { tool: "unknown", status: "failure", count: 1 },
    ]);
    const [unknown, write, missing, read] = await toolset.audit();
    expect(read).toMatchObject({
      tool: "read",
      outcome: "success",
      code: "",
      callId: "one",
      actor: "agent",
      input: '{"path":"a"}',
    });
    expect(missing).toMatchObject({ outcome: "failure", code: "ENOENT", callId: "two" });
    expect(write).toMatchObject({ tool: "write", input: '{"path":"/../etc","content":"[9 characters]"}' });
    expect(unknown).toMatchObject({
      tool: "nope",
      outcome: "refused",
      code: "UNKNOWN_TOOL",
      input: '{"password":"[redacted]"}',
    });
    expect(metrics.text()).toContain('tool_execution_total{tool="read",status="failure"} 1');
    expect(metrics.text()).toContain('function_call_duration_ms_bucket{tool="read",le="+Inf"} 2');
  });

  it("escapes the labels of metrics, and counts all unknown names under one", async () => {
    const metrics = new ToolMetrics();
    metrics.record('a"} 1\nevil{b="\\', "success", 1);
    expect(metrics.text()).toContain('tool_execution_total{tool="a\\"} 1\\nevil{b=\\"\\\\",status="success"} 1\n');
    const toolset = await createToolset({ store: new InMemoryFileStore(), metrics });
    for (let i = 0; i < 50; i++) await toolset.handle(`nope${i}"`, {});
    expect(metrics.snapshot().tool_execution_total).toEqual([
      expect.objectContaining({ status: "success" }),
      { tool: "unknown", status: "failure", count: 50 },
    ]);
  });

  it("says of every call that was turned away that it was refused, not that it failed", async () => {
    const toolset = await createToolset({
      store: new InMemoryFileStore({ "/in/a": "x", "/in/.env": "s" }),
      root: "/in",
      deny: [".env"],
      writable: ["b"],
    });
    for (const [input, code] of [
      [{ path: ".env" }, "DENIED"],
      [{ path: "../a" }, "OUTSIDE_ROOT"],
      [{ path: 5 }, "INVALID_INPUT"],
    ] as const) {
      await toolset.handle("read", input);
      expect((await toolset.audit({ limit: 1 }))[0]).toMatchObject({ outcome: "refused", code });
    }
    await toolset.handle("write", { path: "a", content: "y" });
    expect((await toolset.audit({ limit: 1 }))[0]).toMatchObject({ outcome: "refused", code: "NOT_WRITABLE" });
    await toolset.handle("read", { path: "none" });
    expect((await toolset.audit({ limit: 1 }))[0]).toMatchObject({ outcome: "failure", code: "ENOENT" });
  });

  it("a result's content is its data as JSON, once made a plain property, and survives a copy", async () => {
    const toolset = await createToolset({ store: new InMemoryFileStore({ "/a": "x\n" }) });
    const read = await toolset.handle("read", { path: "a" });
    expect(Object.keys(structuredClone(read)).sort()).toEqual(["content", "structured"]);
    expect(structuredClone(read).content).toBe(JSON.stringify(read.structured));
    expect(JSON.parse(read.content)).toEqual(read.structured);
    expect({ ...(await toolset.handle("read", { path: "a" })) }.content).toBe(read.content);
    const write = await toolset.handle("write", { path: "b", content: "y" }, { callId: "mine" });
    expect([write.structured.callId, read.structured.callId]).toEqual(["mine", undefined]);
    expect(JSON.parse(write.content).callId).toBe("mine");
    expect((await toolset.handle("read", { path: "none" })).content).toMatch(/^ENOENT: /);
  });

  it("withToolMetrics measures single tools and sets alike", async () => {
    const metrics = new ToolMetrics();
    const tools = withToolMetrics(
      { a: { execute: async () => ({ ok: 1 }) }, b: { execute: async () => ({ error: { code: "X" } }) } },
      metrics,
    );
    await tools.a.execute();
    await tools.b.execute();
    const thrower = withToolMetrics({ execute: async () => Promise.reject(new Error("x")) }, metrics, { name: "c" });
    await expect(thrower.execute()).rejects.toThrow("x");
    expect(metrics.snapshot().tool_execution_total.map(({ tool, status }) => `${tool} ${status}`)).toEqual([
      "a success",
      "b failure",
      "c failure",
    ]);
    expect(metrics.snapshot().function_call_duration_ms.map(({ count }) => count)).toEqual([1, 1, 1]);
  });

  it.each([
    [{ headers: { Authorization: "Bearer abcdefghijkl" } }, "abcdefghijkl"],
    [{ command: "curl -H 'Authorization: Bearer abcdefghijkl' x" }, "abcdefghijkl"],
    [{ url: "https://user:hunter2@example.com/" }, "hunter2"],
    [{ command: "API_KEY=abc123 run" }, "abc123"],
    [{ argv: ["x", "--token=abc123"] }, "abc123"],
    [{ text: "ghp_abcdefghijklmnop" }, "ghp_abcdefghijklmnop"],
    [{ deep: { password: "p" } }, '"p"'],
    [{ token: "hidden1" }, "hidden1"],
    [{ clientSecret: "hidden1" }, "hidden1"],
    [{ apiKey: "hidden1" }, "hidden1"],
    [{ api_key: "hidden1" }, "hidden1"],
    [{ "set-cookie": ["hidden1"] }, "hidden1"],
    [{ credentials: { user: "hidden1" } }, "hidden1"],
    [{ privateKey: "hidden1" }, "hidden1"],
    [{ text: "-----BEGIN PRIVATE KEY-----\nhidden1\n-----END PRIVATE KEY-----" }, "hidden1"],
    [{ text: "AKIAABCDEFGHIJKLMNOP" }, "AKIAABCDEFGHIJKLMNOP"],
    [{ edits: [{ oldText: "hidden1", newText: "hidden1" }] }, "hidden1"],
    // A secret across the truncation point is redacted too.
    [{ command: `${"x".repeat(490)} token=hidden1hidden1` }, "hidden1"],
    [{ content: "the whole file" }, "whole"],
  ])("redact takes the secret out of %j", (input, secret) => {
    expect(redact(input)).not.toContain(secret);
  });

  it("redact writes a plain object as it writes one inside another", () => {
    const values = [
      "",
      "a",
      'q"\n',
      "x".repeat(9000),
      "token=abc",
      "\ud800",
      0,
      -1.5,
      Number.NaN,
      true,
      null,
      undefined,
    ];
    for (const name of ["path", "content", "password", 'a"b', "__proto__", "7", "toJSON"])
      for (const value of [...values, ["a"], { b: "bearer 123456789" }]) {
        const input = Object.fromEntries([
          ["first", "b"],
          [name, value],
        ]);
        expect(redact({ inside: input })).toBe(`{"inside":${redact(input)}}`);
      }
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`n${i}`, i]));
    expect(Object.keys(JSON.parse(redact(many)))).toHaveLength(50);
    expect(redact({ inside: many })).toBe(`{"inside":${redact(many)}}`);
    expect([redact({}), redact(undefined), redact([1])]).toEqual(["{}", "null", "[1]"]);
  });
});
