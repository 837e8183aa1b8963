/**
 * The same tools, run by the same object, behind the official SDK's server, one server and transport a request as the SDK demands: what
 * ours is measured against.
 */
import "./load-zod.ts";
import { createToolset, type ToolResult } from "@cloudflare/fs-tools";
import { getWorkspace } from "@cloudflare/workspace";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import {
  CallToolRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { HttpWorkspaceObject as DeployedObject } from "@workspace/worker/objects";

export { RegistryObject } from "@workspace/worker/objects";

/** With the same toolset as ours, over RPC. */
export class HttpWorkspaceObject extends DeployedObject<Env> {
  readonly #tools = createToolset({ workspace: this.workspace, actor: "http/mcp", role: "coder" });

  async listTools(): Promise<string> {
    return JSON.stringify((await this.#tools).schemas("mcp"));
  }

  async callTool(name: string, input: Record<string, unknown>): Promise<ToolResult> {
    return (await this.#tools).handle(name, input, { callId: `call-${crypto.randomUUID()}` });
  }
}

interface Env {
  WORKSPACE: DurableObjectNamespace<HttpWorkspaceObject>;
}

/** What the types of RPC make of plain data is nothing; this is what comes. */
interface Plain {
  listTools(): Promise<string>;
  callTool(name: string, input: Record<string, unknown>): Promise<ToolResult>;
}

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const object = env.WORKSPACE.get(env.WORKSPACE.idFromName("bench")) as unknown as Plain;
    const server = new Server({ name: "workspace", version: "1" }, { capabilities: { tools: {}, resources: {} } });
    server.setRequestHandler(ListToolsRequestSchema, async () => ({
      tools: JSON.parse(await object.listTools()),
    }));
    server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
      const result = await object.callTool(params.name, params.arguments ?? {});
      return { content: [{ type: "text", text: result.content }], structuredContent: result.structured };
    });
    server.setRequestHandler(ReadResourceRequestSchema, async ({ params: { uri } }) => {
      const { fs } = getWorkspace(env.WORKSPACE, "bench", { actor: "http" });
      const text = await fs.readFile(`/workspace/${uri.slice("workspace://bench/".length)}`, "utf8");
      return { contents: [{ uri, mimeType: "text/plain", text }] };
    });
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    await server.connect(transport);
    return transport.handleRequest(request);
  },
};
