/** Whether two trees are equal under a path filter: stops at the first difference, and reads no equal trees. */
import { isTreeMode } from "../object/file-mode.ts";
import type { Oid } from "../object/oid.ts";
import type { TreeEntry } from "../object/tree.ts";
import type { Repository } from "../repository.ts";
import { treeDifference } from "./tree-difference.ts";

/** Result of a path filter: the path matches, nothing in it does, or something under a directory may. */
export interface PathLimit {
  match(path: string, isDirectory: boolean): "all" | "some" | "none";
}

const NOTHING = new Uint8Array(0);

/** Null is the empty tree. */
export async function sameTrees(
  { odb, limits }: Pick<Repository, "odb" | "limits">,
  a: Oid | null,
  b: Oid | null,
  limit: PathLimit,
): Promise<boolean> {
  if (a === b) return true;
  const read = async (oid: Oid | null) => (oid === null ? NOTHING : (await odb.need(oid, "tree")).body);
  const pending: { a: Oid | null; b: Oid | null; path: string; depth: number }[] = [{ a, b, path: "", depth: 0 }];
  for (let pair = pending.pop(); pair; pair = pending.pop()) {
    if (pair.depth > limits.treeDepth) return false;
    for (const [x, y] of treeDifference(await read(pair.a), await read(pair.b))) {
      const entry = (x ?? y) as TreeEntry;
      const path = pair.path + entry.name;
      const directory = isTreeMode(entry.mode);
      const verdict = limit.match(path, directory);
      if (verdict === "all") return false;
      if (verdict === "none" || !directory) continue;
      pending.push({ a: x?.oid ?? null, b: y?.oid ?? null, path: `${path}/`, depth: pair.depth + 1 });
    }
  }
  return true;
}
