/** Rejects a pull with edited or staged files: "cannot pull with rebase: You have unstaged changes." */
import { GitError } from "../../errors.ts";
import { compareIndexToTree } from "../../index/compare-index-to-tree.ts";
import { compareIndexToWorkTree } from "../../index/compare-worktree.ts";
import { readColumnarIndex } from "../../index/read-index.ts";
import type { Oid } from "../../object/oid.ts";
import type { WorkRepository } from "../../worktree/work-tree-stats.ts";
import { treeOfCommit } from "../checkout/switch-branch.ts";

export async function requireClean(repo: WorkRepository, head: Oid, doing: string): Promise<void> {
  const columns = await readColumnarIndex(repo);
  const { changes } = await compareIndexToWorkTree(repo, columns, { unstaged: false, ignoreGitlinks: true });
  const staged = await compareIndexToTree(repo.odb, await treeOfCommit(repo, head), columns, { intended: true });
  if (changes.length + staged.length === 0) return;
  const lines: string[] = [];
  if (changes.length > 0) lines.push(`cannot ${doing}: You have unstaged changes.`);
  if (staged.length > 0)
    lines.push(
      lines.length > 0
        ? "additionally, your index contains uncommitted changes."
        : `cannot ${doing}: Your index contains uncommitted changes.`,
    );
  lines.push("please commit or stash them.");
  throw new GitError("ESTATE", lines.join("\nerror: "), { prefix: "error" });
}
