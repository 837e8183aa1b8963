/** `tools`: the agent tools, listed in a dialect and called by name. A tool reports its failure in its result, with status 200. */
import { toolBody, toolResponse, toolsQuery, toolsResponse } from "../api/tools.ts";
import { HttpError } from "../errors/http-error.ts";
import type { ToolPrincipal } from "../object/toolset-cache.ts";
import { previewOrigin } from "../preview/preview-url.ts";
import { loggedIdentity } from "./logged-identity.ts";
import { defineRoute, type Route, type RouteContext } from "./route.ts";

const JSON_TYPE = { headers: { "Content-Type": "application/json" } };

export const toolRoutes: readonly Route[] = [
  defineRoute({
    method: "GET",
    path: "/api/w/:name/tools",
    summary: "The tools that this token may call, with their schemas",
    access: "read",
    query: toolsQuery,
    answers: [{ schema: toolsResponse }],
    async run(call) {
      const { dialect = "json" } = call.query;
      const { tools } = await call.object.tools.list(toolPrincipal(call), dialect);
      return new Response(`{"dialect":"${dialect}","tools":${tools}}`, JSON_TYPE);
    },
  }),
  defineRoute({
    method: "POST",
    path: "/api/w/:name/tools/:tool",
    summary: "Calls a tool; a token for reading alone may call those that change nothing",
    access: "read",
    body: toolBody,
    answers: [{ schema: toolResponse }],
    async run(call) {
      const tool = call.param("tool");
      const { callId } = loggedIdentity(call.request, call.principal);
      const result = await call.object.tools.call(toolPrincipal(call), tool, call.body, callId);
      if (result === null)
        throw new HttpError("ENOENT", `there is no tool "${tool.slice(0, 100)}" for this token`, {
          hint: "GET tools lists those that there are.",
        });
      return Response.json(result);
    },
  }),
];

function toolPrincipal({ request, env, principal, client }: RouteContext<unknown, unknown>): ToolPrincipal {
  const { actor } = loggedIdentity(request, principal);
  return {
    actor,
    via: "tools",
    readOnly: principal.scope.readOnly,
    previews: previewOrigin(client, env, principal.scope),
  };
}
