/** Makes a plan and applies it as one mutation: the common part of undo and restore. Nothing here awaits. */

import { FsError } from "../../api/errors.ts";
import type { Conflict, Kept, RevertedChange, RevertResult } from "../../api/history.ts";
import { historyLimits } from "../../api/limits.ts";
import { Mutation } from "../../mutation/mutation.ts";
import type { LogRow } from "../../store/log-row.ts";
import { compareNames } from "../../tree/path.ts";
import { type FsContext, mutateOnce } from "../../volume/context.ts";
import type { ReadView } from "../../volume/views.ts";
import { applyPlan } from "./apply-plan.ts";
import { bringBackStored } from "./bring-back-stored.ts";
import { collectRevertSet } from "./collect-revert-set.ts";
import { PURGED_REASON } from "./conflicts.ts";
import { makePlan, type PlanOptions, type RevertPlan } from "./revert-plan.ts";
import type { StorePolicy } from "./store-policy.ts";

export interface RevertOptions extends PlanOptions {
  readonly syscall: "undo" | "restore";
  readonly dryRun?: boolean | undefined;
}

export type Pages = Iterable<readonly { readonly entry: LogRow; readonly matched: boolean }[]>;

export function revert(ctx: FsContext, pages: Pages, options: RevertOptions): RevertResult {
  const volume = ctx.volume.ensureOpen();
  const { syscall, dryRun = false, force = false } = options;
  const plan = makePlan(volume, collectRevertSet(volume, pages), options);
  if (plan.slots.length + plan.inodes.length > volume.limits.bulkEntries)
    throw new FsError("EFBIG", { syscall, reason: `more than ${volume.limits.bulkEntries} changes to take back` });
  // A restore does what it can, and reports the rest in its answer.
  if (plan.conflicts.length > 0 && syscall === "undo" && !force && !dryRun)
    throw conflictError(syscall, plan.conflicts, plan.slots.length + plan.inodes.length > 0);
  const first = volume.revisions.head + 1;
  const apply = (mutation: Mutation) => applyAll(mutation, plan, options.stores);
  // A dry run does everything except the commit.
  const changes = dryRun ? apply(new Mutation(volume, ctx.identity)) : mutateOnce(ctx, apply);
  return reverted(volume, first, changes, plan.conflicts, plan.retained);
}

/** `first`: the revision of its first entry, if there is one. */
export function reverted(
  volume: ReadView,
  first: number,
  changes: readonly RevertedChange[],
  conflicts: readonly Conflict[],
  retained: readonly Kept[],
): RevertResult {
  const sorted = changes.toSorted((a, b) => compareNames(a.path, b.path));
  return {
    changes: sorted.slice(0, historyLimits.reportedChanges),
    total: changes.length,
    conflicts: [...conflicts],
    ...(retained.length === 0 ? {} : { kept: [...retained] }),
    group: volume.revisions.head >= first ? first : null,
    cursor: volume.revisions.format(volume.revisions.head),
  };
}

function applyAll(mutation: Mutation, plan: RevertPlan, policy: StorePolicy | undefined): RevertedChange[] {
  const changes = applyPlan(mutation, plan);
  const { needed, since } = plan.stores;
  if (policy !== undefined)
    for (const store of needed) changes.push(...bringBackStored(mutation, store, since, policy));
  return changes;
}

/** `hasRest`: there are changes to revert besides the conflicts. */
export function conflictError(syscall: string, conflicts: readonly Conflict[], hasRest = true): FsError {
  const first = conflicts[0];
  const more = conflicts.length > 1 ? ` (and ${conflicts.length - 1} more)` : "";
  return new FsError("ECONFLICT", {
    syscall,
    ...(first === undefined ? {} : { path: first.path }),
    reason: `${first?.reason ?? "later changes"}${more}; ${adviceFor(conflicts, hasRest)}`,
    conflicts,
  });
}

function adviceFor(conflicts: readonly Conflict[], hasRest: boolean): string {
  if (conflicts.some(({ reason }) => reason !== PURGED_REASON)) return "undo that first, or pass force or merge";
  return hasRest ? "pass force to undo the rest" : "there is nothing else to undo";
}
