/** `wsx mcp`: the workspace's MCP server over stdio, for clients that start a program. */
import { defineCommand } from "../command.ts";
import { mcpBridge } from "./mcp-bridge.ts";

export const mcp = defineCommand({
  name: "mcp",
  summary: "Serve the workspace to an MCP client over stdio",
  flags: {},
  operands: [],
  notes: "Standard output carries only MCP messages. Errors go to the client and to standard error.",
  examples: [
    "wsx mcp -W demo",
    `{ "mcpServers": { "workspace": { "command": "wsx", "args": ["mcp", "-W", "demo"] } } }`,
  ],
  run: (context) => mcpBridge(context),
});
