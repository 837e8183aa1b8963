/**
 * History by paths: a commit that equals a parent at these paths is TREESAME and not shown; for a merge, one such parent
 * suffices, and the others are not followed unless the full history is requested.
 */
import { EMPTY_TREE } from "../object/oid.ts";
import type { Repository } from "../repository.ts";
import { sameTrees } from "./compare-trees.ts";
import type { WalkOptions } from "./walk-options.ts";
import { isRelevant, PULL, TREESAME, UNINTERESTING, type WalkState, type WalkStates } from "./walk-state.ts";

export interface Simplifier {
  /** Sets TREESAME, and removes parents that need not be followed. */
  simplify(state: WalkState): Promise<void>;
  /** Repeated after parents became uninteresting. */
  update(state: WalkState): void;
  readonly active: boolean;
}

export function createSimplifier(
  repo: Pick<Repository, "odb" | "limits">,
  states: WalkStates,
  options: WalkOptions,
): Simplifier {
  const { paths, decorated, firstParent, sparse } = options;
  const byContent = paths !== undefined || decorated !== undefined;
  const active = byContent || options.lines !== undefined;
  const keepsAll = options.simplify === "full" || options.simplify === "merges" || options.ancestryPath !== undefined;
  const same = async (parent: WalkState | null, state: WalkState) => {
    // With decorations alone every commit is TREESAME unless a ref names it.
    if (decorated) {
      if (decorated(state.oid)) return false;
      if (!paths) return true;
    }
    if (!paths) return false;
    return sameTrees(repo, parent?.node.tree ?? null, state.node.tree, paths);
  };

  async function simplify(state: WalkState): Promise<void> {
    if (!byContent) return;
    const parents = await states.parentsOf(state);
    if (parents.length === 0) {
      // Decorations do not count here: a root is TREESAME if it adds nothing.
      const brings = paths ? !(await sameTrees(repo, null, state.node.tree, paths)) : state.node.tree !== EMPTY_TREE;
      if (!brings) state.flags |= TREESAME;
      return;
    }
    if (sparse && parents.length === 1) return;
    let relevantParents = 0;
    let relevantChange = false;
    let irrelevantChange = false;
    const perParent: boolean[] = [];
    for (const [i, parent] of parents.entries()) {
      if (isRelevant(parent)) relevantParents++;
      if (i === 1 && firstParent) break;
      const isSame = await same(parent, state);
      perParent.push(isSame);
      if (isSame && !keepsAll && isRelevant(parent)) {
        state.parents = [parent];
        if (!options.showPulls || i === 0) state.flags |= TREESAME;
        else state.flags |= PULL;
        return;
      }
      if (isSame) continue;
      if (isRelevant(parent)) relevantChange = true;
      else irrelevantChange = true;
    }
    if (parents.length > 1 && perParent[0] === false && perParent.includes(true)) state.flags |= PULL;
    if (parents.length > 1) state.treesame = perParent;
    if (relevantParents > 0 ? !relevantChange : !irrelevantChange) state.flags |= TREESAME;
  }

  function update(state: WalkState): void {
    const { parents, treesame } = state;
    // If one TREESAME parent explains a merge, nothing needs an update.
    if (
      !keepsAll ||
      firstParent ||
      sparse ||
      !treesame ||
      !parents ||
      state.flags & (UNINTERESTING | TREESAME) ||
      parents.length < 2
    )
      return;
    let relevantParents = 0;
    let relevantChange = false;
    let irrelevantChange = false;
    for (const [i, parent] of parents.entries()) {
      if (isRelevant(parent)) {
        relevantParents++;
        relevantChange ||= !treesame[i];
      } else irrelevantChange ||= !treesame[i];
    }
    if (relevantParents > 0 ? !relevantChange : !irrelevantChange) state.flags |= TREESAME;
    else state.flags &= ~TREESAME;
  }

  return { simplify, update, active };
}
