/**
 * Random requests to one endpoint, from its own schemas: mostly nearly right, now and then far off. Parameters, queries, bodies and
 * headers are each drawn from what is right, what is at a limit, and what is hostile.
 */
import { type Route, schemaOf } from "@workspace/worker/testing";
import type { Random } from "../../support/random.ts";

const HOSTILE = [
  "",
  " ",
  "..",
  "../../x",
  "/etc/passwd",
  "/workspace/../x",
  "a\u0000b",
  "\ufffd\ud800",
  "%2e%2e%2f",
  "a".repeat(300),
  "a/".repeat(3000),
  "-1",
  "1e9",
  "99999999999999999999",
  "null",
  "__proto__",
  "constructor",
  "{{7*7}}",
  "'; DROP TABLE ws_inode; --",
  "\r\nSet-Cookie: a=b",
  "<script>alert(1)</script>",
  "💥",
];
const RIGHT = [
  "a.txt",
  "dir",
  "/workspace/dir",
  "dir/b.txt",
  "link",
  "1",
  "7",
  "*.txt",
  "http",
  "fuzz",
  "SIGTERM",
  "tar",
  "zip",
  "true",
  "0",
];
const COMMANDS = [
  "true",
  "echo hi",
  "exit 3",
  "(((",
  "cat",
  "ls nowhere",
  "echo $((1/0))",
  "printf '\\377'",
  "no-such-command",
];
const NAMES = ["fuzz", "fuzz", "fuzz", "fuzz", "..", "%2e%2e", "a%2fb", "%00", "%ff", "x".repeat(65), "", "fuzz%20"];
const PATHS = [
  "a.txt",
  "dir/",
  "dir/b.txt",
  "none/x",
  "link",
  "%2e%2e/x",
  "%00",
  "a%2fb",
  "",
  "dir?recursive=1",
  "a.txt?type=directory",
  "x?type=z",
];
const HEADERS: [string, string[]][] = [
  ["If-Match", ['"x"', "*", "junk", 'W/"1"', '"'.repeat(5000)]],
  ["If-None-Match", ["*", '"1"', ","]],
  ["Range", ["bytes=0-1", "bytes=9-1", "bytes=-0", "lines=1-2", "bytes=0-1,3-4"]],
  ["Accept", ["application/x-ndjson", "text/event-stream", "*/*", "text/html"]],
  ["Upgrade", ["websocket", "h2c"]],
  ["Content-Encoding", ["gzip", "identity"]],
  ["Last-Event-ID", ["1", "-1", "x"]],
  ["X-Workspace-Actor", ["tester", "a/b", "x".repeat(300)]],
  ["X-Workspace-Call", ["call-1", "x".repeat(300)]],
  ["Origin", ["https://evil.example", "null"]],
  ["Content-Range", ["bytes 0-1/2"]],
];

export function generateRequest(
  endpoint: Route,
  random: Random,
  base: string,
  headers: Record<string, string>,
): Request {
  const path = endpoint.path
    .replace(":name", () => (random.chance(0.9) ? "fuzz" : random.pick(NAMES)))
    .replace("/*", () => `/${random.pick(PATHS)}`)
    .replace(/:(\w+)/g, () => encodeURIComponent(text(random).toWellFormed()));
  const query = endpoint.query === null ? "" : generateQuery(endpoint.query, random);
  const url = `${base}${path}${query === "" ? "" : `${path.includes("?") ? "&" : "?"}${query}`}`;
  const sent = new Headers(headers);
  for (const [name, values] of HEADERS) if (random.chance(0.06)) sent.set(name, random.pick(values));
  if (endpoint.method === "GET" || endpoint.body === null)
    return new Request(url, { method: endpoint.method, headers: sent });
  sent.set(
    "Content-Type",
    random.chance(0.95) ? "application/json" : random.pick(["text/plain", "application/x-www-form-urlencoded"]),
  );
  return new Request(url, { method: endpoint.method, headers: sent, body: generateBody(endpoint.body, random) });
}

function generateQuery(schema: Exclude<Route["query"], null>, random: Random): string {
  const query = new URLSearchParams();
  const { properties = {} } = schemaOf(schema, "input") as JsonSchema;
  for (const [name, property] of Object.entries(properties)) {
    if (!random.chance(0.5)) continue;
    query.append(
      name,
      String(property.enum !== undefined && random.chance(0.7) ? random.pick(property.enum) : text(random)),
    );
    if (random.chance(0.02)) query.append(name, "twice");
  }
  if (random.chance(0.05)) query.append(text(random), text(random));
  return query.toString();
}

function generateBody(schema: Exclude<Route["body"], null>, random: Random): string | Uint8Array<ArrayBuffer> {
  if (schema === "bytes") return Uint8Array.from({ length: random.below(2000) }, () => random.below(256));
  const roll = random.next();
  if (roll < 0.03) return "{".repeat(1000);
  if (roll < 0.06) return "";
  if (roll < 0.09) return JSON.stringify(random.pick([null, 1, "x", [], [{}]] as unknown[]));
  if (roll < 0.1) return `{"a":"${"x".repeat(1_100_000)}"}`;
  const json = JSON.stringify(generateValue(schemaOf(schema, "input") as JsonSchema, random, 0));
  return roll < 0.13 ? json.slice(0, -1) : json;
}

interface JsonSchema {
  type?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  enum?: unknown[];
  anyOf?: JsonSchema[];
  items?: JsonSchema;
  additionalProperties?: JsonSchema | boolean;
}

function generateValue(schema: JsonSchema, random: Random, depth: number): unknown {
  if (random.chance(0.05) || depth > 6) return random.pick([null, -1, 1e308, "", [], {}, true, "\u0000"] as unknown[]);
  if (schema.enum !== undefined) return random.pick(schema.enum);
  if (schema.anyOf !== undefined) return generateValue(random.pick(schema.anyOf), random, depth + 1);
  switch (schema.type) {
    case "object": {
      const value: Record<string, unknown> = {};
      for (const [name, property] of Object.entries(schema.properties ?? {})) {
        const wanted = schema.required?.includes(name) ? 0.95 : 0.35;
        if (random.chance(wanted))
          value[name] = name === "command" ? random.pick(COMMANDS) : generateValue(property, random, depth + 1);
      }
      if (random.chance(0.03)) value[text(random)] = text(random);
      return value;
    }
    case "array":
      return Array.from({ length: random.below(3) }, () => generateValue(schema.items ?? {}, random, depth + 1));
    case "boolean":
      return random.chance(0.5);
    case "integer":
    case "number":
      return random.pick([0, 1, 7, 80, -1, 1.5, 2 ** 31, 2 ** 53]);
    default:
      return text(random);
  }
}

function text(random: Random): string {
  return random.pick(random.chance(0.6) ? RIGHT : HOSTILE);
}
