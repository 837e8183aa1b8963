/** Parses a request for its route: query, then body. An invalid request is refused before anything runs. */
import { jsonBody } from "../http/json-body.ts";
import { rawPath } from "../http/raw-path.ts";
import { decodeSegment } from "../http/workspace-path.ts";
import type { Route, RouteContext } from "./route.ts";
import { queryObject, validate } from "./validate.ts";

/** A request has these beside what its route's schemas parse. */
export type RouteDependencies = Pick<RouteContext<unknown, unknown>, "env" | "context" | "principal" | "name"> &
  // Of a workspace's route.
  Partial<Pick<RouteContext<unknown, unknown>, "workspace" | "object" | "client">>;

export async function parseRequest(
  route: Route,
  request: Request,
  dependencies: RouteDependencies,
): Promise<RouteContext<never, never>> {
  const query = route.query === null ? {} : validate(route.query, queryObject(request.url), "query");
  const body =
    route.body === null || route.body === "bytes" ? undefined : validate(route.body, await jsonBody(request), "body");
  const param = (key: string) => pathParam(route.path, request.url, key);
  return { ...dependencies, request, query, body, param } as unknown as RouteContext<never, never>;
}

/** A path parameter, decoded exactly once; "" if absent. Hono's own are not used: it returns undecodable text unchanged. */
export function pathParam(pattern: string, url: string, key: string): string {
  const at = pattern.split("/").indexOf(`:${key}`);
  return at === -1 ? "" : decodeSegment(rawPath(url).split("/")[at] ?? "");
}
