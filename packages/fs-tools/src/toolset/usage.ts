/** A tool's usage, one line per field, for people and for models that made an invalid call. */
import type { AnyTool } from "../definition/define-tool.ts";
import { jsonSchemaOf } from "../definition/json-schema.ts";

interface FieldSchema {
  type?: string | string[];
  enum?: unknown[];
  description?: string;
  default?: unknown;
}

export function toolUsage(tool: AnyTool): string {
  const schema = jsonSchemaOf(tool) as { properties?: Record<string, FieldSchema>; required?: string[] };
  const required = new Set(schema.required ?? []);
  const fields = Object.entries(schema.properties ?? {});
  const call = fields.map(([name]) => (required.has(name) ? name : `${name}?`)).join(", ");
  const lines = fields.map(([name, field]) => {
    const type =
      field.enum?.map((item) => JSON.stringify(item)).join(" | ") ?? [field.type ?? "any"].flat().join(" | ");
    const fallback = field.default === undefined ? "" : ` (default ${JSON.stringify(field.default)})`;
    return `  ${name}: ${type}${fallback}${field.description === undefined ? "" : `  ${field.description}`}`;
  });
  return [`${tool.name}({ ${call} })`, `  ${tool.description}`, ...lines].join("\n");
}
