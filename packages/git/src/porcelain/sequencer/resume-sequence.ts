/** --abort, --skip and --quit of cherry-pick and revert, and the data for --continue. */
import { GitError } from "../../errors.ts";
import type { Oid } from "../../object/oid.ts";
import { reflogIdentity } from "../../repository/identity.ts";
import type { WorkRepository } from "../../worktree/work-tree-stats.ts";
import { removeBranchState, treeOfCommit } from "../checkout/switch-branch.ts";
import { resetMerge } from "../merge/reset-merge.ts";
import { actionName, headFile, type PickAction } from "./pick-commits.ts";
import { endSequence, readSequence } from "./sequence-state.ts";

export async function isStopped({ fs, gitDir }: WorkRepository): Promise<boolean> {
  return (await fs.exists(`${gitDir}/CHERRY_PICK_HEAD`)) || (await fs.exists(`${gitDir}/REVERT_HEAD`));
}

export function noneInProgress(): GitError {
  return new GitError("ESTATE", "no cherry-pick or revert in progress", { prefix: "error" });
}

/** `git reset --merge <to>`: files, HEAD and its reflog. */
async function resetMergeTo(repo: WorkRepository, to: Oid): Promise<void> {
  const head = (await repo.refs.resolve("HEAD"))?.oid ?? null;
  await resetMerge(repo, await treeOfCommit(repo, to), to);
  const updates = [{ name: "HEAD", to, message: `reset: moving to ${to}` }];
  const original = head === null ? [] : [{ name: "ORIG_HEAD", to: head, noDeref: true }];
  await repo.refs.update([...updates, ...original], reflogIdentity(repo));
  await removeBranchState(repo);
}

export async function abortSequence(repo: WorkRepository): Promise<void> {
  const sequence = await readSequence(repo);
  const head = (await repo.refs.resolve("HEAD"))?.oid ?? null;
  if (sequence === null) {
    if (!(await isStopped(repo))) throw noneInProgress();
    if (head === null) throw new GitError("ESTATE", "cannot abort from a branch yet to be born", { prefix: "error" });
    await resetMergeTo(repo, head);
    return;
  }
  if (sequence.head === null)
    throw new GitError("ESTATE", "cannot abort from a branch yet to be born", { prefix: "error" });
  if (sequence.safety !== head) repo.warn?.("You seem to have moved HEAD. Not rewinding, check your HEAD!");
  else await resetMergeTo(repo, sequence.head);
  await endSequence(repo);
}

/** The caller continues with the remaining commits. */
export async function skipOne(repo: WorkRepository, action: PickAction): Promise<void> {
  const head = (await repo.refs.resolve("HEAD"))?.oid ?? null;
  if (!(await repo.fs.exists(`${repo.gitDir}/${headFile(action)}`))) {
    const sequence = await readSequence(repo);
    if (sequence === null || sequence.action !== action)
      throw new GitError("ESTATE", `no ${actionName(action)} in progress`, { prefix: "error" });
    if (sequence.safety !== head) {
      const hint = `hint: have you committed already?\nhint: try "git ${actionName(action)} --continue"\n`;
      throw new GitError("ESTATE", "there is nothing to skip", { prefix: "error", hint });
    }
  }
  if (head === null) throw noneInProgress();
  await resetMergeTo(repo, head);
}

export async function quitSequence(repo: WorkRepository): Promise<void> {
  await endSequence(repo);
  await removeBranchState(repo);
}

/** A new sequence may not begin while another is in progress. */
export async function refuseSequence(repo: WorkRepository): Promise<void> {
  const before = await readSequence(repo);
  if (before === null) return;
  const name = actionName(before.action);
  const skip = (await isStopped(repo)) ? "--skip | " : "";
  const hint = `hint: try "git ${name} (--continue | ${skip}--abort | --quit)"\n`;
  throw new GitError("ESTATE", `${name} is already in progress`, { prefix: "error", hint });
}
