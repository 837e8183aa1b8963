/** `tools`: the agent tools, listed in a dialect and called by name. What a tool cannot do it says in its result, with status 200. */
import { toolAnswer, toolBody, toolsAnswer, toolsQuery } from "../api/tools.ts";
import { type Call, type Endpoint, endpoint } from "../endpoint/endpoint.ts";
import { identityOf } from "../endpoint/identity-of.ts";
import { HttpError } from "../errors/http-error.ts";
import type { ToolCaller } from "../object/object-tools.ts";
import { objectOf } from "../object-of.ts";
import { previewPlace } from "../preview-address/preview-url.ts";

const JSON_TYPE = { headers: { "Content-Type": "application/json" } };

export const toolEndpoints: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/api/w/:name/tools",
    summary: "The tools that this token may call, with their schemas",
    access: "read",
    query: toolsQuery,
    answers: [{ schema: toolsAnswer }],
    async run(call) {
      const { dialect = "json" } = call.query;
      const { tools } = await objectOf(call.env, call.name).listTools(callerOf(call), dialect);
      return new Response(`{"dialect":"${dialect}","tools":${tools}}`, JSON_TYPE);
    },
  }),
  endpoint({
    method: "POST",
    path: "/api/w/:name/tools/:tool",
    summary: "Calls a tool; a token for reading alone may call those that change nothing",
    access: "read",
    body: toolBody,
    answers: [{ schema: toolAnswer }],
    async run(call) {
      const tool = call.param("tool");
      const { callId } = identityOf(call.request, call.visitor);
      const result = await objectOf(call.env, call.name).callTool(callerOf(call), tool, call.body, callId);
      if (result === null)
        throw new HttpError("ENOENT", `there is no tool "${tool.slice(0, 100)}" for this token`, {
          hint: "GET tools lists those that there are.",
        });
      return Response.json(result);
    },
  }),
];

function callerOf({ request, env, visitor }: Call<unknown, unknown>): ToolCaller {
  const { actor } = identityOf(request, visitor);
  return { actor, via: "tools", readOnly: visitor.scope.readOnly, previews: previewPlace(request, env, visitor.scope) };
}
