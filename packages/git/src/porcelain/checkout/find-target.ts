/** Resolves an argument of `checkout` or `switch`: a branch, a commit, or a branch that exactly one remote has. */
import { advice } from "../../config/advice.ts";
import { GitError } from "../../errors.ts";
import type { Oid } from "../../object/oid.ts";
import type { Repository } from "../../repository.ts";
import { interpretBranchName } from "../../revision/branch-mark.ts";
import { findRevision } from "../../revision/find-revision.ts";
import { peelTo } from "../../revision/peel.ts";
import { resolveMergeBase } from "../../revision/resolve-merge-base.ts";
import { mapName, parseRefspec } from "../../wire/refspec.ts";

export interface CheckoutTarget {
  /** Without refs/heads/; null: not a branch. */
  readonly branch: string | null;
  readonly commit: Oid;
  /** For the reflog. */
  readonly name: string;
  /** With a branch abbreviation (`@{u}`) expanded. */
  readonly expanded: string;
  readonly kind: "commit" | "tag" | "remote branch";
}

/** Returns null if the name resolves to no commit. */
export async function findTarget(repo: Repository, typed: string): Promise<CheckoutTarget | null> {
  const word = typed === "-" ? "@{-1}" : typed;
  const expanded = word.includes("@{") ? await interpretBranchName(repo, word).catch(() => null) : null;
  const name = expanded ?? word;
  const local = expanded === null ? word : ((await interpretBranchName(repo, word, "refs/heads/")) ?? word);
  const branch = (await repo.refs.resolve(`refs/heads/${local}`))?.oid;
  if (branch != null) {
    // Warns if another ref has that name.
    await findRevision(repo, local);
    return { branch: local, commit: branch, name: local, expanded: local, kind: "commit" };
  }
  const bases = await resolveMergeBase(repo, word);
  const found = bases === null ? await findRevision(repo, word, { wanted: "committish" }) : null;
  const commit = bases === null ? found && (await peelTo(repo, found.oid, "commit")) : bases.length === 1 && bases[0];
  if (!commit) return null;
  const isTag = (await repo.refs.resolve(`refs/tags/${name}`)) !== null;
  const isRemote = (await repo.refs.resolve(`refs/remotes/${name}`)) !== null;
  // Reports an upstream that is no local branch as typed.
  const reported = /@\{(u|upstream|push)\}$/i.test(word) ? word : name;
  return {
    branch: null,
    commit,
    name: reported,
    expanded: name,
    kind: isTag ? "tag" : isRemote ? "remote branch" : "commit",
  };
}

export function guessWanted({ config }: Repository, requested: boolean | undefined): boolean {
  return requested ?? config.getBool("checkout.guess") ?? true;
}

/** The one remote that has such a branch, or the one that `checkout.defaultRemote` prefers. */
export async function guessRemoteBranch(repo: Repository, word: string): Promise<{ name: string; commit: Oid } | null> {
  const { config } = repo;
  const found: { remote: string; name: string; commit: Oid }[] = [];
  for (const remote of config.subsections("remote")) {
    const refspecs = config.getAll(`remote.${remote}.fetch`).map((spec) => parseRefspec(spec, "fetch"));
    const name = mapName(refspecs, `refs/heads/${word}`)?.name;
    const commit = name === undefined ? null : (await repo.refs.resolve(name))?.oid;
    if (name !== undefined && commit != null) found.push({ remote, name, commit });
  }
  if (found.length < 2) return found[0] ?? null;
  const preferred = found.find(({ remote }) => remote === config.get("checkout.defaultremote"));
  if (preferred !== undefined) return preferred;
  const message = `'${word}' matched multiple (${found.length}) remote tracking branches`;
  throw new GitError(
    "EAMBIGUOUS",
    `${advice(config, "checkoutAmbiguousRemoteBranchName", AMBIGUOUS)}fatal: ${message}`,
    {
      prefix: "",
    },
  );
}

const AMBIGUOUS = `If you meant to check out a remote tracking branch on, e.g. 'origin',
you can do so by fully qualifying the name with the --track option:

    git checkout --track origin/<name>

If you'd like to always have checkouts of an ambiguous <name> prefer
one remote, e.g. the 'origin' remote, consider setting
checkout.defaultRemote=origin in your config.`;
