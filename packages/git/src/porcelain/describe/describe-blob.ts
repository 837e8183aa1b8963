/** `git describe <blob>`: the first commit in HEAD's history that has the blob, and its path there. */
import { readTreeEntries } from "../../index/read-tree.ts";
import { isTreeMode } from "../../object/file-mode.ts";
import type { Oid } from "../../object/oid.ts";
import type { Repository } from "../../repository.ts";
import { commitTreeOid } from "../../revision/peel.ts";
import { walk } from "../../revision/walk.ts";

export interface BlobLocation {
  readonly commit: Oid;
  readonly path: string;
}

/** Null: no commit has the blob. */
export async function findBlob(repo: Repository, blob: Oid): Promise<BlobLocation | null> {
  const head = await repo.refs.resolve("HEAD");
  if (!head?.oid) return null;
  // Most trees are shared with the previous commit and need no second search.
  const searched = new Set<Oid>();
  const search = async (tree: Oid, prefix: string): Promise<string | null> => {
    if (searched.has(tree)) return null;
    searched.add(tree);
    for (const { oid, mode, name } of await readTreeEntries(repo.odb, tree)) {
      if (oid === blob) return prefix + name;
      const path = isTreeMode(mode) ? await search(oid, `${prefix}${name}/`) : null;
      if (path !== null) return path;
    }
    return null;
  };
  for await (const { oid } of walk(repo, { tips: [{ oid: head.oid, name: "HEAD" }], reverse: true })) {
    const path = await search(commitTreeOid((await repo.odb.need(oid, "commit")).body), "");
    if (path !== null) return { commit: oid, path };
  }
  return null;
}
