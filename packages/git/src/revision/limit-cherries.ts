/** `--cherry-pick`, `--cherry-mark`, `--left-only`, `--right-only`: compares the two sides of `a...b`. */
import type { WalkOptions } from "./walk-options.ts";
import { BOUNDARY, DISPLAYED, LEFT, PATCHSAME, UNINTERESTING, type WalkState } from "./walk-state.ts";

export async function limitCherries(list: readonly WalkState[], options: WalkOptions): Promise<WalkState[]> {
  const { cherry, patchId, leftOnly, rightOnly } = options;
  if (cherry && patchId) await markCherries(list, cherry, patchId);
  if (!leftOnly && !rightOnly) return list.filter(({ flags }) => !(flags & DISPLAYED));
  const retained = list.filter(({ flags }) => !(flags & DISPLAYED) && ((flags & LEFT) !== 0) === (leftOnly === true));
  return retained;
}

async function markCherries(
  list: readonly WalkState[],
  cherry: "pick" | "mark",
  patchId: NonNullable<WalkOptions["patchId"]>,
): Promise<void> {
  const candidates = list.filter(({ flags }) => !(flags & (UNINTERESTING | BOUNDARY)));
  const left = candidates.filter(({ flags }) => flags & LEFT);
  const right = candidates.filter(({ flags }) => !(flags & LEFT));
  if (left.length === 0 || right.length === 0) return;
  // Patch ids of the shorter side are stored, those of the longer one looked up.
  const [few, many] = left.length < right.length ? [left, right] : [right, left];
  const byId = new Map<string, WalkState[]>();
  for (const state of few) {
    const id = state.node.parents.length > 1 ? null : await patchId(state.node);
    if (id !== null) byId.set(id, [...(byId.get(id) ?? []), state]);
  }
  // An omitted commit must not be shown: it gets the mark of one already shown.
  const flag = cherry === "mark" ? PATCHSAME : DISPLAYED;
  for (const state of many) {
    const id = state.node.parents.length > 1 ? null : await patchId(state.node);
    const twins = id === null ? undefined : byId.get(id);
    if (!twins) continue;
    state.flags |= flag;
    for (const twin of twins) twin.flags |= flag;
  }
}
