/** State of a commit in a walk: its node, and flags. Parents may be simplified away; the node keeps them all. */
import type { Oid } from "../object/oid.ts";
import type { CommitNode, CommitReader } from "./commit-node.ts";

export const SEEN = 1;
export const UNINTERESTING = 2;
export const ADDED = 4;
export const TREESAME = 8;
export const DISPLAYED = 16;
export const LEFT = 32;
/** Named as a lower end of a range: part of the topology although it is not shown. */
export const BOTTOM = 64;
export const CHILD_DISPLAYED = 128;
export const BOUNDARY = 256;
export const PATCHSAME = 512;
export const ON_ANCESTRY_PATH = 1024;
/** A merge that brought the change in from a side: equals a later parent, but not the first. */
export const PULL = 2048;

export interface WalkState {
  readonly node: CommitNode;
  readonly oid: Oid;
  /** Sort key of the walk: the committer's time, or the author's. */
  readonly seconds: number;
  flags: number;
  parents: WalkState[] | null;
  /** For each parent of a merge, whether it is TREESAME; for updates when a parent becomes uninteresting. */
  treesame?: boolean[];
  /** The argument from which it was first reached, for `--source`. */
  source?: string;
}

/** All states of one walk. */
export class WalkStates {
  private readonly known = new Map<Oid, WalkState>();
  /** Marked uninteresting before they were read. */
  private readonly marked = new Set<Oid>();

  constructor(
    readonly reader: CommitReader,
    /** Missing commits are skipped: at the boundary of a partial clone. */
    readonly ignoreMissing: boolean,
    /** A lower end excludes only its first parents. */
    private readonly excludeFirstParentOnly: boolean,
  ) {}

  get(oid: Oid): WalkState | undefined {
    return this.known.get(oid);
  }

  async load(oid: Oid): Promise<WalkState | null> {
    const before = this.known.get(oid);
    if (before) return before;
    // Commits below a lower end may be missing: they are not read.
    const optional = this.ignoreMissing || this.marked.has(oid);
    const node = optional ? await this.reader.find(oid) : await this.reader.read(oid);
    return node === null ? null : this.#add(oid, node);
  }

  /** A cached one; null is inconclusive. */
  #peek(oid: Oid): WalkState | null {
    const before = this.known.get(oid);
    if (before !== undefined) return before;
    const node = this.reader.peek(oid);
    return node === null ? null : this.#add(oid, node);
  }

  #add(oid: Oid, node: CommitNode): WalkState {
    const flags = this.marked.delete(oid) ? UNINTERESTING : 0;
    const state: WalkState = { node, oid, seconds: node.seconds, flags, parents: null };
    this.known.set(oid, state);
    this.reader.forget(oid);
    return state;
  }

  /** Marks all known ancestors, and one step beyond: an unread commit gets its flag when it is read. */
  markParentsUninteresting(start: WalkState): void {
    const pending = [start];
    for (let state = pending.pop(); state; state = pending.pop()) {
      const parents = state.parents ? state.parents.map((parent) => parent.oid) : state.node.parents;
      for (const oid of this.excludeFirstParentOnly ? parents.slice(0, 1) : parents) {
        const parent = this.known.get(oid);
        if (!parent) this.marked.add(oid);
        else if (!(parent.flags & UNINTERESTING)) {
          parent.flags |= UNINTERESTING;
          pending.push(parent);
        }
      }
    }
  }

  async parentsOf(state: WalkState): Promise<WalkState[]> {
    if (state.parents) return state.parents;
    const parents: WalkState[] = [];
    for (const oid of state.node.parents) {
      const parent = this.#peek(oid) ?? (await this.load(oid));
      if (parent) parents.push(parent);
    }
    state.parents = parents;
    return parents;
  }
}

export function isRelevant({ flags }: WalkState): boolean {
  return (flags & (UNINTERESTING | BOTTOM)) !== UNINTERESTING;
}
