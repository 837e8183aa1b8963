/** Decides one path when trees are merged into the index, by git's tables of cases, without looking at content. */
import type { FileVersion } from "../../index/compare-index-to-tree.ts";

export type PathDecision =
  /** Leaves the path as it is, staged or not. */
  | { readonly kind: "keep" }
  | { readonly kind: "remove" }
  | { readonly kind: "take"; readonly side: FileVersion }
  /** Base, ours, theirs, left as a conflict. */
  | { readonly kind: "stages"; readonly sides: readonly (FileVersion | null)[] }
  /** The staged version would be lost. */
  | { readonly kind: "reject" };

const KEEP: PathDecision = { kind: "keep" };
const REMOVE: PathDecision = { kind: "remove" };
const REJECT: PathDecision = { kind: "reject" };

type ReadTreeSide = FileVersion | null;

/** Two missing sides are equal. */
function same(a: ReadTreeSide, b: ReadTreeSide): boolean {
  if (a === null || b === null) return a === b;
  return a.mode === b.mode && a.oid === b.oid;
}

/** From `head` to `next`; keeps staged changes where the two agree. Unborn: there is no index, so nothing was removed from it. */
export function mergeTwoWay(
  staged: ReadTreeSide,
  head: ReadTreeSide,
  next: ReadTreeSide,
  unborn = false,
): PathDecision {
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
  /** A directory/file conflict: another side has a directory at the path, or a file above it, so no version is taken. */
  readonly headClashes: boolean;
  readonly remoteClashes: boolean;
}

export function mergeThreeWay(
  staged: ReadTreeSide,
  base: ReadTreeSide,
  head: ReadTreeSide,
  remote: ReadTreeSide,
  { aggressive, headClashes, remoteClashes }: ThreeWayCase,
): PathDecision {
  const headRetained = same(base, head);
  const remoteRetained = same(base, remote);
  if (remote !== null && !headClashes && headRetained && !remoteRetained) {
    if (staged !== null && !same(staged, remote) && !same(staged, head)) return REJECT;
    return { kind: "take", side: remote };
  }
  if (staged !== null && !same(staged, head)) return REJECT;
  if (head !== null && (same(head, remote) || (remoteRetained && !headRetained && !remoteClashes)))
    return { kind: "take", side: head };
  const clashes = headClashes || remoteClashes;
  if (head === null && remote === null && (base === null || (aggressive && !clashes)))
    return staged === null ? KEEP : REMOVE;
  if (aggressive && !clashes && ((head === null && remoteRetained) || (remote === null && headRetained)))
    return staged === null ? KEEP : REMOVE;
  return { kind: "stages", sides: [base, head, remote] };
}
