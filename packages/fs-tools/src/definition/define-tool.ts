/**
 * One definition per tool, from which everything else derives: the AI SDK's tool, the JSON schemas of every dialect, the MCP
 * server's list, the usage text and the system prompt. A definition is data: a call's state arrives in its context.
 */
import type { z } from "zod";
import type { ToolContext, ToolHost } from "./tool-context.ts";
import type { ToolOutput } from "./tool-result.ts";

export const TOOL_GROUPS = ["filesystem", "search", "shell", "git", "web", "agents"] as const;
export type ToolGroup = (typeof TOOL_GROUPS)[number];

export interface ToolAnnotations {
  /** Changes nothing. */
  readonly readOnly: boolean;
  /** May overwrite or remove existing data. */
  readonly destructive: boolean;
  /** Repeating the call has no further effect. */
  readonly idempotent: boolean;
  /** Reaches beyond the workspace. */
  readonly openWorld?: boolean;
  /** Its result is untrusted text whose instructions must not be followed. */
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
  /** Whether this host has the tool's backend; a tool without its backend is not listed. */
  readonly available?: (host: ToolHost) => boolean;
  /** For a tool that this host cannot offer: the explanation for a caller that uses its name. */
  readonly unavailable?: (host: ToolHost) => string | undefined;
  /** Schemas made elsewhere (by a foreign MCP server) are passed on unchanged. */
  readonly jsonSchema?: Readonly<Record<string, unknown>>;
  /** May return synchronously. */
  handler(input: z.output<Schema>, context: ToolContext): ToolOutput | Promise<ToolOutput>;
}

/** Any definition, for lists of them. */
// biome-ignore lint/suspicious/noExplicitAny: handlers of different inputs stand in one list
export type AnyTool = Omit<ToolDefinition, "handler" | "schema"> & { schema: z.ZodObject; handler: any };

export function defineTool<Schema extends z.ZodObject>(definition: ToolDefinition<Schema>): ToolDefinition<Schema> {
  return Object.freeze(definition);
}
