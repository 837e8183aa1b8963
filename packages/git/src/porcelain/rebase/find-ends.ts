/** Resolves the ends of a rebase: the upstream, the branch, the new base, and the fork point. */
import { GitError } from "../../errors.ts";
import type { Oid } from "../../object/oid.ts";
import { refuseCheckedOutElsewhere } from "../../repository/work-trees.ts";
import { upstreamRef } from "../../revision/branch-mark.ts";
import { expandRef } from "../../revision/expand-ref.ts";
import { forkPoint } from "../../revision/fork-point.ts";
import { mergeBases } from "../../revision/merge-base.ts";
import { resolveMergeBase } from "../../revision/resolve-merge-base.ts";
import { findCommit } from "../../revision/resolve-revision.ts";
import type { WorkRepository } from "../../worktree/work-tree-stats.ts";
import { currentBranch } from "../branch/branch-names.ts";

export interface RebaseEnds {
  readonly onto?: string | false;
  readonly keepBase?: boolean;
  readonly forkPoint?: boolean;
}

/** git's explanation, if there is no upstream. */
export async function upstreamOf(
  repo: WorkRepository,
  word: string | undefined,
): Promise<{ readonly name: string } | { readonly missing: string }> {
  if (word === "-") return { name: "@{-1}" };
  if (word !== undefined) return { name: word };
  const branch = await currentBranch(repo);
  const found = branch === null ? null : await upstreamRef(repo, branch).catch(() => null);
  if (found !== null) return { name: found };
  const specify = `Please specify which branch you want to rebase against.\nSee git-rebase(1) for details.\n\n    git rebase '<branch>'\n\n`;
  if (branch === null) return { missing: `You are not currently on a branch.\n${specify}` };
  const remotes = repo.config.subsections("remote");
  const remote = remotes.length === 1 ? remotes[0] : "<remote>";
  return {
    missing: `There is no tracking information for the current branch.\n${specify}If you wish to set tracking information for this branch you can do so with:\n\n    git branch --set-upstream-to=${remote}/<branch> ${branch}\n\n`,
  };
}

export async function branchOf(
  repo: WorkRepository,
  word: string | undefined,
): Promise<{ headName: string; head: Oid; branch: string | null }> {
  if (word !== undefined) {
    const ref = await repo.refs.resolve(`refs/heads/${word}`);
    if (ref?.oid) await refuseCheckedOutElsewhere(repo, `refs/heads/${word}`);
    if (ref?.oid) return { headName: `refs/heads/${word}`, head: ref.oid, branch: word };
    const oid = await findCommit(repo, word);
    if (oid === null) throw new GitError("ENOTFOUND", `no such branch/commit '${word}'`);
    return { headName: "detached HEAD", head: oid, branch: null };
  }
  const head = (await repo.refs.resolve("HEAD"))?.oid;
  if (!head) throw new GitError("ENOTFOUND", "Could not resolve HEAD to a revision");
  const branch = await currentBranch(repo);
  return { headName: branch === null ? "detached HEAD" : `refs/heads/${branch}`, head, branch };
}

export async function ontoOf(
  repo: WorkRepository,
  flags: RebaseEnds,
  upstream: Oid | null,
  upstreamName: string | null,
  head: Oid,
): Promise<{ onto: Oid; ontoName: string }> {
  const name = flags.onto || (upstreamName as string);
  const bases = flags.keepBase ? await mergeBases(repo, upstream as Oid, [head]) : await resolveMergeBase(repo, name);
  if (bases !== null) {
    const [base] = bases;
    const text = flags.keepBase ? upstreamName : name;
    if (bases.length !== 1 || base === undefined)
      throw new GitError(
        "EINVAL",
        flags.keepBase
          ? `'${text}': need exactly one merge base with branch`
          : `'${text}': need exactly one merge base`,
      );
    return {
      onto: base,
      ontoName: flags.keepBase ? `${upstreamName}...${(await currentBranch(repo)) ?? "HEAD"}` : name,
    };
  }
  const onto = await findCommit(repo, name);
  if (onto === null) throw new GitError("ENOTFOUND", `Does not point to a valid commit '${name}'`);
  return { onto, ontoName: name };
}

/** Determined on request, or if the upstream is the configured one. */
export async function findForkPoint(
  repo: WorkRepository,
  flags: RebaseEnds,
  upstreamName: string | null,
  isDefault: boolean,
  head: Oid,
): Promise<Oid | null> {
  const requested =
    flags.forkPoint ?? (isDefault && !flags.keepBase && (repo.config.getBool("rebase.forkpoint") ?? true));
  if (!requested || upstreamName === null) return null;
  const ref = await expandRef(repo, upstreamName);
  if (ref !== null && ref.count > 1) throw new GitError("EAMBIGUOUS", `Ambiguous refname: '${upstreamName}'`);
  return ref === null ? null : forkPoint(repo, ref.resolved, ref.oid, head);
}
