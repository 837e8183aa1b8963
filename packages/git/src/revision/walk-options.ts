/** What a walk can be asked for; the names are those of `git rev-list`. */
import type { Oid } from "../oid.ts";
import type { CommitNode } from "./commit-node.ts";
import type { PathLimit } from "./compare-trees.ts";

/** Where a walk begins, or ends. */
export interface Tip {
  /** A commit. */
  readonly oid: Oid;
  /** `^x`: neither it nor what it reaches. */
  readonly uninteresting?: boolean;
  /** The left side of `a...b`. */
  readonly left?: boolean;
  /** As it was typed, or the ref's name; for `--source`. */
  readonly name?: string;
}

export interface LineTrace {
  /** A walk begins, perhaps not the first. */
  begin(): void;
  trace(commit: CommitNode, parents: readonly Oid[]): Promise<{ readonly changed: boolean; readonly only?: Oid }>;
}

export interface WalkOptions {
  readonly tips: readonly Tip[];
  /** Show the tips and follow nothing; "unsorted" in the order given. */
  readonly noWalk?: boolean | "unsorted";
  /** "default": by time, as they are found. The others never show a parent before its children. */
  readonly order?: "default" | "date" | "author-date" | "topo";
  readonly reverse?: boolean;
  readonly maxCount?: number;
  readonly skip?: number;
  /** Seconds since 1970: not older, not younger. */
  readonly since?: number;
  readonly until?: number;
  /** Older commits are not shown, but walked past. */
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
  /** `--cherry-pick` leaves out what is on both sides of `a...b`, `--cherry-mark` marks it; a patch's id says what is the same. */
  readonly cherry?: "pick" | "mark";
  readonly patchId?: (commit: CommitNode) => Promise<string | null>;
  /** Lower ends leave out what their first parents lead to, and no more. */
  readonly excludeFirstParentOnly?: boolean;
  /** Only what is also a descendant of the lower ends; or a descendant or ancestor of these. */
  readonly ancestryPath?: boolean | readonly Oid[];
  readonly paths?: PathLimit;
  /** `-L`: asked of each commit, children first; shown are those that changed the lines. `only`: the one parent that is followed. */
  readonly lines?: LineTrace;
  /** History simplification: git's default follows one parent that is the same; "full" follows all. */
  readonly simplify?: "default" | "full" | "merges";
  /** `--sparse`: every commit of the simplified history. */
  readonly sparse?: boolean;
  readonly showPulls?: boolean;
  /** `--simplify-by-decoration`: the commits that refs point at are the history. */
  readonly decorated?: (oid: Oid) => boolean;
  /** Parents are rewritten to those that are shown: `--parents`, `--graph`. */
  readonly rewriteParents?: boolean;
  readonly children?: boolean;
  readonly ignoreMissing?: boolean;
  /** Told of commits that were taken and then found to be below a lower end, as happens when clocks lie. */
  readonly onUninteresting?: (oid: Oid) => void;
}

export interface WalkedCommit {
  readonly node: CommitNode;
  readonly oid: Oid;
  /** As they are to be shown: simplified and rewritten when that was asked. */
  readonly parents: readonly Oid[];
  /** Simplified only. */
  readonly parentsBeforeRewriting: readonly Oid[];
  /** With `children`. */
  readonly childrenDisplayed?: readonly Oid[];
  readonly boundary: boolean;
  /** With `leftRight` or for `a...b`. */
  readonly left: boolean;
  /** With `cherry: "mark"`: the same change is on the other side. */
  readonly patchSame: boolean;
  readonly source?: string;
  /** Parents that a lower end reaches: what is in their trees is known to who has that end. */
  readonly edges: readonly Oid[];
}
