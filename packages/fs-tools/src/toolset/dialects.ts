/** The same definitions in the shape each caller expects. */
import type { AnyTool } from "../definition/define-tool.ts";
import { jsonSchemaOf } from "../definition/json-schema.ts";

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
        annotations: {
          readOnlyHint: annotations.readOnly,
          destructiveHint: annotations.destructive,
          idempotentHint: annotations.idempotent,
          openWorldHint: annotations.openWorld ?? false,
        },
      };
    default:
      return dialect satisfies never;
  }
}
