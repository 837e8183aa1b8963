/** What answers a question. It checks every field itself: whoever asks may be anybody who has the secret. */
import type { Daemon } from "../daemon.ts";
import type { Readers } from "./readers.ts";

export interface VerbContext {
  readonly daemon: Daemon;
  readonly readers: Readers;
}

export interface Answer {
  header: object;
  body?: Uint8Array | readonly Uint8Array[];
}

export type Verb = (
  context: VerbContext,
  header: Record<string, unknown>,
  body: Uint8Array,
) => Answer | Promise<Answer>;
