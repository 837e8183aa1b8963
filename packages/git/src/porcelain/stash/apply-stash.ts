/**
 * Applies a stash with a three-way merge: the base is the tree of the commit it was created on, ours is the current index, theirs
 * is the stash's work tree. Changes to tracked files are unstaged afterwards; new files stay staged. With `index`, the stash's
 * index is restored as well.
 */
import { GitError } from "../../errors.ts";
import { compareIndexToTree } from "../../index/compare-index-to-tree.ts";
import { NO_STAT } from "../../index/compare-stat.ts";
import { IndexEditor } from "../../index/index-editor.ts";
import { indexFromColumns, readColumnarIndex } from "../../index/read-index.ts";
import { walkTree } from "../../index/read-tree.ts";
import { lockIndex } from "../../index/write-index.ts";
import { writeTree } from "../../index/write-tree.ts";
import { type MergedTrees, mergeTrees } from "../../merge/merge-trees.ts";
import type { Oid } from "../../object/oid.ts";
import { applyMerge, refuseStaged } from "../../worktree/apply-merge.ts";
import { writeIndexWithCacheTree } from "../../worktree/switch-tree.ts";
import { updateWorkTree } from "../../worktree/update-work-tree.ts";
import { type WorkRepository, WorkTreeStats } from "../../worktree/work-tree-stats.ts";
import { unmergedPaths } from "../checkout/switch-branch.ts";
import { reset } from "../reset.ts";
import { NeedsMerge } from "./create-stash.ts";
import type { StashEntry } from "./stash-entry.ts";

export interface AppliedStash {
  readonly clean: boolean;
  /** For stdout. */
  readonly output: string;
  /** For stderr. */
  readonly errors: string;
}

export async function applyStash(
  repo: WorkRepository,
  stash: StashEntry,
  { index = false }: { readonly index?: boolean } = {},
): Promise<AppliedStash> {
  const unmerged = await unmergedPaths(repo);
  if (unmerged.length > 0) throw new NeedsMerge(unmerged.map((path) => `${path}: needs merge\n`).join(""));
  const current = (await writeTree(repo.odb, indexFromColumns(await readColumnarIndex(repo)))).oid;
  const wantsIndex = index && stash.baseTree !== stash.indexTree && current !== stash.indexTree;
  const indexTree = wantsIndex ? await mergedIndex(repo, stash, current) : null;
  const head = indexTree === null ? null : ((await repo.refs.resolve("HEAD"))?.oid ?? null);
  if (head !== null) await reset(repo, { mode: "mixed", to: head, name: "HEAD" });
  const merged = await mergeStash(repo, stash, current);
  let output = stash.baseTree === stash.workTree ? "Already up to date.\n" : "";
  let errors = "";
  let clean = merged.clean;
  try {
    // Only an `add -N` entry differs from the tree of the index.
    await refuseStaged(repo, current);
    await applyMerge(repo, current, merged);
    await repo.fs.rm(`${repo.gitDir}/AUTO_MERGE`, { force: true });
    output += merged.messages.map((line) => `${line}\n`).join("");
    if (merged.clean) await setIndex(repo, indexTree ?? current, indexTree === null);
  } catch (error) {
    if (!(error instanceof GitError) || error.code !== "ESTATE") throw error;
    clean = false;
    errors += `error: ${error.message}\n${error.hint ?? ""}`;
  }
  if (!clean && index) errors += "Index was not unstashed.\n";
  if (stash.untrackedTree !== null) {
    const existing = await restoreUntracked(repo, stash.untrackedTree);
    if (existing.length > 0) {
      clean = false;
      errors += `${existing.map((path) => `${path} already exists, no checkout\n`).join("")}error: could not restore untracked files from stash\n`;
    }
  }
  return { clean, output, errors };
}

function mergeStash(repo: WorkRepository, { baseTree, workTree }: StashEntry, current: Oid): Promise<MergedTrees> {
  const ours = baseTree === current ? "Version stash was based on" : "Updated upstream";
  return mergeTrees(repo, [baseTree, current, workTree], {
    labels: { ours, theirs: "Stashed changes", base: "Stash base" },
  });
}

/**
 * Merges the stash's staged changes into the index. git applies them as a patch instead; where that fails, this merge almost always
 * fails too.
 */
async function mergedIndex(repo: WorkRepository, { baseTree, indexTree }: StashEntry, current: Oid): Promise<Oid> {
  if (baseTree === current) return indexTree;
  const labels = { ours: "ours", theirs: "theirs", base: "base" };
  const merged = await mergeTrees(repo, [baseTree, current, indexTree], { labels, renames: false });
  if (merged.clean) return merged.tree;
  throw new GitError("ECONFLICT", "conflicts in index. Try without --index.", { prefix: "error", exitCode: 1 });
}

/** Sets the index to the tree and leaves the work tree unchanged. `keepNew`: files that the tree lacks stay staged. */
async function setIndex(repo: WorkRepository, tree: Oid, keepNew: boolean): Promise<void> {
  const lock = await lockIndex(repo);
  try {
    const columns = await readColumnarIndex(repo);
    const editor = new IndexEditor(indexFromColumns(columns));
    for (const { path, before } of await compareIndexToTree(repo.odb, tree, columns, { intended: true })) {
      if (before !== null) editor.set({ path, stage: 0, ...before, stat: NO_STAT });
      else if (!keepNew) editor.remove(path);
    }
    await writeIndexWithCacheTree(repo, editor.finish(), lock);
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** Returns the paths that already exist; those are not restored. */
async function restoreUntracked(repo: WorkRepository, tree: Oid): Promise<string[]> {
  const survey = new WorkTreeStats(repo);
  const existing: string[] = [];
  const updates: { path: string; to: { mode: number; oid: Oid } }[] = [];
  for await (const { path, mode, oid } of walkTree(repo.odb, tree, { limits: repo.limits })) {
    if ((await survey.statOf(path)) !== null || (await survey.obstacle(path)) !== null) existing.push(path);
    else updates.push({ path, to: { mode, oid } });
  }
  // Does not write the index: these files were untracked.
  const scratchIndex = new IndexEditor(indexFromColumns(await readColumnarIndex(repo)));
  await updateWorkTree(repo, scratchIndex, updates, { attributes: "worktree" });
  return existing;
}
