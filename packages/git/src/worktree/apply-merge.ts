/**
 * Applies a merge result to index and work tree: switches trees, so that no local change is lost, then adds the stages of
 * conflicted paths. `.git/AUTO_MERGE` names the written tree, to show what was resolved since.
 */
import { GitError } from "../errors.ts";
import { compareIndexToTree } from "../index/compare-index-to-tree.ts";
import { NO_STAT } from "../index/compare-stat.ts";
import { IndexEditor } from "../index/index-editor.ts";
import type { Stage } from "../index/index-entry.ts";
import { readColumnarIndex, readIndex } from "../index/read-index.ts";
import { lockIndex, writeIndex } from "../index/write-index.ts";
import type { ConflictedPath, MergedTrees } from "../merge/merge-trees.ts";
import type { Oid } from "../object/oid.ts";
import { switchTree } from "./switch-tree.ts";
import type { WorkRepository } from "./work-tree-stats.ts";

interface ApplyMergeOptions {
  /** The command's name in a refusal: "merge", "cherry-pick". */
  readonly name?: string;
  readonly overwriteIgnored?: boolean;
}

export async function applyMerge(
  repo: WorkRepository,
  head: Oid,
  merged: Pick<MergedTrees, "tree" | "conflicts">,
  { name = "merge", overwriteIgnored = true }: ApplyMergeOptions = {},
): Promise<void> {
  await switchTree(repo, head, merged.tree, { verb: "merge", name, overwriteIgnored });
  if (merged.conflicts.length > 0) await stageConflicts(repo, merged.conflicts);
  await repo.fs.writeFile(`${repo.gitDir}/AUTO_MERGE`, `${merged.tree}\n`);
}

export async function stageConflicts(repo: WorkRepository, conflicts: readonly ConflictedPath[]): Promise<void> {
  const lock = await lockIndex(repo);
  try {
    const editor = new IndexEditor(await readIndex(repo));
    for (const { path, stages } of conflicts) {
      editor.remove(path);
      for (const [i, version] of stages.entries()) {
        if (version === null) continue;
        editor.set({ path, stage: (i + 1) as Stage, mode: version.mode, oid: version.oid, stat: NO_STAT });
      }
    }
    await writeIndex(repo, editor.finish(), lock);
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** Paths whose index entry differs from the tree, including `add -N` files. */
export async function stagedPaths(repo: WorkRepository, tree: Oid): Promise<string[]> {
  const changes = await compareIndexToTree(repo.odb, tree, await readColumnarIndex(repo), { intended: true });
  return changes.map(({ path }) => path);
}

/** A merge requires an index that equals HEAD. */
export async function refuseStaged(repo: WorkRepository, head: Oid): Promise<void> {
  const paths = await stagedPaths(repo, head);
  if (paths.length === 0) return;
  const text = `Your local changes to the following files would be overwritten by merge:\n  ${paths.join(" ")}`;
  throw new GitError("ESTATE", text, { prefix: "error", exitCode: 2 });
}
