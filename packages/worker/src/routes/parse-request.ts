/** Parses a request for its route: query, then body. An invalid request is refused before anything runs. */
import type { Env } from "../env.ts";
import { jsonBody } from "../http/json-body.ts";
import { rawPath } from "../http/raw-path.ts";
import { decodeSegment } from "../http/workspace-path.ts";
import type { CallWorkspace, Route, RouteContext } from "./route.ts";
import { queryObject, validate } from "./validate.ts";

export interface RouteDependencies extends Pick<RouteContext<unknown, unknown>, "context" | "principal" | "name"> {
  env: Env;
  /** Created on first use. */
  workspace(): CallWorkspace;
}

export async function parseRequest(
  one: Route,
  request: Request,
  around: RouteDependencies,
): Promise<RouteContext<never, never>> {
  const query = one.query === null ? {} : validate(one.query, queryObject(request.url), "query");
  const body =
    one.body === null || one.body === "bytes" ? undefined : validate(one.body, await jsonBody(request), "body");
  const { env, context, principal, name } = around;
  const call: RouteContext<unknown, unknown> = {
    request,
    env,
    context,
    principal,
    query,
    body,
    name,
    param: (key) => pathParam(one.path, request.url, key),
    get workspace() {
      return around.workspace();
    },
  };
  return call as RouteContext<never, never>;
}

/** A path parameter, decoded exactly once; "" if absent. Hono's own are not used: it returns undecodable text unchanged. */
export function pathParam(pattern: string, url: string, key: string): string {
  const at = pattern.split("/").indexOf(`:${key}`);
  return at === -1 ? "" : decodeSegment(rawPath(url).split("/")[at] ?? "");
}
