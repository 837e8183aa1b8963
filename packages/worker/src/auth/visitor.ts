/** Who came in, as the door has found: what the log calls them, what they may do, and whose rate is counted. */
import type { Scope } from "../api/session.ts";

export interface Visitor {
  /** For the log of changes. */
  actor: string;
  via: "local" | "token" | "cookie";
  scope: Scope;
  /** The same for all requests with one token; null: not counted. */
  holder: string | null;
}

export const EVERYTHING: Scope = { readOnly: false };
