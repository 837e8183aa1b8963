/**
 * The open sessions of a workspace and their principals, to limit their number. A token that opens too many, itself or through
 * tokens that derive from it, ends its own least recently used one. A workspace with too many refuses the next, except to its owner, whom narrower tokens must not lock out.
 */
import { MCP_LIMITS } from "./limits.ts";

export interface SessionKey {
  workspace: string;
  /** The principal that opened it; no other token finds it. */
  principal: string;
  /** The principals that share one number of sessions: a token, and the tokens that derive from it. */
  group: string;
  id: string;
}

/** The principal of the deployment's secret and of local mode. */
export const OWNER = "owner";

interface OpenSession {
  principal: string;
  group: string;
  seenMs: number;
}

/** Admitted, with the sessions of the same group that it evicts; or refused because the workspace has too many. */
export type Admission = { ends: { id: string; principal: string }[] } | "full";

export async function admitSession(storage: DurableObjectStorage, key: SessionKey, nowMs: number): Promise<Admission> {
  const open = await storage.list<OpenSession>();
  for (const [id, { seenMs }] of open) {
    if (nowMs - seenMs < 2 * MCP_LIMITS.sessionIdleMs) continue;
    open.delete(id);
    await storage.delete(id);
  }
  const own = [...open].filter(([, { group }]) => group === key.group);
  own.sort(([, a], [, b]) => a.seenMs - b.seenMs);
  const isFull = open.size >= MCP_LIMITS.sessionsOfWorkspace && key.group !== OWNER;
  if (isFull && own.length === 0) return "full";
  const surplus = Math.max(own.length + 1 - MCP_LIMITS.sessionsOfPrincipal, isFull ? 1 : 0);
  const ends = own.slice(0, Math.max(0, surplus)).map(([id, { principal }]) => ({ id, principal }));
  for (const { id } of ends) await storage.delete(id);
  await storage.put<OpenSession>(key.id, { principal: key.principal, group: key.group, seenMs: nowMs });
  return { ends };
}
