/** Who a request says it is, below who it is. */
import type { Identity } from "@cloudflare/workspace";
import { ACTOR_HEADER, CALL_HEADER } from "../api/session.ts";
import type { Visitor } from "../auth/visitor.ts";

/** For what is done in the object without `getWorkspace`. */
export function identityOf(request: Request, { actor }: Visitor): { actor: string; callId?: string } {
  const { actor: said, callId } = saidIdentity(request);
  return { actor: said === undefined ? actor : `${actor}/${said}`, ...(callId === undefined ? {} : { callId }) };
}

export function saidIdentity({ headers }: Request): Identity {
  return { actor: headers.get(ACTOR_HEADER) ?? undefined, callId: headers.get(CALL_HEADER) ?? undefined };
}
