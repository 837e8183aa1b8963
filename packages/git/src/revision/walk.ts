/**
 * The history walk. Without lower ends and sort orders it streams: a commit is shown as soon as it is the newest known, and no
 * more are read than needed. Ranges, topological orders and cherry-picks need the whole list first.
 */
import { parseCommit } from "../object/commit.ts";
import type { Oid } from "../object/oid.ts";
import type { Repository } from "../repository.ts";
import { commitReader } from "./commit-node.ts";
import { DateQueue } from "./date-queue.ts";
import { limitCherries } from "./limit-cherries.ts";
import { limitList, limitToAncestry, processParents, type WalkContext } from "./limit-list.ts";
import { rewriteParents } from "./rewrite-parents.ts";
import { createSimplifier } from "./simplify-history.ts";
import { simplifyMerges } from "./simplify-merges.ts";
import { topoSort } from "./topo-sort.ts";
import type { LineTrace, WalkedCommit, WalkOptions } from "./walk-options.ts";
import {
  BOTTOM,
  BOUNDARY,
  CHILD_DISPLAYED,
  DISPLAYED,
  isRelevant,
  LEFT,
  ON_ANCESTRY_PATH,
  PATCHSAME,
  PULL,
  SEEN,
  TREESAME,
  UNINTERESTING,
  type WalkState,
  WalkStates,
} from "./walk-state.ts";

type WalkRepository = Pick<Repository, "fs" | "gitDir" | "commonDir" | "odb" | "limits" | "shallow">;

export function walk(repo: WalkRepository, options: WalkOptions): AsyncGenerator<WalkedCommit> {
  const states = new WalkStates(
    commitReader(repo),
    options.ignoreMissing ?? false,
    options.excludeFirstParentOnly ?? false,
  );
  const context: WalkContext = { states, options, simplifier: createSimplifier(repo, states, options), queue: null };
  const displayed = displayCommits(context, isLimited(options) ? listed(repo, context) : streamed(context));
  // Returned directly: `yield*` would add several awaits per commit.
  return options.reverse ? reversed(displayed) : displayed;
}

async function startStates(states: WalkStates, { tips, noWalk }: WalkOptions): Promise<WalkState[]> {
  const start: WalkState[] = [];
  for (const { oid, uninteresting, left, name } of tips) {
    const state = await states.load(oid);
    if (!state) continue;
    if (uninteresting) {
      state.flags |= UNINTERESTING | BOTTOM;
      states.markParentsUninteresting(state);
    }
    if (left) state.flags |= LEFT;
    state.source ??= name;
    if (state.flags & SEEN) continue;
    state.flags |= SEEN;
    start.push(state);
  }
  return noWalk === "unsorted" ? start : start.sort((a, b) => b.seconds - a.seconds);
}

function isLimited({
  tips,
  order = "default",
  cherry,
  ancestryPath,
  leftOnly,
  rightOnly,
  simplify,
  children,
  noWalk,
  lines,
}: WalkOptions) {
  if (noWalk) return false;
  if (order !== "default" || cherry || ancestryPath || leftOnly || rightOnly || children || lines) return true;
  return simplify === "merges" || tips.some(({ uninteresting }) => uninteresting);
}

/** Newest first, as found. */
async function* streamed(context: WalkContext): AsyncGenerator<WalkState> {
  const { options } = context;
  const start = await startStates(context.states, options);
  if (options.noWalk) {
    for (const state of start) {
      await processParents(context, state, null);
      yield state;
    }
    return;
  }
  const queue = new DateQueue<WalkState>();
  context.queue = queue;
  for (const state of start) queue.push(state);
  for (let state = queue.pop(); state; state = queue.pop()) {
    if (options.since !== undefined && state.seconds < options.since) continue;
    await processParents(context, state, queue);
    yield state;
  }
}

async function* listed(repo: WalkRepository, context: WalkContext): AsyncGenerator<WalkState> {
  const { options, states } = context;
  const start = await startStates(states, options);
  const path = options.ancestryPath === true ? start.filter(({ flags }) => flags & BOTTOM) : [];
  for (const oid of typeof options.ancestryPath === "object" ? options.ancestryPath : []) {
    const state = await states.load(oid);
    if (!state) continue;
    state.flags |= ON_ANCESTRY_PATH;
    path.push(state);
  }
  let list = await limitList(context, start);
  if (options.cherry || options.leftOnly || options.rightOnly) list = await limitCherries(list, options);
  if (options.ancestryPath) limitToAncestry(list, new Set(path));
  for (const state of list) if (!(state.flags & UNINTERESTING)) context.simplifier.update(state);
  const implied =
    (options.simplify === "merges" || options.lines !== undefined) && (options.order ?? "default") === "default";
  if (options.order === "topo" || implied) list = topoSort(list, null);
  else if (options.order === "date") list = topoSort(list, (state) => state.node.seconds);
  else if (options.order === "author-date") list = topoSort(list, await authorDates(repo, list));
  if (options.simplify === "merges") list = await simplifyMerges(context, list);
  if (options.lines) await traceLines(context, list, options.lines);
  yield* list;
}

async function traceLines({ states, options }: WalkContext, list: readonly WalkState[], lines: LineTrace) {
  lines.begin();
  for (const state of list) {
    const parents = await states.parentsOf(state);
    const followed = options.firstParent ? parents.slice(0, 1) : parents;
    const { changed, only } = await lines.trace(
      state.node,
      followed.map(({ oid }) => oid),
    );
    if (!changed) state.flags |= TREESAME;
    if (only !== undefined) state.parents = parents.filter(({ oid }) => oid === only);
  }
}

