/** Resolves the commits for `cherry-pick` and `revert`. */
import { GitError } from "../../../errors.ts";
import type { Oid } from "../../../object/oid.ts";
import { actionName, type PickAction } from "../../../porcelain/sequencer/pick-commits.ts";
import { findRevision } from "../../../revision/find-revision.ts";
import { peelTo } from "../../../revision/peel.ts";
import { RevisionArguments } from "../../../revision/revision-arguments.ts";
import { walk } from "../../../revision/walk.ts";
import type { WorkRepository } from "../../../worktree/work-tree-stats.ts";
import { revisionFlags } from "../../flags/revision-flag-table.ts";
import { readRevisions } from "../../flags/revision-flags.ts";
import type { CommandContext } from "../../framework/command.ts";
import { parseFlags } from "../../framework/parse-flags.ts";

interface PickedCommits {
  readonly todo: readonly Oid[];
  /** A single commit was named. */
  readonly single: boolean;
}

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

function isRange(words: readonly string[]): boolean {
  return words.some((word) => word.includes("..") || word.startsWith("^") || /\^[@!-]/.test(word));
}

/** Walks ranges, oldest first for picks; individually named commits keep the order given. */
async function listPickedCommits(
  repo: WorkRepository,
  action: PickAction,
  words: readonly string[],
): Promise<PickedCommits> {
  if (!isRange(words)) {
    const todo: Oid[] = [];
    for (const word of words) {
      const found = await findRevision(repo, word, { wanted: "committish" });
      if (found === null) throw new GitError("ENOTFOUND", `bad revision '${word}'`);
      const oid = await peelTo(repo, found.oid, "commit");
      if (oid === null) {
        const type = (await repo.odb.header(found.oid))?.type ?? "blob";
        throw new GitError("EINVAL", `${word}: can't ${actionName(action)} a ${type}`, { prefix: "error" });
      }
      todo.push(oid);
    }
    return { todo, single: words.length === 1 };
  }
  const revisions = new RevisionArguments(repo);
  for (const word of words) {
    if (!(await revisions.revision(word))) throw new GitError("ENOTFOUND", `bad revision '${word}'`);
  }
  const { tips } = revisions;
  const todo: Oid[] = [];
  for await (const { oid } of walk(repo, { tips, ...(action === "pick" ? { reverse: true } : {}) })) todo.push(oid);
  return { todo, single: false };
}
