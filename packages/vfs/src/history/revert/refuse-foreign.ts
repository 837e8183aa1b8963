/** An undo may permanently remove only what the chosen entries made: any later change by others is a conflict. */

import { historyLimits } from "../../api/limits.ts";
import { selectForeign } from "../../store/touched.ts";
import { isDirectory } from "../../tree/inode.ts";
import type { ReadView } from "../../volume/views.ts";
import type { Conflicts } from "./conflicts.ts";
import type { Placement } from "./placement.ts";
import type { DentryChange, RevertSet } from "./revert-set.ts";

export function refuseForeign(
  volume: ReadView,
  cells: RevertSet,
  placement: Placement,
  slots: readonly DentryChange[],
  conflicts: Conflicts,
): void {
  refuseOverwritten(cells, placement, conflicts);
  const heads = new Map<number, { since: number; path: string }>();
  for (const slot of slots) {
    const { now, newest, parent } = slot;
    const going = cells.inodes.get(now);
    if (going === undefined || placement.willExist(going) || placement.before.path(parent) === null) continue;
    // What it contained when the chosen entries restored it is again where it was before them.
    const since = cells.created.has(now) ? now : (newest?.rev ?? 1);
    heads.set(now, { since: since - 1, path: placement.pathOf(slot) });
  }
  const suspects = [...heads].filter(([ino]) => {
    const inode = cells.inodes.get(ino)?.inode;
    return inode !== undefined && (isDirectory(inode) || !cells.chosen.has(inode.rev));
  });
  // Changes by others in directories that the chosen entries made have been read along with those.
  if (cells.createdUntouched && suspects.every(([ino]) => cells.created.has(ino))) return;
  const requested = suspects.map(([ino, { since }]) => [ino, since] as const);
  for (const { head, relative, ino, rev } of selectForeign(
    volume.store.db,
    requested,
    [...cells.chosen],
    historyLimits.reportedChanges,
  )) {
    if (placement.gains.has(ino)) continue;
    conflicts.laterAt(`${heads.get(head)?.path ?? ""}${relative}`, rev, "it was changed later");
  }
}

/**
 * Files that the chosen entries made, others wrote to, and the chosen entries touched again: the last revision does not show it.
 */
function refuseOverwritten(cells: RevertSet, placement: Placement, conflicts: Conflicts): void {
  for (const ino of cells.created) {
    const write = cells.othersWrite(ino);
    const created = cells.inodes.get(ino);
    if (write === null || created === undefined || !cells.chosen.has(created.inode.rev)) continue;
    if (placement.exists(created) && !placement.willExist(created)) conflicts.later(placement.pathOfInode(ino), write);
  }
}
