/**
 * Moves HEAD to another branch or commit and updates index and work tree. Files first, HEAD last: after a rejection or an
 * interruption, HEAD still names the old position.
 */

import { GitError } from "../../errors.ts";
import { stageAt } from "../../index/index-table.ts";
import { readColumnarIndex } from "../../index/read-index.ts";
import type { ConflictStyle } from "../../merge/merge-context.ts";
import { EMPTY_TREE, type Oid, ZERO_OID } from "../../object/oid.ts";
import { checkHooks, printSkippedHooks } from "../../repository/hooks.ts";
import { reflogIdentity } from "../../repository/identity.ts";
import type { Repository } from "../../repository.ts";
import { peelTo } from "../../revision/peel.ts";
import { resetHard } from "../../worktree/reset-hard.ts";
import { switchTree } from "../../worktree/switch-tree.ts";
import type { WorkRepository } from "../../worktree/work-tree-stats.ts";
import { currentBranch } from "../branch/branch-names.ts";
import { postCommitCleanup } from "../commit/post-commit-cleanup.ts";
import { mergeLocalChanges } from "./merge-local-changes.ts";

export interface SwitchTarget {
  /** Without refs/heads/; null: HEAD is detached at the commit. */
  readonly branch: string | null;
  /** Null: an unborn branch; nothing is checked out. */
  readonly commit: Oid | null;
  /** As typed, for the reflog. */
  readonly name: string;
}

export interface SwitchBranchOptions {
  /** Discards local changes; "tracked": only those of tracked files; untracked files in the way cause a rejection. */
  force?: boolean | "tracked";
  overwriteIgnored?: boolean;
  /** Merges edits that are in the way into the target: in that style, or as configured (null). */
  merge?: ConflictStyle | null;
  /** Leaves HEAD and its reflog unchanged. */
  staysHere?: boolean;
  /** Leaves index and files unchanged, even with conflicts or `force`: the target is the commit of HEAD. */
  keepsFiles?: boolean;
  /** Called after files and before HEAD, to create the branch. */
  beforeHead?: () => Promise<void>;
  /** Empties the index and the work tree (`switch --orphan`). */
  empty?: boolean;
  /** For an unborn branch: the commit whose files are checked out (`checkout --orphan x start`). */
  filesOf?: Oid;
}

export interface SwitchedBranch {
  readonly from: { readonly branch: string | null; readonly oid: Oid | null };
  /** Files written. */
  readonly written: ReadonlySet<string>;
}

export async function switchBranch(
  repo: WorkRepository,
  target: SwitchTarget,
  options: SwitchBranchOptions = {},
): Promise<SwitchedBranch> {
  const head = (await repo.refs.resolve("HEAD"))?.oid ?? null;
  // A HEAD of zeros means that its value was lost.
  const from = { branch: await currentBranch(repo), oid: head === ZERO_OID ? null : head };
  const { keepsFiles = false } = options;
  if (!options.force && !keepsFiles && (await unmergedPaths(repo)).length > 0)
    throw new GitError("ESTATE", "you need to resolve your current index first", { prefix: "error", exitCode: 1 });
  await checkHooks(repo, "checkout");
  // Without an index nothing was ever checked out (`clone -n`): this is no staged removal of everything.
  const isFirst = from.oid === null || !(await repo.fs.exists(repo.indexPath));
  const before = isFirst ? null : await treeOfCommit(repo, from.oid as Oid);
  const source = target.commit ?? options.filesOf ?? null;
  const after = source === null ? (options.empty ? EMPTY_TREE : null) : await treeOfCommit(repo, source);
  const written = new Set<string>();
  if (after !== null && !keepsFiles) {
    const { overwriteIgnored = true } = options;
    if (options.force === "tracked") await resetHard(repo, after, { keepUntracked: "plumbing", overwriteIgnored });
    else if (options.force) await resetHard(repo, after);
    else if (before !== after || source !== null) {
      const { merge } = options;
      const switched = await switchTree(repo, before, after, { overwriteIgnored }).catch(async (error: unknown) => {
        const isRefusal = error instanceof GitError && error.code === "ESTATE";
        if (merge === undefined || before === null || !isRefusal) throw error;
        const fromName = from.branch ?? (await repo.odb.abbreviate(from.oid as Oid));
        const names = { fromName, toName: target.name };
        await mergeLocalChanges(repo, { from: before, to: after, ...names, style: merge, overwriteIgnored });
        return null;
      });
      for (const { path } of switched?.updates ?? []) written.add(path);
    }
  }
  await options.beforeHead?.();
  if (!options.staysHere) await moveHead(repo, from, target);
  await removeBranchState(repo);
  await printSkippedHooks(repo, "checkout");
  return { from, written };
}

export async function treeOfCommit(repo: Repository, commit: Oid): Promise<Oid> {
  const tree = await peelTo(repo, commit, "tree");
  if (tree === null) throw new GitError("ECORRUPT", `unable to read tree (${commit})`);
  return tree;
}

/** Paths with conflict stages; they must be resolved before a checkout. */
export async function unmergedPaths(repo: Repository): Promise<string[]> {
  const { table } = await readColumnarIndex(repo);
  const unmerged = new Set<string>();
  for (let i = 0; i < table.count; i++) if (stageAt(table, i) !== 0) unmerged.add(table.paths[i] as string);
  return [...unmerged];
}

async function moveHead(
  repo: Repository,
  from: SwitchedBranch["from"],
  { branch, commit, name }: SwitchTarget,
): Promise<void> {
  const who = reflogIdentity(repo);
  const message = `checkout: moving from ${from.branch ?? from.oid ?? "(invalid)"} to ${branch ?? name}`;
  if (branch === null) {
    if (commit === null) throw new GitError("EINVAL", "a detached HEAD needs a commit");
    await repo.refs.update([{ name: "HEAD", to: commit, noDeref: true, message }], who);
    return;
  }
  await repo.refs.update([{ name: "HEAD", to: { symbolic: `refs/heads/${branch}` }, noDeref: true, message }], who);
}

/** State of operations that end when another branch is checked out. */
const STATE_FILES = [
  "CHERRY_PICK_HEAD",
  "REVERT_HEAD",
  "MERGE_HEAD",
  "MERGE_RR",
  "MERGE_MSG",
  "MERGE_MODE",
  "SQUASH_MSG",
  "AUTO_MERGE",
];

export async function removeBranchState({ fs, gitDir }: Pick<Repository, "fs" | "gitDir">): Promise<void> {
  const present = new Set(await fs.readdir(gitDir));
  for (const name of STATE_FILES) if (present.has(name)) await fs.rm(`${gitDir}/${name}`, { force: true });
  await postCommitCleanup({ fs, gitDir }, present);
}
