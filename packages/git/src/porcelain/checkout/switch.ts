/** `git switch` as data: to a branch, a new branch, or a detached commit. */
import { GitError } from "../../errors.ts";
import type { Oid } from "../../object/oid.ts";
import { refuseCheckedOutElsewhere } from "../../repository/work-trees.ts";
import type { Repository } from "../../repository.ts";
import type { WorkRepository } from "../../worktree/work-tree-stats.ts";
import { checkedBranchName } from "../branch/branch-names.ts";
import { createBranch } from "../branch/create-branch.ts";
import { findTarget, guessRemoteBranch, guessWanted } from "./find-target.ts";
import { type SwitchTarget, switchBranch } from "./switch-branch.ts";

export interface SwitchRequest {
  readonly to: string;
  /** Create the branch at `start`. */
  readonly create?: boolean;
  readonly start?: string;
  /** Check out a commit, not a branch. */
  readonly detach?: boolean;
  /** Discard local changes. */
  readonly force?: boolean;
}

export interface HeadPosition {
  /** Null: detached. */
  readonly branch: string | null;
  /** Null: no commit yet. */
  readonly oid: Oid | null;
}

export interface SwitchResult {
  readonly from: HeadPosition;
  readonly to: HeadPosition;
}

export async function switchHead(repo: WorkRepository, request: SwitchRequest): Promise<SwitchResult> {
  const { force: discards = false } = request;
  await refuseInProgress(repo);
  const { target, start, track } = await chooseTarget(repo, request);
  const isNew = start !== null;
  if (!isNew && target.branch !== null) await refuseInOtherWorkTree(repo, target.branch);
  const beforeHead = async () => {
    if (!isNew || target.commit === null || target.branch === null) return;
    const from = start === "" ? {} : { start };
    await createBranch(repo, { name: target.branch, ...from, quiet: true, ...(track ? { track: "explicit" } : {}) });
  };
  const { from } = await switchBranch(repo, target, {
    force: discards ? "tracked" : false,
    // Without a start point there are no files to check out.
    keepsFiles: start === "",
    beforeHead,
  });
  return { from, to: { branch: target.branch, oid: target.commit } };
}

interface ChosenTarget {
  readonly target: SwitchTarget;
  /** Start of a branch to create, "" for HEAD; null: it exists. */
  readonly start: string | null;
  readonly track?: boolean;
}

async function chooseTarget(
  repo: WorkRepository,
  { to, create, start, detach = false }: SwitchRequest,
): Promise<ChosenTarget> {
  if (create) {
    const branch = await newBranchName(repo, to);
    const found = await findTarget(repo, start ?? "HEAD");
    if (found === null && start !== undefined) throw new GitError("ENOTFOUND", `invalid reference: ${start}`);
    return { target: { branch, commit: found?.commit ?? null, name: branch }, start: start ?? "" };
  }
  const found = await findTarget(repo, to);
  if (found !== null && (detach || found.branch !== null)) {
    const target = detach ? { branch: null, commit: found.commit, name: found.name } : found;
    return { target, start: null };
  }
  if (found !== null) throw new GitError("EINVAL", `a branch is expected, got ${found.kind} '${found.expanded}'`);
  const remote = guessWanted(repo, undefined) ? await guessRemoteBranch(repo, to) : null;
  if (remote === null) throw new GitError("ENOTFOUND", `invalid reference: ${to}`);
  return { target: { branch: to, commit: remote.commit, name: to }, start: remote.name, track: true };
}

async function refuseInOtherWorkTree(repo: WorkRepository, branch: string): Promise<void> {
  const name = `refs/heads/${branch}`;
  const head = await repo.refs.read("HEAD");
  if (head?.kind !== "symbolic" || head.target !== name) await refuseCheckedOutElsewhere(repo, name);
}

/** `checkout` may leave an operation in progress, `switch` may not. */
const IN_PROGRESS = [
  ["MERGE_HEAD", "merging", "merge"],
  ["rebase-merge", "rebasing", "rebase"],
  ["rebase-apply", "rebasing", "rebase"],
  ["CHERRY_PICK_HEAD", "cherry-picking", "cherry-pick"],
  ["REVERT_HEAD", "reverting", "revert"],
] as const;

export async function refuseInProgress({ fs, gitDir }: Pick<Repository, "fs" | "gitDir">): Promise<void> {
  const present = new Set(await fs.readdir(gitDir));
  const found = IN_PROGRESS.find(([file]) => present.has(file));
  if (found === undefined) return;
  const [, doing, command] = found;
  const next = `Consider "git ${command} --quit" or "git worktree add".`;
  throw new GitError("ESTATE", `cannot switch branch while ${doing}\n${next}`);
}

/** Checks the name of a branch that must not exist. */
export async function newBranchName(repo: Repository, typed: string): Promise<string> {
  const name = await checkedBranchName(repo, typed);
  if ((await repo.refs.resolve(`refs/heads/${name}`))?.oid != null)
    throw new GitError("EEXIST", `a branch named '${name}' already exists`);
  return name;
}
