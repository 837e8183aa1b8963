/** Converts a definition's zod schema to compact JSON Schema: a model pays for every byte of it with every request. */
import * as z from "zod";
import type { AnyTool } from "./define-tool.ts";

export type JsonSchema = Record<string, unknown>;

const created = new WeakMap<object, JsonSchema>();

export function jsonSchemaOf(tool: AnyTool): JsonSchema {
  if (tool.jsonSchema !== undefined) return { ...tool.jsonSchema };
  let schema = created.get(tool.schema);
  if (schema === undefined) {
    schema = trim(z.toJSONSchema(tool.schema, { io: "input", target: "draft-7" })) as JsonSchema;
    created.set(tool.schema, schema);
  }
  return structuredClone(schema);
}

const OMITTED_KEYWORDS = new Set(["$schema", "minLength", "minItems", "minimum"]);

/** Omits what a model gets right without it: the dialect, and that texts are not empty and numbers not negative. */
function trim(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(trim);
  if (typeof value !== "object" || value === null) return value;
  const result: JsonSchema = {};
  for (const [key, item] of Object.entries(value)) {
    if (OMITTED_KEYWORDS.has(key) || (key === "maximum" && item === Number.MAX_SAFE_INTEGER)) continue;
    result[key] = trim(item);
  }
  return result;
}
