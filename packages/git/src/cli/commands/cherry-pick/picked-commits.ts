/** Resolves the commits for `cherry-pick` and `revert`. */
import { GitError } from "../../../errors.ts";
import type { Oid } from "../../../object/oid.ts";
import { listPickedCommits, type PickedCommits } from "../../../porcelain/sequencer/list-picked-commits.ts";
import type { PickAction } from "../../../porcelain/sequencer/pick-commits.ts";
import { walk } from "../../../revision/walk.ts";
import type { WorkRepository } from "../../../worktree/work-tree-stats.ts";
import { revisionFlags } from "../../flags/revision-flag-table.ts";
import { readRevisions } from "../../flags/revision-flags.ts";
import type { CommandContext } from "../../framework/command.ts";
import { parseFlags } from "../../framework/parse-flags.ts";

/** `words` may contain options of `rev-list`, which limit the walk. */
export async function pickedCommits(
  context: CommandContext,
  repo: WorkRepository,
  action: PickAction,
  words: readonly string[],
  usage: () => string,
): Promise<PickedCommits> {
  const names = words.filter((word) => !word.startsWith("-"));
  const named = names.length > 0 ? await listPickedCommits(repo, action, names) : null;
  if (named !== null && names.length === words.length) return named;
  // Unknown options are reported last: git resolves revisions first.
  const unknownOption = () => new GitError("EUSAGE", "", { prefix: "", hint: usage() });
  const parsed = parseFlags({ usage: [], flags: revisionFlags, noAbbrev: true, unknownOption }, words);
  const { arguments: input, walk: requested } = await readRevisions(context, repo, parsed, { fallback: null });
  const { tips } = input;
  const walks = requested.maxCount !== undefined || tips.some(({ uninteresting }) => uninteresting);
  const how = walks ? { reverse: requested.reverse !== (action === "pick") } : ({ noWalk: "unsorted" } as const);
  const todo: Oid[] = [];
  for await (const { oid } of walk(repo, { ...requested, tips, ...how })) todo.push(oid);
  return { todo, single: false };
}
