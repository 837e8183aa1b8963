/** Resolves the revisions that `git diff` names to the trees and blobs to compare, in order. */
import { GitError } from "../../errors.ts";
import { MODE_FILE } from "../../object/file-mode.ts";
import type { Oid } from "../../object/oid.ts";
import type { Repository } from "../../repository.ts";
import { mergeBases } from "../../revision/merge-base.ts";
import { peelTo } from "../../revision/peel.ts";
import type { NamedObject, RevisionArguments } from "../../revision/revision-arguments.ts";

export interface NamedTree {
  readonly tree: Oid;
  /** Null: the argument named a tree. */
  readonly commit: Oid | null;
  readonly name: string;
  readonly uninteresting: boolean;
}

export interface NamedBlob {
  readonly oid: Oid;
  readonly mode: number;
  readonly path: string;
  /** Named by its id alone: its path and mode are those of the other side. */
  readonly bare?: boolean;
}

export interface NamedEnds {
  readonly trees: readonly NamedTree[];
  readonly blobs: readonly NamedBlob[];
}

export async function readNamedEnds(repo: Repository, named: RevisionArguments): Promise<NamedEnds> {
  const objects = named.symmetric ? await withoutLeft(repo, named.objects) : named.objects;
  const trees: NamedTree[] = [];
  const blobs: NamedBlob[] = [];
  for (const object of objects) {
    const { peeled, peeledType, name, uninteresting } = object;
    if (peeledType === "commit" || peeledType === "tree") {
      const tree = (await peelTo(repo, peeled, "tree")) as Oid;
      trees.push({ tree, commit: peeledType === "commit" ? peeled : null, name, uninteresting });
    } else if (peeledType === "blob") {
      if (blobs.length === 2) throw new GitError("EINVAL", `more than two blobs given: '${name}'`);
      blobs.push({
        oid: peeled,
        mode: object.mode ?? MODE_FILE,
        path: object.path ?? name,
        bare: object.path === undefined,
      });
    } else throw new GitError("EINVAL", `unhandled object '${name}' given.`);
  }
  return { trees, blobs };
}

/** `a...b` compares the merge base with `b`. */
async function withoutLeft(repo: Repository, objects: readonly NamedObject[]): Promise<NamedObject[]> {
  const left = objects.find((object) => object.left) as NamedObject;
  const right = objects[objects.indexOf(left) + 1] as NamedObject;
  const bases = await mergeBases(repo, left.peeled, [right.peeled]);
  const base = bases[0];
  if (base === undefined) throw new GitError("ENOTFOUND", `${left.name}...${right.name}: no merge base`);
  if (bases.length > 1) repo.warn?.(`${left.name}...${right.name}: multiple merge bases, using ${base}`);
  const taken = objects.find(({ peeled, uninteresting }) => uninteresting && peeled === base);
  const others = objects.filter(
    (object) => object !== left && !(object.uninteresting && bases.includes(object.peeled)),
  );
  return taken ? [taken, ...others] : others;
}
