/** Collects untracked files that a checkout would overwrite. */
import { openIgnores } from "../ignore/ignores.ts";
import type { IndexEditor } from "../index/index-editor.ts";
import type { UnpackErrors } from "./unpack-errors.ts";
import type { WorkRepository, WorkTreeStats } from "./work-tree-stats.ts";

interface OverwriteCheck {
  readonly editor: IndexEditor;
  readonly survey: WorkTreeStats;
  /** Staged files that the same update removes. */
  readonly going: ReadonlySet<string>;
  readonly overwriteIgnored: boolean;
}

export async function collectOverwritten(
  repo: WorkRepository,
  coverage: OverwriteCheck,
  path: string,
  refusals: UnpackErrors,
): Promise<void> {
  const { survey, going, editor } = coverage;
  const obstacle = await survey.obstacle(path);
  if (obstacle !== null) {
    if (!going.has(obstacle) && editor.get(obstacle) === undefined && !(await isDisposable(repo, coverage, obstacle)))
      refusals.overwritten.add(obstacle);
    return;
  }
  const stat = await survey.statOf(path);
  if (stat === null) return;
  if (stat.type !== "dir") {
    if (!(await isDisposable(repo, coverage, path))) refusals.overwritten.add(path);
    return;
  }
  if (await holdsUntracked(repo, coverage, path)) refusals.directories.add(path);
}

/** A file at a path that the old tree has and the new one lacks, but that is not staged: it now counts as untracked. */
export async function collectRemoved(
  repo: WorkRepository,
  coverage: OverwriteCheck,
  path: string,
  refusals: UnpackErrors,
): Promise<void> {
  const stat = await coverage.survey.statOf(path);
  if (stat === null || stat.type === "dir") return;
  if (!(await isDisposable(repo, coverage, path))) refusals.removed.add(path);
}

async function isDisposable(repo: WorkRepository, coverage: OverwriteCheck, path: string): Promise<boolean> {
  if (!coverage.overwriteIgnored) return false;
  const ignores = await (coverage.survey.ignores ??= openIgnores(repo));
  await ignores.prepare([path]);
  return ignores.verdict(path, false).ignored;
}

/** Whether the directory contains an entry that is neither staged for removal nor ignored. */
async function holdsUntracked(repo: WorkRepository, coverage: OverwriteCheck, directory: string): Promise<boolean> {
  const waiting = [directory];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const [name, stat] of (await coverage.survey.entriesOf(next)) ?? []) {
      const path = `${next}/${name}`;
      if (stat.type === "dir") waiting.push(path);
      else if (!coverage.going.has(path) && !(await isDisposable(repo, coverage, path))) return true;
    }
  }
  return false;
}
