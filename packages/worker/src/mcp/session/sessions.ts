/** Sessions from the Worker's side. A session belongs to one workspace and one principal: for others there is no such session. */
import type { Visitor } from "../../auth/visitor.ts";
import type { Env } from "../../env.ts";
import { HttpError } from "../../errors/http-error.ts";
import { feedRequest } from "../../live/live-feed.ts";
import { objectOf } from "../../object-of.ts";
import { ROOT } from "../../path/workspace-path.ts";
import { MCP_LIMITS } from "../limits.ts";
import type { McpCall } from "../mcp-call.ts";
import { RPC_ERRORS, RpcError } from "../rpc/protocol.ts";
import type { McpSessionObject } from "../session-object.ts";
import { indexOf, sessionKey, sessionOf } from "./session-objects.ts";

export async function openSession(env: Env, name: string, visitor: Visitor): Promise<string> {
  const key = sessionKey(name, visitor, crypto.randomUUID());
  const admission = await indexOf(env, name).admit(key);
  if (admission === "full") throw tooMany();
  await Promise.all(admission.ends.map((id) => sessionOf(env, { ...key, id }).end()));
  await sessionOf(env, key).open(key);
  return key.id;
}

function tooMany(): HttpError {
  return new HttpError("TOO_MANY_REQUESTS", "this workspace has too many MCP sessions", {
    hint: "End a session with DELETE, or wait: an idle one ends by itself.",
    headers: { "Retry-After": "60" },
  });
}

export async function subscribe(call: McpCall, path: string): Promise<void> {
  const session = required(call);
  // Where the log stands now: for a stream that opens only after this, which must not miss what happens between.
  const since = (await session.isHeard()) ? null : await headOf(call);
  const outcome = await session.subscribe(path, since);
  if (outcome === "gone") throw gone();
  if (outcome === "full")
    throw new RpcError(RPC_ERRORS.invalidParams, `a session has at most ${MCP_LIMITS.subscriptions} subscriptions`);
}

export async function unsubscribe(call: McpCall, path: string): Promise<void> {
  if ((await required(call).unsubscribe(path)) === "gone") throw gone();
}

function required({ env, name, visitor, session }: McpCall): DurableObjectStub<McpSessionObject> {
  if (session !== null) return sessionOf(env, sessionKey(name, visitor, session));
  throw new RpcError(RPC_ERRORS.refused, "subscriptions need a session: send the Mcp-Session-Id that initialize gave");
}

function gone(): RpcError {
  return new RpcError(RPC_ERRORS.sessionNotFound, "there is no such session");
}

/** The first thing that a live feed says is where it starts. */
async function headOf({ env, name }: McpCall): Promise<string | null> {
  const { webSocket } = await objectOf(env, name).fetch(feedRequest({ path: ROOT }));
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
