/** `wsx mcp`: the workspace's MCP server over stdio, for clients that start a program. */
import { defineCommand } from "../command.ts";
import { mcpBridge } from "./mcp-bridge.ts";

export const mcp = defineCommand({
  name: "mcp",
  summary: "Serve the workspace to an MCP client over stdio",
  flags: {},
  operands: [],
  notes: "Nothing but MCP goes to standard output; what goes wrong is told to the client, and on stderr.",
  examples: [
    "wsx mcp -W demo",
    `{ "mcpServers": { "workspace": { "command": "wsx", "args": ["mcp", "-W", "demo"] } } }`,
  ],
  run: (context) => mcpBridge(context),
});
