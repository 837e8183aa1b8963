/**
 * Finds the nodes and rows that one tree has and some others do not. Versions derived from one another share nodes, and a shared
 * node is not entered, so the cost is proportional to the difference. It runs from the end to the beginning and reports its
 * position, so that the collector can do a part and resume later.
 */
import type { Database } from "../db/database.ts";
import { selectLengths } from "../store/contents.ts";
import type { Child } from "../store/nodes.ts";
import { END, type Extent, homeOf, rowSpan } from "./extent.ts";
import { lastAt, type Nodes, type Stretch, stretchesOf } from "./tree.ts";

/** `position`: everything from there on has been reported. A row is reported once, where its first piece is. */
export interface ExtentDifference {
  readonly position: number;
  readonly nodes: readonly number[];
  readonly rows: readonly number[];
}

/** Trees are identified by their roots. The root itself, which no other tree has, is left out. */
export function* onlyIn(
  db: Database,
  nodes: Nodes,
  tree: number,
  others: readonly number[],
  { end = END, maxRows = 128 }: { end?: number; maxRows?: number } = {},
): Generator<ExtentDifference, void> {
  for (let position = end; position > 0; ) {
    const own: Child[] = [];
    let node = nodes.get(tree);
    let start = 0;
    let shared = false;
    while (node.level > 0) {
      const children = node.entries as readonly Child[];
      const child = children[lastAt(children, position - 1)];
      if (child === undefined) break;
      const { level } = node;
      start = child[0];
      shared = others.some((other) => hasChild(nodes, other, child, level));
      if (shared) break;
      own.push(child);
      node = nodes.get(child[1]);
    }
    let rows: number[] = [];
    if (!shared && node.level === 0) {
      const leaf = { extents: node.entries as readonly Extent[], start };
      const window = windowOf(nodes, leaf, others, position, maxRows);
      start = window.start;
      rows = ownRows(db, nodes, tree, others, window);
    }
    yield { position: start, nodes: own.filter(([at]) => at >= start).map(([, id]) => id), rows };
    position = start;
  }
}

/** Whether a tree has a node below one of this level. */
function hasChild(nodes: Nodes, tree: number, [at, id]: Child, level: number): boolean {
  let node = nodes.get(tree);
  while (node.level >= level) {
    const children = node.entries as readonly Child[];
    const child = children[lastAt(children, at)];
    if (child === undefined) return false;
    if (node.level === level) return child[1] === id;
    node = nodes.get(child[1]);
  }
  return false;
}

/** A part of the content in which each tree has one leaf, and the rows that the tree names there: each with its home. */
interface Window {
  readonly start: number;
  readonly end: number;
  readonly homes: Map<number, number>;
}

function windowOf(
  nodes: Nodes,
  leaf: { extents: readonly Extent[]; start: number },
  others: readonly number[],
  end: number,
  maxRows: number,
): Window {
  const starts = others.map((other) => nodes.path(other, end - 1, end).at(-1)?.start ?? 0);
  const start = Math.max(leaf.start, ...starts);
  const homes = new Map<number, number>();
  for (const { extent, from, to } of [...stretchesOf(leaf.extents, start, end)].reverse()) {
    const span = rowSpan(extent, from, to);
    if (span === null) continue;
    const room = maxRows - homes.size;
    if (room === 0) return { start: to, end, homes };
    const first = Math.max(span[0], span[1] - room + 1);
    for (let row = first; row <= span[1]; row++) homes.set(row, homeOf(extent, row));
    if (first > span[0]) return { start: homeOf(extent, first), end, homes };
  }
  return { start, end, homes };
}

/**
 * A row is exclusive to a tree when no other tree names it; its pieces may reach beyond the window. It counts where its first piece
 * is.
 */
function ownRows(
  db: Database,
  nodes: Nodes,
  tree: number,
  others: readonly number[],
  { start, end, homes }: Window,
): number[] {
  for (const other of others) {
    for (const stretch of nodes.stretches(other, start, end)) forget(homes, stretch);
  }
  const named = [...homes].filter(([row, home]) => !nodes.names(tree, row, home, start));
  if (named.length === 0) return [];
  const lengths = selectLengths(
    db,
    named.map(([row]) => row),
  );
  return named.flatMap(([row, home]) => {
    const length = lengths.get(row);
    if (length === undefined) return [];
    const isElsewhere = (other: number) =>
      nodes.names(other, row, home, start) || nodes.names(other, row, end, home + length);
    return others.some(isElsewhere) ? [] : [row];
  });
}

function forget(homes: Map<number, number>, { extent, from, to }: Stretch): void {
  const span = rowSpan(extent, from, to);
  if (span === null) return;
  for (const row of homes.keys()) if (span[0] <= row && row <= span[1]) homes.delete(row);
}
