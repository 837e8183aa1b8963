/** `git ls-tree` as data. Paths are literal: "dir" is the entry, "dir/" its content; entries on the way to a path are entered. */
import { GitError } from "../errors.ts";
import { readTreeEntries } from "../index/read-tree.ts";
import { isTreeMode, MODE_GITLINK } from "../object/file-mode.ts";
import type { Oid } from "../object/oid.ts";
import type { TreeEntry } from "../object/tree.ts";
import { TreeCount } from "../object/tree-count.ts";
import type { Repository } from "../repository.ts";

export interface ListTreeOptions {
  recursive?: boolean;
  showTrees?: boolean;
  treesOnly?: boolean;
  /** Empty: all paths. */
  paths: readonly string[];
}

export interface ListedTreeEntry {
  readonly path: string;
  readonly mode: number;
  readonly oid: Oid;
}

export async function listTree(
  { odb, limits }: Repository,
  tree: Oid,
  options: ListTreeOptions,
): Promise<ListedTreeEntry[]> {
  const { recursive, showTrees, treesOnly, paths } = options;
  const listed: ListedTreeEntry[] = [];
  const count = new TreeCount({ limits });
  const levels: { prefix: string; entries: TreeEntry[]; next: number }[] = [
    { prefix: "", entries: await readTreeEntries(odb, tree, count), next: 0 },
  ];
  for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
    const entry = level.entries[level.next++];
    if (entry === undefined) {
      levels.pop();
      continue;
    }
    const { mode, oid } = entry;
    const path = level.prefix + entry.name;
    const isTree = isTreeMode(mode);
    if (!isWanted(path, isTree, paths)) continue;
    const enters = isTree && (recursive || paths.some((wanted) => wanted.startsWith(`${path}/`)));
    // A submodule counts as a directory.
    if (isTree ? !enters || showTrees : !treesOnly || mode === MODE_GITLINK) listed.push({ path, mode, oid });
    if (!enters) continue;
    if (levels.length >= limits.treeDepth)
      throw new GitError("ETOOBIG", `tree is deeper than ${limits.treeDepth}: '${path}'`);
    levels.push({ prefix: `${path}/`, entries: await readTreeEntries(odb, oid, count), next: 0 });
  }
  return listed;
}

/** True if the path is one of `paths`, inside one of them, or on the way to one. */
function isWanted(path: string, isTree: boolean, paths: readonly string[]): boolean {
  if (paths.length === 0) return true;
  return paths.some((wanted) => {
    if (path === wanted || wanted === "") return true;
    if (isTree && wanted.startsWith(`${path}/`)) return true;
    return path.startsWith(wanted.endsWith("/") ? wanted : `${wanted}/`);
  });
}
