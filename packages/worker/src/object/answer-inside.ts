/** Endpoints that run in the workspace's own object: a file that is read or written asks several questions, and here each is a call and not a round trip. */
import type { Workspace } from "@cloudflare/workspace";
import { callOf, type Surroundings } from "../endpoint/call-of.ts";
import type { Endpoint } from "../endpoint/endpoint.ts";
import { identityOf } from "../endpoint/identity-of.ts";
import { type Asked, routeOf } from "../endpoint/inside-request.ts";
import { errorResponse } from "../errors/error-response.ts";
import { fileEndpoints } from "../files/routes.ts";
import { addCommonHeaders } from "../http/common-headers.ts";
import { leaveBody } from "../http/steady-body.ts";
import { treeEndpoints } from "../tree/routes.ts";

const ENDPOINTS = new Map<string, Endpoint>([...fileEndpoints, ...treeEndpoints].map((one) => [routeOf(one), one]));

/** What it is counted as. */
export function insideKind({ route }: Asked): string {
  return ENDPOINTS.get(route)?.inside ?? "unknown";
}

/** Never rejects; complete as it is. */
export async function answerInside(
  workspace: Workspace,
  request: Request,
  asked: Asked,
  around: Pick<Surroundings, "env" | "context">,
): Promise<Response> {
  const answer = await run(workspace, request, asked, around).catch(async (error: unknown) => {
    await leaveBody(request);
    return errorResponse(error);
  });
  addCommonHeaders(answer.headers);
  return answer;
}

async function run(
  workspace: Workspace,
  request: Request,
  { route, visitor, name }: Asked,
  around: Pick<Surroundings, "env" | "context">,
): Promise<Response> {
  const one = ENDPOINTS.get(route);
  if (one === undefined) throw new Error(`${route} does not run inside`);
  const view = workspace.as(identityOf(request, visitor));
  return one.run(await callOf(one, request, { ...around, visitor, name, workspace: () => view }));
}
