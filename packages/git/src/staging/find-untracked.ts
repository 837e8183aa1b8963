/** Untracked and ignored paths, from a comparison that met what is not staged. No .gitignore is read when there is nothing. */
import { type IgnoresOptions, openIgnores } from "../ignore/ignores.ts";
import { type Survey, type SurveyOptions, surveyUnstaged } from "../ignore/survey-unstaged.ts";
import type { Repository } from "../repository.ts";
import type { WorkComparison } from "./compare-worktree.ts";

export async function findUntracked(
  repo: Repository & { readonly workTree: string },
  { unstaged, ignoreFiles }: Pick<WorkComparison, "unstaged" | "ignoreFiles">,
  options: SurveyOptions & { ignores?: IgnoresOptions },
): Promise<Survey> {
  if (unstaged.length === 0) return { untracked: [], ignored: [], named: [] };
  const ignores = await openIgnores(repo, options.ignores);
  if (ignores.fileName === ".gitignore") await ignores.load(ignoreFiles);
  else await ignores.prepare(unstaged.map(({ path }) => path));
  return surveyUnstaged(repo, unstaged, ignores, options);
}
