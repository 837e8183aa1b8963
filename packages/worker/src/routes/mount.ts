/**
 * Mounts routes in the app: checks scope, query and body in this order, then runs the handler, here or in the workspace's object.
 * Another method on the same path is 405.
 */
import { getWorkspace } from "@cloudflare/workspace";
import type { Context, Hono } from "hono";
import type { AppEnv } from "../env.ts";
import { HttpError } from "../errors/http-error.ts";
import { workspaceName } from "../http/workspace-path.ts";
import { authorize } from "./authorize.ts";
import { forwardRequest, goesInside, routeOf } from "./forward-request.ts";
import { clientIdentity } from "./logged-identity.ts";
import { parseRequest, pathParam } from "./parse-request.ts";
import type { Route } from "./route.ts";

/** The common prefix of paths that name a workspace. */
const WORKSPACE_PATH = "/api/w/:name";

export function mount(app: Hono<AppEnv>, endpoints: readonly Route[]): void {
  for (const one of endpoints) app.on(one.method, one.path, async (c) => withoutBody(c.req.raw, await answer(one, c)));
  for (const path of new Set(endpoints.map((one) => one.path))) {
    const methods = endpoints.filter((one) => one.path === path).map((one) => one.method as string);
    if (methods.includes("GET")) methods.splice(methods.indexOf("GET") + 1, 0, "HEAD");
    app.all(path, (c) => {
      throw new HttpError("METHOD_NOT_ALLOWED", `there is no ${c.req.method} here`, {
        headers: { Allow: methods.join(", ") },
      });
    });
  }
}

/** HEAD runs the handler of GET; a stream that nobody reads must not go on. */
function withoutBody({ method }: Request, response: Response): Response {
  if (method !== "HEAD" || response.body === null) return response;
  response.body.cancel().catch(() => {});
  return new Response(null, response);
}

async function answer(one: Route, c: Context<AppEnv>): Promise<Response> {
  const request = c.req.raw;
  const name = one.path.startsWith(WORKSPACE_PATH) ? workspaceName(pathParam(one.path, request.url, "name")) : "";
  const principal = c.get("principal");
  authorize(principal, one.access, name);
  if (goesInside(one, request)) {
    one.guard?.(request);
    const inside = await forwardRequest(c.env.WORKSPACE, request, { route: routeOf(one), principal, name });
    c.set("complete", true);
    return inside;
  }
  const workspace = () => getWorkspace(c.env.WORKSPACE, name, { actor: principal.actor }).as(clientIdentity(request));
  return one.run(await parseRequest(one, request, { env: c.env, context: c.executionCtx, principal, name, workspace }));
}
