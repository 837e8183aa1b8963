/** The authenticated caller of a request: its actor for the log, its scope, and the key of its rate limit. */
import type { Scope } from "../api/session.ts";

export interface Principal {
  /** For the change log. */
  actor: string;
  authMethod: "local" | "token" | "cookie";
  scope: Scope;
  /** Of the token; "" for the owner's secret and in local mode. */
  tokenId: string;
  /** The same for all requests with one token and with tokens that derive from it; null: not limited. */
  rateLimitKey: string | null;
}

export const FULL_SCOPE: Scope = { readOnly: false };
