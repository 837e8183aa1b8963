/**
 * Delta bases for the objects of a push: the file or directory at the same path in a commit the remote has. They keep the pack of a
 * small change to a large file small.
 */
import type { Oid } from "../../object/oid.ts";
import type { Repository } from "../../repository.ts";
import type { ReachableObject } from "../../revision/reachable-objects.ts";
import { entryAtPath } from "../../revision/tree-path.ts";

/** Limits on the objects examined and the trees searched for each: beyond them the pack is large anyway. */
const MAX_OBJECTS = 5000;
const MAX_TREES = 4;

export async function preferredBases(
  repo: Pick<Repository, "odb" | "limits">,
  objects: readonly ReachableObject[],
  trees: readonly Oid[],
): Promise<Map<Oid, Oid>> {
  const bases = new Map<Oid, Oid>();
  for (const { oid, type, path } of objects.slice(0, MAX_OBJECTS)) {
    if (type !== "blob" && type !== "tree") continue;
    for (const tree of trees.slice(0, MAX_TREES)) {
      const base = path === "" ? { oid: tree } : await entryAtPath(repo, tree, path);
      if (base === null || (await repo.odb.header(base.oid))?.type !== type) continue;
      bases.set(oid, base.oid);
      break;
    }
  }
  return bases;
}
