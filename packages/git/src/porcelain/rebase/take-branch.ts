/** Switches to the branch of a rebase that has nothing to do. */
import type { Oid } from "../../object/oid.ts";
import { reflogIdentity } from "../../repository/identity.ts";
import { switchTree } from "../../worktree/switch-tree.ts";
import type { WorkRepository } from "../../worktree/work-tree-stats.ts";
import { currentBranch } from "../branch/branch-names.ts";
import { treeOfCommit } from "../checkout/switch-branch.ts";
import { withReason } from "./start-rebase.ts";

/** `git rebase <upstream> <branch>` ends on the branch, even if there is nothing to do. */
export async function takeBranch(
  repo: WorkRepository,
  headName: string,
  head: Oid,
  branch: string | null,
): Promise<void> {
  const current = (await repo.refs.resolve("HEAD"))?.oid ?? null;
  const here = await currentBranch(repo);
  if (headName.startsWith("refs/") ? here === branch : current === head) return;
  const before = current === null ? null : await treeOfCommit(repo, current);
  await switchTree(repo, before, await treeOfCommit(repo, head)).catch(
    withReason(`could not switch to ${branch ?? head}`),
  );
  const to = headName.startsWith("refs/") ? { symbolic: headName } : head;
  const message = `rebase: checkout ${branch ?? head}`;
  await repo.refs.update([{ name: "HEAD", to, noDeref: true, message }], reflogIdentity(repo));
}
