/** Who a request says it is, below who it is: for what is done in the object without `getWorkspace`. */
import { ACTOR_HEADER, CALL_HEADER } from "../api/session.ts";
import type { Visitor } from "../auth/visitor.ts";

export function identityOf({ headers }: Request, { actor }: Visitor): { actor: string; callId?: string } {
  const said = headers.get(ACTOR_HEADER);
  const callId = headers.get(CALL_HEADER);
  return { actor: said === null ? actor : `${actor}/${said}`, ...(callId === null ? {} : { callId }) };
}
