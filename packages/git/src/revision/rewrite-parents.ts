/** Replaces parents that are not shown by their first shown ancestor, so that the output is connected. */
import { processParents, type WalkContext } from "./limit-list.ts";
import { DISPLAYED, isRelevant, TREESAME, UNINTERESTING, type WalkState } from "./walk-state.ts";

export async function rewriteParents(context: WalkContext, state: WalkState): Promise<void> {
  const rewritten: WalkState[] = [];
  const parents = await context.states.parentsOf(state);
  for (const parent of context.options.firstParent ? parents.slice(0, 1) : parents) {
    const end = await rewriteOne(context, parent);
    if (end && !rewritten.includes(end)) rewritten.push(end);
  }
  state.parents = rewritten;
}

async function rewriteOne(context: WalkContext, start: WalkState): Promise<WalkState | null> {
  let state = start;
  for (;;) {
    if (context.queue) await processParents(context, state, context.queue);
    if (state.flags & UNINTERESTING || !(state.flags & TREESAME)) return state;
    // git drops the parents of shown commits; with clock skew, that may be before a child is shown.
    if (state.flags & DISPLAYED) return null;
    const parents = await context.states.parentsOf(state);
    if (parents.length === 0) return null;
    const relevant = parents.length === 1 ? parents : parents.filter(isRelevant);
    if (context.options.firstParent) relevant.length = Math.min(relevant.length, 1);
    if (relevant.length !== 1) return state;
    state = relevant[0] as WalkState;
  }
}
