/**
 * Reads a tree of extents. A content larger than a row is one: leaves hold extents, inner nodes hold where each child begins. Nodes
 * are immutable, so the versions of a file share all nodes except those on the path to a difference.
 */

import { FsError } from "../api/errors.ts";
import type { Database } from "../db/database.ts";
import { selectRuns } from "../store/layouts.ts";
import { type Child, selectNode, type TreeNode } from "../store/nodes.ts";
import { type Extent, extentsOf, rowSpan } from "./extent.ts";

/** A part of an extent: what it says of `[from, to)`. */
export interface Stretch {
  readonly extent: Extent;
  readonly from: number;
  readonly to: number;
}

/** A node on the way from a root to a leaf, and what it covers. */
export interface TreeStep {
  readonly node: TreeNode;
  readonly start: number;
  readonly end: number;
}

/** Bounds the node cache of a reader: about a megabyte. */
const MAX_NODES = 1000;

/** Cache of nodes. Holds no bytes. */
export class Nodes {
  readonly #db: Database;
  readonly #missing: "fail" | "empty";
  readonly #nodes = new Map<number, TreeNode>();
  /** How many were read from the database. */
  reads = 0;

  /** `missing`: how to treat a missing node. `fsck` and the collector continue without it. */
  constructor(db: Database, missing: "fail" | "empty" = "fail") {
    this.#db = db;
    this.#missing = missing;
  }

  get(id: number): TreeNode {
    const known = this.#nodes.get(id);
    if (known !== undefined) return known;
    this.reads++;
    const node = selectNode(this.#db, id) ?? this.#oldList(id) ?? this.#lost(id);
    if (this.#nodes.size >= MAX_NODES) this.#nodes.clear();
    this.#nodes.set(id, node);
    return node;
  }

  /** The nodes that cover a position, from the root to a leaf. */
  path(root: number, position: number, end: number): TreeStep[] {
    const steps: TreeStep[] = [{ node: this.get(root), start: 0, end }];
    for (let step = steps[0] as TreeStep; step.node.level > 0; ) {
      const children = step.node.entries as readonly Child[];
      const index = lastAt(children, position);
      const child = children[index];
      if (child === undefined) break;
      step = { node: this.get(child[1]), start: child[0], end: children[index + 1]?.[0] ?? step.end };
      steps.push(step);
    }
    return steps;
  }

  /** The extents of `[start, end)`, in order. */
  *stretches(root: number, start: number, end: number): Generator<Stretch> {
    for (let at = start; at < end; ) {
      const leaf = this.path(root, at, end).at(-1) as TreeStep;
      const to = Math.min(leaf.end, end);
      if (leaf.node.level === 0) yield* stretchesOf(leaf.node.entries as readonly Extent[], at, to);
      at = to;
    }
  }

  /** Whether a tree names a row in `[start, end)`. */
  names(root: number, row: number, start: number, end: number): boolean {
    for (const { extent, from, to } of this.stretches(root, start, end)) {
      const span = rowSpan(extent, from, to);
      if (span !== null && span[0] <= row && row <= span[1]) return true;
    }
    return false;
  }

  /** Reads the format of older code as a tree of one leaf. */
  #oldList(id: number): TreeNode | null {
    const runs = selectRuns(this.#db, id);
    return runs === null ? null : { id, level: 0, entries: extentsOf(runs, 0) };
  }

  #lost(id: number): TreeNode {
    if (this.#missing === "empty") return { id, level: 0, entries: [] };
    throw new FsError("EIO", { syscall: "read", reason: `node ${id} of a content is missing; run fsck()` });
  }
}

/** Clips a list of extents to `[start, end)`. */
export function* stretchesOf(extents: readonly Extent[], start: number, end: number): Generator<Stretch> {
  for (let i = Math.max(0, lastAt(extents, start)); i < extents.length; i++) {
    const extent = extents[i] as Extent;
    if (extent[0] >= end) return;
    const from = Math.max(extent[0], start);
    const to = Math.min(extents[i + 1]?.[0] ?? end, end);
    if (from < to) yield { extent, from, to };
  }
}

/** The index of the last entry that begins at or before a position; -1 when none does. */
export function lastAt(entries: readonly (readonly [at: number, ...rest: unknown[]])[], position: number): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((entries[middle] as readonly [number])[0] <= position) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
