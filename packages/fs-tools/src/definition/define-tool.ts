/**
 * One definition per tool, and everything else comes from it: the AI SDK's tool, the JSON schemas of every dialect, the MCP
 * server's list, the usage text and the system prompt. A definition is data: what a call works on arrives in its context.
 */
import type { z } from "zod";
import type { ToolContext, ToolHost } from "./tool-context.ts";
import type { ToolOutput } from "./tool-result.ts";

export const TOOL_GROUPS = ["filesystem", "search", "shell", "git", "web", "agents"] as const;
export type ToolGroup = (typeof TOOL_GROUPS)[number];

export interface ToolAnnotations {
  /** Changes nothing. */
  readonly readOnly: boolean;
  /** May overwrite or remove what was there. */
  readonly destructive: boolean;
  /** The same call twice is as good as once. */
  readonly idempotent: boolean;
  /** Reaches beyond the workspace. */
  readonly openWorld?: boolean;
  /** What it returns is untrusted text, and must not be obeyed. */
  readonly untrusted?: boolean;
}

export interface ToolDefinition<Schema extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly description: string;
  readonly group: ToolGroup;
  readonly schema: Schema;
  readonly annotations: ToolAnnotations;
  /** One or two lines of the system prompt. */
  readonly guidance?: string;
  /** Whether this host has what the tool stands on; a tool that has nothing to stand on is in no schema. */
  readonly available?: (host: ToolHost) => boolean;
  /** Of a tool that this host cannot have: what to tell a caller who asks for it by name. */
  readonly unavailable?: (host: ToolHost) => string | undefined;
  /** Schemas made elsewhere (a foreign MCP server's) are handed on as they are. */
  readonly jsonSchema?: Readonly<Record<string, unknown>>;
  /** What is known at once need not be waited for. */
  handler(input: z.output<Schema>, context: ToolContext): ToolOutput | Promise<ToolOutput>;
}

/** Any definition, for lists of them. */
// biome-ignore lint/suspicious/noExplicitAny: handlers of different inputs stand in one list
export type AnyTool = Omit<ToolDefinition, "handler" | "schema"> & { schema: z.ZodObject; handler: any };

export function defineTool<Schema extends z.ZodObject>(definition: ToolDefinition<Schema>): ToolDefinition<Schema> {
  return Object.freeze(definition);
}
