import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { expect, it } from "vitest";
import type { ToolWorkspace } from "../definition/tool-workspace.ts";
import { InMemoryFileStore } from "../store/in-memory-file-store.ts";
import { createToolset, type Toolset } from "../toolset/create-toolset.ts";
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
  const toolset = await createToolset({
    workspace: { fs, git: never, shell: never, history: never } as unknown as ToolWorkspace,
    web: { resolve: async () => ["10.0.0.1"] },
    search: { fetch: (async () => new Response("", { status: 500 })) as typeof fetch },
    agents: { runner: async () => ({ text: "done" }), agentId: "a" },
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
  expect((await client.callTool({ name: "browse", arguments: { port: 8080 } })).structuredContent).toMatchObject({
    url: "https://8080.example",
  });
  expect((await client.callTool({ name: "agent_spawn", arguments: { task: "x" } })).structuredContent).toMatchObject({
    response: "done",
    depth: 1,
  });
  expect((await client.callTool({ name: "web_fetch", arguments: { url: "http://a.example/" } })).isError).toBe(true);
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
