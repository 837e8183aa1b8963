/** The OpenAPI 3.1 document, generated from the routes: parameters and bodies are the schemas that validate requests. */
import { z } from "zod";
import { apiError } from "../api/errors.ts";
import { EXAMPLES, type Example } from "./openapi-examples.ts";
import type { ResponseSpec, Route } from "./route.ts";
import { routeKey } from "./route.ts";

type Json = Record<string, unknown>;

export function openApi(endpoints: readonly Route[], { version, origin }: { version: string; origin: string }): Json {
  const paths: Record<string, Json> = {};
  for (const one of endpoints) {
    const path = one.path.replace(/\/\*$/, "/{path}").replace(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [one.method.toLowerCase()]: operation(one) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Workspace",
      version,
      description: "Durable directories for agents: files, search, shell, git and history.",
    },
    servers: [{ url: origin }],
    security: [{ bearer: [] }, { cookie: [] }],
    components: {
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer" },
        cookie: { type: "apiKey", in: "cookie", name: "__Host-workspace" },
      },
      schemas: { Error: schemaOf(apiError, "output") },
    },
    paths,
  };
}

function operation(one: Route): Json {
  const error = { description: "refused; nothing was changed", content: json({ $ref: "#/components/schemas/Error" }) };
  const example = EXAMPLES[routeKey(one)] ?? {};
  return {
    summary: one.summary,
    operationId: `${one.method.toLowerCase()}${one.path.replace(/[^A-Za-z]+(\w?)/g, (_, c: string) => c.toUpperCase())}`,
    "x-access": one.access,
    ...(one.access === "public" ? { security: [] } : {}),
    parameters: [...pathParameters(one.path), ...queryParameters(one.query, example)],
    ...(one.body === null ? {} : { requestBody: requestBody(one.body, example) }),
    responses: { ...Object.fromEntries(one.answers.map(response)), default: error },
  };
}

function pathParameters(path: string): Json[] {
  const names = [...path.matchAll(/:(\w+)/g)].map((match) => match[1] as string);
  if (path.endsWith("/*")) names.push("path");
  return names.map((name) => ({ name, in: "path", required: true, schema: { type: "string" } }));
}

function queryParameters(query: z.ZodType | null, { query: example = {} }: Example): Json[] {
  if (query === null) return [];
  const { properties = {}, required = [] } = schemaOf(query, "input") as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: "query",
    required: required.includes(name),
    schema,
    ...(name in example ? { example: example[name] } : {}),
  }));
}

function requestBody(body: z.ZodType | "bytes", { body: example }: Example): Json {
  if (body !== "bytes")
    return { required: true, content: { "application/json": { schema: schemaOf(body, "input"), example } } };
  return { required: true, content: { "application/octet-stream": { schema: { type: "string", format: "binary" } } } };
}

function response(answer: ResponseSpec): [string, Json] {
  const status = String(answer.status ?? 200);
  if ("schema" in answer) return [status, { description: "done", content: json(schemaOf(answer.schema, "output")) }];
  if (!("media" in answer)) return [status, { description: answer.description }];
  return [status, { description: answer.description, content: { [answer.media]: {} } }];
}

function json(schema: Json): Json {
  return { "application/json": { schema } };
}

/** Converts to JSON Schema, without `$schema`. */
export function schemaOf(schema: z.ZodType, io: "input" | "output"): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any" }) as Json;
  return rest;
}
