/** Sets index and work tree to a tree, whatever their state: `reset --hard`, `checkout -f`, and a fresh clone. */
import { GitError } from "../errors.ts";
import { compareIndexToTree } from "../index/compare-index-to-tree.ts";
import { compareIndexToWorkTree } from "../index/compare-worktree.ts";
import { IndexEditor } from "../index/index-editor.ts";
import type { IndexEntry } from "../index/index-entry.ts";
import type { IndexFile } from "../index/index-file.ts";
import { isAssumedValid, isSkipWorktree } from "../index/index-table.ts";
import { type ColumnarIndex, indexFromColumns, readColumnarIndex } from "../index/read-index.ts";
import { indexFromTree } from "../index/read-tree.ts";
import { refreshedIndex } from "../index/refresh-index.ts";
import { clearResolveUndo } from "../index/resolve-undo.ts";
import { lockIndex } from "../index/write-index.ts";
import type { Oid } from "../object/oid.ts";
import { collectOverwritten } from "./collect-overwritten.ts";
import { type SwitchResult, writeIndexWithCacheTree } from "./switch-tree.ts";
import { changedFiles } from "./two-way.ts";
import { type RefusedVerb, UnpackErrors } from "./unpack-errors.ts";
import { type PathState, type PathUpdate, type UpdateOptions, updateWorkTree } from "./update-work-tree.ts";
import { type WorkRepository, WorkTreeStats } from "./work-tree-stats.ts";

interface ResetHardOptions extends UpdateOptions {
  /** Untracked files stay, and the reset is refused with this command's messages. Absent: they are overwritten. */
  keepUntracked?: RefusedVerb | "plumbing";
  /** With `keepUntracked`: ignored files may still be overwritten; default true. */
  overwriteIgnored?: boolean;
}

export async function resetHard(repo: WorkRepository, to: Oid, options: ResetHardOptions = {}): Promise<SwitchResult> {
  const lock = await lockIndex(repo);
  try {
    const columns = await readColumnarIndex(repo);
    const plan = await planReset(repo, columns, to);
    const editor = new IndexEditor(plan.index);
    await refuse(repo, editor, plan.updates, options);
    // Removes conflict stages, whether or not the tree has the path.
    for (const { path } of plan.updates) if (editor.at(path)[0]?.stage !== 0) editor.remove(path);
    await updateWorkTree(repo, editor, plan.updates, { ...options, keepsMarks: true });
    const index = clearResolveUndo(editor.finish());
    const tree = plan.tree?.entries === index.entries.length ? plan.tree : index.tree;
    return { index: await writeIndexWithCacheTree(repo, { ...index, tree }, lock), updates: plan.updates };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function refuse(
  repo: WorkRepository,
  editor: IndexEditor,
  updates: readonly PathUpdate[],
  { keepUntracked, overwriteIgnored = true }: ResetHardOptions,
): Promise<void> {
  const refusals = new UnpackErrors();
  refusals.addStanding(repo, updates);
  if (refusals.any) throw refusals.plainError();
  if (keepUntracked === undefined) return;
  const survey = new WorkTreeStats(repo);
  const going = new Set(updates.flatMap(({ path, to }) => (to === null ? [path] : [])));
  for (const { path, to } of updates)
    if (to !== null && editor.at(path).length === 0)
      await collectOverwritten(repo, { editor, survey, going, overwriteIgnored }, path, refusals);
  if (refusals.any) throw keepUntracked === "plumbing" ? refusals.plainError() : refusals.error(keepUntracked);
}

async function planReset(repo: WorkRepository, columns: ColumnarIndex, to: Oid) {
  const index = indexFromColumns(columns);
  if (columns.table.count === 0) {
    const { entries, tree, isExact } = await indexFromTree(repo.odb, to, repo.limits);
    const updates = entries.map(({ path, mode, oid }) => ({ path, to: { mode, oid } }));
    // Trees that were just read need not be built and hashed again.
    return { index, updates, tree: isExact ? tree : null };
  }
  const updates = new Map<string, PathUpdate>();
  const comparison = await compareIndexToWorkTree(repo, columns, { unstaged: false });
  for (const { path, at } of comparison.changes) {
    const { mode, oid } = index.entries[at] as PathState;
    updates.set(path, { path, to: { mode, oid } });
  }
  for (const { path, before } of await compareIndexToTree(repo.odb, to, columns, { intended: true })) {
    updates.set(path, { path, to: before });
  }
  await refuseMarked(repo, columns, index, updates);
  return { index: refreshedIndex(index, comparison), updates: [...updates.values()], tree: null };
}

/** Edits in files with `--skip-worktree` or `--assume-unchanged` are not lost either. */
async function refuseMarked(
  repo: WorkRepository,
  { table }: ColumnarIndex,
  index: IndexFile,
  updates: ReadonlyMap<string, PathUpdate>,
): Promise<void> {
  const marked: IndexEntry[] = [];
  for (let at = 0; at < table.count; at++) {
    if ((table.flags[at] as number) <= 0xfff || !(isSkipWorktree(table, at) || isAssumedValid(table, at))) continue;
    if (updates.has(table.paths[at] as string)) marked.push(index.entries[at] as IndexEntry);
  }
  const [path] = await changedFiles(repo, index, new WorkTreeStats(repo), marked);
  if (path === undefined) return;
  throw new GitError("ESTATE", `Entry '${path}' not uptodate. Cannot merge.`, { prefix: "error", exitCode: 128 });
}
