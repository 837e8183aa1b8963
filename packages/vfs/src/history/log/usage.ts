/** `history.use`: the space that history uses, and how far back it reaches. */

import type { HistoryUsage } from "../../api/history.ts";
import { selectLogTail } from "../../store/log.ts";
import { sumHistory } from "../../store/purge.ts";
import { countSnapshots } from "../../store/snapshots.ts";
import type { Volume } from "../../volume/volume.ts";
import { firstRevision } from "../past/point-in-time.ts";

export function historyUsage(volume: Volume): HistoryUsage {
  const { db, headRev } = volume.ensureOpen();
  const tail = selectLogTail(db);
  return {
    bytes: sumHistory(db, "/", headRev),
    entries: tail === null ? 0 : headRev - tail.rev + 1,
    oldest: volume.formatVersion(Math.max(volume.oldestRev, firstRevision(volume))),
    oldestMs: tail === null ? null : tail.time / 1000,
    snapshots: countSnapshots(db),
  };
}
