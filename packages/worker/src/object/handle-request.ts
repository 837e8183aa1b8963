/**
 * Routes that run in the workspace's object: reading or writing a file takes several calls, which are local here instead of round
 * trips.
 */
import type { Workspace } from "@cloudflare/workspace";
import { errorResponse } from "../errors/error-response.ts";
import { addCommonHeaders } from "../http/common-headers.ts";
import { drainBody } from "../http/read-body.ts";
import { fileEndpoints } from "../routes/files/file-routes.ts";
import { type ForwardedContext, routeOf } from "../routes/forward-request.ts";
import { loggedIdentity } from "../routes/logged-identity.ts";
import { parseRequest, type RouteDependencies } from "../routes/parse-request.ts";
import type { Route } from "../routes/route.ts";
import { treeEndpoints } from "../routes/tree-routes.ts";

const ENDPOINTS = new Map<string, Route>([...fileEndpoints, ...treeEndpoints].map((one) => [routeOf(one), one]));

/** Its name in the usage meter. */
export function insideKind({ route }: ForwardedContext): string {
  return ENDPOINTS.get(route)?.inside ?? "unknown";
}

/** Never rejects; the response is complete. */
export async function handleRequest(
  workspace: Workspace,
  request: Request,
  requested: ForwardedContext,
  around: Pick<RouteDependencies, "env" | "context">,
): Promise<Response> {
  const answer = await run(workspace, request, requested, around).catch(async (error: unknown) => {
    await drainBody(request);
    return errorResponse(error);
  });
  addCommonHeaders(answer.headers);
  return answer;
}

async function run(
  workspace: Workspace,
  request: Request,
  { route, principal, name }: ForwardedContext,
  around: Pick<RouteDependencies, "env" | "context">,
): Promise<Response> {
  const one = ENDPOINTS.get(route);
  if (one === undefined) throw new Error(`${route} does not run inside`);
  const view = workspace.as(loggedIdentity(request, principal));
  return one.run(await parseRequest(one, request, { ...around, principal, name, workspace: () => view }));
}
