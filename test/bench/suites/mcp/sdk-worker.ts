/** The same tools behind the official SDK's server, one server and transport a request as the SDK demands: what ours is measured against. */
import { createToolset } from "@cloudflare/fs-tools";
import { getWorkspace, type WorkspaceNamespace } from "@cloudflare/workspace";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import {
  CallToolRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";

export { HttpWorkspaceObject } from "@workspace/worker/objects";

export default {
  async fetch(request: Request, env: { WORKSPACE: WorkspaceNamespace }): Promise<Response> {
    const workspace = getWorkspace(env.WORKSPACE, "bench", { actor: "http" });
    const toolset = await createToolset({ workspace, actor: "mcp" });
    const server = new Server({ name: "workspace", version: "1" }, { capabilities: { tools: {}, resources: {} } });
    server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools: toolset.schemas("mcp") as never[] }));
    server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
      const { content, structured } = await toolset.handle(params.name, params.arguments);
      return { content: [{ type: "text", text: content }], structuredContent: structured };
    });
    server.setRequestHandler(ReadResourceRequestSchema, async ({ params: { uri } }) => {
      const text = await workspace.fs.readFile(`/workspace/${uri.slice("workspace://bench/".length)}`, "utf8");
      return { contents: [{ uri, mimeType: "text/plain", text }] };
    });
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    await server.connect(transport);
    return transport.handleRequest(request);
  },
};
