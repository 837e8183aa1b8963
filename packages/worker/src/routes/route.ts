/**
 * A route as data: name, access, request schemas, handler. The app mounts the list of routes, the OpenAPI document describes it,
 * and the fuzz test walks it: there is no other list.
 */
import type { WorkspaceClient } from "@cloudflare/workspace";
import type { z } from "zod";
import type { Principal } from "../auth/principal.ts";
import type { Env } from "../env.ts";

/**
 * `read`, `write`: of the workspace in the path. `admin`: needs a writing token for every workspace. `authenticated`: any
 * principal; the handler checks the scope itself. `public`: no authentication.
 */
export type Access = "read" | "write" | "admin" | "authenticated" | "public";
export type Method = "GET" | "POST" | "PUT" | "DELETE";

/** A response: JSON of a schema, or bytes of a media type. */
export type ResponseSpec =
  | { status?: number; schema: z.ZodType }
  | { status?: number; media: string; description: string }
  | { status: 204 | 101 | 302; description: string };

export interface Route {
  readonly method: Method;
  /** In Hono's syntax; the segments before `:name` are `/api/w/`. */
  readonly path: string;
  readonly summary: string;
  readonly access: Access;
  /** Runs in the workspace's object, beside the data; its cost is counted there under this name. */
  readonly inside?: string;
  /** Runs before forwarding: refuses what would be lost on the way. */
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
  /** The workspace's name in the path; "" if there is none. */
  readonly name: string;
  /** Another parameter of the path, decoded. */
  param(name: string): string;
  /** The workspace in the path, for this principal. */
  readonly workspace: CallWorkspace;
}

/** Either the RPC client or the object's own workspace. */
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
