/** A request as its endpoint gets it: query and body are checked in this order. What does not fit is refused before anything runs. */
import type { Env } from "../env.ts";
import { jsonBody } from "../http/json-body.ts";
import { rawPath } from "../http/raw-path.ts";
import { decodeSegment } from "../path/workspace-path.ts";
import type { CallWorkspace, Route, RouteContext } from "./route.ts";
import { queryObject, validate } from "./validate.ts";

export interface RouteDependencies extends Pick<RouteContext<unknown, unknown>, "context" | "principal" | "name"> {
  env: Env;
  /** Made when it is asked for. */
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

/** A parameter of the path, decoded exactly once; "" when there is none. Hono's own are not used: it decodes what cannot be decoded to itself. */
export function pathParam(pattern: string, url: string, key: string): string {
  const at = pattern.split("/").indexOf(`:${key}`);
  return at === -1 ? "" : decodeSegment(rawPath(url).split("/")[at] ?? "");
}
