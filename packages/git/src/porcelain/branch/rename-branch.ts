/** Renames or copies a branch with its reflog and its configuration; HEAD follows. */
import { copySection, renameSection } from "../../config/edit-section.ts";
import { editConfigFile, localConfigFile } from "../../config/write-config.ts";
import { GitError } from "../../errors.ts";
import type { Signature } from "../../object/signature.ts";
import type { RefUpdate } from "../../refs/ref-store.ts";
import { reflogIdentity } from "../../repository/identity.ts";
import { listWorkTrees, refsOf, refuseInOperation } from "../../repository/work-trees.ts";
import type { Repository } from "../../repository.ts";
import { interpretBranchName } from "../../revision/branch-mark.ts";
import { checkedBranchName, currentBranch, refuseCheckedOut } from "./branch-names.ts";

export interface RenameBranchOptions {
  /** Null: the current branch. */
  readonly from: string | null;
  readonly to: string;
  readonly force?: boolean;
  readonly copy?: boolean;
}

export async function renameBranch(repo: Repository, { from, to, force = false, copy = false }: RenameBranchOptions) {
  const current = await currentBranch(repo);
  const verb = copy ? "copy" : "rename";
  const oldName = from ?? current;
  if (oldName === null) throw new GitError("ESTATE", `cannot ${verb} the current branch while not on any.`);
  const old = from === null ? oldName : ((await interpretBranchName(repo, oldName, "refs/heads/")) ?? oldName);
  if (old.includes("@{")) throw new GitError("EINVAL", `Invalid branch name: '${old}'`);
  const [oldRef, newName] = [`refs/heads/${old}`, await checkedBranchName(repo, to)];
  const newRef = `refs/heads/${newName}`;
  const existing = await repo.refs.resolve(oldRef);
  const unborn = !existing?.oid && current === old;
  if (!existing?.oid) {
    if (copy && unborn) throw new GitError("ESTATE", `No commit on branch '${old}' yet.`);
    if (!unborn) throw new GitError("ENOTFOUND", `No branch named '${old}'.`);
  }
  const taken = (await repo.refs.resolve(newRef))?.oid != null;
  if (taken && newRef !== oldRef) {
    if (!force) throw new GitError("EEXIST", `a branch named '${newName}' already exists`);
    await refuseCheckedOut(repo, newName);
  }
  await refuseInOperation(repo, oldRef);
  const who = reflogIdentity(repo);
  const message = `Branch: ${copy ? "copied" : "renamed"} ${oldRef} to ${newRef}`;
  if ((oldRef !== newRef || !copy) && existing?.oid) {
    const move = copy ? repo.refs.copy : repo.refs.rename;
    await move?.(oldRef, newRef, who, message).catch((error) => {
      if (!(error instanceof GitError)) throw error;
      const text = `${error.message}\nfatal: Branch ${verb} failed`;
      throw new GitError(error.code, text, { prefix: "error", exitCode: 128, cause: error });
    });
  }
  if (!copy) await moveHeads(repo, oldRef, { name: "HEAD", to: { symbolic: newRef }, message }, who);
  await moveSection(repo, `branch.${old}`, `branch.${newName}`, copy);
}

/** Updates HEAD of every work tree that is on the branch. */
async function moveHeads(repo: Repository, from: string, update: RefUpdate, who: Signature): Promise<void> {
  for (const tree of await listWorkTrees(repo)) {
    if (!tree.isWhole) continue;
    const refs = refsOf(repo, tree);
    const head = await refs.read("HEAD");
    if (head?.kind === "symbolic" && head.target === from) await refs.update([update], who);
  }
}

async function moveSection(repo: Repository, from: string, to: string, copy: boolean): Promise<void> {
  if (from === to || !repo.config.entries.some(({ key, scope }) => scope === "local" && key.startsWith(`${from}.`)))
    return;
  await editConfigFile(repo.host, localConfigFile(repo), (text) =>
    copy ? copySection(text, from, to).text : renameSection(text, from, to).text,
  );
}
