/** Saves local changes as a stash and removes them from index and work tree. The stash is listed before anything is removed. */
import { GitError } from "../../errors.ts";
import { compareIndexToTree } from "../../index/compare-index-to-tree.ts";
import { compareIndexToWorkTree } from "../../index/compare-worktree.ts";
import { IndexEditor } from "../../index/index-editor.ts";
import { indexFromColumns, readColumnarIndex } from "../../index/read-index.ts";
import { lockIndex } from "../../index/write-index.ts";
import { parsePathspec } from "../../pathspec/pathspec.ts";
import { removeFiles } from "../../worktree/remove-files.ts";
import { writeIndexWithCacheTree } from "../../worktree/switch-tree.ts";
import { updateWorkTree } from "../../worktree/update-work-tree.ts";
import type { WorkRepository } from "../../worktree/work-tree-stats.ts";
import { restorePaths } from "../checkout/restore-paths.ts";
import { clean } from "../clean.ts";
import { reset } from "../reset.ts";
import { type CreatedStash, type CreateStashOptions, createStash, withStashIdentity } from "./create-stash.ts";
import { storeStash } from "./stash-list.ts";

export interface PushStashOptions extends CreateStashOptions {
  /** Keeps staged changes. */
  readonly keepIndex?: boolean;
  /** Called after the stash is listed, before the work tree changes. */
  readonly onSaved?: (message: string) => void;
}

/** Null: there was nothing to save. */
export async function pushStash(repo: WorkRepository, options: PushStashOptions): Promise<CreatedStash | null> {
  const { pathspec, untracked = "no" } = options;
  if (untracked === "no") await refuseUnmatched(repo, options);
  const created = await createStash(repo, options);
  if (created === null) return null;
  if (options.staged) await refuseEdited(repo, created);
  await storeStash(withStashIdentity(repo), created.oid, created.message);
  options.onSaved?.(created.message);
  if (untracked !== "no" && pathspec.isEmpty) {
    const ignored = untracked === "all" ? "also" : "keep";
    await clean({ ...repo, prefix: "" }, { pathspec: parsePathspec(repo, []), directories: true, ignored });
  } else await removeFiles(repo, created.untracked);
  if (pathspec.isEmpty && !options.staged) await reset(repo, { mode: "hard", to: created.head, name: "HEAD" });
  else await takeOut(repo, created, options);
  // Only adds a reflog line, as git does at the end.
  if (pathspec.isEmpty && options.staged && !options.keepIndex)
    await reset(repo, { mode: "mixed", to: created.head, name: "HEAD" });
  if (!options.keepIndex) return created;
  const all = pathspec.isEmpty ? parsePathspec({ ...repo, prefix: "" }, ["."]) : pathspec;
  await restorePaths(repo, { pathspec: all, source: created.indexTree, staged: true, worktree: true, overlay: false });
  return created;
}

async function refuseUnmatched(repo: WorkRepository, { pathspec }: PushStashOptions): Promise<void> {
  if (pathspec.isEmpty) return;
  for (const { path } of indexFromColumns(await readColumnarIndex(repo)).entries) pathspec.matches(path);
  const unmatched = pathspec.unmatched();
  if (unmatched.length === 0) return;
  const [first = "", ...others] = unmatched.map(
    ({ match, prefixLength }) => `pathspec ':(,prefix:${prefixLength})${match}' did not match any file(s) known to git`,
  );
  const hint = `${others.map((text) => `error: ${text}\n`).join("")}Did you forget to 'git add'?\n`;
  throw new GitError("ENOTFOUND", first, { prefix: "error", exitCode: 1, hint });
}

/** git reverts the staged changes as a patch; here the file must match the index. */
async function refuseEdited(repo: WorkRepository, { headTree }: CreatedStash): Promise<void> {
  const columns = await readColumnarIndex(repo);
  const staged = new Set((await compareIndexToTree(repo.odb, headTree, columns)).map(({ path }) => path));
  const { changes } = await compareIndexToWorkTree(repo, columns, { unstaged: false });
  const edited = changes.find(({ path }) => staged.has(path));
  if (edited !== undefined)
    throw new GitError("EUNSUPPORTED", `'${edited.path}' was edited after it was staged; stash without --staged`);
}

/** Resets the selected paths, or the staged ones, to HEAD. */
async function takeOut(repo: WorkRepository, { headTree }: CreatedStash, options: PushStashOptions): Promise<void> {
  const { pathspec, staged } = options;
  const lock = await lockIndex(repo);
  try {
    const columns = await readColumnarIndex(repo);
    const index = indexFromColumns(columns);
    const updates = new Map<string, { path: string; to: { mode: number; oid: typeof headTree } | null }>();
    if (!staged) {
      const { changes } = await compareIndexToWorkTree(repo, columns, { unstaged: false, pathspec });
      for (const { path, at } of changes) {
        const entry = index.entries[at];
        if (entry && pathspec.matches(path)) updates.set(path, { path, to: { mode: entry.mode, oid: entry.oid } });
      }
    }
    for (const { path, before } of await compareIndexToTree(repo.odb, headTree, columns, { intended: true }))
      if (pathspec.matches(path)) updates.set(path, { path, to: before });
    const editor = new IndexEditor(index);
    await updateWorkTree(repo, editor, [...updates.values()], { attributes: "worktree" });
    await writeIndexWithCacheTree(repo, editor.finish(), lock);
  } catch (error) {
    await lock.release();
    throw error;
  }
}
