/**
 * `checkout -m`: merges local edits that conflict with the switch into the new tree. Index and files become the work tree's merge
 * with the new tree; afterwards only conflicts are staged, and edits are unstaged again. A rejection changes nothing.
 */
import { GitError } from "../../errors.ts";
import { compareIndexToTree } from "../../index/compare-index-to-tree.ts";
import { NO_STAT } from "../../index/compare-stat.ts";
import { compareIndexToWorkTree } from "../../index/compare-worktree.ts";
import { IndexEditor } from "../../index/index-editor.ts";
import { indexFromColumns, readColumnarIndex, readIndex } from "../../index/read-index.ts";
import { stagePaths } from "../../index/stage-paths.ts";
import { lockIndex, writeIndex } from "../../index/write-index.ts";
import { writeTree } from "../../index/write-tree.ts";
import type { ConflictStyle } from "../../merge/merge-context.ts";
import type { FileVersion, Triple } from "../../merge/merge-entry.ts";
import { type ConflictedPath, mergeTrees } from "../../merge/merge-trees.ts";
import type { Oid } from "../../object/oid.ts";
import { stageConflicts, stagedPaths } from "../../worktree/apply-merge.ts";
import { switchTree, writeIndexWithCacheTree } from "../../worktree/switch-tree.ts";
import type { WorkRepository } from "../../worktree/work-tree-stats.ts";

export interface IntoTarget {
  readonly from: Oid;
  readonly to: Oid;
  /** For the markers. */
  readonly fromName: string;
  readonly toName: string;
  /** Null: as configured. */
  readonly style: ConflictStyle | null;
  readonly overwriteIgnored: boolean;
}

export async function mergeLocalChanges(repo: WorkRepository, target: IntoTarget): Promise<void> {
  const { from, to, fromName, toName, style, overwriteIgnored } = target;
  const staged = await stagedPaths(repo, from);
  if (staged.length > 0)
    throw new GitError("ESTATE", `cannot continue with staged changes in the following files:\n${staged.join(" ")}`);
  const before = await readIndex(repo);
  const columns = await readColumnarIndex(repo);
  const { changes } = await compareIndexToWorkTree(repo, columns, { unstaged: false, ignoreGitlinks: true });
  const editor = new IndexEditor(indexFromColumns(columns));
  await stagePaths(
    repo,
    changes.map(({ path }) => path),
    [editor],
  );
  const edited = editor.finish();
  const work = (await writeTree(repo.odb, edited)).oid;
  const labels = { ours: toName, theirs: "local", base: fromName };
  const merged = await mergeTrees(repo, [from, to, work], { labels, ...(style === null ? {} : { style }) });
  const conflicts = underOwnNames(merged.conflicts);
  await writeIndex(repo, edited, await lockIndex(repo));
  try {
    await switchTree(repo, work, merged.tree, { verb: "plumbing", overwriteIgnored });
    if (merged.conflicts.length > 0) await stageConflicts(repo, conflicts);
  } catch (error) {
    await writeIndex(repo, before, await lockIndex(repo));
    throw error;
  }
  await unstageEdits(repo, to, new Set(conflicts.map(({ path }) => path)));
}

/**
 * `checkout -m` stages a conflict under the name that both sides know, and leaves a renamed file (`d~other`) untracked: if it were
 * staged under that name, resolving the conflict would not remove it.
 */
function underOwnNames(conflicts: readonly ConflictedPath[]): ConflictedPath[] {
  const byPath = new Map<string, Triple<FileVersion | null>>();
  for (const { path, movedFrom, stages } of conflicts) {
    if (movedFrom !== undefined) byPath.set(path, [null, null, null]);
    const own = movedFrom ?? path;
    const others = byPath.get(own);
    byPath.set(own, stages.map((stage, i) => stage ?? others?.[i] ?? null) as Triple<FileVersion | null>);
  }
  return [...byPath].map(([path, stages]) => ({ path, stages }));
}

async function unstageEdits(repo: WorkRepository, tree: Oid, conflicts: ReadonlySet<string>): Promise<void> {
  const lock = await lockIndex(repo);
  try {
    const columns = await readColumnarIndex(repo);
    const editor = new IndexEditor(indexFromColumns(columns));
    for (const { path, before } of await compareIndexToTree(repo.odb, tree, columns)) {
      if (conflicts.has(path)) continue;
      if (before === null) editor.remove(path);
      else editor.set({ path, stage: 0, ...before, stat: NO_STAT });
    }
    await writeIndexWithCacheTree(repo, editor.finish(), lock);
  } catch (error) {
    await lock.release();
    throw error;
  }
}
