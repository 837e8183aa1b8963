/**
 * `maintain` does a few steps and says when it is next due: the host's alarm calls it, never we. `gc` goes on until nothing is
 * due, letting requests in between steps. Budgets are counted in steps: a Worker's clock stands still between I/O.
 */
import type { Retention } from "../limits.ts";
import type { Volume } from "../volume.ts";
import { collectStep, logDue } from "./collect-step.ts";

export interface MaintainOptions {
  /** Steps of at most `limits.collectRows` rows each; default 1. */
  budget?: number;
}

export interface MaintainResult {
  more: boolean;
  /** Milliseconds since 1970; null when nothing will be due by itself. */
  nextDueMs: number | null;
}

export async function maintain(volume: Volume, { budget = 1 }: MaintainOptions = {}): Promise<MaintainResult> {
  volume.open();
  let more = true;
  for (let step = 0; more && step < budget; step++) {
    if (step > 0) await yieldToRequests();
    more = collectStep(volume.open(), volume.retention);
  }
  if (more) return { more, nextDueMs: volume.now() / 1000 };
  const { at } = logDue(volume, volume.retention);
  return { more, nextDueMs: at === null ? null : at / 1000 };
}

export interface GcOptions {
  /** Instead of the volume's own: `{ entries: 0 }` gives up the past. */
  retention?: Partial<Retention>;
}

export interface GcResult {
  steps: number;
  /** Size of the database before and after; SQLite gives freed pages back to itself first. */
  bytesBefore: number;
  bytesAfter: number;
}

export async function gc(volume: Volume, { retention }: GcOptions = {}): Promise<GcResult> {
  const kept = { ...volume.open().retention, ...retention };
  const bytesBefore = volume.db.bytes;
  let steps = 0;
  while (collectStep(volume.open(), kept)) {
    steps++;
    await yieldToRequests();
  }
  return { steps, bytesBefore, bytesAfter: volume.db.bytes };
}

function yieldToRequests(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}
