/** `history.use`: the space that history uses, and how far back it reaches. */

import type { HistoryUsage } from "../../api/history.ts";
import { selectLogTail } from "../../store/log.ts";
import { sumHistory } from "../../store/purge.ts";
import { countSnapshots } from "../../store/snapshots.ts";
import type { ReadView } from "../../volume/views.ts";
import { firstRevision } from "../past/point-in-time.ts";

export function historyUsage(volume: ReadView): HistoryUsage {
  const { store, revisions } = volume.ensureOpen();
  const { db } = store;
  const tail = selectLogTail(db);
  return {
    bytes: sumHistory(db, "/", revisions.head),
    entries: tail === null ? 0 : revisions.head - tail.rev + 1,
    oldest: revisions.format(Math.max(revisions.oldest, firstRevision(volume))),
    oldestMs: tail === null ? null : tail.time / 1000,
    snapshots: countSnapshots(db),
  };
}
