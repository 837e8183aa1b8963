import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { expect, it } from "vitest";
import * as z from "zod";
import type { ToolWorkspace } from "../definition/tool-workspace.ts";
import { MemoryToolState } from "../state/memory-tool-state.ts";
import { InMemoryFileStore } from "../store/in-memory-file-store.ts";
import { createToolset } from "./create-toolset.ts";
import { DIALECTS } from "./dialects.ts";
import { type McpClient, mcpTools } from "./foreign-mcp-tools.ts";
import { RESERVED_NAMES } from "./tool-names.ts";
import type { Toolset } from "./toolset.ts";

/** A client connected to a server over anything with `list` and `call`. */
async function connected(
  list: () => unknown[],
  call: (name: string, input: unknown) => Promise<Record<string, unknown>>,
): Promise<Client> {
  const server = new Server({ name: "test", version: "1" }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools: list() }) as never);
  server.setRequestHandler(
    CallToolRequestSchema,
    async ({ params }) => (await call(params.name, params.arguments)) as never,
  );
  const client = new Client({ name: "client", version: "1" });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(theirs), client.connect(ours)]);
  return client;
}

const serve = (toolset: Toolset) =>
  connected(
    () => toolset.schemas("mcp"),
    async (name, input) => {
      const { content, structured, isError } = await toolset.handle(name, input);
      return {
        content: [{ type: "text", text: content }],
        structuredContent: structured,
        ...(isError ? { isError } : {}),
      };
    },
  );

it("a real MCP client lists and calls every tool", async () => {
  const never = new Proxy(
    {},
    { get: () => async () => Promise.reject(Object.assign(new Error("ENOENT: nothing here"), { code: "ENOENT" })) },
  );
  const fs = new Proxy(
    {},
    {
      get: (_, name) =>
        name === "realpath" ? async (path: string) => path : (never as Record<PropertyKey, unknown>)[name],
    },
  );
  const state = new MemoryToolState();
  const page = (async () =>
    new Response("<h1>Title</h1><p>Text</p>", { headers: { "content-type": "text/html" } })) as typeof fetch;
  const found = (async () =>
    Response.json({ results: [{ title: "T", url: "http://t/", content: "C" }] })) as unknown as typeof fetch;
  const workspace = { fs, git: never, shell: never, history: never } as unknown as ToolWorkspace;
  const toolset = await createToolset({
    workspace,
    state,
    web: { fetch: page, resolve: async (host) => [host === "inside.example" ? "10.0.0.1" : "93.184.215.14"] },
    search: { fetch: found, keys: { tavily: "key" } },
    agents: { runner: async ({ task, role }) => ({ text: `did ${task} as ${role}` }), agentId: "a" },
    exposePort: async (port) => ({ url: `https://${port}.example` }),
  });
  const client = await serve(toolset);
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(toolset.names);
  for (const { name, inputSchema } of tools) {
    expect(inputSchema.type).toBe("object");
    const wrong = await client.callTool({ name, arguments: { nonsense: 1 } });
    expect([name, wrong.isError]).toEqual([name, true]);
    expect(JSON.stringify(wrong.content)).toContain(`Wrong arguments for ${name}`);
  }
  // Tools that need a host's backend; all others are called, with their effects on files, in test/e2e/mcp.test.ts.
  const supplied: Record<string, [input: Record<string, unknown>, answer: Record<string, unknown>]> = {
    browse: [{ port: 8080 }, { port: 8080, url: "https://8080.example" }],
    agent_spawn: [
      { task: "x", role: "explorer" },
      { response: "did x as explorer", depth: 1, untrusted: true },
    ],
    agent_send: [{ targetAgentId: "b", message: "hello" }, { sent: true }],
    web_fetch: [
      { url: "http://a.example/page" },
      { status: 200, content: "# Title\n\nText", url: "http://a.example/page" },
    ],
    web_search: [{ query: "q" }, { provider: "tavily", results: [{ title: "T", url: "http://t/", content: "C" }] }],
  };
  const alone = await createToolset({ workspace });
  expect(toolset.names.filter((name) => !alone.names.includes(name)).sort()).toEqual(Object.keys(supplied).sort());
  for (const [name, [input, answer]] of Object.entries(supplied)) {
    const result = await client.callTool({ name, arguments: input });
    expect([name, result.isError, result.structuredContent]).toEqual([
      name,
      undefined,
      expect.objectContaining(answer),
    ]);
  }
  expect(await state.inbox("b")).toMatchObject([{ from: "a", text: "hello" }]);
  const inside = await client.callTool({ name: "web_fetch", arguments: { url: "http://inside.example/" } });
  expect(inside.structuredContent).toMatchObject({ error: { code: "ADDRESS_REFUSED" } });
});

