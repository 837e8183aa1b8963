/**
 * Compares the index with a tree: the staged changes. Both have the same order, so one pass over each directory suffices; a
 * directory whose cached tree equals the tree's is not read.
 */
import { GitError } from "../errors.ts";
import { defaultGitLimits } from "../limits.ts";
import { indexMode, isTreeMode } from "../object/file-mode.ts";
import type { Oid } from "../object/oid.ts";
import type { TreeEntry } from "../object/tree.ts";
import { TreeCount } from "../object/tree-count.ts";
import type { ObjectDatabase } from "../odb/object-database.ts";
import { compareText } from "../text/bytes.ts";
import type { CacheTree } from "./index-file.ts";
import { FIELDS, type IndexTable, isIntentToAdd, MODE, oidAt, stageAt } from "./index-table.ts";
import type { ColumnarIndex } from "./read-index.ts";
import { readTreeEntries } from "./read-tree.ts";

export interface FileVersion {
  readonly mode: number;
  readonly oid: Oid;
}

export interface StagedChange {
  readonly path: string;
  /** In the tree; null: added. */
  readonly before: FileVersion | null;
  /** In the index; null: deleted. Unmerged paths are reported separately, with null here. */
  readonly after: FileVersion | null;
  readonly unmerged: boolean;
}

interface CompareTreeOptions {
  /** Filters paths: a directory has no trailing slash. */
  enter?: (directory: string) => boolean;
  /** Treat intent-to-add files as staged. Default: as missing. */
  intended?: boolean;
}

interface TreeLevel {
  readonly prefix: string;
  readonly tree: readonly TreeEntry[];
  readonly cached: CacheTree | undefined;
  /** Of the index. */
  readonly end: number;
  at: number;
  next: number;
}

/** `tree` null: nothing is committed yet. In the index's order. */
export async function compareIndexToTree(
  odb: ObjectDatabase,
  tree: Oid | null,
  index: Pick<ColumnarIndex, "table" | "tree" | "root">,
  options: CompareTreeOptions = {},
): Promise<StagedChange[]> {
  const { table } = index;
  const { enter = () => true, intended = false } = options;
  const changes: StagedChange[] = [];
  const count = new TreeCount(odb);
  const root = index.root === undefined ? index.tree : index.root;
  if (tree !== null && root?.oid === tree && root.entries === table.count) return changes;
  const open = async (prefix: string, oid: Oid | null, cached: CacheTree | undefined, at: number, end: number) =>
    ({
      prefix,
      tree: oid === null ? [] : await readTreeEntries(odb, oid, count),
      cached,
      at,
      end,
      next: 0,
    }) as TreeLevel;
  const levels = [await open("", tree, index.tree ?? undefined, 0, table.count)];

  for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
    const entry = level.tree[level.next];
    const path = level.at < level.end ? (table.paths[level.at] as string) : undefined;
    if (entry === undefined && path === undefined) {
      levels.pop();
      continue;
    }
    const treeKey = entry && (isTreeMode(entry.mode) ? `${entry.name}/` : entry.name);
    const indexKey = path === undefined ? undefined : keyIn(path, level.prefix.length);
    const order =
      treeKey === undefined
        ? 1
        : indexKey === undefined
          ? -1
          : treeKey === indexKey
            ? 0
            : compareText(treeKey, indexKey);
    const key = (order <= 0 ? treeKey : indexKey) as string;
    const full = level.prefix + key;
    if (order <= 0) level.next++;
    if (key.endsWith("/")) {
      const start = level.at;
      const cached = level.cached?.children.get(key.slice(0, -1));
      const end = order >= 0 ? endOfDirectory(table, full, level, cached) : start;
      level.at = end;
      const oid = order <= 0 ? (entry as TreeEntry).oid : null;
      const known = oid !== null && cached?.oid === oid && cached.entries === end - start;
      if (known || !enter(full.slice(0, -1))) continue;
      if (levels.length >= defaultGitLimits.treeDepth) {
        throw new GitError("ETOOBIG", `tree is deeper than ${defaultGitLimits.treeDepth}: '${full}'`);
      }
      levels.push(await open(full, oid, cached, start, end));
      continue;
    }
    const before = order <= 0 ? { mode: indexMode((entry as TreeEntry).mode), oid: (entry as TreeEntry).oid } : null;
    if (order < 0) {
      changes.push({ path: full, before, after: null, unmerged: false });
      continue;
    }
    const at = level.at;
    const unmerged = stageAt(table, at) !== 0;
    do level.at++;
    while (level.at < level.end && table.paths[level.at] === path);
    if (unmerged) {
      changes.push({ path: full, before, after: null, unmerged });
      continue;
    }
    if (isIntentToAdd(table, at) && !intended) {
      if (before !== null) changes.push({ path: full, before, after: null, unmerged: false });
      continue;
    }
    const after = { mode: table.fields[FIELDS * at + MODE] as number, oid: oidAt(table, at) };
    if (before !== null && before.mode === after.mode && before.oid === after.oid) continue;
    changes.push({ path: full, before, after, unmerged: false });
  }
  return changes;
}

/** A file's name, or a directory's with its slash. */
function keyIn(path: string, from: number): string {
  const slash = path.indexOf("/", from);
  return slash < 0 ? path.slice(from) : path.slice(from, slash + 1);
}

function endOfDirectory(
  { paths }: IndexTable,
  prefix: string,
  { at, end }: TreeLevel,
  cached: CacheTree | undefined,
): number {
  const guess = cached !== undefined && cached.entries > 0 ? at + cached.entries : -1;
  const fits =
    guess > 0 &&
    guess <= end &&
    paths[guess - 1]?.startsWith(prefix) &&
    (guess === end || !paths[guess]?.startsWith(prefix));
  if (fits) return guess;
  let low = at;
  let high = end;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((paths[middle] as string).startsWith(prefix)) low = middle + 1;
    else high = middle;
  }
  return low;
}
