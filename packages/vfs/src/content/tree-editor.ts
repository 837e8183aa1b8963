/**
 * Makes the next tree of extents: only the nodes on the path to a change are new, all others are shared. A change costs a few small
 * nodes, however large the content is and however many pieces it has. Nothing is written here: `finish` returns the nodes to
 * insert.
 */
import type { NewNode, TreeNode } from "../store/nodes.ts";
import { clipExtent, continues, END, type Extent, rowSpan } from "./extent.ts";
import type { Nodes } from "./tree.ts";

/** A node in memory; it has no number yet. */
interface TreeDraft {
  readonly level: number;
  readonly entries: readonly TreeEntryDraft[];
}

type TreeEntryDraft = Extent | DraftChild;
type DraftChild = readonly [at: number, node: number | TreeDraft];

/** `[from, to)` of the content, and its replacement. */
interface TreeEdit {
  readonly from: number;
  readonly to: number;
  readonly extents: readonly Extent[];
}

export interface FinishedTree {
  readonly root: number;
  readonly nodes: readonly NewNode[];
}

export class TreeEditor {
  readonly #nodes: Nodes;
  /** Maximum number of entries of a node. */
  readonly #maxEntries: number;
  /** The version the editor starts from; 0: none. */
  readonly #origin: number;
  #root: number | TreeDraft;

  constructor(nodes: Nodes, maxEntries: number, origin: number) {
    this.#nodes = nodes;
    this.#maxEntries = maxEntries;
    this.#origin = origin;
    this.#root = origin === 0 ? { level: 0, entries: [] } : origin;
  }

  /** Whether anything differs from the original version. */
  get changed(): boolean {
    return typeof this.#root !== "number";
  }

  /** Replaces `[from, to)` with extents. With `to` at END they have no end, like the last extent of any tree. */
  replace(from: number, to: number, extents: readonly Extent[]): void {
    const created = this.#change(this.#load(this.#root), END, { from, to, extents });
    if (created !== null) this.#root = this.#rootOf(created);
  }

  /** Drops everything from a position on. */
  cut(position: number): void {
    this.replace(position, END, []);
  }

  /** The extent that covers the end; undefined when there is none. */
  last(): Extent | undefined {
    let node = this.#load(this.#root);
    while (node.level > 0) node = this.#load((node.entries.at(-1) as DraftChild)[1]);
    return node.entries.at(-1) as Extent | undefined;
  }

  /** The leaf that covers a position: its range, its number of extents, and whether it belongs to the original version. */
  leafAt(position: number): { start: number; end: number; entries: number; old: boolean } {
    let node = this.#load(this.#root);
    let [start, end] = [0, END];
    while (node.level > 0) {
      const children = node.entries as readonly DraftChild[];
      const index = Math.max(
        0,
        children.findLastIndex(([at]) => at <= position),
      );
      end = children[index + 1]?.[0] ?? end;
      start = (children[index] as DraftChild)[0];
      node = this.#load((children[index] as DraftChild)[1]);
    }
    return { start, end, entries: node.entries.length, old: "id" in node };
  }

