/** Compares two sides for `git diff`: two trees, two files, or the index or work tree with a tree or with each other. */
import type { CombinedPath } from "../../diff/diff-combined.ts";
import { cachedPairs, treeToWorktreePairs, type WorkTreePairs, worktreePairs } from "../../diff/diff-index.ts";
import type { DiffOptions } from "../../diff/diff-options.ts";
import { treePairs } from "../../diff/diff-trees.ts";
import { createPair, type FilePair, type FileSpec } from "../../diff/file-pair.ts";
import { updateIndexIfAble } from "../../index/refresh-index.ts";
import { EMPTY_TREE, type Oid } from "../../object/oid.ts";
import type { Repository } from "../../repository.ts";
import { peelTo } from "../../revision/peel.ts";
import { unmergedCombined } from "./unmerged-combined.ts";

export type DiffSides =
  | { readonly kind: "trees"; readonly from: Oid; readonly to: Oid }
  | { readonly kind: "blobs"; readonly from: FileSpec; readonly to: FileSpec }
  /** The index; default against HEAD. */
  | { readonly kind: "index"; readonly tree: Oid | null }
  | { readonly kind: "worktree"; readonly tree: Oid }
  /** The work tree against the index; `stage` of unmerged paths, default ours. */
  | { readonly kind: "unstaged"; readonly stage?: 1 | 2 | 3 | undefined };

export interface Comparison {
  readonly pairs: FilePair[];
  /** Files whose stat differs may be equal. */
  readonly dropSame: boolean;
  /** Prefixes of paths with `diff.mnemonicPrefix`. */
  readonly mnemonics?: { readonly old: string; readonly new: string };
  /** Separates the unmerged paths that a patch shows against both sides at once. */
  splitUnmerged(pairs: readonly FilePair[]): Promise<{ pairs: FilePair[]; combined: CombinedPath[] }>;
  /** Writes refreshed stats into the index, unless it is locked. */
  refreshIndex(): Promise<void>;
}

export async function compare(repo: Repository, sides: DiffSides, options: DiffOptions): Promise<Comparison> {
  switch (sides.kind) {
    case "trees":
      return plainComparison(await treePairs(repo, sides.from, sides.to, options));
    case "blobs": {
      // A copy, since sides are compared by identity.
      const { path, mode, oid } = sides.from;
      return plainComparison([createPair({ path, mode, oid }, { ...sides.to })]);
    }
    case "index": {
      const pairs = await cachedPairs(repo, sides.tree ?? (await headTree(repo)), options);
      return { ...plainComparison(pairs), mnemonics: { old: "c/", new: "i/" } };
    }
    case "worktree": {
      const found = await treeToWorktreePairs(repo as WorkRepository, sides.tree, options);
      return { ...workTreeComparison(repo, found), mnemonics: { old: "c/", new: "w/" } };
    }
    case "unstaged": {
      const found = await worktreePairs(repo as WorkRepository, options, { stage: sides.stage });
      return {
        ...workTreeComparison(repo, found),
        mnemonics: { old: "i/", new: "w/" },
        splitUnmerged: (pairs) => unmergedCombined(repo, found, pairs),
      };
    }
    default:
      return sides satisfies never;
  }
}

type WorkRepository = Repository & { readonly workTree: string };

function plainComparison(pairs: FilePair[]): Comparison {
  return {
    pairs,
    dropSame: false,
    splitUnmerged: async (all) => ({ pairs: [...all], combined: [] }),
    refreshIndex: async () => {},
  };
}

function workTreeComparison(repo: Repository, { pairs, comparison, index }: WorkTreePairs): Comparison {
  return {
    ...plainComparison(pairs),
    dropSame: true,
    async refreshIndex() {
      if (comparison.refreshed.length === 0 || repo.config.getBool("diff.autorefreshindex") === false) return;
      await updateIndexIfAble(repo as WorkRepository, index, comparison);
    },
  };
}

async function headTree(repo: Repository): Promise<Oid | null> {
  const head = await repo.refs.resolve("HEAD");
  return head?.oid ? peelTo(repo, head.oid, "tree") : EMPTY_TREE;
}
