import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { expect, it } from "vitest";
import type { ToolWorkspace } from "../definition/tool-workspace.ts";
import { MemoryToolState } from "../state/memory-tool-state.ts";
import { InMemoryFileStore } from "../store/in-memory-file-store.ts";
import { createToolset } from "../toolset/create-toolset.ts";
import type { Toolset } from "../toolset/toolset.ts";
import { mcpTools } from "./mcp-tools.ts";

/** A client connected to a server that serves whatever answers `list` and `call`. */
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
  // Those that a host must supply; all others are called, with what they do to files, in test/journeys/mcp.test.ts.
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
      { name: "read", description: "Another read.", inputSchema: { type: "object" } },
    ],
    async (name, input) => ({
      content: [{ type: "text", text: `${name} ${JSON.stringify(input)} ${"x".repeat(50)}` }],
    }),
  );
  const extraTools = await mcpTools(foreign as never, { server: "docs" });
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
