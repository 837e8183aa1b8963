/** `tools`: the agent tools, listed in a dialect and called by name. What a tool cannot do it says in its result, with status 200. */
import type { Toolset } from "@cloudflare/fs-tools";
import { CALL_HEADER } from "../api/session.ts";
import { toolAnswer, toolBody, toolsAnswer, toolsQuery } from "../api/tools.ts";
import { type Call, type Endpoint, endpoint } from "../endpoint/endpoint.ts";
import { HttpError } from "../errors/http-error.ts";

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
      return Response.json({ dialect, tools: (await toolset(call)).schemas(dialect) });
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
      const tools = await toolset(call);
      const tool = call.param("tool");
      if (!tools.names.includes(tool))
        throw new HttpError("ENOENT", `there is no tool "${tool.slice(0, 100)}" for this token`, {
          hint: "GET tools lists those that there are.",
        });
      const callId = call.request.headers.get(CALL_HEADER);
      const result = await tools.handle(tool, call.body, {
        ...(callId === null ? {} : { callId }),
        signal: call.request.signal,
      });
      return Response.json(result);
    },
  }),
];

/** Loaded when it is used: forty tools with their schemas are the heaviest part of the Worker. */
async function toolset({ workspace, visitor }: Call<unknown, unknown>): Promise<Toolset> {
  const { createToolset } = await import("@cloudflare/fs-tools");
  return createToolset({ workspace, actor: "tools", role: visitor.scope.readOnly ? "explorer" : "coder" });
}
