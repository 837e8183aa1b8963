/** What answers a question. It checks every field itself: whoever asks may be anybody who has the secret. */
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