it("mcpTools puts a foreign server's tools into the same set, under the same rules", async () => {
  const schema = { type: "object", properties: { q: { type: "string" } }, required: ["q"] };
  const foreign = await connected(
    () => [
      { name: "lookup", description: "Looks up.", inputSchema: schema, annotations: { readOnlyHint: true } },
      {
        name: "read",
        description: "Another read.",
        inputSchema: { type: "object" },
        annotations: { readOnlyHint: true },
      },
    ],
    async (name, input) => ({
      content: [{ type: "text", text: `${name} ${JSON.stringify(input)} ${"x".repeat(50)}` }],
    }),
  );
  const extraTools = await mcpTools(foreign as never, { server: "docs", readOnly: ["lookup"] });
  const store = new InMemoryFileStore();
  const toolset = await createToolset({ store, extraTools, limits: { mcpBytes: 40 } });
  expect(toolset.names).toEqual(["read", "write", "edit", "apply_patch", "undo", "lookup", "docs__read"]);
  expect(toolset.schemas("json").find(({ name }) => name === "lookup")).toEqual({
    name: "lookup",
    description: "Looks up.",
    inputSchema: schema,
  });
  const result = await toolset.handle("lookup", { q: "a" });
  expect(result.content).toMatch(/^lookup \{"q":"a"\} x+\n\[… \d+ more bytes\]$/);
  expect(result.structured).toMatchObject({ truncated: true, untrusted: true });
  expect((await toolset.handle("lookup", {})).content).toContain("q is missing");
  expect((await createToolset({ store, extraTools, role: "explorer" })).names).toEqual(["read", "lookup"]);
  expect((await createToolset({ store, extraTools, disabled: ["lookup"] })).names).not.toContain("lookup");
  expect((await toolset.audit({ limit: 1 }))[0]).toMatchObject({ tool: "lookup", outcome: "refused" });
  expect(toolset.metrics.snapshot().tool_execution_total).toContainEqual({
    tool: "lookup",
    status: "success",
    count: 1,
  });
});

it("mcpTools gives no name, alias or verb of ours away, and believes no annotation", async () => {
  const names = [...RESERVED_NAMES, "Read", "BASH", "rm", "rm", "RM", "tool::file_read", "read file"];
  const foreign: McpClient = {
    listTools: async () => ({
      tools: names.map((name) => ({ name, inputSchema: { type: "object" }, annotations: { readOnlyHint: true } })),
    }),
    callTool: async () => ({ content: [] }),
  };
  const extraTools = await mcpTools(foreign);
  const given = extraTools.map(({ name }) => name);
  expect(given.filter((name) => RESERVED_NAMES.has(name.toLowerCase()))).toEqual([]);
  expect(new Set(given.map((name) => name.toLowerCase())).size).toBe(names.length);
  const store = new InMemoryFileStore({ "/a": "x" });
  for (const role of ["explorer", "planner"])
    expect((await createToolset({ store, extraTools, role })).names).toEqual(["read"]);
  const toolset = await createToolset({ store, extraTools });
  expect((await toolset.handle("read_file", { path: "a" })).structured).toMatchObject({ content: "x" });
  const vouched = await mcpTools(foreign, { readOnly: ["rm"] });
  expect((await createToolset({ store, extraTools: vouched, role: "explorer" })).names).toEqual([
    "read",
    "rm",
    "mcp__rm",
  ]);
});

