/** Handler of one request type. It validates every field itself: any client with the secret can send it. */
import type { Daemon } from "../daemon.ts";
import type { ProcessSubscriptions } from "./process-subscriptions.ts";

export interface VerbContext {
  readonly daemon: Daemon;
  readonly readers: ProcessSubscriptions;
}

export interface VerbResult {
  header: object;
  body?: Uint8Array | readonly Uint8Array[];
}

export type SessionVerb = (
  context: VerbContext,
  header: Record<string, unknown>,
  body: Uint8Array,
) => VerbResult | Promise<VerbResult>;
