/** Moves HEAD's branch, and resets index and work tree as far as the mode says. */

import { GitError } from "../errors.ts";
import { compareIndexToTree } from "../index/compare-index-to-tree.ts";
import { NO_STAT } from "../index/compare-stat.ts";
import { IndexEditor } from "../index/index-editor.ts";
import { indexFromColumns, readColumnarIndex } from "../index/read-index.ts";
import { lockIndex } from "../index/write-index.ts";
import { EMPTY_BLOB, EMPTY_TREE, type Oid } from "../object/oid.ts";
import type { Pathspec } from "../pathspec/pathspec.ts";
import type { RefUpdate } from "../refs/ref-store.ts";
import { checkHooks } from "../repository/hooks.ts";
import { reflogIdentity } from "../repository/identity.ts";
import type { Repository } from "../repository.ts";
import { resetHard } from "../worktree/reset-hard.ts";
import { switchTree, writeIndexWithCacheTree } from "../worktree/switch-tree.ts";
import type { WorkRepository } from "../worktree/work-tree-stats.ts";
import { removeBranchState, treeOfCommit, unmergedPaths } from "./checkout/switch-branch.ts";
import { notReset, resetMerge } from "./merge/reset-merge.ts";

export type ResetMode = "soft" | "mixed" | "hard" | "merge" | "keep";

export interface ResetOptions {
  readonly mode: ResetMode;
  /** Null: there is no commit yet, and HEAD stays unborn. */
  readonly to: Oid | null;
  /** As typed, for the reflog. */
  readonly name: string;
  /** New files stay as intent-to-add (`-N`). */
  readonly intentToAdd?: boolean;
}

export async function reset(repo: Repository, { mode, to, name, intentToAdd = false }: ResetOptions): Promise<void> {
  if (to !== null) await checkHooks(repo, "ref update");
  const tree = to === null ? EMPTY_TREE : await treeOfCommit(repo, to);
  if (mode === "soft" || mode === "keep") await refuseInMerge(repo, mode);
  if (mode !== "soft") {
    if (repo.workTree === null) {
      const isMixed = mode === "mixed";
      const reason = isMixed
        ? "mixed reset is not allowed in a bare repository"
        : "this operation must be run in a work tree";
      throw new GitError("ESTATE", reason);
    }
    const work = repo as WorkRepository;
    if (mode === "mixed") await resetIndex(work, tree, null, intentToAdd);
    else if (mode === "hard") await resetHard(work, tree).catch(notReset(name));
    else if (mode === "merge") await resetMerge(work, tree, name);
    else await resetKeep(work, tree, name);
  }
  if (to !== null) await moveBranch(repo, to, name);
  await removeBranchState(repo);
}

/** Updates files that differ between HEAD and the commit, unless edited; other staged changes stay only in their files. */
async function resetKeep(repo: WorkRepository, tree: Oid, name: string): Promise<void> {
  const head = (await repo.refs.resolve("HEAD"))?.oid ?? null;
  const from = head === null ? null : await treeOfCommit(repo, head);
  await switchTree(repo, from, tree, { verb: "plumbing" }).catch(notReset(name));
  await resetIndex(repo, tree, null, false);
}

/** Resets only the index; with a pathspec only its paths. */
export async function resetIndex(
  repo: WorkRepository,
  tree: Oid,
  pathspec: Pathspec | null,
  intentToAdd: boolean,
): Promise<void> {
  const lock = await lockIndex(repo);
  try {
    const columns = await readColumnarIndex(repo);
    const editor = new IndexEditor(indexFromColumns(columns));
    const enter = pathspec === null ? {} : { enter: (directory: string) => pathspec.mayMatchUnder(directory) };
    for (const { path, before } of await compareIndexToTree(repo.odb, tree, columns, { intended: true, ...enter })) {
      if (pathspec !== null && !pathspec.matches(path)) continue;
      const { skipWorktree } = editor.at(path)[0] ?? {};
      if (before !== null)
        editor.set({ path, stage: 0, ...before, stat: NO_STAT, ...(skipWorktree ? { skipWorktree } : {}) });
      else if (intentToAdd)
        editor.set({
          ...(editor.at(path)[0] as ReturnType<IndexEditor["at"]>[number]),
          stage: 0,
          oid: EMPTY_BLOB,
          intentToAdd: true,
          stat: NO_STAT,
        });
      else editor.remove(path);
    }
    await writeIndexWithCacheTree(repo, editor.finish(), lock);
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function refuseInMerge(repo: Repository, mode: ResetMode): Promise<void> {
  if ((await repo.fs.exists(`${repo.gitDir}/MERGE_HEAD`)) || (await unmergedPaths(repo)).length > 0)
    throw new GitError("ESTATE", `Cannot do a ${mode} reset in the middle of a merge.`);
}

async function moveBranch(repo: Repository, to: Oid, name: string): Promise<void> {
  const who = reflogIdentity(repo);
  const before = (await repo.refs.resolve("HEAD"))?.oid ?? null;
  const updates: RefUpdate[] = [{ name: "HEAD", to, message: `reset: moving to ${name}` }];
  if (before !== null) updates.push({ name: "ORIG_HEAD", to: before, noDeref: true });
  await repo.refs.update(updates, who);
}
