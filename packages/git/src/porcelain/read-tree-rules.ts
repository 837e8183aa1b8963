/** What becomes of one path when trees are merged into the index, by git's tables of cases: no content is looked at. */
import type { TreeSide } from "../staging/compare-tree.ts";

export type PathDecision =
  /** As it is staged, or not staged. */
  | { readonly kind: "keep" }
  | { readonly kind: "remove" }
  | { readonly kind: "take"; readonly side: TreeSide }
  /** Base, ours, theirs, for somebody to merge. */
  | { readonly kind: "stages"; readonly sides: readonly (TreeSide | null)[] }
  /** What is staged would be lost. */
  | { readonly kind: "reject" };

const KEEP: PathDecision = { kind: "keep" };
const REMOVE: PathDecision = { kind: "remove" };
const REJECT: PathDecision = { kind: "reject" };

type Side = TreeSide | null;

/** Nothing is the same as nothing. */
function same(a: Side, b: Side): boolean {
  if (a === null || b === null) return a === b;
  return a.mode === b.mode && a.oid === b.oid;
}

/** From `head` to `next`, carrying along what is staged where the two agree. Unborn: there is no index, so nothing was removed from it. */
export function mergeTwoWay(staged: Side, head: Side, next: Side, unborn = false): PathDecision {
  if (staged === null) {
    if (head === null || unborn) return next === null ? KEEP : { kind: "take", side: next };
    if (next === null) return REMOVE;
    return same(head, next) ? KEEP : REJECT;
  }
  if (same(head, next) || same(staged, next)) return KEEP;
  if (!same(staged, head)) return REJECT;
  return next === null ? REMOVE : { kind: "take", side: next };
}

export interface ThreeWayCase {
  readonly aggressive: boolean;
  /** A side has a directory where another has the file, or a file above it: nobody's version is taken over it. */
  readonly headClashes: boolean;
  readonly remoteClashes: boolean;
}

export function mergeThreeWay(
  staged: Side,
  base: Side,
  head: Side,
  remote: Side,
  { aggressive, headClashes, remoteClashes }: ThreeWayCase,
): PathDecision {
  const headKept = same(base, head);
  const remoteKept = same(base, remote);
  if (remote !== null && !headClashes && headKept && !remoteKept) {
    if (staged !== null && !same(staged, remote) && !same(staged, head)) return REJECT;
    return { kind: "take", side: remote };
  }
  if (staged !== null && !same(staged, head)) return REJECT;
  if (head !== null && (same(head, remote) || (remoteKept && !headKept && !remoteClashes)))
    return { kind: "take", side: head };
  const clashes = headClashes || remoteClashes;
  if (head === null && remote === null && (base === null || (aggressive && !clashes)))
    return staged === null ? KEEP : REMOVE;
  if (aggressive && !clashes && ((head === null && remoteKept) || (remote === null && headKept)))
    return staged === null ? KEEP : REMOVE;
  return { kind: "stages", sides: [base, head, remote] };
}
