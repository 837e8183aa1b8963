/** Looks up a path in a tree, reading only the trees on the way. */
import { isTreeMode, MODE_TREE } from "../object/file-mode.ts";
import type { Oid } from "../object/oid.ts";
import { parseTree, type TreeEntry } from "../object/tree.ts";
import type { Repository } from "../repository.ts";

/** Null: not found. The empty path is the tree itself. */
export async function entryAtPath(
  { odb }: Pick<Repository, "odb">,
  tree: Oid,
  path: string,
): Promise<Pick<TreeEntry, "mode" | "oid"> | null> {
  let at: Pick<TreeEntry, "mode" | "oid"> = { mode: MODE_TREE, oid: tree };
  for (const name of path.split("/")) {
    if (name === "") continue;
    if (!isTreeMode(at.mode)) return null;
    const { body } = await odb.need(at.oid, "tree");
    const entry = parseTree(body).find((one) => one.name === name);
    if (!entry) return null;
    at = entry;
  }
  return at;
}
