/** Restores paths from the index or a tree, into the index, the work tree or both. */

import { GitError } from "../../errors.ts";
import { NO_STAT } from "../../index/compare-stat.ts";
import { compareIndexToWorkTree } from "../../index/compare-worktree.ts";
import { IndexEditor } from "../../index/index-editor.ts";
import type { IndexEntry } from "../../index/index-entry.ts";
import { indexFromColumns, readColumnarIndex } from "../../index/read-index.ts";
import { walkTree } from "../../index/read-tree.ts";
import { unmergeIndex } from "../../index/unmerge-index.ts";
import { lockIndex, writeIndex } from "../../index/write-index.ts";
import { mergeBlobs } from "../../merge/merge-content.ts";
import { type ConflictStyle, MergeMessages } from "../../merge/merge-context.ts";
import type { Triple } from "../../merge/merge-entry.ts";
import { type Oid, ZERO_OID } from "../../object/oid.ts";
import type { Pathspec } from "../../pathspec/pathspec.ts";
import { unmatchedError } from "../../pathspec/pathspec.ts";
import { printSkippedHooks } from "../../repository/hooks.ts";
import { type PathState, type PathUpdate, updateWorkTree } from "../../worktree/update-work-tree.ts";
import type { WorkRepository } from "../../worktree/work-tree-stats.ts";

export interface RestoreOptions {
  readonly pathspec: Pathspec;
  /** A tree; null: the index. */
  readonly source: Oid | null;
  readonly staged: boolean;
  readonly worktree: boolean;
  /** Keeps paths that the source lacks; default true, as `checkout`. */
  readonly overlay: boolean;
  /** For unmerged paths: the side to take. */
  readonly side?: "ours" | "theirs";
  /** Merges unmerged paths again, with markers, as configured (null) or in that style. */
  readonly remerge?: ConflictStyle | null;
  /** Skips unmerged paths. */
  readonly ignoreUnmerged?: boolean;
}

export interface Restored {
  /** Number of paths written to the work tree or the index. */
  readonly count: number;
  readonly unmerged: readonly string[];
  /** Number of conflicts written again. */
  readonly recreated: number;
}

