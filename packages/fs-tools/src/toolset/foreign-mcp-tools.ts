/**
 * Adds the tools of a foreign MCP server to the same set, under the same switches, budgets, metrics and audit. A name that is
 * taken, by a tool of ours, an alias or a verb, becomes `server__tool`. The server's annotations are not trusted: the host declares
 * which of its tools are read-only. The client is anything that lists and calls, such as the SDK's `Client`.
 */
import * as z from "zod";
import type { AnyTool } from "../definition/define-tool.ts";
import type { ToolFile, ToolOutput } from "../definition/tool-result.ts";
import { ToolError } from "../errors.ts";
import { cutText } from "../format/cut-text.ts";
import { RESERVED_NAMES } from "./tool-names.ts";

export interface McpClient {
  listTools(parameters?: { cursor?: string }): Promise<{ tools: readonly McpTool[]; nextCursor?: string }>;
  callTool(call: { name: string; arguments?: Record<string, unknown> }): Promise<unknown>;
}

export interface McpTool {
  name: string;
  description?: string;
  inputSchema: Record<string, unknown>;
  annotations?: {
    readOnlyHint?: boolean;
    destructiveHint?: boolean;
    idempotentHint?: boolean;
    openWorldHint?: boolean;
  };
}

export interface McpToolsOptions {
  /** The server's name here, the prefix of a tool whose own name is taken. */
  server?: string;
  /** Names that are taken besides our own. */
  taken?: readonly string[];
  /** Names of the server's tools that the host declares read-only: explorers and planners get only these. */
  readOnly?: readonly string[];
}

const MAX_PAGES = 100;
const MAX_NAME = 64;

export async function mcpTools(
  client: McpClient,
  { server = "mcp", taken = [], readOnly = [] }: McpToolsOptions = {},
): Promise<AnyTool[]> {
  const names = new Set([...RESERVED_NAMES, ...taken.map((name) => name.toLowerCase())]);
  const found: AnyTool[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const { tools, nextCursor } = await client.listTools(cursor === undefined ? {} : { cursor });
    for (const tool of tools) {
      const name = freeName(tool.name, server, names);
      names.add(name.toLowerCase());
      found.push(foreignTool(client, tool, name, readOnly.includes(tool.name)));
    }
    if (nextCursor === undefined) break;
    cursor = nextCursor;
  }
  return found;
}

/**
 * A name that models can call: other characters than those of a name become `_`, and a taken name gets the server's name as prefix.
 */
function freeName(theirs: string, server: string, taken: ReadonlySet<string>): string {
  const plain = (name: string) => name.replace(/[^\w.:-]/g, "_").slice(0, MAX_NAME) || "_";
  const own = plain(theirs);
  if (!taken.has(own.toLowerCase())) return own;
  const long = plain(`${server}__${theirs}`);
  for (let i = 2, name = long; ; i++) {
    if (!taken.has(name.toLowerCase())) return name;
    name = `${long.slice(0, MAX_NAME - String(i).length - 1)}_${i}`;
  }
}

function foreignTool(
  client: McpClient,
  { name: theirs, description = "", inputSchema, annotations = {} }: McpTool,
  name: string,
  readOnly: boolean,
): AnyTool {
  return {
    name,
    description: description.slice(0, 4000),
    group: "agents",
    schema: z.looseObject({}) as unknown as z.ZodObject,
    jsonSchema: inputSchema,
    annotations: {
      readOnly,
      destructive: readOnly ? false : (annotations.destructiveHint ?? true),
      idempotent: annotations.idempotentHint ?? false,
      openWorld: annotations.openWorldHint ?? true,
      untrusted: true,
    },
    handler: async (input: Record<string, unknown>, ctx: { limits: { mcpBytes: number } }): Promise<ToolOutput> => {
      requireFields(inputSchema, input);
      return toToolOutput(await client.callTool({ name: theirs, arguments: input }), ctx.limits.mcpBytes);
    },
  };
}

/** Required fields are checked here, so that the error names the field; the server checks the rest. */
function requireFields(schema: Record<string, unknown>, input: Record<string, unknown>): void {
  const required = Array.isArray(schema.required) ? (schema.required as unknown[]) : [];
  const missing = required.find((field) => typeof field === "string" && !(field in input));
  if (missing !== undefined)
    throw new ToolError("INVALID_INPUT", `The field ${String(missing)} is missing.`, { field: missing });
}

interface McpContent {
  type?: string;
  text?: string;
  data?: string;
  mimeType?: string;
  uri?: string;
  resource?: { uri?: string; text?: string; mimeType?: string };
}

/** An image may be this many times as long as text. */
const IMAGE_FACTOR = 16;

/** Content that cannot be passed on is named. */
function mcpContentText({ type, text, data = "", mimeType = "", uri, resource }: McpContent): string {
  if (type === "text") return text ?? "";
  if (type === "resource" && resource?.text !== undefined) return resource.text;
  const what = [
    type,
    mimeType || resource?.mimeType,
    uri ?? resource?.uri,
    data && `${data.length} characters of base64`,
  ];
  return `[not shown: ${what.filter(Boolean).join(", ")}]`;
}

function toToolOutput(given: unknown, maxBytes: number): ToolOutput {
  const {
    content = [],
    structuredContent,
    isError,
  } = (given ?? {}) as { content?: McpContent[]; structuredContent?: Record<string, unknown>; isError?: boolean };
  const isShown = ({ type, data, mimeType }: McpContent) =>
    type === "image" && data !== undefined && mimeType !== undefined && data.length <= maxBytes * IMAGE_FACTOR;
  const text = content
    .filter((one) => !isShown(one))
    .map(mcpContentText)
    .join("\n");
  const shown = cutText(text, maxBytes);
  const files: ToolFile[] = content.filter(isShown).map(({ data, mimeType }, i) => ({
    data: data as string,
    mediaType: mimeType as string,
    filename: `image-${i + 1}`,
  }));
  const retained =
    structuredContent !== undefined && JSON.stringify(structuredContent).length <= maxBytes
      ? structuredContent
      : undefined;
  return {
    structured: {
      content: shown,
      truncated: shown !== text || (structuredContent !== undefined && retained === undefined),
      ...(retained === undefined ? {} : { structuredContent: retained }),
    },
    text: shown,
    ...(isError ? { isError: true as const } : {}),
    ...(files.length === 0 ? {} : { files }),
  };
}
