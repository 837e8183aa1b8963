/**
 * Converts a model's arguments to a tool's input: JSON text is parsed; numbers, booleans and lists given as strings are coerced to
 * the schema's types; null is an absent option. Anything else invalid is an error that names the field.
 */
import * as z from "zod";
import { ToolError } from "../errors.ts";
import type { AnyTool } from "./define-tool.ts";

export type ParsedInput = { ok: true; input: Record<string, unknown> } | { ok: false; error: ToolError };

export function parseInput(tool: AnyTool, given: unknown): ParsedInput {
  try {
    const object = toObject(tool.name, given);
    refuseProto(tool.name, object);
    const parsed = tool.schema.safeParse(coerce(tool.schema, object));
    if (parsed.success) return { ok: true, input: parsed.data as Record<string, unknown> };
    return { ok: false, error: invalid(tool, parsed.error) };
  } catch (error) {
    if (error instanceof ToolError) return { ok: false, error };
    throw error;
  }
}

function toObject(name: string, given: unknown): Record<string, unknown> {
  let value = given ?? {};
  if (typeof value === "string") {
    try {
      value = value.trim() === "" ? {} : JSON.parse(value);
    } catch (cause) {
      const reason = `The arguments of ${name} are not valid JSON: ${(cause as Error).message}`;
      throw new ToolError("INVALID_INPUT", reason, {}, { cause });
    }
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new ToolError("INVALID_INPUT", `The arguments of ${name} must be an object.`);
  if (isDeeper(value, MAX_DEPTH))
    throw new ToolError("INVALID_INPUT", `The arguments of ${name} are nested more than ${MAX_DEPTH} deep.`);
  return value as Record<string, unknown>;
}

/** More than any tool needs, and safe for code that copies or serializes it recursively. */
const MAX_DEPTH = 64;

function isDeeper(value: object, limit: number): boolean {
  const seen = new Set<object>([value]);
  let level: object[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth >= limit) return true;
    const next: object[] = [];
    for (const one of level)
      for (const item of Object.values(one) as unknown[]) {
        if (typeof item !== "object" || item === null || seen.has(item)) continue;
        seen.add(item);
        next.push(item);
      }
    level = next;
  }
  return false;
}

/** Some versions of zod ignore it; it is a field like any other, and no schema has it. */
function refuseProto(name: string, object: Record<string, unknown>): void {
  if (Object.hasOwn(object, "__proto__"))
    throw new ToolError("INVALID_INPUT", `Wrong arguments for ${name}: there is no field __proto__.`, {
      field: "__proto__",
    });
}

function coerce(schema: z.ZodObject, object: Record<string, unknown>): Record<string, unknown> {
  const result: [string, unknown][] = [];
  for (const [name, value] of Object.entries(object)) {
    const field = Object.hasOwn(schema.shape, name) ? (schema.shape[name] as z.ZodType) : undefined;
    if (value === null && field?.safeParse(undefined).success) continue;
    result.push([name, field === undefined ? value : coerceValue(field, value)]);
  }
  return Object.fromEntries(result);
}

function coerceValue(field: z.ZodType, value: unknown): unknown {
  const type = bare(field);
  if (typeof value !== "string") return coerceInside(type, value);
  const text = value.trim();
  if (type instanceof z.ZodNumber) return text !== "" && Number.isFinite(Number(text)) ? Number(text) : value;
  if (type instanceof z.ZodBoolean) return BOOLEANS[text.toLowerCase()] ?? value;
  if (type instanceof z.ZodArray && text.startsWith("[")) {
    try {
      return JSON.parse(text);
    } catch {
      return value;
    }
  }
  return value;
}

/** Coerces the items of a list and the fields of an object. */
function coerceInside(type: z.ZodType, value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (type instanceof z.ZodArray && Array.isArray(value))
    return value.map((item) => coerceValue(type.element as z.ZodType, item));
  return type instanceof z.ZodObject && !Array.isArray(value) ? coerce(type, value as Record<string, unknown>) : value;
}

const BOOLEANS: Readonly<Record<string, boolean>> = {
  true: true,
  false: false,
  yes: true,
  no: false,
  "1": true,
  "0": false,
};

/** Unwraps `optional`, `default` and similar. */
function bare(field: z.ZodType): z.ZodType {
  let type = field;
  while (type instanceof z.ZodOptional || type instanceof z.ZodDefault || type instanceof z.ZodNullable)
    type = type.unwrap() as z.ZodType;
  return type;
}

/** Names the invalid or missing field, and the first unrecognized one beside it. */
function invalid({ name, schema }: AnyTool, { issues }: z.ZodError): ToolError {
  const first = issues[0] as z.core.$ZodIssue;
  const foreign = issues.find(({ code, path }) => code === "unrecognized_keys" && path.length === 0);
  const reasons = [...new Set([first, foreign ?? first])].map(reasonOf);
  // A model trained on other tools (old_string) learns the field names of this one.
  if (foreign !== undefined) reasons.push(`the fields are ${Object.keys(schema.shape).join(", ") || "none"}`);
  const message = `Wrong arguments for ${name}: ${reasons.join("; ")}.`;
  return new ToolError("INVALID_INPUT", message, { field: issueField(first) });
}

function reasonOf(issue: z.core.$ZodIssue): string {
  const field = issueField(issue);
  return issue.code === "unrecognized_keys" ? `there is no field ${field}` : `${field}: ${issue.message}`;
}

const MAX_FIELDS = 20;
const MAX_FIELD_LENGTH = 100;

/** The names are the caller's: an error shows a few of them, and their beginnings. */
function issueField(issue: z.core.$ZodIssue): string {
  const names = issue.code === "unrecognized_keys" ? issue.keys : issue.path.map(String);
  const shown = names.slice(0, MAX_FIELDS).map((name) => name.slice(0, MAX_FIELD_LENGTH));
  if (shown.length < names.length) shown.push("…");
  return shown.join(issue.code === "unrecognized_keys" ? ", " : ".") || "arguments";
}
