/** The live feed of the open workspace: one socket, many listeners. Changes that arrive together are delivered together. */
import { effect, signal } from "@preact/signals";
import type { ApiChange } from "@workspace/worker/api";
import { type FeedState, followChanges } from "../api/changes.ts";
import { workspace } from "./route.ts";
import { session } from "./session.ts";

export const feedState = signal<FeedState>("connecting");
/** Counts batches, for listeners that only need to know that something changed. */
export const feedRevision = signal(0);

export interface FeedListener {
  onChanges: (changes: readonly ApiChange[]) => void;
  /** Changes were missed: read everything again. */
  onLost?: () => void;
}

const listeners = new Set<FeedListener>();
const GATHER_MS = 60;
let gathered: ApiChange[] = [];
let waiting = false;

export function listen(listener: FeedListener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

effect(() => {
  const name = workspace.value;
  if (name === null || session.value.state !== "in") return;
  gathered = [];
  return followChanges(name, {
    onState: (state) => {
      feedState.value = state;
    },
    onChanges: (changes) => {
      gathered.push(...changes);
      if (!waiting) setTimeout(flushBatch, GATHER_MS);
      waiting = true;
    },
    onLost: () => {
      for (const listener of listeners) listener.onLost?.();
      feedRevision.value++;
    },
  });
});

function flushBatch(): void {
  waiting = false;
  const changes = gathered;
  gathered = [];
  for (const listener of listeners) listener.onChanges(changes);
  feedRevision.value++;
}
