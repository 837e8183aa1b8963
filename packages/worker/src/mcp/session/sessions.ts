/** Sessions from the Worker's side. A session belongs to one workspace: under another one's address there is no such session. */
import type { Env } from "../../env.ts";
import { feedRequest } from "../../live/live-feed.ts";
import { objectOf } from "../../object-of.ts";
import { ROOT } from "../../path/workspace-path.ts";
import { MCP_LIMITS } from "../limits.ts";
import type { McpCall } from "../mcp-call.ts";
import { RPC_ERRORS, RpcError } from "../rpc/protocol.ts";
import type { McpSessionObject } from "../session-object.ts";

export function sessionOf(env: Env, name: string, session: string): DurableObjectStub<McpSessionObject> {
  return env.MCP_SESSION.get(env.MCP_SESSION.idFromName(`${name}/${session}`));
}

export async function openSession(env: Env, name: string): Promise<string> {
  const session = crypto.randomUUID();
  await sessionOf(env, name, session).open();
  return session;
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

function required({ env, name, session }: McpCall): DurableObjectStub<McpSessionObject> {
  if (session !== null) return sessionOf(env, name, session);
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
