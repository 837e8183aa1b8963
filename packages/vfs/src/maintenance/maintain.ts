/**
 * `maintain` does a few steps and returns when it is next due; only the host's alarm calls it. `gc` continues until nothing is due,
 * and lets requests run between steps. Budgets are counted in steps: a Worker's clock stands still between I/O.
 */
import type { gcOptions, maintainOptions, OptionsOf } from "@workspace/protocol";
import { optionsOf } from "../api/options.ts";
import { hasQueued } from "../store/gc.ts";
import type { VolumeStore } from "../volume/views.ts";
import { nextDue } from "./due.ts";
import { gcStep } from "./gc-step.ts";

/** Retry interval for queued contents that are still read or open. */
const RETRY_QUEUED = 60_000_000;

export interface MaintainOptions extends OptionsOf<typeof maintainOptions> {}

export interface MaintainResult {
  more: boolean;
  /**
   * Milliseconds since 1970; null when nothing becomes due without a change. A later change can bring it forward: see `nextDue`.
   */
  nextDueMs: number | null;
}

export async function maintain(volume: VolumeStore, options?: MaintainOptions): Promise<MaintainResult> {
  const { budget = 1 } = optionsOf<MaintainOptions>("maintain", options);
  volume.ensureOpen();
  let more = true;
  for (let step = 0; more && step < budget; step++) {
    if (step > 0) await yieldToRequests(volume);
    more = gcStep(volume.ensureOpen(), volume.retention);
  }
  if (more) return { more, nextDueMs: volume.now() / 1000 };
  const times = [nextDue(volume), hasQueued(volume.db) ? volume.now() + RETRY_QUEUED : null];
  const due = times.filter((time) => time !== null);
  return { more, nextDueMs: due.length === 0 ? null : Math.min(...due) / 1000 };
}

export interface GcOptions extends OptionsOf<typeof gcOptions> {}

export interface GcResult {
  steps: number;
  /** Size of the database before and after; SQLite reuses freed pages first. */
  bytesBefore: number;
  bytesAfter: number;
}

export async function gc(volume: VolumeStore, options?: GcOptions): Promise<GcResult> {
  const { retention } = optionsOf<GcOptions>("gc", options);
  const retained = { ...volume.ensureOpen().retention, ...retention };
  const bytesBefore = volume.db.bytes;
  let steps = 0;
  while (gcStep(volume.ensureOpen(), retained)) {
    steps++;
    await yieldToRequests(volume);
  }
  return { steps, bytesBefore, bytesAfter: volume.db.bytes };
}

async function yieldToRequests({ db, overwritten }: VolumeStore): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 0));
  await overwritten.commit(db);
}
