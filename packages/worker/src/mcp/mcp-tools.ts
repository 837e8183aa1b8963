/**
 * The agent's tools as MCP offers them, from their one definition. A token for reading alone sees and may call only what changes
 * nothing. A call's result is its text, its data, and images or documents where the tool returns some.
 */
import { createToolset, type ToolResult } from "@cloudflare/fs-tools";
import type { WorkspaceClient } from "@cloudflare/workspace";

export interface McpTools {
  list(): Record<string, unknown>[];
  has(name: string): boolean;
  mayChange(name: string): boolean;
  call(name: string, input: Record<string, unknown>): Promise<Record<string, unknown>>;
  /** What a model should know before it uses them. */
  instructions(): string;
}

export async function mcpTools(workspace: WorkspaceClient, readOnly: boolean): Promise<McpTools> {
  const toolset = await createToolset({ workspace, actor: "mcp", role: readOnly ? "explorer" : "coder" });
  const definitions = new Map(toolset.definitions.map((tool) => [tool.name, tool]));
  return {
    list: () => toolset.schemas("mcp"),
    has: (name) => definitions.has(name),
    mayChange: (name) => definitions.get(name)?.annotations.readOnly === false,
    call: async (name, input) => callResult(await toolset.handle(name, input)),
    instructions: () => toolset.systemPrompt(),
  };
}

function callResult({ content, structured, isError, files = [] }: ToolResult): Record<string, unknown> {
  return {
    content: [{ type: "text", text: content }, ...files.map(fileContent)],
    structuredContent: structured,
    ...(isError ? { isError: true } : {}),
  };
}

function fileContent({ mediaType, filename, data }: NonNullable<ToolResult["files"]>[number]): Record<string, unknown> {
  if (mediaType.startsWith("image/")) return { type: "image", data, mimeType: mediaType };
  return {
    type: "resource",
    resource: { uri: `attachment:${encodeURIComponent(filename)}`, mimeType: mediaType, blob: data },
  };
}
