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

/** From `head` to `next`, carrying along what is staged where the two agree. */
export function mergeTwoWay(staged: Side, head: Side, next: Side): PathDecision {
  if (staged === null) {
    if (head === null) return next === null ? KEEP : { kind: "take", side: next };
    if (next === null || same(head, next)) return KEEP;
    return REJECT;
  }
  if (same(head, next) || same(staged, next)) return KEEP;
  if (!same(staged, head)) return REJECT;
  return next === null ? REMOVE : { kind: "take", side: next };
}

export function mergeThreeWay(staged: Side, base: Side, head: Side, remote: Side, aggressive: boolean): PathDecision {
  const headKept = same(base, head);
  const remoteKept = same(base, remote);
  if (remote !== null && headKept && !remoteKept) {
    if (staged !== null && !same(staged, remote) && !same(staged, head)) return REJECT;
    return { kind: "take", side: remote };
  }
  if (staged !== null && !same(staged, head)) return REJECT;
  if (head !== null && (same(head, remote) || (remoteKept && !headKept))) return { kind: "take", side: head };
  if (head === null && remote === null && (base === null || aggressive)) return staged === null ? KEEP : REMOVE;
  if (aggressive && ((head === null && remoteKept) || (remote === null && headKept)))
    return staged === null ? KEEP : REMOVE;
  return { kind: "stages", sides: [base, head, remote] };
}
