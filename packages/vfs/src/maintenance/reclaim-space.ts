/**
 * Drops history before a write fails for lack of space: the oldest entries first, an eighth of them at a time, with the contents
 * that only they retain. What a pinned snapshot needs stays. If the bytes still do not fit, it fails with ENOSPC, and nothing was
 * written.
 */
import { FsError } from "../api/errors.ts";
import { countSnapshots } from "../store/snapshots.ts";
import type { VolumeStore } from "../volume/views.ts";
import { gcStep } from "./gc-step.ts";

/** Steps of `limits.gcStepRows` rows that one write may wait for. */
const MAX_STEPS = 6000;
const SHARE = 7 / 8;

/** Returns whether any history was dropped. */
export function reclaimSpace(volume: VolumeStore, bytes: number): boolean {
  const max = volume.limits.databaseBytes;
  const fits = () => volume.db.bytes + bytes <= max;
  if (fits()) return false;
  let steps = 0;
  while (!fits() && steps < MAX_STEPS) {
    const entries = Math.floor((volume.revisions.head - volume.revisions.oldest) * SHARE);
    const retained = { days: Number.POSITIVE_INFINITY, entries, bytes: Number.POSITIVE_INFINITY };
    const before = steps;
    while (steps < MAX_STEPS && gcStep(volume, retained)) steps++;
    if (steps === before) break;
  }
  if (fits()) return true;
  const snapshots = countSnapshots(volume.db);
  throw new FsError("ENOSPC", {
    syscall: "write",
    reason:
      snapshots === 0
        ? "no space left, and no history left to give up"
        : `no space left; ${snapshots} snapshots keep the history that could be removed`,
  });
}
