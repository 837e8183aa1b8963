/**
 * Finds where two points in time of one volume differ. Descends both trees at once, but only where the log between them has an
 * entry, so that the cost depends on the changes and not on the size. An inode that exists at both ends is the same file, wherever
 * it is.
 */

import { selectTouched } from "../../store/touched.ts";
import { type Inode, isDirectory, typeCode } from "../../tree/inode.ts";
import { joinPath } from "../../tree/path.ts";
import type { ReadView } from "../../volume/views.ts";
import { directoryEntries } from "../../walk/entries.ts";

export interface TreeDifference {
  readonly path: string;
  readonly from: Inode | null;
  readonly to: Inode | null;
}

/** One side: a volume and its revision. */
export interface End {
  readonly volume: ReadView;
  readonly rev: number;
}

export function* compareTrees(a: End, b: End, start: TreeDifference): Generator<TreeDifference> {
  const { subjects, entered } = touchedBetween(a, b);
  const pending: TreeDifference[] = [start];
  while (pending.length > 0) {
    const found = pending.pop() as TreeDifference;
    const { from, to } = found;
    const same = from !== null && from.ino === to?.ino;
    // A file that replaced another at the same path counts as changed for a reader of the path.
    const alike = from !== null && to !== null && typeCode(from) === typeCode(to);
    if (!alike) yield* sides(found);
    else if ((!same || subjects.has(from.ino)) && isChanged(from, to)) yield found;
    const goesOn = !same || entered.has(from.ino);
    if (goesOn) pending.push(...childDifferences(a.volume, b.volume, found).reverse());
  }
}

/** Inodes that entries between the two ends changed directly, and the directories below which something changed. */
export function touchedBetween(a: End, b: End): { subjects: ReadonlySet<number>; entered: ReadonlySet<number> } {
  const touched = selectTouched(a.volume.store.db, Math.min(a.rev, b.rev), Math.max(a.rev, b.rev));
  const entered = new Set<number>();
  for (const { volume } of [a, b]) markAbove(volume, touched.directories, entered);
  return { subjects: new Set(touched.subjects), entered };
}

/** A replaced inode counts as two differences: one removed and one added. */
function sides({ path, from, to }: TreeDifference): TreeDifference[] {
  return [...(from === null ? [] : [{ path, from, to: null }]), ...(to === null ? [] : [{ path, from: null, to }])];
}

function isChanged(from: Inode, to: Inode): boolean {
  const { content, size, mode, target } = from;
  return content !== to.content || size !== to.size || mode !== to.mode || target !== to.target;
}

function childDifferences(a: ReadView, b: ReadView, { path, from, to }: TreeDifference): TreeDifference[] {
  const names = new Map<string, { from: Inode | null; to: Inode | null }>();
  if (from !== null && isDirectory(from))
    for (const [name, inode] of directoryEntries(a, from.ino)) names.set(name, { from: inode, to: null });
  if (to !== null && isDirectory(to)) {
    for (const [name, inode] of directoryEntries(b, to.ino))
      names.set(name, { from: names.get(name)?.from ?? null, to: inode });
  }
  return [...names]
    .sort(([x], [y]) => (x < y ? -1 : 1))
    .map(([name, found]) => ({ path: joinPath(path, name), ...found }));
}

/** Adds directories and all their ancestors. */
function markAbove(volume: ReadView, directories: readonly number[], entered: Set<number>): void {
  const seen = new Set<number>();
  let level = [...directories];
  while (level.length > 0) {
    const next = new Set<number>();
    for (const inode of volume.cache.inodesOf(level)) {
      if (inode === null || seen.has(inode.ino)) continue;
      seen.add(inode.ino);
      entered.add(inode.ino);
      if (inode.parent !== 0) next.add(inode.parent);
    }
    level = [...next];
  }
}
