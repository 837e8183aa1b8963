/** Brings paths back from the index or from a tree, into the index, the work tree or both. */
import { GitError } from "../errors.ts";
import type { Oid } from "../oid.ts";
import type { Pathspec } from "../pathspec/pathspec.ts";
import { unmatchedError } from "../pathspec/pathspec.ts";
import { NO_STAT } from "../staging/compare-stat.ts";
import { compareWorkTree } from "../staging/compare-worktree.ts";
import { IndexEditor } from "../staging/index-editor.ts";
import type { IndexEntry } from "../staging/index-entry.ts";
import { indexFromColumns, readIndexColumns } from "../staging/read-index.ts";
import { walkTree } from "../staging/read-tree.ts";
import { lockIndex, writeIndex } from "../staging/write-index.ts";
import type { WorkRepository } from "../worktree/survey.ts";
import { type PathUpdate, updateWorkTree } from "../worktree/update-work-tree.ts";

export interface RestoreOptions {
  readonly pathspec: Pathspec;
  /** A tree; null: the index. */
  readonly source: Oid | null;
  readonly staged: boolean;
  readonly worktree: boolean;
  /** Paths that the source lacks stay; default true, as `checkout`. */
  readonly overlay: boolean;
  /** For unmerged paths: which side to take. */
  readonly side?: "ours" | "theirs";
  /** Unmerged paths are passed over. */
  readonly ignoreUnmerged?: boolean;
}

export interface Restored {
  /** Paths written into the work tree or the index. */
  readonly count: number;
  readonly unmerged: readonly string[];
}

export async function restorePaths(repo: WorkRepository, options: RestoreOptions): Promise<Restored> {
  const { pathspec, source } = options;
  const lock = await lockIndex(repo);
  try {
    const columns = await readIndexColumns(repo);
    const index = indexFromColumns(columns);
    const editor = new IndexEditor(index);
    const wanted =
      source === null ? fromIndex(index.entries, options) : await fromTree(repo, source, index.entries, options);
    const unmatched = pathspec.unmatched();
    if (unmatched.length > 0) throw unmatchedError(unmatched[0] as Parameters<typeof unmatchedError>[0]);
    const updates = wanted.updates;
    let count = updates.length;
    if (options.worktree) {
      const dirty = await changedPaths(repo, columns, options);
      const needed = updates.filter(({ path, to }) => {
        const entry = editor.get(path);
        return dirty.has(path) || entry === undefined || to === null || entry.oid !== to.oid || entry.mode !== to.mode;
      });
      const kept = new IndexEditor(index);
      count = needed.length;
      // What comes from elsewhere than the index, or from one side of a conflict, leaves the index alone.
      const tells = options.staged || (source === null && options.side === undefined);
      await updateWorkTree(repo, tells ? editor : kept, needed);
    } else {
      for (const { path, to } of updates) {
        const before = editor.get(path);
        if (to === null) editor.remove(path);
        else if (before?.oid !== to.oid || before.mode !== to.mode)
          editor.set({ path, stage: 0, ...to, stat: NO_STAT });
      }
    }
    const next = editor.finish();
    if (next === index) await lock.release();
    else await writeIndex(repo, next, lock);
    return { count, unmerged: wanted.unmerged };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

interface Wanted {
  readonly updates: PathUpdate[];
  readonly unmerged: string[];
}

function fromIndex(entries: readonly IndexEntry[], { pathspec, side, ignoreUnmerged }: RestoreOptions): Wanted {
  const updates: PathUpdate[] = [];
  const unmerged = new Set<string>();
  const stage = side === "ours" ? 2 : side === "theirs" ? 3 : 0;
  const taken = new Set<string>();
  for (const entry of entries) {
    if (!pathspec.matches(entry.path)) continue;
    if (entry.stage === 0 || entry.stage === stage) {
      taken.add(entry.path);
      updates.push({ path: entry.path, to: { mode: entry.mode, oid: entry.oid } });
    } else unmerged.add(entry.path);
  }
  for (const path of taken) unmerged.delete(path);
  if (unmerged.size > 0 && !ignoreUnmerged) {
    const [first = "", ...others] = [...unmerged].map((path) => `path '${path}' is unmerged`);
    const hint = others.map((text) => `error: ${text}\n`).join("");
    throw new GitError("ESTATE", first, { prefix: "error", exitCode: 1, ...(hint === "" ? {} : { hint }) });
  }
  return { updates, unmerged: [...unmerged] };
}

async function fromTree(
  repo: WorkRepository,
  tree: Oid,
  entries: readonly IndexEntry[],
  options: RestoreOptions,
): Promise<Wanted> {
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
    // What stays because the source lacks it is no match: the word named nothing there.
    if (there.has(path) || !pathspec.matches(path, { quiet: overlay })) continue;
    there.add(path);
    if (!overlay) updates.push({ path, to: null });
  }
  return { updates, unmerged: [] };
}

async function changedPaths(
  repo: WorkRepository,
  columns: Awaited<ReturnType<typeof readIndexColumns>>,
  { pathspec }: RestoreOptions,
) {
  const { changes } = await compareWorkTree(repo, columns, { unstaged: false, pathspec });
  return new Set(changes.map(({ path }) => path));
}