  /** Rows that new leaves name, including every row that was passed to this editor and not dropped again. */
  rows(): Set<number> {
    const rows = new Set<number>();
    const visit = (ref: number | TreeDraft) => {
      if (typeof ref === "number") return;
      if (ref.level > 0) for (const [, child] of ref.entries as readonly DraftChild[]) visit(child);
      else for (const extent of ref.entries as readonly Extent[]) addRows(rows, extent);
    };
    visit(this.#root);
    return rows;
  }

  /** Numbers the new nodes, each after its children; `root` is the number for the root, if it must be a certain one. */
  finish(takeId: () => number, root?: number): FinishedTree {
    const nodes: NewNode[] = [];
    const number = (draft: TreeDraft, given: number | undefined, origin: number | null): number => {
      const entries =
        draft.level === 0
          ? (draft.entries as readonly Extent[])
          : (draft.entries as readonly DraftChild[]).map(
              ([at, child]) => [at, typeof child === "number" ? child : number(child, undefined, null)] as const,
            );
      const id = given ?? takeId();
      nodes.push({ id, level: draft.level, entries, origin } as NewNode);
      return id;
    };
    const draft = typeof this.#root === "number" ? this.#load(this.#root) : this.#root;
    return { root: number(draft, root, this.#origin), nodes };
  }

  /** The nodes that replace a node, none when nothing of it is left; null when it does not change. */
  #change(node: TreeDraft, end: number, change: TreeEdit): TreeDraft[] | null {
    const made = node.level === 0 ? changeLeaf(node, end, change) : this.#changeInner(node, end, change);
    return made === null ? null : this.#pack(node.level, made);
  }

  #changeInner({ entries }: TreeDraft, end: number, change: TreeEdit): TreeEntryDraft[] | null {
    const children = entries as readonly DraftChild[];
    const made: TreeEntryDraft[] = [];
    let changed = false;
    children.forEach((child, i) => {
      const [start, ref] = child;
      const childEnd = children[i + 1]?.[0] ?? end;
      const begins = start <= change.from && change.from < childEnd;
      if (childEnd <= change.from || start >= change.to) {
        made.push(child);
        return;
      }
      changed ||= !begins;
      // A child that is replaced as a whole need not be read.
      if (!begins && childEnd <= change.to) return;
      const replaced = this.#change(this.#load(ref), childEnd, begins ? change : { ...change, extents: [] });
      changed ||= replaced !== null;
      if (replaced === null) made.push(child);
      else for (const node of replaced) made.push([(node.entries[0] as TreeEntryDraft)[0], node]);
    });
    return changed ? made : null;
  }

  #pack(level: number, entries: readonly TreeEntryDraft[]): TreeDraft[] {
    const parts = Math.ceil(entries.length / this.#maxEntries);
    return Array.from({ length: parts }, (_, i) => ({
      level,
      entries: entries.slice(Math.ceil((i * entries.length) / parts), Math.ceil(((i + 1) * entries.length) / parts)),
    }));
  }

  /** Adds a node above several nodes, and none above a single one. */
  #rootOf(made: readonly TreeDraft[]): TreeDraft {
    let nodes = made;
    while (nodes.length > 1) {
      const level = (nodes[0] as TreeDraft).level + 1;
      nodes = this.#pack(
        level,
        nodes.map((node) => [(node.entries[0] as TreeEntryDraft)[0], node] as const),
      );
    }
    let root = nodes[0] ?? { level: 0, entries: [] };
    while (root.level > 0 && root.entries.length === 1) root = this.#load((root.entries[0] as DraftChild)[1]);
    return { level: root.level, entries: root.entries };
  }

  #load(ref: number | TreeDraft): TreeDraft | TreeNode {
    return typeof ref === "number" ? this.#nodes.get(ref) : ref;
  }
}

function changeLeaf({ entries }: TreeDraft, end: number, { from, to, extents }: TreeEdit): TreeEntryDraft[] | null {
  const old = entries as readonly Extent[];
  const created: Extent[] = [];
  const push = (extent: Extent) => {
    const last = created.at(-1);
    if (last === undefined || !continues(last, extent)) created.push(extent);
  };
  old.forEach((extent, i) => {
    const next = old[i + 1]?.[0] ?? end;
    if (extent[0] < from) for (const part of clipExtent(extent, extent[0], Math.min(next, from))) push(part);
  });
  for (const extent of extents) push(extent);
  old.forEach((extent, i) => {
    const next = old[i + 1]?.[0] ?? end;
    if (next > to) for (const part of clipExtent(extent, Math.max(extent[0], to), next)) push(part);
  });
  return created.length === old.length && created.every((extent, i) => extent === old[i]) ? null : created;
}

function addRows(rows: Set<number>, extent: Extent): void {
  const span = rowSpan(extent, extent[0], END);
  if (span !== null) for (let row = span[0]; row <= span[1]; row++) rows.add(row);
}