export async function restorePaths(repo: WorkRepository, options: RestoreOptions): Promise<Restored> {
  const { pathspec, source } = options;
  const lock = await lockIndex(repo);
  try {
    const columns = await readColumnarIndex(repo);
    const before = indexFromColumns(columns);
    const takesBack = options.remerge !== undefined;
    const index = takesBack ? unmergeIndex(before, (path) => pathspec.matches(path)) : before;
    const editor = new IndexEditor(index);
    const wanted =
      source === null ? fromIndex(index.entries, options) : await fromTree(repo, source, index.entries, options);
    const unmatched = pathspec.unmatched();
    if (unmatched.length > 0) throw unmatchedError(unmatched);
    const updates = wanted.updates;
    const recreated: PathUpdate[] = [];
    for (const conflict of wanted.conflicts) recreated.push(await mergedAgain(repo, conflict, options.remerge ?? null));
    let count = updates.length;
    if (options.worktree) {
      const dirty = await changedPaths(repo, columns, options);
      const needed = updates.filter(({ path, to }) => {
        const entry = editor.get(path);
        return dirty.has(path) || to === null || isOther(entry, to);
      });
      const retained = new IndexEditor(index);
      count = needed.length;
      // Content from a source other than the index, or from one side of a conflict, does not change the index.
      const updatesIndex = options.staged || (source === null && options.side === undefined);
      await updateWorkTree(repo, updatesIndex ? editor : retained, needed, { attributes: "worktree" });
      await updateWorkTree(repo, retained, recreated, { attributes: "worktree" });
    } else {
      for (const { path, to } of updates) {
        const before = editor.get(path);
        if (to === null) editor.remove(path);
        else if (isOther(before, to)) editor.set({ path, stage: 0, ...to, stat: NO_STAT });
      }
    }
    const next = editor.finish();
    if (next === before) await lock.release();
    else await writeIndex(repo, next, lock);
    if (options.worktree) await printSkippedHooks(repo, "checkout");
    return { count, unmerged: wanted.unmerged, recreated: recreated.length };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

function isOther(entry: IndexEntry | undefined, { oid, mode }: PathState): boolean {
  return entry === undefined || entry.intentToAdd === true || entry.oid !== oid || entry.mode !== mode;
}

interface RestoredEntry {
  readonly updates: PathUpdate[];
  readonly unmerged: string[];
  readonly conflicts: Conflict[];
}

/** The stages of one path: base (perhaps none), ours, theirs. */
interface Conflict {
  readonly path: string;
  readonly stages: readonly (IndexEntry | undefined)[];
}

function fromIndex(entries: readonly IndexEntry[], options: RestoreOptions): RestoredEntry {
  const { pathspec, side, remerge, ignoreUnmerged, overlay } = options;
  const updates: PathUpdate[] = [];
  const unmerged = new Set<string>();
  const stage = side === "ours" ? 2 : side === "theirs" ? 3 : 0;
  const taken = new Set<string>();
  for (const entry of entries) {
    if (!pathspec.matches(entry.path)) continue;
    if (entry.stage === 0 || entry.stage === stage) {
      taken.add(entry.path);
      const { mode, oid, intentToAdd } = entry;
      updates.push({ path: entry.path, to: { mode, oid, ...(intentToAdd ? { intentToAdd } : {}) } });
    } else unmerged.add(entry.path);
  }
  for (const path of taken) unmerged.delete(path);
  // The requested side has no such file.
  if (side !== undefined && !overlay) {
    updates.push(...[...unmerged].map((path) => ({ path, to: null })));
    unmerged.clear();
  }
  const at = (path: string, stage: number) => entries.find((entry) => entry.path === path && entry.stage === stage);
  const conflicts =
    remerge === undefined ? [] : [...unmerged].map((path) => ({ path, stages: [1, 2, 3].map((n) => at(path, n)) }));
  const lacking = conflicts.filter(({ stages }) => !stages[1] || !stages[2]).map(({ path }) => path);
  const refused = remerge === undefined ? [...unmerged] : lacking;
  if (refused.length > 0 && !ignoreUnmerged) {
    const what =
      remerge !== undefined
        ? "does not have all necessary versions"
        : side === undefined
          ? "is unmerged"
          : `does not have ${side === "ours" ? "our" : "their"} version`;
    const [first = "", ...others] = refused.map((path) => `path '${path}' ${what}`);
    const hint = others.map((text) => `error: ${text}\n`).join("");
    throw new GitError("ESTATE", first, { prefix: "error", exitCode: 1, ...(hint === "" ? {} : { hint }) });
  }
  return { updates, unmerged: [...unmerged], conflicts };
}

async function mergedAgain(
  repo: WorkRepository,
  { path, stages: [base, ours, theirs] }: Conflict,
  style: ConflictStyle | null,
): Promise<PathUpdate> {
  const labels = { base: "base", ours: "ours", theirs: "theirs" };
  const options = { algorithm: "myers" as const, ...(style === null ? {} : { style }) };
  const context = { repo, labels, options, depth: 0, messages: new MergeMessages(true) };
  const oids: Triple<Oid> = [base?.oid ?? ZERO_OID, (ours as IndexEntry).oid, (theirs as IndexEntry).oid];
  const { oid } = await mergeBlobs(context, path, oids, [path, path, path], 0);
  return { path, to: { mode: (ours as IndexEntry).mode, oid } };
}

async function fromTree(
  repo: WorkRepository,
  tree: Oid,
  entries: readonly IndexEntry[],
  options: RestoreOptions,
): Promise<RestoredEntry> {
  const { pathspec, overlay } = options;
  const updates: PathUpdate[] = [];
  const there = new Set<string>();
  const enter = (path: string) => pathspec.mayMatchUnder(path);
  for await (const { path, mode, oid } of walkTree(repo.odb, tree, { enter, limits: repo.limits })) {
    if (!pathspec.matches(path)) continue;
    there.add(path);
    updates.push({ path, to: { mode, oid } });
  }
  for (const { path } of entries) {
    // A path that stays because the source lacks it is no match: the pathspec names nothing there.
    if (there.has(path) || !pathspec.matches(path, { quiet: overlay })) continue;
    there.add(path);
    if (!overlay) updates.push({ path, to: null });
  }
  return { updates, unmerged: [], conflicts: [] };
}

async function changedPaths(
  repo: WorkRepository,
  columns: Awaited<ReturnType<typeof readColumnarIndex>>,
  { pathspec }: RestoreOptions,
) {
  const { changes } = await compareIndexToWorkTree(repo, columns, { unstaged: false, pathspec });
  return new Set(changes.map(({ path }) => path));
}
