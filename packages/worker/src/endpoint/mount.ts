/**
 * Puts endpoints into the app: scope, query and body are checked in this order, then the handler runs. What another method asks of
 * the same path is 405.
 */
import { getWorkspace } from "@cloudflare/workspace";
import type { Context, Hono } from "hono";
import { ACTOR_HEADER, CALL_HEADER } from "../api/session.ts";
import type { AppEnv } from "../env.ts";
import { HttpError } from "../errors/http-error.ts";
import { jsonBody } from "../http/json-body.ts";
import { rawPath } from "../http/raw-path.ts";
import { decodeSegment, workspaceName } from "../path/workspace-path.ts";
import type { Call, Endpoint } from "./endpoint.ts";
import { requireScope } from "./scope.ts";
import { queryObject, validate } from "./validate.ts";

export function mount(app: Hono<AppEnv>, endpoints: readonly Endpoint[]): void {
  for (const one of endpoints) app.on(one.method, one.path, (c) => answer(one, c));
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

async function answer(one: Endpoint, c: Context<AppEnv>): Promise<Response> {
  const request = c.req.raw;
  const params = pathParams(one.path, request.url);
  const name = params.has("name") ? workspaceName(params.get("name") as string) : "";
  const visitor = c.get("visitor");
  if (visitor !== undefined) requireScope(visitor, one.access, name);
  const query = one.query === null ? {} : validate(one.query, queryObject(request.url), "query");
  const body =
    one.body === null || one.body === "bytes" ? undefined : validate(one.body, await jsonBody(request), "body");
  const call: Call<unknown, unknown> = {
    request,
    env: c.env,
    context: c.executionCtx,
    visitor,
    query,
    body,
    name,
    param: (key) => params.get(key) ?? "",
    get workspace() {
      const base = getWorkspace(c.env.WORKSPACE, name, { actor: visitor.actor });
      return base.as({
        actor: request.headers.get(ACTOR_HEADER) ?? undefined,
        callId: request.headers.get(CALL_HEADER) ?? undefined,
      });
    },
  };
  return one.run(call as Call<never, never>);
}

/** Parameters of the path, each decoded exactly once. Hono's own are not used: it decodes what cannot be decoded to itself. */
function pathParams(pattern: string, url: string): Map<string, string> {
  const segments = rawPath(url).split("/");
  const params = new Map<string, string>();
  for (const [i, part] of pattern.split("/").entries()) {
    if (part.startsWith(":")) params.set(part.slice(1), decodeSegment(segments[i] ?? ""));
  }
  return params;
}
