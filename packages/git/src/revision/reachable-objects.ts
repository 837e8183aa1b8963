/**
 * All objects reachable from some ids and not from others: what a push must send, and what a fetch must have
 * brought.
 */
import { GitError } from "../errors.ts";
import type { Oid } from "../object/oid.ts";
import type { ObjectType } from "../odb/object-database.ts";
import type { Repository } from "../repository.ts";
import { listObjects } from "./list-objects.ts";
import { tagTarget } from "./peel.ts";
import { walk } from "./walk.ts";
import type { Tip } from "./walk-options.ts";

export interface ReachableObject {
  readonly oid: Oid;
  readonly type: ObjectType;
  /** Path in the tree where it was found; "" for objects in none. */
  readonly path: string;
}

type WalkedRepository = Pick<Repository, "fs" | "gitDir" | "commonDir" | "odb" | "limits" | "shallow">;

/** `exclude` may name missing objects, which are skipped. Tags and commits first, then trees and blobs. */
export async function* reachableObjects(
  repo: WalkedRepository,
  include: readonly Oid[],
  exclude: readonly Oid[],
  {
    onExcluded,
  }: { /** Called with the trees of excluded commits at the boundary. */ onExcluded?: (tree: Oid) => void } = {},
): AsyncGenerator<ReachableObject> {
  const tips: Tip[] = [];
  const trees: Oid[] = [];
  const excluded: Oid[] = [];
  const blobs: Oid[] = [];
  const tags = new Set<Oid>();
  const sort = async (start: Oid, uninteresting: boolean) => {
    let oid = start;
    for (let depth = 0; depth <= repo.limits.tagDepth; depth++) {
      const type = (await repo.odb.header(oid))?.type;
      if (type === undefined) {
        if (uninteresting) return;
        throw new GitError("ECORRUPT", `bad object ${oid}`);
      }
      if (type === "commit") return void tips.push({ oid, uninteresting });
      if (type === "tree") return void (uninteresting ? excluded : trees).push(oid);
      if (type === "blob") return void (uninteresting ? 0 : blobs.push(oid));
      if (!uninteresting) tags.add(oid);
      oid = tagTarget((await repo.odb.need(oid, "tag")).body);
    }
    throw new GitError("ETOOBIG", `tags are nested more than ${repo.limits.tagDepth} deep`);
  };
  for (const oid of exclude) await sort(oid, true);
  for (const oid of include) await sort(oid, false);
  for (const oid of tags) yield { oid, type: "tag", path: "" };
  if (tips.some(({ uninteresting }) => !uninteresting)) {
    for await (const { oid, node, boundary } of walk(repo, { tips, boundary: true })) {
      if (boundary) {
        excluded.push(node.tree);
        onExcluded?.(node.tree);
      } else {
        trees.push(node.tree);
        yield { oid, type: "commit", path: "" };
      }
    }
  }
  yield* listObjects(repo, { named: [], trees, excluded });
  for (const oid of blobs) yield { oid, type: "blob", path: "" };
}
