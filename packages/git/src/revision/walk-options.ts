/** Options of a walk; the names are those of `git rev-list`. */
import type { Oid } from "../object/oid.ts";
import type { CommitNode } from "./commit-node.ts";
import type { PathLimit } from "./compare-trees.ts";

/** Where a walk begins, or ends. */
export interface Tip {
  /** A commit. */
  readonly oid: Oid;
  /** `^x`: excludes it and everything it reaches. */
  readonly uninteresting?: boolean;
  /** The left side of `a...b`. */
  readonly left?: boolean;
  /** As it was typed, or the ref's name; for `--source`. */
  readonly name?: string;
}

export interface LineTrace {
  /** A walk begins, possibly not the first. */
  begin(): void;
  trace(commit: CommitNode, parents: readonly Oid[]): Promise<{ readonly changed: boolean; readonly only?: Oid }>;
}

export interface WalkOptions {
  readonly tips: readonly Tip[];
  /** Show the tips without following parents; "unsorted" in the given order. */
  readonly noWalk?: boolean | "unsorted";
  /** "default": by time, as found. The others never show a parent before its children. */
  readonly order?: "default" | "date" | "author-date" | "topo";
  readonly reverse?: boolean;
  readonly maxCount?: number;
  readonly skip?: number;
  /** Seconds since 1970: not older, not newer. */
  readonly since?: number;
  readonly until?: number;
  /** Older commits are not shown, but walked. */
  readonly sinceAsFilter?: number;
  readonly firstParent?: boolean;
  readonly minParents?: number;
  readonly maxParents?: number;
  /** `--grep` and the like. */
  readonly filter?: (commit: CommitNode) => Promise<boolean> | boolean;
  readonly boundary?: boolean;
  readonly leftRight?: boolean;
  readonly leftOnly?: boolean;
  readonly rightOnly?: boolean;
  /**
   * `--cherry-pick` omits changes that are on both sides of `a...b`, `--cherry-mark` marks them; equal patch ids are the same
   * change.
   */
  readonly cherry?: "pick" | "mark";
  readonly patchId?: (commit: CommitNode) => Promise<string | null>;
  /** Lower ends exclude only their first-parent history. */
  readonly excludeFirstParentOnly?: boolean;
  /** Only descendants of the lower ends; or descendants or ancestors of these. */
  readonly ancestryPath?: boolean | readonly Oid[];
  readonly paths?: PathLimit;
  /** `-L`: called for each commit, children first; commits that changed the lines are shown. `only`: the one parent to follow. */
  readonly lines?: LineTrace;
  /** History simplification: git's default follows one TREESAME parent; "full" follows all. */
  readonly simplify?: "default" | "full" | "merges";
  /** `--sparse`: every commit of the simplified history. */
  readonly sparse?: boolean;
  readonly showPulls?: boolean;
  /** `--simplify-by-decoration`: only commits that refs point at count. */
  readonly decorated?: (oid: Oid) => boolean;
  /** Rewrite parents to those that are shown: `--parents`, `--graph`. */
  readonly rewriteParents?: boolean;
  readonly children?: boolean;
  readonly ignoreMissing?: boolean;
  /** Called for commits that were listed and then found to be below a lower end, as happens with clock skew. */
  readonly onUninteresting?: (oid: Oid) => void;
}

export interface WalkedCommit {
  readonly node: CommitNode;
  readonly oid: Oid;
  /** As shown: simplified and rewritten on request. */
  readonly parents: readonly Oid[];
  /** Simplified only. */
  readonly parentsBeforeRewriting: readonly Oid[];
  /** With `children`. */
  readonly childrenDisplayed?: readonly Oid[];
  readonly boundary: boolean;
  /** With `leftRight` or for `a...b`. */
  readonly left: boolean;
  /** With `cherry: "mark"`: the other side has the same change. */
  readonly patchSame: boolean;
  readonly source?: string;
  /** Parents that a lower end reaches: a holder of that end has their trees. */
  readonly edges: readonly Oid[];
}
