/** Sessions from the Worker's side. A session belongs to one workspace and one principal, and does not exist for others. */
import type { Principal } from "../auth/principal.ts";
import type { Env } from "../env.ts";
import { HttpError } from "../errors/http-error.ts";
import { ROOT } from "../http/workspace-path.ts";
import { feedRequest } from "../live/live-feed.ts";
import { workspaceStub } from "../workspace-stub.ts";
import { MCP_LIMITS } from "./limits.ts";
import type { McpContext } from "./mcp-context.ts";
import { RPC_ERRORS, RpcError } from "./protocol.ts";
import type { McpSessionObject } from "./session-object.ts";
import { indexOf, sessionKey, sessionStub } from "./session-objects.ts";

export async function openSession(env: Env, name: string, principal: Principal): Promise<string> {
  const key = sessionKey(name, principal, crypto.randomUUID());
  const admission = await indexOf(env, name).admit(key);
  if (admission === "full") throw tooMany();
  await Promise.all(admission.ends.map((ended) => sessionStub(env, { ...key, ...ended }).end()));
  await sessionStub(env, key).open(key);
  return key.id;
}

function tooMany(): HttpError {
  return new HttpError("TOO_MANY_REQUESTS", "this workspace has too many MCP sessions", {
    hint: "End a session with DELETE, or wait: an idle one ends by itself.",
    headers: { "Retry-After": "60" },
  });
}

export async function subscribe(call: McpContext, path: string): Promise<void> {
  const session = required(call);
  // The log's current cursor: a stream that opens later must not miss changes in between.
  const since = (await session.hasListener()) ? null : await workspaceHead(call);
  const outcome = await session.subscribe(path, since);
  if (outcome === "gone") throw gone();
  if (outcome === "full")
    throw new RpcError(RPC_ERRORS.invalidParams, `a session has at most ${MCP_LIMITS.subscriptions} subscriptions`);
}

export async function unsubscribe(call: McpContext, path: string): Promise<void> {
  if ((await required(call).unsubscribe(path)) === "gone") throw gone();
}

function required({ env, name, principal, session }: McpContext): DurableObjectStub<McpSessionObject> {
  if (session !== null) return sessionStub(env, sessionKey(name, principal, session));
  throw new RpcError(RPC_ERRORS.refused, "subscriptions need a session: send the Mcp-Session-Id that initialize gave");
}

function gone(): RpcError {
  return new RpcError(RPC_ERRORS.sessionNotFound, "there is no such session");
}

/** The first message of a live feed is its starting cursor. */
async function workspaceHead({ env, name }: McpContext): Promise<string | null> {
  const { webSocket } = await workspaceStub(env, name).fetch(feedRequest({ path: ROOT, holder: null }));
  if (!webSocket) return null;
  const { promise, resolve } = Promise.withResolvers<string | null>();
  webSocket.addEventListener("message", ({ data }) =>
    resolve((JSON.parse(String(data)) as { cursor?: string }).cursor ?? null),
  );
  webSocket.addEventListener("close", () => resolve(null));
  webSocket.accept();
  const cursor = await promise;
  webSocket.close(1000);
  return cursor;
}
