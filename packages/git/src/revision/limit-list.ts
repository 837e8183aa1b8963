/**
 * Finds the commits between tips and lower ends before any is shown: runs until nothing interesting is left in the queue, and a
 * little further, since clock skew may let a lower end reach commits already listed.
 */
import { DateQueue } from "./date-queue.ts";
import type { Simplifier } from "./simplify-history.ts";
import type { WalkOptions } from "./walk-options.ts";
import { ADDED, LEFT, ON_ANCESTRY_PATH, SEEN, UNINTERESTING, type WalkState, type WalkStates } from "./walk-state.ts";

/** How many more commits are read when only uninteresting ones are left. */
const SLOP = 5;

export interface WalkContext {
  readonly states: WalkStates;
  readonly simplifier: Simplifier;
  readonly options: WalkOptions;
  /** For a streaming walk: parents found by rewriting are added to it. Null: the list is complete. */
  queue: DateQueue<WalkState> | null;
}

export async function limitList(context: WalkContext, start: readonly WalkState[]): Promise<WalkState[]> {
  const { options } = context;
  const queue = new DateQueue<WalkState>();
  for (const state of start) queue.push(state);
  const list: WalkState[] = [];
  let slop = SLOP;
  let youngest = Number.POSITIVE_INFINITY;
  for (let state = queue.pop(); state; state = queue.pop()) {
    if (options.since !== undefined && state.seconds < options.since) state.flags |= UNINTERESTING;
    await processParents(context, state, queue);
    if (state.flags & UNINTERESTING) {
      context.states.markParentsUninteresting(state);
      slop = stillInteresting(queue, youngest, slop);
      if (slop > 0) continue;
      break;
    }
    // Line ranges pass through commits that are too new to be shown.
    if (options.until !== undefined && state.seconds > options.until && !options.lines) continue;
    youngest = state.seconds;
    list.push(state);
  }
  return list;
}

function stillInteresting(queue: DateQueue<WalkState>, youngest: number, slop: number): number {
  const next = queue.peek();
  if (!next) return 0;
  if (youngest <= next.seconds) return SLOP;
  for (const { flags } of queue.items()) if (!(flags & UNINTERESTING)) return SLOP;
  return slop - 1;
}

/** Adds simplified parents to the queue, with the flags they inherit. */
export async function processParents(
  { states, simplifier, options }: WalkContext,
  state: WalkState,
  queue: DateQueue<WalkState> | null,
): Promise<void> {
  if (state.flags & ADDED) return;
  state.flags |= ADDED;
  if (state.flags & UNINTERESTING) {
    const parents = await states.parentsOf(state);
    for (const parent of options.excludeFirstParentOnly ? parents.slice(0, 1) : parents) {
      parent.flags |= UNINTERESTING;
      states.markParentsUninteresting(parent);
      if (parent.flags & SEEN) continue;
      parent.flags |= SEEN;
      queue?.push(parent);
    }
    return;
  }
  await simplifier.simplify(state);
  if (options.noWalk) return;
  const inherited = state.flags & (LEFT | ON_ANCESTRY_PATH);
  const parents = await states.parentsOf(state);
  for (const parent of options.firstParent ? parents.slice(0, 1) : parents) {
    parent.flags |= inherited;
    parent.source ??= state.source;
    if (parent.flags & SEEN) continue;
    parent.flags |= SEEN;
    queue?.push(parent);
  }
}

/** Commits that are neither descendants of `bottoms` nor on the path by their flag become uninteresting. */
export function limitToAncestry(list: readonly WalkState[], bottoms: ReadonlySet<WalkState>): void {
  const leading = new Set<WalkState>(bottoms);
  // Oldest first takes one pass without clock skew; otherwise repeats until nothing changes.
  for (let grew = true; grew; ) {
    grew = false;
    for (let i = list.length - 1; i >= 0; i--) {
      const state = list[i] as WalkState;
      if (leading.has(state) || state.flags & UNINTERESTING) continue;
      if (!(state.parents ?? []).some((parent) => leading.has(parent))) continue;
      leading.add(state);
      grew = true;
    }
  }
  for (const state of list) {
    if (!leading.has(state) && !(state.flags & ON_ANCESTRY_PATH)) state.flags |= UNINTERESTING;
  }
}
