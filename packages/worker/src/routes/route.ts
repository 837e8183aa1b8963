/**
 * A route as data: name, access, request schemas, handler. The app mounts the list of routes, the OpenAPI document describes it,
 * and the fuzz test walks it: there is no other list.
 */
import type { WorkspaceClient } from "@cloudflare/workspace";
import type { z } from "zod";
import type { Principal } from "../auth/principal.ts";
import type { Env } from "../env.ts";
import type { ObjectServices } from "../object/object-services.ts";
import type { ForwardedContext } from "./forwarded-context.ts";

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
  /** Of a workspace's route: its name in the usage meter. Absent: the route measures itself. */
  readonly kind?: string;
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
  /** The workspace in the path, for this principal. Only in its object, as the two below. */
  readonly workspace: CallWorkspace;
  readonly object: ObjectServices;
  /** Where the client sent the request. */
  readonly client: Pick<ForwardedContext, "origin" | "host">;
}

/** The key of a route: in the forwarded context, and of its examples. */
export function routeKey({ method, path }: Pick<Route, "method" | "path">): string {
  return `${method} ${path}`;
}

const WORKSPACE_PATH = "/api/w/:name";

/** Its path names a workspace. */
export function isOfWorkspace({ path }: Pick<Route, "path">): boolean {
  return path.startsWith(WORKSPACE_PATH);
}

/** It runs in the workspace's object, beside the data. */
export function runsInObject({ path }: Pick<Route, "path">): boolean {
  return path.startsWith(`${WORKSPACE_PATH}/`);
}

/** What a route uses of a workspace. */
export type CallWorkspace = Omit<WorkspaceClient, "as" | "restrict" | typeof Symbol.dispose>;

interface Definition<Query extends z.ZodType, Body extends z.ZodType> {
  method: Method;
  path: string;
  summary: string;
  access: Access;
  kind?: string;
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
