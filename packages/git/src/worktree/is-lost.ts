/** Whether a file that is to be made would cover something nobody has staged. */
import { type Ignores, openIgnores } from "../ignore/ignores.ts";
import type { IndexEditor } from "../staging/index-editor.ts";
import type { Refusals } from "./refusal.ts";
import type { WorkRepository, WorkTreeSurvey } from "./survey.ts";

export interface Coverage {
  readonly editor: IndexEditor;
  readonly survey: WorkTreeSurvey;
  /** Staged files that go in the same update. */
  readonly going: ReadonlySet<string>;
  readonly overwriteIgnored: boolean;
}

export async function isLost(
  repo: WorkRepository,
  coverage: Coverage,
  path: string,
  refusals: Refusals,
): Promise<void> {
  const { survey, going, editor } = coverage;
  const obstacle = await survey.obstacle(path);
  if (obstacle !== null) {
    if (!going.has(obstacle) && editor.get(obstacle) === undefined && !(await mayGo(repo, coverage, obstacle)))
      refusals.overwritten.add(obstacle);
    return;
  }
  const stat = await survey.statOf(path);
  if (stat === null) return;
  if (stat.type !== "dir") {
    if (!(await mayGo(repo, coverage, path))) refusals.overwritten.add(path);
    return;
  }
  if (await holdsUntracked(repo, coverage, path)) refusals.directories.add(path);
}

/** A file at a path that the old tree has and the new one has not, but that is not staged: it is somebody's own by now. */
export async function isLeft(
  repo: WorkRepository,
  coverage: Coverage,
  path: string,
  refusals: Refusals,
): Promise<void> {
  const stat = await coverage.survey.statOf(path);
  if (stat === null || stat.type === "dir") return;
  if (!(await mayGo(repo, coverage, path))) refusals.removed.add(path);
}

/** Once for all that one update would cover. */
const opened = new WeakMap<WorkTreeSurvey, Promise<Ignores>>();

async function mayGo(repo: WorkRepository, coverage: Coverage, path: string): Promise<boolean> {
  if (!coverage.overwriteIgnored) return false;
  let opening = opened.get(coverage.survey);
  if (opening === undefined) opened.set(coverage.survey, (opening = openIgnores(repo)));
  const ignores = await opening;
  await ignores.prepare([path]);
  return ignores.verdict(path, false).ignored;
}

/** Something in the directory that is neither staged and going, nor ignored. */
async function holdsUntracked(repo: WorkRepository, coverage: Coverage, directory: string): Promise<boolean> {
  const waiting = [directory];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const [name, stat] of (await coverage.survey.entriesOf(next)) ?? []) {
      const path = `${next}/${name}`;
      if (stat.type === "dir") waiting.push(path);
      else if (!coverage.going.has(path) && !(await mayGo(repo, coverage, path))) return true;
    }
  }
  return false;
}
