/** Untracked and ignored paths, from a comparison with the work tree. Reads no .gitignore if there are none. */

import { classifyUntracked, type SurveyOptions, type UntrackedPaths } from "../ignore/classify-untracked.ts";
import { type IgnoresOptions, openIgnores } from "../ignore/ignores.ts";
import type { Repository } from "../repository.ts";
import type { WorkTreeComparison } from "./compare-worktree.ts";

export async function findUntracked(
  repo: Repository & { readonly workTree: string },
  { unstaged, ignoreFiles }: Pick<WorkTreeComparison, "unstaged" | "ignoreFiles">,
  options: SurveyOptions & { ignores?: IgnoresOptions },
): Promise<UntrackedPaths> {
  if (unstaged.length === 0) return { untracked: [], ignored: [], named: [] };
  const ignores = await openIgnores(repo, options.ignores);
  if (ignores.fileName === ".gitignore") await ignores.load(ignoreFiles);
  else await ignores.prepare(unstaged.map(({ path }) => path));
  return classifyUntracked(repo, unstaged, ignores, options);
}
