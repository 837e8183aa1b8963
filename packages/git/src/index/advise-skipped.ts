/** git's advice for pathspecs that match only entries marked with `--skip-worktree`: they are left alone. */
import { advice } from "../config/advice.ts";
import type { Pathspec } from "../pathspec/pathspec.ts";
import type { Repository } from "../repository.ts";
import type { IndexEntry } from "./index-entry.ts";

/** Ready to print; "" if each has matched something else. Records their matches in the pathspec. */
export function adviseSkipped({ config }: Repository, pathspec: Pathspec, skipped: readonly IndexEntry[]): string {
  const unseen = pathspec.unmatched();
  for (const { path } of skipped) pathspec.matches(path);
  const still = new Set(pathspec.unmatched());
  const named = unseen.filter((item) => !still.has(item)).map(({ original }) => `${original}\n`);
  if (named.length === 0) return "";
  const head = `The following paths and/or pathspecs matched paths that exist
outside of your sparse-checkout definition, so will not be
updated in the index:
`;
  return head + named.join("") + advice(config, "updateSparsePath", HINT);
}

const HINT = `If you intend to update such entries, try one of the following:
* Use the --sparse option.
* Disable or modify the sparsity rules.
Disable this message with "git config advice.updateSparsePath false"`;