it("createToolset refuses tools of the host that take a name of ours, or one twice", async () => {
  const store = new InMemoryFileStore();
  const [tool] = await mcpTools({
    listTools: async () => ({ tools: [{ name: "mine", inputSchema: {} }] }),
    callTool: async () => ({}),
  });
  for (const extraTools of [
    [{ ...tool!, name: "read" }],
    [{ ...tool!, name: "bash" }],
    [{ ...tool!, name: "read_file" }],
    [tool!, tool!],
  ])
    await expect(createToolset({ store, extraTools })).rejects.toMatchObject({ code: "INVALID_INPUT" });
});

it("mcpTools with a server of the SDK's own: zod schemas, structured answers, images, errors, and odd names", async () => {
  const server = new McpServer({ name: "weather", version: "1" });
  server.registerTool(
    "forecast",
    {
      description: "Tomorrow.",
      inputSchema: { city: z.string(), days: z.number().optional() },
      outputSchema: { degrees: z.number() },
      annotations: { readOnlyHint: true },
    },
    async ({ city, days = 1 }) => ({
      content: [{ type: "text", text: `${city} for ${days}` }],
      structuredContent: { degrees: city.length },
    }),
  );
  server.registerTool("radar", { description: "A picture." }, async () => ({
    content: [
      { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" },
      { type: "audio", data: "AAAA", mimeType: "audio/wav" },
      { type: "resource", resource: { uri: "file:///a.txt", text: "embedded" } },
      { type: "resource_link", uri: "https://example.com/map", name: "map" },
    ],
  }));
  server.registerTool("storm", { description: "Fails." }, async () => Promise.reject(new Error("no signal")));
  server.registerTool("grep", { description: "Taken." }, async () => ({ content: [] }));
  const client = new Client({ name: "client", version: "1" });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(theirs), client.connect(ours)]);
  const extraTools = await mcpTools(client as never, { server: "weather", readOnly: ["forecast"] });
  const toolset = await createToolset({
    store: new InMemoryFileStore(),
    extraTools,
    allow: extraTools.map(({ name }) => name),
  });
  expect(toolset.names).toEqual(["forecast", "radar", "storm", "weather__grep"]);
  for (const dialect of DIALECTS)
    expect(JSON.stringify(toolset.schemas(dialect)[0])).toContain('"city":{"type":"string"}');
  expect(toolset.usage("forecast")).toContain("forecast({ city, days? })");
  expect((await toolset.handle("forecast", { city: "Bern", days: 2 })).structured).toEqual({
    content: "Bern for 2",
    truncated: false,
    structuredContent: { degrees: 4 },
    untrusted: true,
  });
  expect(await toolset.handle("forecast", { city: 7 })).toMatchObject({
    isError: true,
    content: expect.stringContaining("city"),
  });
  const radar = await toolset.handle("radar", {});
  expect(radar.files).toEqual([{ data: "iVBORw0KGgo=", mediaType: "image/png", filename: "image-1" }]);
  expect(radar.content.split("\n")).toEqual([
    "[not shown: audio, audio/wav, 4 characters of base64]",
    "embedded",
    "[not shown: resource_link, https://example.com/map]",
  ]);
  expect(await toolset.handle("storm", {})).toMatchObject({
    isError: true,
    content: expect.stringContaining("no signal"),
  });
  await client.close();
  expect((await toolset.handle("forecast", { city: "x" })).isError).toBe(true);
});

it("mcpTools gives every tool a name that a model can call, however it is called over there", async () => {
  const listed = ["read", "mcp__read", "a b/c", "a_b_c", "x".repeat(80), "ü"].map((name) => ({
    name,
    inputSchema: {},
  }));
  const pages = [listed.slice(0, 3), listed.slice(3)];
  const client: McpClient = {
    listTools: async ({ cursor } = {}) =>
      cursor === undefined ? { tools: pages[0]!, nextCursor: "2" } : { tools: pages[1]! },
    callTool: async ({ name }) => ({ content: [{ type: "text", text: name }] }),
  };
  const tools = await mcpTools(client);
  expect(tools.map(({ name }) => name)).toEqual([
    "mcp__read",
    "mcp__mcp__read",
    "a_b_c",
    "mcp__a_b_c",
    "x".repeat(64),
    "_",
  ]);
  const toolset = await createToolset({ store: new InMemoryFileStore(), extraTools: tools });
  expect((await toolset.handle("mcp__a_b_c", {})).content).toBe("a_b_c");
});
