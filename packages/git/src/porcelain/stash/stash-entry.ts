/** One stash: the commit of the work tree, its parents (HEAD at the time, the index, perhaps untracked files), and its name. */
import { GitError } from "../../errors.ts";
import { parseCommit } from "../../object/commit.ts";
import type { Oid } from "../../object/oid.ts";
import type { Repository } from "../../repository.ts";
import { expandRef } from "../../revision/expand-ref.ts";
import { findRevision } from "../../revision/find-revision.ts";
import { peelTo } from "../../revision/peel.ts";
import { treeOfCommit } from "../checkout/switch-branch.ts";

export const STASH = "refs/stash";

export interface StashEntry {
  /** As typed, or "refs/stash@{n}". */
  readonly name: string;
  readonly oid: Oid;
  readonly base: Oid;
  readonly baseTree: Oid;
  readonly indexTree: Oid;
  readonly workTree: Oid;
  /** Null: the stash has no untracked files. */
  readonly untrackedTree: Oid | null;
  /** It is an entry of the list, and can be dropped. */
  readonly isListed: boolean;
}

export async function findStash(repo: Repository, words: readonly string[]): Promise<StashEntry> {
  const [word, ...others] = words;
  if (others.length > 0)
    throw new GitError("EINVAL", `Too many revisions specified:${words.map((one) => ` '${one}'`).join("")}`, {
      prefix: "",
      exitCode: 1,
    });
  if (word === undefined && (await repo.refs.resolve(STASH))?.oid == null)
    throw new GitError("ENOTFOUND", "No stash entries found.", { prefix: "", exitCode: 1 });
  const name = word === undefined ? `${STASH}@{0}` : /^\d+$/.test(word) ? `${STASH}@{${word}}` : word;
  const found = await findRevision(repo, name);
  const missing = { prefix: "error", exitCode: 1 } as const;
  if (found === null) throw new GitError("ENOTFOUND", `${name} is not a valid reference`, missing);
  const { oid } = found;
  const parents = await stashParents(repo, oid);
  const [base, index, untracked] = parents;
  if (base === undefined || index === undefined) throw new GitError("EINVAL", `'${name}' is not a stash-like commit`);
  const start = name.includes("@") ? name.slice(0, name.indexOf("@")) : name;
  const ref = await expandRef({ ...repo, warn: undefined }, start);
  return {
    name,
    oid,
    base,
    baseTree: await treeOfCommit(repo, base),
    indexTree: await treeOfCommit(repo, index),
    workTree: await treeOfCommit(repo, oid),
    untrackedTree: untracked === undefined ? null : await treeOfCommit(repo, untracked),
    isListed: ref?.name === STASH,
  };
}

async function stashParents(repo: Repository, oid: Oid): Promise<readonly Oid[]> {
  const commit = await peelTo(repo, oid, "commit").catch(() => null);
  return commit ? parseCommit((await repo.odb.need(commit, "commit")).body).parents : [];
}

export function refuseUnlisted({ isListed, name }: StashEntry): void {
  if (!isListed) throw new GitError("EINVAL", `'${name}' is not a stash reference`, { prefix: "error", exitCode: 1 });
}
