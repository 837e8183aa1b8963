/**
 * `snapshots.restore`: reverts every entry since a point in time, so that the tree is what it was, inode by inode. The cost depends
 * on the changes since, not on the size. With `paths`, only what is at and under them.
 */

import { FsError } from "../../api/errors.ts";
import type { PointInTime, RestoreOptions, RevertResult } from "../../api/history.ts";
import { historyLimits } from "../../api/limits.ts";
import { Mutation } from "../../mutation/mutation.ts";
import { revertible } from "../../policy/private-files.ts";
import { selectEntriesBack } from "../../store/log-reader.ts";
import type { LogRow } from "../../store/log-row.ts";
import type { ReadView } from "../../volume/views.ts";
import type { HistoryContext } from "../history-context.ts";
import { plainPath } from "../log/log.ts";
import { pastView } from "../past/past-views.ts";
import { resolvePointInTime } from "../past/point-in-time.ts";
import { restorePaths } from "./restore-paths.ts";
import { type Pages, revert, reverted } from "./revert.ts";

export function restore(ctx: HistoryContext, moment: PointInTime, options: RestoreOptions): RevertResult {
  const volume = ctx.volume.ensureOpen();
  const { dryRun = false, paths } = options;
  const rev = resolvePointInTime(volume, moment, "restore");
  if (paths === undefined)
    return revert(ctx, entriesSince(volume, rev), { syscall: "restore", dryRun, partial: false });
  if (!Array.isArray(paths) || paths.length === 0)
    throw new FsError("EINVAL", { syscall: "restore", reason: "paths must be a list of paths" });
  const first = volume.revisions.head + 1;
  const mutation = new Mutation(volume, ctx.identity);
  const past = pastView(volume, rev).ensureOpen();
  const { changes, conflicts, retained } = restorePaths(mutation, past, outermost(paths), ctx.stores);
  if (!dryRun) mutation.commit();
  return reverted(volume, first, changes, conflicts, retained);
}

function* entriesSince(volume: ReadView, rev: number): Pages {
  let through = volume.revisions.head;
  for (;;) {
    const page = selectEntriesBack(volume.store.db, rev, through, historyLimits.readPage);
    yield revertible(
      volume,
      page.map((entry) => ({ entry, matched: true })),
    );
    if (page.length < historyLimits.readPage) return;
    through = (page.at(-1) as LogRow).rev - 1;
  }
}

/** A path under another one is restored with it. */
function outermost(paths: readonly string[]): string[] {
  const plain = [...new Set(paths.map((path) => plainPath(path, "restore")))];
  return plain.filter(
    (path) => !plain.some((other) => other !== path && (other === "/" || path.startsWith(`${other}/`))),
  );
}
