/**
 * Handles inodes that should get an old name back but were moved by others since. With force, the inode loses the name that they
 * gave it. Otherwise this is a conflict with their entry, or with the last entry that touched it if no single entry moved it.
 */

import type { LogRow } from "../../store/log-row.ts";
import { isDirectory } from "../../tree/inode.ts";
import type { DentryChange, RevertSet } from "./revert-set.ts";

export interface MovedByOthers {
  /** The names that change, including those removed by force. */
  readonly changed: readonly DentryChange[];
  readonly elsewhere: ReadonlyMap<number, LogRow | null>;
}

export function findMovedByOthers(cells: RevertSet, force: boolean): MovedByOthers {
  const changed = cells.changedSlots();
  const elsewhere = new Map<number, LogRow | null>();
  const lost = new Set(changed.map(({ now }) => now));
  for (const { target, oldest } of [...changed]) {
    const inode = target === 0 ? undefined : cells.inodes.get(target)?.inode;
    if (inode === undefined || elsewhere.has(target)) continue;
    const movedAway = oldest?.op === "rename" && oldest.ino === target;
    const taken = movedAway ? cells.takenFrom(oldest) : null;
    const stays = (isDirectory(inode) ? inode.parent !== 0 : inode.nlink > 0) && !lost.has(target);
    // A directory has one name; a file may have several, and gets one more.
    if (taken === null && !(isDirectory(inode) && stays)) continue;
    if (!force) elsewhere.set(target, taken);
    else if (stays) {
      const left = cells.leave(target);
      if (left === null) elsewhere.set(target, taken);
      else changed.push(left);
      lost.add(target);
    }
  }
  return { changed: giveDirectoriesOneName(cells, changed, elsewhere, force), elsewhere };
}

/** Others may have moved a directory between two chosen entries, each of which would restore a different name. */
function giveDirectoriesOneName(
  cells: RevertSet,
  changed: readonly DentryChange[],
  elsewhere: Map<number, LogRow | null>,
  force: boolean,
): readonly DentryChange[] {
  const surplus = new Set<DentryChange>();
  for (const [target, slots] of Map.groupBy(changed, (slot) => slot.target)) {
    if (slots.length < 2 || !cells.isDirectory(target) || elsewhere.has(target)) continue;
    if (!force) elsewhere.set(target, null);
    const [, ...others] = slots.toSorted((a, b) => (a.oldest?.rev ?? 0) - (b.oldest?.rev ?? 0));
    for (const slot of others) surplus.add(slot);
  }
  return changed.filter((slot) => !surplus.has(slot));
}
