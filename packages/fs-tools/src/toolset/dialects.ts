/** Converts tool definitions and results to each caller's format (dialect): JSON, Anthropic, OpenAI or MCP. */
import type { AnyTool, ToolAnnotations } from "../definition/define-tool.ts";
import { jsonSchemaOf } from "../definition/json-schema.ts";
import type { ToolFile, ToolResult } from "../definition/tool-result.ts";

export const DIALECTS = ["json", "anthropic", "openai", "mcp"] as const;
export type Dialect = (typeof DIALECTS)[number];

export function toDialect(tool: AnyTool, dialect: Dialect): Record<string, unknown> {
  const { name, description, annotations } = tool;
  const schema = jsonSchemaOf(tool);
  switch (dialect) {
    case "json":
      return { name, description, inputSchema: schema };
    case "anthropic":
      return { name, description, input_schema: schema };
    case "openai":
      return { type: "function", function: { name, description, parameters: schema } };
    case "mcp":
      return {
        name,
        description,
        inputSchema: schema,
        annotations: hintsOf(annotations),
      };
    default:
      return dialect satisfies never;
  }
}

/** The read-only and destructive hints are always set; the others only if MCP would assume otherwise. */
function hintsOf({ readOnly, destructive, idempotent, openWorld = false }: ToolAnnotations): Record<string, boolean> {
  return {
    readOnlyHint: readOnly,
    destructiveHint: destructive,
    ...(!readOnly && idempotent ? { idempotentHint: true } : {}),
    ...(openWorld ? {} : { openWorldHint: false }),
  };
}

/** A result as MCP has it: text, data, and any images or documents. */
export function toMcpResult({ content, structured, isError, files = [] }: ToolResult): Record<string, unknown> {
  return {
    content: [{ type: "text", text: content }, ...files.map(mcpFile)],
    structuredContent: structured,
    ...(isError ? { isError: true } : {}),
  };
}

function mcpFile({ mediaType, filename, data }: ToolFile): Record<string, unknown> {
  if (mediaType.startsWith("image/")) return { type: "image", data, mimeType: mediaType };
  const uri = `attachment:${encodeURIComponent(filename)}`;
  return { type: "resource", resource: { uri, mimeType: mediaType, blob: data } };
}
