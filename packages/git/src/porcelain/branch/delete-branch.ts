/** Deletes branches independently: one failure does not stop the others. */
import { renameSection } from "../../config/edit-section.ts";
import { editConfigFile, localConfigFile } from "../../config/write-config.ts";
import { GitError, type GitErrorCode } from "../../errors.ts";
import type { Oid } from "../../object/oid.ts";
import { reflogIdentity } from "../../repository/identity.ts";
import { checkedOutBranches } from "../../repository/work-trees.ts";
import type { Repository } from "../../repository.ts";
import { interpretBranchName, upstreamRef } from "../../revision/branch-mark.ts";
import { isAncestor } from "../../revision/merge-base.ts";

export interface DeleteBranchOptions {
  readonly force?: boolean;
  /** refs/remotes/. */
  readonly remote?: boolean;
}

export type DeletedBranch =
  | { readonly name: string; readonly oid: Oid | null; readonly symbolic?: string; readonly warning?: string }
  | { readonly name: string; readonly error: string; readonly code: GitErrorCode; readonly warning?: string };

export async function deleteBranch(
  repo: Repository,
  typed: string,
  { force = false, remote = false }: DeleteBranchOptions,
): Promise<DeletedBranch> {
  const under = remote ? "refs/remotes/" : "refs/heads/";
  const name = typed.includes("@") ? ((await interpretBranchName(repo, typed, under)) ?? typed) : typed;
  const full = `${under}${name}`;
  const retainedAt = remote ? undefined : (await checkedOutBranches(repo)).get(full);
  if (retainedAt !== undefined)
    return { name, code: "ESTATE", error: `Cannot delete branch '${name}' checked out at '${retainedAt}'` };
  const value = await repo.refs.read(full);
  if (!value)
    return { name, code: "ENOTFOUND", error: `${remote ? "remote-tracking " : ""}branch '${name}' not found.` };
  const oid = value.kind === "oid" ? value.oid : ((await repo.refs.resolve(full))?.oid ?? null);
  let warning: string | undefined;
  if (!force && !remote && oid && value.kind === "oid") {
    const check = await mergedCheck(repo, name, oid);
    if (check.error) return { name, code: "ESTATE", ...check } as DeletedBranch;
    warning = check.warning;
  }
  await repo.refs.update([{ name: full, to: null, noDeref: true }], reflogIdentity(repo));
  if (!remote) await removeSection(repo, `branch.${name}`);
  return {
    name,
    oid,
    ...(value.kind === "symbolic" ? { symbolic: value.target } : {}),
    ...(warning === undefined ? {} : { warning }),
  };
}

/** Checks for a merge into the upstream, or into HEAD without one; warns as git does if the two disagree. */
async function mergedCheck(repo: Repository, name: string, oid: Oid): Promise<{ error?: string; warning?: string }> {
  const upstream = await upstreamRef(repo, name).catch((error) => {
    if (error instanceof GitError) return null;
    throw error;
  });
  const head = (await repo.refs.resolve("HEAD"))?.oid ?? null;
  const followed = upstream === null ? null : ((await repo.refs.resolve(upstream))?.oid ?? null);
  const reference = followed ?? head;
  const merged = reference !== null && (await isAncestor(repo, oid, reference));
  let warning: string | undefined;
  if (followed !== null && head !== null && head !== followed) {
    const inHead = await isAncestor(repo, oid, head);
    if (merged && !inHead) {
      warning = `deleting branch '${name}' that has been merged to\n         '${upstream}', but not yet merged to HEAD.`;
    } else if (!merged && inHead) {
      warning = `not deleting branch '${name}' that is not yet merged to\n         '${upstream}', even though it is merged to HEAD.`;
    }
  }
  const error = merged
    ? undefined
    : `The branch '${name}' is not fully merged.\nIf you are sure you want to delete it, run 'git branch -D ${name}'.`;
  return { ...(error === undefined ? {} : { error }), ...(warning === undefined ? {} : { warning }) };
}

async function removeSection(repo: Repository, section: string): Promise<void> {
  if (!repo.config.entries.some(({ key, scope }) => scope === "local" && key.startsWith(`${section}.`))) return;
  await editConfigFile(repo.host, localConfigFile(repo), (text) => renameSection(text, section, null).text);
}
