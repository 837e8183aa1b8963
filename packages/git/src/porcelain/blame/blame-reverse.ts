/** `blame --reverse`: the one commit it begins at, and the children of each commit up to the newest. */
import { GitError } from "../../errors.ts";
import type { Oid } from "../../object/oid.ts";
import type { Repository } from "../../repository.ts";
import type { RevisionArguments } from "../../revision/revision-arguments.ts";
import { walk } from "../../revision/walk.ts";
import type { Tip } from "../../revision/walk-options.ts";

export interface BlameDirection {
  /** The commit whose text is blamed, and the commits where the search ends. */
  readonly tips: readonly Tip[];
  /** Absent: the walk goes from child to parent, as usual. */
  readonly children?: ReadonlyMap<Oid, readonly Oid[]>;
}

export async function reverseDirection(
  repo: Repository,
  revisions: RevisionArguments,
  firstParent: boolean,
): Promise<BlameDirection> {
  const [only, ...others] = revisions.tips;
  // One commit alone: from there to HEAD.
  if (only && others.length === 0 && !only.uninteresting) {
    revisions.objects.splice(0);
    await revisions.object(only.oid, only.name ?? "", { negative: true });
    await revisions.revision("HEAD");
  }
  const [start, another] = revisions.tips.filter(({ uninteresting }) => uninteresting);
  if (!start) throw new GitError("EINVAL", "No commit to dig up from?");
  if (another) {
    throw new GitError("EINVAL", `More than one commit to dig up from, ${another.name} and ${start.name}?`);
  }
  const children = new Map<Oid, Oid[]>();
  for await (const { oid, parents } of walk(repo, { tips: revisions.tips, firstParent })) {
    for (const parent of firstParent ? parents.slice(0, 1) : parents) {
      const known = children.get(parent);
      if (known) known.unshift(oid);
      else children.set(parent, [oid]);
    }
  }
  return { tips: [{ ...start, uninteresting: false }, start], children };
}
