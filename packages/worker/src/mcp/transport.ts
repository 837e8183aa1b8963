/**
 * `/mcp/:name`: MCP over streamable HTTP, in the workspace's object. The request is already authenticated; this file applies the
 * transport's rules (Origin, media types, version, session), then dispatches each message. A request works with or without a session;
 * methods that need one say so. A stream is a socket here, under which the object hibernates; the Worker makes SSE of it
 * (gateway/mcp-stream.ts).
 */

import type { Workspace } from "@cloudflare/workspace";
import type { Principal } from "../auth/principal.ts";
import type { Env } from "../env.ts";
import { HttpError } from "../errors/http-error.ts";
import { jsonBody } from "../http/json-body.ts";
import { modelPolicy } from "../model-policy.ts";
import type { ObjectServices } from "../object/object-services.ts";
import { previewOrigin } from "../preview/preview-url.ts";
import type { ForwardedContext } from "../routes/forwarded-context.ts";
import { loggedIdentity } from "../routes/logged-identity.ts";
import { dispatch } from "./dispatch.ts";
import type { McpContext } from "./mcp-context.ts";
import {
  ASSUMED_VERSION,
  failure,
  PROTOCOL_VERSIONS,
  type ProtocolVersion,
  parseMessage,
  RPC_ERRORS,
  requestedVersion,
} from "./protocol.ts";

export interface McpRequest {
  readonly request: Request;
  readonly env: Env;
  readonly principal: Principal;
  /** Of the workspace; validated, and within the principal's scope. */
  readonly name: string;
  readonly workspace: Workspace;
  readonly object: ObjectServices;
  /** Where the client sent the request. */
  readonly client: Pick<ForwardedContext, "origin" | "host">;
}

export async function serveMcp(requested: McpRequest): Promise<Response> {
  const { request } = requested;
  requireOwnOrigin(requested);
  const version = protocolVersion(request.headers);
  if (version === null)
    return refusal(400, RPC_ERRORS.refused, `MCP-Protocol-Version is one of ${PROTOCOL_VERSIONS.join(", ")}`);
  switch (request.method) {
    case "POST":
      return post(requested, version);
    case "GET":
      return openStream(requested);
    case "DELETE":
      return end(requested);
    default:
      throw new HttpError("METHOD_NOT_ALLOWED", "MCP has GET, POST and DELETE", {
        headers: { Allow: "GET, POST, DELETE" },
      });
  }
}

async function post(requested: McpRequest, version: ProtocolVersion): Promise<Response> {
  const { request, env, principal, name, workspace, object, client } = requested;
  const accept = request.headers.get("Accept") ?? "*/*";
  if (!/application\/(?:json|\*)|\*\/\*|text\/event-stream/i.test(accept))
    return refusal(406, RPC_ERRORS.refused, "accept application/json and text/event-stream");
  if (!/^application\/json *(?:;|$)/i.test(request.headers.get("Content-Type") ?? ""))
    return refusal(415, RPC_ERRORS.refused, "the body must be application/json");
  const body = await rpcBody(request);
  if (body instanceof Response) return body;
  const opens = isInitialize(body);
  const given = request.headers.get("Mcp-Session-Id");
  const id = opens ? object.sessions.open(principal) : given;
  const session = id === null ? null : object.sessions.find(principal, id);
  if (id !== null && session === null) return noSession();
  const call: McpContext = {
    ...{ env, principal, name, object, session, previews: previewOrigin(client, env, principal.scope) },
    actor: loggedIdentity(request, principal).actor,
    get workspace() {
      return workspace.as({ actor: principal.actor }).restrict(modelPolicy(env));
    },
  };
  const answer = await dispatch(call, body, { version, streams: /text\/event-stream/i.test(accept) });
  if (opens && id !== null) answer.headers.set("Mcp-Session-Id", id);
  return answer;
}

/** A request that will succeed: only such a one opens a session. */
function isInitialize(body: unknown): boolean {
  const message = parseMessage(body);
  return message.kind === "request" && message.method === "initialize" && requestedVersion(message.params) !== null;
}

async function openStream({ request, principal, object }: McpRequest): Promise<Response> {
  if (!/text\/event-stream|\*\/\*/i.test(request.headers.get("Accept") ?? ""))
    return refusal(406, RPC_ERRORS.refused, "accept text/event-stream");
  const id = request.headers.get("Mcp-Session-Id");
  if (id === null)
    return refusal(
      400,
      RPC_ERRORS.refused,
      "a stream belongs to a session: send the Mcp-Session-Id that initialize gave",
    );
  const session = object.sessions.find(principal, id);
  if (session === null) return noSession();
  const since = request.headers.get("Last-Event-ID") ?? session.since ?? undefined;
  const stream = await object.live.acceptSession(session, {
    since,
    holder: principal.rateLimitKey,
    expiresAt: principal.scope.expiresAt,
  });
  object.sessions.streamOpened(session);
  return stream;
}

async function end({ request, principal, object }: McpRequest): Promise<Response> {
  const session = request.headers.get("Mcp-Session-Id");
  if (session === null) return refusal(400, RPC_ERRORS.refused, "which session? Send its Mcp-Session-Id");
  return object.sessions.end(principal, session) ? new Response(null, { status: 204 }) : noSession();
}

/** A foreign page must not drive a server that its user can reach; programs send no Origin. */
function requireOwnOrigin({ request, client }: McpRequest): void {
  const origin = request.headers.get("Origin");
  if (origin === null) return;
  const own = new URL(client.origin);
  if (origin === own.origin || origin.toLowerCase() === `${own.protocol}//${client.host?.toLowerCase()}`) return;
  throw new HttpError("FORBIDDEN", "this request comes from a page of another origin");
}

/** Null: an unsupported version. */
function protocolVersion(headers: Headers): ProtocolVersion | null {
  const header = headers.get("MCP-Protocol-Version");
  return header === null ? ASSUMED_VERSION : (PROTOCOL_VERSIONS.find((one) => one === header) ?? null);
}

async function rpcBody(request: Request): Promise<unknown> {
  try {
    return await jsonBody(request);
  } catch (error) {
    if (error instanceof HttpError && error.code === "EINVAL")
      return refusal(400, RPC_ERRORS.parse, "the body is not JSON in UTF-8");
    throw error;
  }
}

function noSession(): Response {
  return refusal(404, RPC_ERRORS.sessionNotFound, "there is no such session; initialize again");
}

function refusal(status: number, code: number, message: string): Response {
  return Response.json(failure(null, code, message), { status });
}
