/**
 * Writes the new stats of unchanged files to the index, so that the next comparison need not read them. Also runs if entries are
 * racy: a newer index makes them clean, and its bytes stay the same.
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

/** The index with refreshed stats; no tree changes. */
export function refreshedIndex(index: IndexFile, { refreshed, verified }: StatRefresh): IndexFile {
  if (refreshed.length === 0 && verified.length === 0) return index;
  const entries = [...index.entries];
  for (const { at, stat } of refreshed) {
    const entry = entries[at] as IndexEntry;
    entries[at] = { ...entry, stat: indexStat(stat) };
  }
  // A copy of the stat object marks it as verified.
  for (const at of verified) {
    const entry = entries[at] as IndexEntry;
    entries[at] = { ...entry, stat: { ...entry.stat } };
  }
  return { ...index, entries };
}

/** Returns false if nothing changed, the index is locked, or optional locks are disabled. */
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
