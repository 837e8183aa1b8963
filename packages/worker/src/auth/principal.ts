/** The authenticated caller of a request: its actor for the log, its scope, and the key of its rate limit. */
import type { Scope } from "../api/session.ts";

export interface Principal {
  /** For the change log. */
  actor: string;
  authMethod: "local" | "token" | "cookie";
  scope: Scope;
  /** The same for all requests with one token; null: not limited. */
  rateLimitKey: string | null;
}

export const FULL_SCOPE: Scope = { readOnly: false };
