/** Session objects by name. The name includes workspace and principal: a session does not exist for anyone else. */
import type { Principal } from "../auth/principal.ts";
import { OWNER, type SessionKey } from "./session-index.ts";
import type { McpSessionObject } from "./session-object.ts";

export interface SessionEnv {
  MCP_SESSION: DurableObjectNamespace<McpSessionObject>;
}

export function sessionKey(workspace: string, { tokenId, rateLimitKey }: Principal, id: string): SessionKey {
  if (tokenId === "" || rateLimitKey === null) return { workspace, principal: OWNER, group: OWNER, id };
  return { workspace, principal: tokenId, group: rateLimitKey, id };
}

export function sessionStub(
  { MCP_SESSION: namespace }: SessionEnv,
  { workspace, principal, id }: SessionKey,
): DurableObjectStub<McpSessionObject> {
  return namespace.get(namespace.idFromName(`${workspace}/${principal}/${id}`));
}

/** The object that counts the workspace's sessions. */
export function indexOf(
  { MCP_SESSION: namespace }: SessionEnv,
  workspace: string,
): DurableObjectStub<McpSessionObject> {
  return namespace.get(namespace.idFromName(workspace));
}
