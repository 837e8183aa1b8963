/** The list of stashes is the reflog of refs/stash: newest last in the file, counted from the newest. */
import { GitError } from "../../errors.ts";
import { parseCommit } from "../../object/commit.ts";
import { type Oid, ZERO_OID } from "../../object/oid.ts";
import { reflogIdentity } from "../../repository/identity.ts";
import type { Repository } from "../../repository.ts";
import { STASH } from "./stash-entry.ts";

export async function storeStash(repo: Repository, oid: Oid, message: string): Promise<void> {
  await repo.refs.update([{ name: STASH, to: oid, message, createReflog: true }], reflogIdentity(repo));
}

export async function clearStashes(repo: Repository): Promise<void> {
  if ((await repo.refs.read(STASH)) === null) return;
  await repo.refs.update([{ name: STASH, to: null }], reflogIdentity(repo));
}

/** `name` is "…@{n}", or the ref itself. */
export async function dropStash(repo: Repository, name: string): Promise<void> {
  const entries = await repo.refs.reflog(STASH);
  const position = Number(/@\{(\d+)\}$/.exec(name)?.[1] ?? 0);
  const at = entries.length - 1 - position;
  if (entries[at] === undefined)
    throw new GitError("ENOTFOUND", `${name}: Could not drop stash entry`, { prefix: "error", exitCode: 1 });
  const retained = entries
    .filter((_, i) => i !== at)
    .map((entry, i, all) => ({ ...entry, from: all[i - 1]?.to ?? ZERO_OID }));
  const last = retained.at(-1);
  if (last === undefined) {
    await clearStashes(repo);
    return;
  }
  // The ref first: an extra list entry does less harm than the loss of the newest one.
  await repo.refs.update([{ name: STASH, to: last.to }], reflogIdentity(repo));
  await repo.refs.writeReflog(STASH, retained);
}

export interface ListedStash {
  /** From the newest, which is 0. */
  readonly index: number;
  /** "stash@{0}" */
  readonly name: string;
  readonly oid: Oid;
  /** The commit it was made on. */
  readonly base: Oid;
  readonly message: string;
}

/** Newest first. */
export async function listStashes(repo: Repository): Promise<ListedStash[]> {
  const entries = (await repo.refs.reflog(STASH)).reverse();
  const found: ListedStash[] = [];
  for (const [index, { to: oid, message }] of entries.entries()) {
    const [base = oid] = parseCommit((await repo.odb.need(oid, "commit")).body).parents;
    found.push({ index, name: `stash@{${index}}`, oid, base, message });
  }
  return found;
}
