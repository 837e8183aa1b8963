/**
 * `/mcp/:name`: MCP over streamable HTTP. The door has been passed; here come the rules of the transport: the Origin, the media types,
 * the version, the session, and then each message to its method. A request works with a session or without one; what needs one says so.
 */

import { getWorkspace } from "@cloudflare/workspace";
import type { Visitor } from "../auth/visitor.ts";
import { identityOf } from "../endpoint/identity-of.ts";
import type { Env } from "../env.ts";
import { HttpError } from "../errors/http-error.ts";
import { jsonBody } from "../http/json-body.ts";
import { modelPolicy } from "../model-policy.ts";
import { previewPlace } from "../preview-address/preview-url.ts";
import { answerMessages } from "./answer-messages.ts";
import type { McpCall } from "./mcp-call.ts";
import { ASSUMED_VERSION, failure, PROTOCOL_VERSIONS, type ProtocolVersion, RPC_ERRORS } from "./rpc/protocol.ts";
import { sessionKey, sessionOf } from "./session/session-objects.ts";
import { sessionStream } from "./session/session-stream.ts";
import { openSession } from "./session/sessions.ts";

export interface McpRequest {
  readonly request: Request;
  readonly env: Env;
  readonly visitor: Visitor;
  /** Of the workspace; checked, and within the visitor's scope. */
  readonly name: string;
}

const SESSION_ID = /^[0-9a-f-]{36}$/;

export async function serveMcp(asked: McpRequest): Promise<Response> {
  const { request } = asked;
  requireOwnOrigin(request);
  const version = versionOf(request.headers);
  if (version === null)
    return refusal(400, RPC_ERRORS.refused, `MCP-Protocol-Version is one of ${PROTOCOL_VERSIONS.join(", ")}`);
  switch (request.method) {
    case "POST":
      return post(asked, version);
    case "GET":
      return get(asked);
    case "DELETE":
      return end(asked);
    default:
      throw new HttpError("METHOD_NOT_ALLOWED", "MCP has GET, POST and DELETE", {
        headers: { Allow: "GET, POST, DELETE" },
      });
  }
}

async function post({ request, env, visitor, name }: McpRequest, version: ProtocolVersion): Promise<Response> {
  const accept = request.headers.get("Accept") ?? "*/*";
  if (!/application\/(?:json|\*)|\*\/\*|text\/event-stream/i.test(accept))
    return refusal(406, RPC_ERRORS.refused, "accept application/json and text/event-stream");
  if (!/^application\/json *(?:;|$)/i.test(request.headers.get("Content-Type") ?? ""))
    return refusal(415, RPC_ERRORS.refused, "the body must be application/json");
  const body = await bodyOf(request);
  if (body instanceof Response) return body;
  const opens = !Array.isArray(body) && (body as { method?: unknown } | null)?.method === "initialize";
  const given = request.headers.get("Mcp-Session-Id");
  if (!opens && given !== null && !(await isKnown({ env, visitor, name }, given))) return noSession();
  const session = opens ? await openSession(env, name, visitor) : given;
  const call: McpCall = {
    ...{ env, visitor, name, session, previews: previewPlace(request, env, visitor.scope) },
    actor: identityOf(request, visitor).actor,
    get workspace() {
      return getWorkspace(env.WORKSPACE, name, { actor: visitor.actor }).restrict(modelPolicy(env));
    },
  };
  const answer = await answerMessages(call, body, { version, streams: /text\/event-stream/i.test(accept) });
  if (opens && session !== null) answer.headers.set("Mcp-Session-Id", session);
  return answer;
}

async function get({ request, env, visitor, name }: McpRequest): Promise<Response> {
  if (!/text\/event-stream|\*\/\*/i.test(request.headers.get("Accept") ?? ""))
    return refusal(406, RPC_ERRORS.refused, "accept text/event-stream");
  const session = request.headers.get("Mcp-Session-Id");
  if (session === null)
    return refusal(
      400,
      RPC_ERRORS.refused,
      "a stream belongs to a session: send the Mcp-Session-Id that initialize gave",
    );
  if (!SESSION_ID.test(session)) return noSession();
  const lastEventId = request.headers.get("Last-Event-ID");
  return (await sessionStream({ env, visitor, name, session, lastEventId })) ?? noSession();
}

async function end({ request, env, visitor, name }: McpRequest): Promise<Response> {
  const session = request.headers.get("Mcp-Session-Id");
  if (session === null) return refusal(400, RPC_ERRORS.refused, "which session? Send its Mcp-Session-Id");
  const ended = SESSION_ID.test(session) && (await sessionOf(env, sessionKey(name, visitor, session)).end());
  return ended ? new Response(null, { status: 204 }) : noSession();
}

/** A page of another site must not drive a server that its visitor happens to reach; programs send no Origin. */
function requireOwnOrigin(request: Request): void {
  const origin = request.headers.get("Origin");
  if (origin === null || origin === new URL(request.url).origin) return;
  const { protocol } = new URL(request.url);
  if (origin.toLowerCase() === `${protocol}//${request.headers.get("Host")?.toLowerCase()}`) return;
  throw new HttpError("FORBIDDEN", "this request comes from a page of another origin");
}

/** Null: a version that is not spoken here. */
function versionOf(headers: Headers): ProtocolVersion | null {
  const header = headers.get("MCP-Protocol-Version");
  return header === null ? ASSUMED_VERSION : (PROTOCOL_VERSIONS.find((one) => one === header) ?? null);
}

async function bodyOf(request: Request): Promise<unknown> {
  try {
    return await jsonBody(request);
  } catch (error) {
    if (error instanceof HttpError && error.code === "EINVAL")
      return refusal(400, RPC_ERRORS.parse, "the body is not JSON in UTF-8");
    throw error;
  }
}

async function isKnown({ env, visitor, name }: Omit<McpRequest, "request">, session: string): Promise<boolean> {
  return SESSION_ID.test(session) && (await sessionOf(env, sessionKey(name, visitor, session)).exists());
}

function noSession(): Response {
  return refusal(404, RPC_ERRORS.sessionNotFound, "there is no such session; initialize again");
}

function refusal(status: number, code: number, message: string): Response {
  return Response.json(failure(null, code, message), { status });
}
