/**
 * A definition as a plain AI SDK tool. Nothing of `ai` is needed at run time: a tool is an object, and its schema a Standard Schema
 * with our validation, so that strings are coerced and invalid fields are named here too.
 */
import type { AnyTool } from "../definition/define-tool.ts";
import { type JsonSchema, jsonSchemaOf } from "../definition/json-schema.ts";
import { parseInput } from "../definition/parse-input.ts";
import type { ToolFile, ToolResult } from "../definition/tool-result.ts";

/**
 * Compatible with the AI SDK's `Tool`. Declared here, because the declarations of `ai` need types of Node and the DOM, and users
 * without `ai` need none of it. The SDK's arguments differ between its versions, hence `any`.
 */
export interface AiTool {
  description: string;
  // biome-ignore lint/suspicious/noExplicitAny: a Standard Schema, in the SDK's own words
  inputSchema: any;
  // biome-ignore lint/suspicious/noExplicitAny: the SDK's call options
  execute(input: any, call?: any): Promise<Record<string, unknown>>;
  // biome-ignore lint/suspicious/noExplicitAny: the SDK's options and output
  toModelOutput(options: any): any;
}

export interface AiCall {
  toolCallId?: string;
  abortSignal?: AbortSignal;
}

export function aiTool(tool: AnyTool, run: (input: unknown, call: AiCall) => Promise<ToolResult>): AiTool {
  return {
    description: tool.description,
    inputSchema: standardSchema(tool),
    execute: async (input: unknown, call: AiCall = {}) => {
      const { structured, files } = await run(input, call);
      return files === undefined ? structured : { ...structured, files };
    },
    toModelOutput: ({ output }: { output: unknown }) => toModelOutput(output as Record<string, unknown>),
  };
}

function toModelOutput(output: Record<string, unknown>) {
  const { files, ...structured } = output as { files?: ToolFile[] } & Record<string, unknown>;
  if (files !== undefined) {
    return {
      type: "content",
      value: [
        { type: "text", text: JSON.stringify(structured) },
        ...files.map(({ mediaType, filename, data }) => ({
          type: "file",
          mediaType,
          filename,
          data: { type: "data", data },
        })),
      ],
    };
  }
  return { type: structured.error === undefined ? "json" : "error-json", value: structured };
}

/** The AI SDK's interface for a schema that is not zod's. */
function standardSchema(tool: AnyTool) {
  return {
    "~standard": {
      version: 1,
      vendor: "cloudflare-fs-tools",
      validate: (value: unknown) => {
        const parsed = parseInput(tool, value);
        return parsed.ok ? { value: parsed.input } : { issues: [{ message: parsed.error.message }] };
      },
      jsonSchema: { input: (): JsonSchema => jsonSchemaOf(tool), output: (): JsonSchema => ({}) },
    },
  };
}
