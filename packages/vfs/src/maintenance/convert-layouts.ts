/**
 * Converts the old format of large contents, a list of all runs for every version of a file, into trees that share nodes. Lists of
 * one family become a chain in the order of their creation. That order is not always the derivation: after an undo a list may name
 * a row again that the previous one had dropped. There a new chain begins, and the rows that it has in common with earlier lists
 * are counted as shared. No tree is freed until all lists are converted.
 */
import { END, type Extent, extentsOf, homeOf, rowSpan } from "../content/extent.ts";
import { Nodes } from "../content/tree.ts";
import { TreeEditor } from "../content/tree-editor.ts";
import { addShares, selectLengths } from "../store/contents.ts";
import {
  deleteOldLayouts,
  hasOldLayouts,
  keepConverted,
  type OldLayout,
  selectConverted,
  selectListAfter,
  selectNextFamily,
  selectOldLayout,
} from "../store/layouts.ts";
import { insertNodes } from "../store/nodes.ts";
import type { VolumeStore } from "../volume/views.ts";

const LISTS_PER_STEP = 4;
/** Approximate number of nodes read per step: a list had at most 4096 runs, which are 130 nodes. */
const NODES_PER_STEP = 100;
/** Lists of a converted family that are removed per step. */
const REMOVED_PER_STEP = 400;

/** Converts some of them; false when there were none. */
export function convertLayouts(volume: VolumeStore): boolean {
  const { db } = volume;
  if (!hasOldLayouts(db)) return false;
  const nodes = new Nodes(db, "empty");
  for (let i = 0; i < LISTS_PER_STEP && nodes.reads < NODES_PER_STEP; i++) {
    const done = selectConverted(db) ?? { family: 0, last: 0 };
    const layout = selectOldLayout(db, done.family, done.last);
    if (layout !== null) {
      convert(volume, nodes, layout, done.last);
      keepConverted(db, { family: layout.family, last: layout.id });
      continue;
    }
    if (deleteOldLayouts(db, done.family, REMOVED_PER_STEP) > 0) return true;
    const family = selectNextFamily(db, done.family);
    if (family === null) break;
    keepConverted(db, { family, last: 0 });
  }
  return true;
}

/** `before`: the previously converted list of the same family; 0: this is the first. */
function convert(volume: VolumeStore, nodes: Nodes, layout: OldLayout, before: number): void {
  const { db, limits } = volume;
  const extents = extentsOf(layout.runs, 0);
  const change = changeBetween(before === 0 ? [] : extentsIn(nodes, before), extents);
  const replaced = homesOf(change.replaced);
  const wasNamed = (row: number, home: number) => {
    // A list has a higher number than all its rows: a row newer than the previous list is named for the first time.
    if (row > before || before === 0) return false;
    const end = home + (selectLengths(db, [row]).get(row) ?? 0);
    const isNamedIn = (root: number) => nodes.names(root, row, home, end);
    if (isNamedIn(before)) return "before";
    let root = selectListAfter(db, layout.family, row);
    while (root !== null && root < layout.id && !isNamedIn(root)) root = selectListAfter(db, layout.family, root);
    return root !== null && root < layout.id && "earlier";
  };
  const continued = [...homesOf(change.extents)].every(
    ([row, home]) => replaced.has(row) || wasNamed(row, home) !== "earlier",
  );
  const editor = new TreeEditor(nodes, limits.nodeEntries, continued ? before : 0);
  if (continued) editor.replace(change.from, change.to, change.extents);
  else {
    editor.replace(0, END, extents);
    const common = [...homesOf(extents)].filter(([row, home]) => wasNamed(row, home));
    addShares(db, new Map(common.map(([row]) => [row, 1])));
  }
  insertNodes(db, editor.finish(() => volume.allocateContentIds(1), layout.id).nodes);
}

function extentsIn(nodes: Nodes, root: number): Extent[] {
  return Array.from(nodes.stretches(root, 0, END), ({ extent }) => extent);
}

interface LayoutChange {
  readonly from: number;
  readonly to: number;
  readonly replaced: readonly Extent[];
  readonly extents: readonly Extent[];
}

/** The smallest change from one list of extents to the other. The next extent determines where one ends. */
function changeBetween(old: readonly Extent[], next: readonly Extent[]): LayoutChange {
  const max = Math.min(old.length, next.length);
  let same = 0;
  while (same < max && isSame(old[same], next[same])) same++;
  const head = Math.max(0, same - 1);
  let tail = 0;
  while (tail < max - head && isSame(old.at(-1 - tail), next.at(-1 - tail))) tail++;
  const to = tail === 0 ? END : (next.at(-tail) as Extent)[0];
  const [replaced, extents] = [old, next].map((list) => list.slice(head, list.length - tail)) as [Extent[], Extent[]];
  return { from: next[head]?.[0] ?? 0, to, replaced, extents };
}

function isSame(a: Extent | undefined, b: Extent | undefined): boolean {
  return a !== undefined && b !== undefined && a.length === b.length && a.every((part, i) => part === b[i]);
}

function homesOf(extents: readonly Extent[]): Map<number, number> {
  const homes = new Map<number, number>();
  for (const extent of extents) {
    const span = rowSpan(extent, extent[0], END);
    if (span === null) continue;
    for (let row = span[0]; row <= span[1]; row++) homes.set(row, homeOf(extent, row));
  }
  return homes;
}
