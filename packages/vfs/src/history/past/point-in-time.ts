/** Resolves a caller's point in time to a revision: a version or cursor, the id of a snapshot, or "now". */
import { FsError } from "../../api/errors.ts";
import { selectSnapshot } from "../../store/snapshots.ts";
import { parsePath } from "../../tree/path.ts";
import type { ReadView } from "../../volume/views.ts";

/** A revision whose state is still available; EGONE with the oldest available one, EINVAL for an invalid value. */
export function resolvePointInTime(volume: ReadView, moment: unknown, syscall: string): number {
  volume.ensureOpen();
  if (moment === "now") return volume.revisions.head;
  const rev = isSnapshotId(moment)
    ? snapshotRevision(volume, moment, syscall)
    : volume.revisions.parse(moment, syscall);
  if (rev < volume.revisions.oldest) throw goneBefore(volume, syscall, String(moment));
  return Math.max(rev, firstRevision(volume));
}

export function goneBefore(volume: ReadView, syscall: string, moment: string): FsError {
  return new FsError("EGONE", {
    syscall,
    path: moment,
    reason: "history no longer reaches back to this moment",
    oldest: volume.revisions.format(Math.max(volume.revisions.oldest, firstRevision(volume))),
  });
}

/** The revision that created the workspace root and its parents: there is no earlier state to view or restore. */
export function firstRevision(volume: ReadView): number {
  return 1 + parsePath(volume.store.root, "open").parts.length;
}

function isSnapshotId(value: unknown): value is string {
  return typeof value === "string" && value.startsWith("snap-");
}

function snapshotRevision(volume: ReadView, id: string, syscall: string): number {
  const found = selectSnapshot(volume.store.db, id);
  if (found === null) throw new FsError("ENOENT", { syscall, path: id, reason: "there is no such snapshot" });
  return found.rev;
}
