/**
 * Computes when maintenance is due: by age, number of entries and bytes of the log, and for spools that an earlier incarnation left
 * unfinished. It reads only memory, so a host can call it after every commit.
 */
import type { Retention } from "../api/limits.ts";
import type { TailEntry } from "../store/log.ts";
import type { VolumeStore } from "../volume/views.ts";

const DAY = 24 * 60 * 60 * 1_000_000;

/** Microseconds since 1970, in the past when there is work already; null when nothing becomes due without another change. */
export function nextDue(volume: VolumeStore): number | null {
  const { logTail, retention } = volume.ensureOpen();
  const now = volume.now();
  if (volume.reservations.hasStale) return now;
  const { entry } = logTail;
  if (entry === null || entry.rev > logTail.pinnedRev) return null;
  if (isBeyond(volume, retention, entry)) return now;
  const at = expiry(retention, entry);
  return Number.isFinite(at) ? at : null;
}

/** Whether an entry exceeds the retention: too old, one of too many, or with later entries retaining too many bytes. */
export function isBeyond(volume: VolumeStore, retention: Retention, entry: TailEntry): boolean {
  return (
    volume.revisions.head - entry.rev + 1 > retention.entries ||
    volume.retainedBytes - entry.retainedBefore > retention.bytes ||
    expiry(retention, entry) <= volume.now()
  );
}

function expiry(retention: Retention, { time }: TailEntry): number {
  return time + retention.days * DAY;
}
