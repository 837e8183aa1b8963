/**
 * Routes a request that the Worker forwarded: HTTP, MCP, archives and the live feed all run here, beside the data. The Worker has
 * authenticated the principal and checked its scope; the view of the workspace is made once, under the principal's name.
 */
import type { Workspace } from "@cloudflare/workspace";
import type { Env } from "../env.ts";
import { errorResponse } from "../errors/error-response.ts";
import { addCommonHeaders } from "../http/common-headers.ts";
import { withoutEndMarker } from "../http/end-marker.ts";
import { drainBody } from "../http/read-body.ts";
import { routes } from "../routes/all-routes.ts";
import { type ForwardedContext, MCP_PATH } from "../routes/forwarded-context.ts";
import { clientIdentity, loggedIdentity } from "../routes/logged-identity.ts";
import { parseRequest } from "../routes/parse-request.ts";
import { type Route, type RouteContext, routeKey, runsInObject } from "../routes/route.ts";
import type { ObjectServices } from "./object-services.ts";

export interface RouterDependencies {
  workspace: Workspace;
  object: ObjectServices;
  env: Env;
  context: RouteContext<unknown, unknown>["context"];
}

const ROUTES = new Map<string, Route>(routes.filter(runsInObject).map((route) => [routeKey(route), route]));

/** Never rejects; the response is complete. */
export async function handleRequest(
  dependencies: RouterDependencies,
  forwarded: Request,
  context: ForwardedContext,
): Promise<Response> {
  const request = withWholeBody(forwarded, context);
  const response = await run(dependencies, request, context).catch(async (error: unknown) => {
    await drainBody(request);
    return errorResponse(error);
  });
  if (response.status !== 101) addCommonHeaders(response.headers);
  return withoutBody(request, response);
}

/** A body of unknown length is whole only with its end marker. */
function withWholeBody(request: Request, { endMarker }: ForwardedContext): Request {
  if (endMarker === undefined || request.body === null) return request;
  const { url, method, headers, body } = request;
  return new Request(url, { method, headers, body: withoutEndMarker(body, endMarker) });
}

/** HEAD runs the handler of GET, then cancels the body, because no client reads it. */
function withoutBody({ method }: Request, response: Response): Response {
  if (method !== "HEAD" || response.body === null) return response;
  response.body.cancel().catch(() => {});
  return new Response(null, response);
}

async function run(
  { workspace, object, env, context }: RouterDependencies,
  request: Request,
  { route: key, principal, name, origin, host }: ForwardedContext,
): Promise<Response> {
  const client = { origin, host };
  const { callId } = clientIdentity(request);
  if (key === MCP_PATH) {
    // Loaded on first use: its tools are the heaviest part of the script.
    const { serveMcp } = await import("../mcp/transport.ts");
    const serve = () => serveMcp({ request, env, principal, name, workspace, object, client });
    return object.measure({ kind: "mcp" }, serve, isError);
  }
  const route = ROUTES.get(key);
  if (route === undefined) throw new Error(`${key} does not run in the object`);
  const view = workspace.as(loggedIdentity(request, principal));
  const dependencies = { env, context, principal, name, workspace: view, object, client };
  const call = await parseRequest(route, request, dependencies);
  const answer = () => route.run(call);
  return route.kind === undefined ? answer() : object.measure({ kind: route.kind, callId }, answer, isError);
}

function isError({ status }: Response): boolean {
  return status >= 400;
}
