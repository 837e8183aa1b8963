/** What a word after `checkout` or `switch` means: a branch, a commit, or a branch that one remote has. */
import type { Oid } from "../../../oid.ts";
import type { Repository } from "../../../repository.ts";
import { expandMarks } from "../../../revision/branch-mark.ts";
import { findRevision } from "../../../revision/find-revision.ts";
import { peelTo } from "../../../revision/peel.ts";

export interface FoundTarget {
  /** Without refs/heads/; null: no branch. */
  readonly branch: string | null;
  readonly commit: Oid;
  /** For the reflog. */
  readonly name: string;
  /** With what is short for a branch (`@{u}`) written out. */
  readonly expanded: string;
  readonly kind: "commit" | "tag" | "remote branch";
}

/** Null: no commit goes by the name. */
export async function findTarget(repo: Repository, typed: string): Promise<FoundTarget | null> {
  const word = typed === "-" ? "@{-1}" : typed;
  const expanded = word.includes("@{") ? await expandMarks(repo, word).catch(() => null) : null;
  const name = expanded ?? word;
  const branch = (await repo.refs.resolve(`refs/heads/${name}`))?.oid;
  if (branch != null) return { branch: name, commit: branch, name, expanded: name, kind: "commit" };
  const found = await findRevision(repo, word, { wanted: "committish" });
  const commit = found && (await peelTo(repo, found.oid, "commit"));
  if (!commit) return null;
  const isTag = (await repo.refs.resolve(`refs/tags/${name}`)) !== null;
  const isRemote = (await repo.refs.resolve(`refs/remotes/${name}`)) !== null;
  // An upstream that is no branch of this repository is told as it was typed.
  const told = /@\{(u|upstream|push)\}$/i.test(word) ? word : name;
  return {
    branch: null,
    commit,
    name: told,
    expanded: name,
    kind: isTag ? "tag" : isRemote ? "remote branch" : "commit",
  };
}

/** The one remote that has such a branch, or the one that `checkout.defaultRemote` prefers. */
export async function guessRemoteBranch(repo: Repository, word: string): Promise<{ name: string; commit: Oid } | null> {
  const found: { remote: string; name: string; commit: Oid }[] = [];
  for (const remote of repo.config.subsections("remote")) {
    const ref = await repo.refs.resolve(`refs/remotes/${remote}/${word}`);
    if (ref?.oid != null) found.push({ remote, name: `refs/remotes/${remote}/${word}`, commit: ref.oid });
  }
  if (found.length === 1) return found[0] ?? null;
  const preferred = repo.config.get("checkout.defaultremote");
  return found.find(({ remote }) => remote === preferred) ?? null;
}
