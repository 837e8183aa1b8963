/** The table of the supported MCP methods, by name. */
import { version } from "../../package.json";
import { isVisibleToModel } from "../model-policy.ts";
import { complete } from "./complete.ts";
import { JsonText } from "./json-text.ts";
import { MCP_LIMITS } from "./limits.ts";
import type { McpContext } from "./mcp-context.ts";
import { callTool, toolList } from "./mcp-tools.ts";
import { objectParam, textParam } from "./params.ts";
import { type Params, PROTOCOL_VERSIONS, RPC_ERRORS, RpcError, requestedVersion } from "./protocol.ts";
import { notFound, parseResourceUri } from "./resource-uri.ts";
import { listResources, listTemplates, read } from "./resources.ts";
import type { SessionRow } from "./store/session-rows.ts";

type Result = Record<string, unknown> | JsonText;
type Method = (call: McpContext, params: Params) => Promise<Result> | Result;

const TOOL_NAME_LENGTH = 128;

export const METHODS: Readonly<Record<string, Method>> = {
  initialize,
  ping: () => ({}),
  "tools/list": async (call) => new JsonText(`{"tools":${(await toolList(call)).tools}}`),
  "tools/call": runTool,
  "resources/list": listResources,
  "resources/templates/list": listTemplates,
  "resources/read": read,
  "resources/subscribe": (call, params) => {
    const path = resourcePath(call, params);
    if (!isVisibleToModel(call.env)(path)) throw notFound(textParam(params, "uri", MCP_LIMITS.uriLength));
    call.object.sessions.subscribe(requireSession(call), path, call.object.live.head());
    return {};
  },
  "resources/unsubscribe": (call, params) => {
    call.object.sessions.unsubscribe(requireSession(call), resourcePath(call, params));
    return {};
  },
  "completion/complete": complete,
};

async function initialize(call: McpContext, params: Params): Promise<Record<string, unknown>> {
  const { name, session } = call;
  const requested = requestedVersion(params);
  if (requested === null) throw new RpcError(RPC_ERRORS.invalidParams, "protocolVersion must be a string");
  return {
    protocolVersion: PROTOCOL_VERSIONS.find((one) => one === requested) ?? PROTOCOL_VERSIONS[0],
    // Subscriptions belong to a session, and this response opens one.
    capabilities: { tools: {}, resources: session === null ? {} : { subscribe: true }, completions: {} },
    serverInfo: { name: "workspace", title: `Workspace ${name}`, version },
    instructions: (await toolList(call)).instructions,
  };
}

async function runTool(call: McpContext, params: Params): Promise<Record<string, unknown>> {
  const name = textParam(params, "name", TOOL_NAME_LENGTH);
  const result = await callTool(call, name, objectParam(params, "arguments"));
  if (result === null) throw new RpcError(RPC_ERRORS.invalidParams, `there is no tool "${name}" here`, { name });
  return result;
}

function requireSession({ session }: McpContext): SessionRow {
  if (session !== null) return session;
  throw new RpcError(RPC_ERRORS.refused, "subscriptions need a session: send the Mcp-Session-Id that initialize gave");
}

function resourcePath({ name }: McpContext, params: Params): string {
  return parseResourceUri(name, textParam(params, "uri", MCP_LIMITS.uriLength));
}
