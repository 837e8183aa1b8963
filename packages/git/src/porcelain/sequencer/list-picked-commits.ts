/** The commits that `cherry-pick` and `revert` name, in the order they are applied. */
import { GitError } from "../../errors.ts";
import type { Oid } from "../../object/oid.ts";
import { findRevision } from "../../revision/find-revision.ts";
import { peelTo } from "../../revision/peel.ts";
import { RevisionArguments } from "../../revision/revision-arguments.ts";
import { walk } from "../../revision/walk.ts";
import type { WorkRepository } from "../../worktree/work-tree-stats.ts";
import { actionName, type PickAction } from "./pick-commits.ts";

export interface PickedCommits {
  readonly todo: readonly Oid[];
  /** A single commit was named. */
  readonly single: boolean;
}

function isRange(words: readonly string[]): boolean {
  return words.some((word) => word.includes("..") || word.startsWith("^") || /\^[@!-]/.test(word));
}

/** Walks ranges, oldest first for picks; individually named commits keep the order given. */
export async function listPickedCommits(
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
