/**
 * `--simplify-merges`: after the full history by paths, also removes merges whose sides simplify to the same line, or to nothing.
 * Oldest first, every commit gets the one it simplifies to; parents are replaced by theirs, and redundant ones are dropped.
 */
import type { WalkContext } from "./limit-list.ts";
import { isRelevant, PULL, TREESAME, UNINTERESTING, type WalkState } from "./walk-state.ts";

export async function simplifyMerges(
  { simplifier, options }: WalkContext,
  list: readonly WalkState[],
): Promise<WalkState[]> {
  if (!simplifier.active) return [...list];
  const simplified = new Map<WalkState, WalkState>();
  // The list is in topological order, so later commits cannot lead to an earlier one.
  const position = new Map(list.map((state, i) => [state, i]));
  const pending = [...list].reverse();
  // An explicit stack: a commit waits until all of its parents are done.
  for (const first of pending) {
    const stack = [first];
    for (let state = stack.at(-1); state; state = stack.at(-1)) {
      if (simplified.has(state)) {
        stack.pop();
        continue;
      }
      const parents = followed(state, options.firstParent);
      if (state.flags & UNINTERESTING || parents.length === 0) {
        simplified.set(state, state);
        continue;
      }
      const waiting = parents.filter((parent) => !simplified.has(parent));
      if (waiting.length > 0) stack.push(...waiting);
      else simplified.set(state, simplifyOne(state, simplified, position, options));
    }
  }
  return list.filter((state) => simplified.get(state) === state);
}

function followed({ parents }: WalkState, firstParent: boolean | undefined): readonly WalkState[] {
  return firstParent ? (parents ?? []).slice(0, 1) : (parents ?? []);
}

function simplifyOne(
  state: WalkState,
  simplified: ReadonlyMap<WalkState, WalkState>,
  position: ReadonlyMap<WalkState, number>,
  { firstParent, showPulls }: WalkContext["options"],
): WalkState {
  const before = state.parents ?? [];
  const parents: WalkState[] = [];
  const same: boolean[] = [];
  for (const [i, parent] of before.entries()) {
    const end = (firstParent && i > 0 ? parent : simplified.get(parent)) ?? parent;
    if (parents.includes(end)) continue;
    parents.push(end);
    same.push(before.length > 1 ? (state.treesame?.[i] ?? false) : (state.flags & TREESAME) !== 0);
  }
  state.parents = parents;
  state.treesame = same;
  if (!firstParent && parents.length > 1) dropMarginal(state, position);
  const retained = state.parents;
  if (retained.length === 0 || !(state.flags & TREESAME) || (showPulls && state.flags & PULL)) return state;
  const relevant = retained.length === 1 ? retained : retained.filter(isRelevant);
  if (relevant.length !== 1) return state;
  const only = relevant[0] as WalkState;
  return simplified.get(only) ?? only;
}

/** Removes parents that another one reaches, and roots that do not touch the paths; one that explains the merge stays. */
function dropMarginal(state: WalkState, position: ReadonlyMap<WalkState, number>): void {
  const parents = state.parents as WalkState[];
  const same = state.treesame as boolean[];
  const marked = parents.map(
    (parent) =>
      parents.some((other) => other !== parent && reaches(other, parent, position)) ||
      (parent.flags & TREESAME && (parent.parents ?? []).length === 0 && !(parent.flags & UNINTERESTING)),
  );
  if (marked.every((mark) => !mark)) return;
  const unmarkedSame = parents.some((_, i) => !marked[i] && same[i]);
  const markedSame = parents.findIndex((_, i) => marked[i] && same[i]);
  if (markedSame >= 0 && !unmarkedSame) marked[markedSame] = false;
  const keep = parents.map((_, i) => !marked[i]);
  state.parents = parents.filter((_, i) => keep[i]);
  state.treesame = same.filter((_, i) => keep[i]);
  const relevant = state.parents.map(isRelevant);
  const counted = relevant.includes(true) ? state.treesame.filter((_, i) => relevant[i]) : state.treesame;
  if (counted.every(Boolean)) state.flags |= TREESAME;
  else state.flags &= ~TREESAME;
}

function reaches(from: WalkState, target: WalkState, position: ReadonlyMap<WalkState, number>): boolean {
  const last = position.get(target) ?? Number.POSITIVE_INFINITY;
  const seen = new Set<WalkState>([from]);
  const pending = [from];
  for (let state = pending.pop(); state; state = pending.pop()) {
    if (state === target) return true;
    if ((position.get(state) ?? 0) > last) continue;
    for (const parent of state.parents ?? []) {
      if (seen.has(parent)) continue;
      seen.add(parent);
      pending.push(parent);
    }
  }
  return false;
}
