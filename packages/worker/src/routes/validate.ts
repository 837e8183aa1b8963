/** Validates a request against its schemas. A mismatch is EINVAL, names the part, and has no effect. */

import { unknownOption } from "@workspace/protocol";
import type { z } from "zod";
import { HttpError } from "../errors/http-error.ts";

const HINT = "GET /api/openapi.json describes what this route takes.";

export function validate<Schema extends z.ZodType>(schema: Schema, value: unknown, where: string): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  if (issue?.code === "unrecognized_keys") throw unknownParameter(schema, issue, where);
  const at = [where, ...(issue?.path.map(String) ?? [])].join(".");
  throw new HttpError("EINVAL", `${at}: ${issue?.message ?? "not as it should be"}`.slice(0, 500), { hint: HINT });
}

/** As everywhere: by its name, with the name that was probably meant. */
function unknownParameter(
  schema: z.ZodType,
  { keys, path }: z.core.$ZodIssueUnrecognizedKeys,
  where: string,
): HttpError {
  const { shape } = schema as Partial<z.ZodObject>;
  const known = path.length === 0 ? Object.keys(shape ?? {}) : [];
  const prefix = path.map((part) => `${String(part)}.`).join("");
  return new HttpError("EINVAL", `${where}: ${unknownOption(keys[0] ?? "", known, prefix)}`, { hint: HINT });
}

/** Each name at most once. An object without a prototype: a parameter may have any name. */
export function queryObject(url: string): Record<string, string> {
  if (!url.includes("?")) return {};
  const query = Object.create(null) as Record<string, string>;
  for (const [name, value] of new URL(url).searchParams) {
    if (name in query) throw new HttpError("EINVAL", `the query parameter "${name}" comes twice`, { hint: HINT });
    query[name] = value;
  }
  return { ...query };
}
