/** Returns the identity to log for a request: the authenticated actor, with the client's own name as a suffix. */
import type { Identity } from "@cloudflare/workspace";
import { ACTOR_HEADER, CALL_HEADER } from "../api/session.ts";
import type { Principal } from "../auth/principal.ts";

/** The client's identity, for work in the object without `getWorkspace`. */
export function loggedIdentity(request: Request, { actor }: Principal): { actor: string; callId?: string } {
  const { actor: reported, callId } = clientIdentity(request);
  return {
    actor: reported === undefined ? actor : `${actor}/${reported}`,
    ...(callId === undefined ? {} : { callId }),
  };
}

export function clientIdentity({ headers }: Request): Identity {
  return { actor: headers.get(ACTOR_HEADER) ?? undefined, callId: headers.get(CALL_HEADER) ?? undefined };
}
