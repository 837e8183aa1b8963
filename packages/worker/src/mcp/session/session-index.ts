/**
 * Which sessions of a workspace are open, and whose: so that they can be limited. A principal that opens too many ends its own longest
 * unused one. A workspace that has too many refuses the next, except to its owner, who cannot be kept out by narrower tokens.
 */
import { MCP_LIMITS } from "../limits.ts";

export interface SessionKey {
  workspace: string;
  /** Who opened it; no other token finds it. */
  principal: string;
  id: string;
}

/** The principal of the deployment's secret and of local mode. */
export const OWNER = "owner";

interface OpenSession {
  principal: string;
  seenMs: number;
}

/** Admitted, with the sessions of the same principal that end for it; or the workspace has too many. */
export type Admission = { ends: string[] } | "full";

export async function admitSession(storage: DurableObjectStorage, key: SessionKey, nowMs: number): Promise<Admission> {
  const open = await storage.list<OpenSession>();
  for (const [id, { seenMs }] of open) {
    if (nowMs - seenMs < 2 * MCP_LIMITS.sessionIdleMs) continue;
    open.delete(id);
    await storage.delete(id);
  }
  const own = [...open].filter(([, { principal }]) => principal === key.principal);
  own.sort(([, a], [, b]) => a.seenMs - b.seenMs);
  const isFull = open.size >= MCP_LIMITS.sessionsOfWorkspace && key.principal !== OWNER;
  if (isFull && own.length === 0) return "full";
  const surplus = Math.max(own.length + 1 - MCP_LIMITS.sessionsOfPrincipal, isFull ? 1 : 0);
  const ends = own.slice(0, Math.max(0, surplus)).map(([id]) => id);
  for (const id of ends) await storage.delete(id);
  await storage.put<OpenSession>(key.id, { principal: key.principal, seenMs: nowMs });
  return { ends };
}
