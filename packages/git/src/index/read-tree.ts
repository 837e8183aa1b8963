/** Lists every file under a tree in the index's order, and builds an index that equals a tree. Subtrees are read one by one. */
import { GitError } from "../errors.ts";
import type { GitLimits } from "../limits.ts";
import { defaultGitLimits } from "../limits.ts";
import { indexMode, isTreeMode } from "../object/file-mode.ts";
import { EMPTY_TREE, type Oid } from "../object/oid.ts";
import { parseTree, type TreeEntry } from "../object/tree.ts";
import { TreeCount } from "../object/tree-count.ts";
import type { ObjectDatabase } from "../odb/object-database.ts";
import { compareText } from "../text/bytes.ts";
import { NO_STAT } from "./compare-stat.ts";
import type { IndexEntry } from "./index-entry.ts";
import type { CacheTree } from "./index-file.ts";
import { isValidPath } from "./verify-path.ts";

interface TreeFile {
  readonly path: string;
  /** As in the index: 0o100644, 0o100755, 0o120000, 0o160000. */
  readonly mode: number;
  readonly oid: Oid;
}

interface WalkTreeOptions {
  /** Prefix of every path: "" or "dir/". */
  prefix?: string;
  /** Whether to enter a directory; `path` without a trailing slash. */
  enter?: (path: string, oid: Oid) => boolean;
  limits?: Pick<GitLimits, "treeDepth">;
}

/** The entries of an existing tree; the empty tree always exists, stored or not. */
export async function readTreeEntries(odb: ObjectDatabase, oid: Oid, count?: TreeCount): Promise<TreeEntry[]> {
  if (oid === EMPTY_TREE) return [];
  const entries = parseTree((await odb.need(oid, "tree")).body);
  count?.add(entries.length);
  return entries;
}

export async function* walkTree(
  odb: ObjectDatabase,
  oid: Oid,
  options: WalkTreeOptions = {},
): AsyncGenerator<TreeFile> {
  const { enter = () => true, limits = defaultGitLimits } = options;
  const count = new TreeCount(odb);
  const levels = [{ prefix: options.prefix ?? "", entries: await readTreeEntries(odb, oid, count), next: 0 }];
  for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
    const entry = level.entries[level.next++];
    if (entry === undefined) {
      levels.pop();
      continue;
    }
    const path = level.prefix + entry.name;
    if (!isTreeMode(entry.mode)) {
      yield { path, mode: indexMode(entry.mode), oid: entry.oid };
      continue;
    }
    if (!enter(path, entry.oid)) continue;
    if (levels.length >= limits.treeDepth)
      throw new GitError("ETOOBIG", `tree is deeper than ${limits.treeDepth}: '${path}'`);
    levels.push({ prefix: `${path}/`, entries: await readTreeEntries(odb, entry.oid, count), next: 0 });
  }
}

interface TreeIndex {
  readonly entries: IndexEntry[];
  readonly tree: CacheTree;
  /** The index would write an identical tree: no old modes, and sorted. */
  readonly isExact: boolean;
}

/** Entries without stats, and the matching cached tree. A forbidden path is git's error. */
export async function indexFromTree(odb: ObjectDatabase, oid: Oid, limits = defaultGitLimits): Promise<TreeIndex> {
  interface Level {
    readonly prefix: string;
    readonly name: string;
    readonly oid: Oid;
    readonly entries: TreeEntry[];
    readonly start: number;
    readonly children: Map<string, CacheTree>;
    next: number;
  }
  const files: IndexEntry[] = [];
  const count = new TreeCount(odb);
  let isExact = true;
  const open = async (prefix: string, name: string, tree: Oid): Promise<Level> => ({
    prefix,
    name,
    oid: tree,
    entries: await readTreeEntries(odb, tree, count),
    start: files.length,
    children: new Map(),
    next: 0,
  });
  const levels = [await open("", "", oid)];
  for (;;) {
    const level = levels.at(-1) as Level;
    const entry = level.entries[level.next++];
    if (entry === undefined) {
      levels.pop();
      const cached = { entries: files.length - level.start, oid: level.oid, children: level.children };
      const parent = levels.at(-1);
      if (parent === undefined) return { entries: files, tree: cached, isExact };
      if (cached.entries === 0) isExact = false;
      parent.children.set(level.name, cached);
      continue;
    }
    const path = level.prefix + entry.name;
    const mode = indexMode(entry.mode);
    if (entry.name.includes("/") || !isValidPath(entry.name, mode)) {
      throw new GitError("EINVAL", `invalid path '${path}'`, { prefix: "error" });
    }
    if (!isTreeMode(entry.mode)) {
      const before = files.at(-1);
      if (mode !== entry.mode || (before !== undefined && compareText(before.path, path) >= 0)) isExact = false;
      files.push({ path, stage: 0, mode, oid: entry.oid, stat: NO_STAT });
      continue;
    }
    if (levels.length >= limits.treeDepth)
      throw new GitError("ETOOBIG", `tree is deeper than ${limits.treeDepth}: '${path}'`);
    levels.push(await open(`${path}/`, entry.name, entry.oid));
  }
}
