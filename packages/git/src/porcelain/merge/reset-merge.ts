/**
 * Back to a tree without touching what is only edited: `reset --merge`. Paths in conflict and paths staged otherwise than the tree
 * has them are taken from it; a staged path whose file was edited since is refused before anything is changed.
 */
import { GitError } from "../../errors.ts";
import type { Oid } from "../../oid.ts";
import { compareTree } from "../../staging/compare-tree.ts";
import { IndexEditor } from "../../staging/index-editor.ts";
import type { IndexEntry } from "../../staging/index-entry.ts";
import { indexFromColumns, readIndexColumns } from "../../staging/read-index.ts";
import { lockIndex } from "../../staging/write-index.ts";
import { type WorkRepository, WorkTreeSurvey } from "../../worktree/survey.ts";
import { finishIndex } from "../../worktree/switch-tree.ts";
import { changedFiles } from "../../worktree/two-way.ts";
import { updateWorkTree } from "../../worktree/update-work-tree.ts";

export async function resetMerge(repo: WorkRepository, tree: Oid, name = "HEAD"): Promise<void> {
  const lock = await lockIndex(repo);
  try {
    const columns = await readIndexColumns(repo);
    const index = indexFromColumns(columns);
    const editor = new IndexEditor(index);
    const changes = await compareTree(repo.odb, tree, columns, { intended: true });
    const staged = changes.flatMap(({ path, unmerged }) => {
      const entry = unmerged ? undefined : editor.get(path);
      return entry === undefined ? [] : [entry as IndexEntry];
    });
    const [edited] = await changedFiles(repo, index, new WorkTreeSurvey(repo), staged);
    if (edited !== undefined) {
      const hint = `fatal: Could not reset index file to revision '${name}'.\n`;
      throw new GitError("ESTATE", `Entry '${edited}' not uptodate. Cannot merge.`, {
        prefix: "error",
        exitCode: 128,
        hint,
      });
    }
    for (const { path } of changes) editor.remove(path);
    await updateWorkTree(
      repo,
      editor,
      changes.map(({ path, before }) => ({ path, to: before })),
    );
    await finishIndex(repo, editor.finish(), lock);
  } catch (error) {
    await lock.release();
    throw error;
  }
}
