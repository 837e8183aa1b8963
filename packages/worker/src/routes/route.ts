/**
 * A route as data: what it is called, who may use it, the schemas that its request must fulfil, and what runs then. The app mounts
 * the list of them, the OpenAPI document describes it, and the fuzzer of the tests walks it: there is no other list of routes.
 */
import type { WorkspaceClient } from "@cloudflare/workspace";
import type { z } from "zod";
import type { Principal } from "../auth/principal.ts";
import type { Env } from "../env.ts";

/**
 * `read`, `write`: of the workspace in the path. `admin`: needs a token for every workspace, and to write. `authenticated`: whoever came in;
 * the handler looks at the scope itself. `public`: no authentication.
 */
export type Access = "read" | "write" | "admin" | "authenticated" | "public";
export type Method = "GET" | "POST" | "PUT" | "DELETE";

/** What answers a request: JSON of a schema, or bytes of some media type. */
export type ResponseSpec =
  | { status?: number; schema: z.ZodType }
  | { status?: number; media: string; description: string }
  | { status: 204 | 101 | 302; description: string };

export interface Route {
  readonly method: Method;
  /** Of Hono; the segments before `:name` are `/api/w/`. */
  readonly path: string;
  readonly summary: string;
  readonly access: Access;
  /** It runs in the workspace's object, beside the data, and its cost is counted there under this name. */
  readonly inside?: string;
  /** Before it goes inside: refuses what would be lost on the way. */
  readonly guard?: (request: Request) => void;
  readonly query: z.ZodType | null;
  /** JSON, or a stream of bytes. */
  readonly body: z.ZodType | "bytes" | null;
  readonly answers: readonly ResponseSpec[];
  readonly run: (call: RouteContext<never, never>) => Promise<Response>;
}

export interface RouteContext<Query, Body> {
  readonly request: Request;
  readonly env: Env;
  readonly context: Pick<ExecutionContext, "waitUntil">;
  readonly principal: Principal;
  readonly query: Query;
  readonly body: Body;
  /** The workspace's name in the path; "" where there is none. */
  readonly name: string;
  /** Another parameter of the path, decoded. */
  param(name: string): string;
  /** The workspace in the path, for this principal. */
  readonly workspace: CallWorkspace;
}

/** Over RPC or the object's own: both have it. */
export type CallWorkspace = Omit<WorkspaceClient, "as" | "restrict" | typeof Symbol.dispose>;

interface Definition<Query extends z.ZodType, Body extends z.ZodType> {
  method: Method;
  path: string;
  summary: string;
  access: Access;
  inside?: string;
  guard?: (request: Request) => void;
  query?: Query;
  body?: Body | "bytes";
  answers: readonly ResponseSpec[];
  run(call: RouteContext<z.output<Query>, z.output<Body>>): Promise<Response>;
}

export function defineRoute<Query extends z.ZodType = z.ZodType, Body extends z.ZodType = z.ZodType>(
  definition: Definition<Query, Body>,
): Route {
  const { query = null, body = null, ...rest } = definition;
  return { ...rest, query, body } as Route;
}
