/**
 * Mounts routes in the app. The scope is checked here, before an object wakes. A route of a workspace runs in the workspace's
 * object, any other one here. Another method on the same path is 405.
 */
import type { Context, Hono } from "hono";
import type { AppEnv } from "../env.ts";
import { HttpError } from "../errors/http-error.ts";
import { workspaceName } from "../http/workspace-path.ts";
import { authorize } from "../routes/authorize.ts";
import { parseRequest, pathParam } from "../routes/parse-request.ts";
import { isOfWorkspace, type Route, routeKey, runsInObject } from "../routes/route.ts";
import { forwardRequest } from "./forward-request.ts";

export function mountRoutes(app: Hono<AppEnv>, routes: readonly Route[]): void {
  for (const route of routes) app.on(route.method, route.path, (c) => answer(route, c));
  for (const path of new Set(routes.map((route) => route.path))) {
    const methods = routes.filter((route) => route.path === path).map((route) => route.method as string);
    if (methods.includes("GET")) methods.splice(methods.indexOf("GET") + 1, 0, "HEAD");
    app.all(path, (c) => {
      throw new HttpError("METHOD_NOT_ALLOWED", `there is no ${c.req.method} here`, {
        headers: { Allow: methods.join(", ") },
      });
    });
  }
}

async function answer(route: Route, c: Context<AppEnv>): Promise<Response> {
  const request = c.req.raw;
  const name = isOfWorkspace(route) ? workspaceName(pathParam(route.path, request.url, "name")) : "";
  const principal = c.get("principal");
  authorize(principal, route.access, name);
  if (!runsInObject(route)) {
    const { env, executionCtx: context } = c;
    return route.run(await parseRequest(route, request, { env, context, principal, name }));
  }
  const body = route.body === null || route.body === "bytes" ? route.body : "json";
  const response = await forwardRequest(c.env.WORKSPACE, request, {
    route: { key: routeKey(route), body, guard: route.guard },
    principal,
    name,
  });
  c.set("complete", true);
  return response;
}