async function authorDates({ odb }: WalkRepository, list: readonly WalkState[]) {
  const dates = new Map<WalkState, number>();
  for (const state of list) {
    dates.set(state, parseCommit((await odb.need(state.oid, "commit")).body).author.seconds);
  }
  return (state: WalkState) => dates.get(state) ?? 0;
}

async function* displayCommits(context: WalkContext, commits: AsyncGenerator<WalkState>): AsyncGenerator<WalkedCommit> {
  const { options } = context;
  const children = options.children ? await childrenByCommit(commits) : null;
  const source = children?.list ?? commits;
  let skip = options.skip ?? 0;
  let left = options.maxCount ?? Number.POSITIVE_INFINITY;
  const edges: WalkState[] = [];
  if (left > 0) {
    for await (const state of source) {
      if (state.flags & UNINTERESTING) options.onUninteresting?.(state.oid);
      if (!(await isDisplayed(context, state))) continue;
      if (skip-- > 0) continue;
      const simplified = state.parents;
      if (isRewriting(options) && context.simplifier.active && !options.sparse) await rewriteParents(context, state);
      state.flags |= DISPLAYED;
      if (options.boundary) noteEdges(state, edges);
      yield walked(options, state, children?.of.get(state), simplified);
      if (--left <= 0) break;
    }
  }
  if (options.boundary) {
    for (const state of await boundaryOf(context, edges)) yield walked(options, state, children?.of.get(state));
  }
}

function isRewriting({ rewriteParents: requested, children }: WalkOptions): boolean {
  return requested === true || children === true;
}

async function isDisplayed({ options, simplifier }: WalkContext, state: WalkState): Promise<boolean> {
  const { flags, node, seconds } = state;
  if (flags & (DISPLAYED | UNINTERESTING)) return false;
  if (options.until !== undefined && seconds > options.until) return false;
  if (options.sinceAsFilter !== undefined && seconds < options.sinceAsFilter) return false;
  const count = (state.parents ?? node.parents).length;
  if (count < (options.minParents ?? 0) || count > (options.maxParents ?? Number.POSITIVE_INFINITY)) return false;
  if (options.filter && !(await options.filter(node))) return false;
  if (!simplifier.active || options.sparse || !(flags & TREESAME)) return true;
  if (options.showPulls && flags & PULL) return true;
  if (!isRewriting(options) || options.lines) return false;
  // A merge of two shown lines connects them.
  return (state.parents ?? []).filter(isRelevant).length >= 2;
}

function noteEdges(state: WalkState, edges: WalkState[]): void {
  for (const parent of state.parents ?? []) {
    if (parent.flags & (CHILD_DISPLAYED | DISPLAYED)) continue;
    parent.flags |= CHILD_DISPLAYED;
    edges.push(parent);
  }
}

/** Parents of shown commits that were not shown themselves. */
async function boundaryOf({ states, options }: WalkContext, edges: readonly WalkState[]): Promise<WalkState[]> {
  const found = edges.filter(({ flags }) => !(flags & DISPLAYED)).reverse();
  for (const state of found) {
    state.flags |= BOUNDARY;
    await states.parentsOf(state);
  }
  // In every order, no boundary commit precedes its children.
  const byDate = options.order === "date" || options.order === "author-date";
  return topoSort(found, byDate ? (state) => state.node.seconds : null);
}

/** The listed children of each commit, in the order git prints them. */
async function childrenByCommit(commits: AsyncGenerator<WalkState>) {
  const list: WalkState[] = [];
  const of = new Map<WalkState, WalkState[]>();
  for await (const state of commits) list.push(state);
  for (const state of list) {
    for (const parent of state.parents ?? []) of.set(parent, [state, ...(of.get(parent) ?? [])]);
  }
  return { list, of };
}

function walked(
  options: WalkOptions,
  state: WalkState,
  children: readonly WalkState[] | undefined,
  simplified = state.parents,
): WalkedCommit {
  const { node, oid, flags, source } = state;
  const oids = (parents: readonly WalkState[] | null | undefined) => {
    if (!parents || !isRewriting(options)) return node.parents;
    return (options.firstParent ? parents.slice(0, 1) : parents).map((parent) => parent.oid);
  };
  const parents = oids(state.parents);
  return {
    node,
    oid,
    parents,
    parentsBeforeRewriting: simplified === state.parents ? parents : oids(simplified),
    boundary: (flags & BOUNDARY) !== 0,
    left: (flags & LEFT) !== 0,
    patchSame: (flags & PATCHSAME) !== 0,
    edges: edgesOf(state),
    ...(source === undefined ? {} : { source }),
    ...(options.children ? { childrenDisplayed: (children ?? []).map((child) => child.oid) } : {}),
  };
}

const NO_EDGES: readonly Oid[] = [];

function edgesOf({ parents }: WalkState): readonly Oid[] {
  if (!parents?.some(({ flags }) => flags & UNINTERESTING)) return NO_EDGES;
  return parents.filter(({ flags }) => flags & UNINTERESTING).map(({ oid }) => oid);
}

async function* reversed(commits: AsyncGenerator<WalkedCommit>): AsyncGenerator<WalkedCommit> {
  const all: WalkedCommit[] = [];
  for await (const commit of commits) all.push(commit);
  yield* all.reverse();
}
