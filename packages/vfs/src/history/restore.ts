/**
 * `snapshots.restore`: every entry since a moment taken back, so that the tree is what it was, inode by inode. It costs what has
 * changed since, not what there is.
 */
import type { FsContext } from "../context.ts";
import { historyLimits } from "../limits.ts";
import { type PastEntry, selectEntriesBack } from "../store/past.ts";
import type { Volume } from "../volume.ts";
import type { Moment, Reverted } from "./history.ts";
import { revisionAt } from "./moment.ts";
import { type Pages, revert } from "./revert.ts";

export interface RestoreOptions {
  paths?: readonly string[];
  dryRun?: boolean;
}

export function restore(ctx: FsContext, moment: Moment, options: RestoreOptions = {}): Reverted {
  const volume = ctx.volume.open();
  const { dryRun } = options ?? {};
  const rev = revisionAt(volume, moment, "restore");
  return revert(ctx, entriesSince(volume, rev), { syscall: "restore", dryRun, partial: false });
}

function* entriesSince(volume: Volume, rev: number): Pages {
  let through = volume.headRev;
  for (;;) {
    const page = selectEntriesBack(volume.db, rev, through, historyLimits.readPage);
    yield page.map((entry) => ({ entry, matched: true }));
    if (page.length < historyLimits.readPage) return;
    through = (page.at(-1) as PastEntry).rev - 1;
  }
}
