/**
 * A merge compared with all of its parents: the paths that differ from every one of them, and each parent's version.
 */
import type { Oid } from "../object/oid.ts";
import type { Repository } from "../repository.ts";
import type { DiffOptions } from "./diff-options.ts";
import { diffTrees } from "./diff-trees.ts";
import type { FilePair } from "./file-pair.ts";

interface CombinedParent {
  readonly mode: number;
  readonly oid: Oid | null;
  readonly status: FilePair["status"];
  /** This parent's path, if it was renamed since. */
  readonly path: string;
}

export interface CombinedPath {
  readonly path: string;
  readonly mode: number;
  readonly oid: Oid | null;
  readonly parents: readonly CombinedParent[];
  /** The result is in the work tree: its content, null if removed. */
  readonly worktree?: { readonly content: Uint8Array | null };
}

export async function combinedPaths(
  repo: Repository,
  tree: Oid | null,
  parents: readonly (Oid | null)[],
  options: DiffOptions,
): Promise<CombinedPath[]> {
  const plain = { ...options, recursive: true, showTrees: false, reverse: false };
  let common: Map<string, { pair: FilePair; parents: CombinedParent[] }> | null = null;
  for (const parent of parents) {
    const { pairs } = await diffTrees(repo, parent, tree, plain);
    const next = new Map<string, { pair: FilePair; parents: CombinedParent[] }>();
    for (const pair of pairs) {
      const before = common === null ? [] : common.get(pair.new.path)?.parents;
      if (before === undefined) continue;
      const { mode, oid, path } = pair.old;
      next.set(pair.new.path, { pair, parents: [...before, { mode, oid, path, status: pair.status }] });
    }
    common = next;
    if (common.size === 0) break;
  }
  return [...(common?.values() ?? [])].map(({ pair, parents: all }) => ({
    path: pair.new.path,
    mode: pair.new.mode,
    oid: pair.new.oid,
    parents: all,
  }));
}
