/** The trees that `git diff` compares for named commits: their own, or the merge base's with `--merge-base`. */
import { GitError } from "../../errors.ts";
import type { Oid } from "../../object/oid.ts";
import type { Repository } from "../../repository.ts";
import { mergeBases } from "../../revision/merge-base.ts";
import { peelTo } from "../../revision/peel.ts";
import type { NamedTree } from "./named-ends.ts";

interface DiffTreeRequest {
  readonly flags: { readonly mergeBase?: boolean };
}

/** Resolves one side of a diff; with `--merge-base`, to its merge base with HEAD. */
export async function oneEnd(repo: Repository, { tree, commit }: NamedTree, { flags }: DiffTreeRequest): Promise<Oid> {
  if (!flags.mergeBase) return tree;
  if (commit === null) throw new GitError("EINVAL", "--merge-base only works with commits");
  const head = await repo.refs.resolve("HEAD");
  if (!head?.oid) throw new GitError("ENOTFOUND", "unable to get HEAD");
  return baseTree(repo, head.oid, commit);
}

export async function diffTreePair(
  repo: Repository,
  trees: [NamedTree, NamedTree],
  { flags }: DiffTreeRequest,
): Promise<[Oid, Oid]> {
  const [first, second] = trees;
  if (flags.mergeBase) {
    if (trees.some(({ commit }) => commit === null)) {
      throw new GitError("EINVAL", "--merge-base only works with commits");
    }
    return [await baseTree(repo, first.commit as Oid, second.commit as Oid), second.tree];
  }
  return second.uninteresting ? [second.tree, first.tree] : [first.tree, second.tree];
}

async function baseTree(repo: Repository, a: Oid, b: Oid): Promise<Oid> {
  const bases = await mergeBases(repo, a, [b]);
  if (bases.length === 0) throw new GitError("ENOTFOUND", "no merge base found");
  if (bases.length > 1) throw new GitError("EAMBIGUOUS", "multiple merge bases found");
  return (await peelTo(repo, bases[0] as Oid, "tree")) as Oid;
}
