/** Makes a plan, and carries it out as one mutation: what an undo and a restore have in common. Nothing here awaits. */
import { type FsContext, mutate } from "../context.ts";
import { FsError } from "../errors.ts";
import { historyLimits } from "../limits.ts";
import { Mutation } from "../mutation/mutation.ts";
import { compareNames } from "../path.ts";
import type { PastEntry } from "../store/past-entry.ts";
import type { Volume } from "../volume.ts";
import { applyPlan } from "./apply-plan.ts";
import { gatherCells } from "./gather-cells.ts";
import type { Conflict, Reversal, Reverted } from "./history.ts";
import { makePlan, type PlanOptions } from "./plan.ts";

export interface RevertOptions extends PlanOptions {
  readonly syscall: string;
  readonly dryRun?: boolean | undefined;
}

export type Pages = Iterable<readonly { readonly entry: PastEntry; readonly matched: boolean }[]>;

export function revert(ctx: FsContext, pages: Pages, options: RevertOptions): Reverted {
  const { volume } = ctx;
  const { syscall, dryRun = false, force = false, partial } = options;
  const plan = makePlan(volume.open(), gatherCells(volume, pages), options);
  if (plan.slots.length + plan.inodes.length > volume.limits.bulkEntries)
    throw new FsError("EFBIG", { syscall, reason: `more than ${volume.limits.bulkEntries} changes to take back` });
  if (plan.conflicts.length > 0 && partial && !force && !dryRun) throw conflictError(syscall, plan.conflicts);
  const first = volume.headRev + 1;
  const changes = dryRun ? rehearse(ctx, plan) : mutate(ctx, (mutation) => applyPlan(mutation, plan));
  return reverted(volume, first, changes, plan.conflicts);
}

/** `first`: the revision that the first entry of it has, if there is one. */
export function reverted(
  volume: Volume,
  first: number,
  changes: readonly Reversal[],
  conflicts: readonly Conflict[],
): Reverted {
  const sorted = changes.toSorted((a, b) => compareNames(a.path, b.path));
  return {
    changes: sorted.slice(0, historyLimits.named),
    total: changes.length,
    conflicts: [...conflicts],
    group: volume.headRev >= first ? first : null,
    cursor: volume.versionOf(volume.headRev),
  };
}

/** All of it, but for the commit. */
function rehearse(ctx: FsContext, plan: ReturnType<typeof makePlan>): ReturnType<typeof applyPlan> {
  const mutation = new Mutation(ctx.volume, ctx.identity);
  return applyPlan(mutation, plan);
}

export function conflictError(
  syscall: string,
  conflicts: Reverted["conflicts"] | readonly Reverted["conflicts"][number][],
): FsError {
  const first = conflicts[0];
  const more = conflicts.length > 1 ? ` (and ${conflicts.length - 1} more)` : "";
  return new FsError("ECONFLICT", {
    syscall,
    ...(first === undefined ? {} : { path: first.path }),
    reason: `${first?.reason ?? "later changes"}${more}; undo that first, or pass force or merge`,
    conflicts,
  });
}
