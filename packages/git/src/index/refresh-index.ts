/**
 * What a look at the work tree taught about files that did not change: their new stats go into the index, so that the next look
 * need not read them. Also when entries are racy: a younger index makes them plain, and its bytes stay the same.
 */
import { GitError } from "../errors.ts";
import type { Repository } from "../repository.ts";
import { indexStat } from "./compare-stat.ts";
import type { WorkTreeComparison } from "./compare-worktree.ts";
import type { IndexEntry } from "./index-entry.ts";
import type { IndexFile } from "./index-file.ts";
import { type ColumnarIndex, indexFromColumns } from "./read-index.ts";
import { writeIndex } from "./write-index.ts";

type StatRefresh = Pick<WorkTreeComparison, "refreshed" | "verified">;

/** The index with what was learnt; no tree changes by it. */
export function refreshedIndex(index: IndexFile, { refreshed, verified }: StatRefresh): IndexFile {
  if (refreshed.length === 0 && verified.length === 0) return index;
  const entries = [...index.entries];
  for (const { at, stat } of refreshed) {
    const entry = entries[at] as IndexEntry;
    entries[at] = { ...entry, stat: indexStat(stat) };
  }
  // A copy of the stat says that it was looked at.
  for (const at of verified) {
    const entry = entries[at] as IndexEntry;
    entries[at] = { ...entry, stat: { ...entry.stat } };
  }
  return { ...index, entries };
}

/** Whether it was written: not when there is nothing to learn, when somebody else has the lock, and when no lock is wanted that can be done without. */
export async function updateIndexIfAble(
  repo: Repository,
  columns: ColumnarIndex,
  comparison: StatRefresh & Pick<WorkTreeComparison, "racy">,
): Promise<boolean> {
  if (comparison.refreshed.length === 0 && !comparison.racy) return false;
  if (/^(0|false|no|off)$/i.test(repo.env.GIT_OPTIONAL_LOCKS ?? "")) return false;
  try {
    await writeIndex(repo, refreshedIndex(indexFromColumns(columns), comparison));
    return true;
  } catch (error) {
    if (error instanceof GitError && error.code === "ELOCKED") return false;
    throw error;
  }
}
