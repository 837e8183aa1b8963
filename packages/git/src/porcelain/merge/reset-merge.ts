/**
 * `reset --merge`: resets to a tree without touching unstaged edits. Paths in conflict and paths staged differently from the tree
 * take its version; a staged path whose file was edited since, or an untracked file in the way, is rejected before any change.
 */
import { GitError } from "../../errors.ts";
import { compareIndexToTree } from "../../index/compare-index-to-tree.ts";
import { IndexEditor } from "../../index/index-editor.ts";
import type { IndexEntry } from "../../index/index-entry.ts";
import { indexFromColumns, readColumnarIndex } from "../../index/read-index.ts";
import { lockIndex } from "../../index/write-index.ts";
import type { Oid } from "../../object/oid.ts";
import { collectOverwritten } from "../../worktree/collect-overwritten.ts";
import { writeIndexWithCacheTree } from "../../worktree/switch-tree.ts";
import { changedFiles } from "../../worktree/two-way.ts";
import { UnpackErrors } from "../../worktree/unpack-errors.ts";
import { updateWorkTree } from "../../worktree/update-work-tree.ts";
import { type WorkRepository, WorkTreeStats } from "../../worktree/work-tree-stats.ts";

/** Rewrites a rejected switch as git's error for `reset`. */
export function notReset(name: string) {
  return (error: unknown): never => {
    if (!(error instanceof GitError) || error.code !== "ESTATE") throw error;
    const hint = `fatal: Could not reset index file to revision '${name}'.\n`;
    throw new GitError("ESTATE", error.message, { prefix: "error", exitCode: 128, hint });
  };
}

export async function resetMerge(repo: WorkRepository, tree: Oid, name = "HEAD"): Promise<void> {
  const lock = await lockIndex(repo);
  try {
    const columns = await readColumnarIndex(repo);
    const index = indexFromColumns(columns);
    const editor = new IndexEditor(index);
    const changes = await compareIndexToTree(repo.odb, tree, columns, { intended: true });
    const staged = changes.flatMap(({ path, unmerged }) => {
      const entry = unmerged ? undefined : editor.get(path);
      return entry === undefined ? [] : [entry as IndexEntry];
    });
    const survey = new WorkTreeStats(repo);
    const refusals = new UnpackErrors();
    // The content of an intent-to-add entry exists only in the file.
    for (const { path, intentToAdd } of staged) if (intentToAdd) refusals.changed.add(path);
    for (const path of await changedFiles(repo, index, survey, staged)) refusals.changed.add(path);
    const going = new Set(changes.flatMap(({ path, before }) => (before === null ? [path] : [])));
    const coverage = { editor, survey, going, overwriteIgnored: true };
    for (const { path, before } of changes)
      if (before !== null && editor.at(path).length === 0) await collectOverwritten(repo, coverage, path, refusals);
    if (refusals.any) notReset(name)(refusals.plainError());
    for (const { path } of changes) editor.remove(path);
    await updateWorkTree(
      repo,
      editor,
      changes.map(({ path, before }) => ({ path, to: before })),
    );
    await writeIndexWithCacheTree(repo, editor.finish(), lock);
  } catch (error) {
    await lock.release();
    throw error;
  }
}
