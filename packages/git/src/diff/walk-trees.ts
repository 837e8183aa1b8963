/**
 * Walks two trees in parallel and yields differences in tree order. Subtrees with the same id are never read. A name that is a
 * file on one side and a directory on the other is two differences, by git's order of names.
 */
import { GitError } from "../errors.ts";
import { indexMode, isTreeMode, MODE_TREE } from "../object/file-mode.ts";
import { EMPTY_TREE, type Oid } from "../object/oid.ts";
import { parseTree, type TreeEntry } from "../object/tree.ts";
import { TreeCount } from "../object/tree-count.ts";
import type { Pathspec } from "../pathspec/pathspec.ts";
import type { Repository } from "../repository.ts";
import { compareText } from "../text/bytes.ts";
import { createPair, type FilePair, type FileSpec, missingFile } from "./file-pair.ts";

interface WalkTreesOptions {
  pathspec?: Pathspec | null;
  recursive?: boolean;
  /** Trees are differences of their own, before their contents. */
  showTrees?: boolean;
  /** Include equal entries, for `--find-copies-harder`. */
  unmodified?: boolean;
  /** Called for each pair of files as it is found, while data beside their trees is still in memory. */
  onPair?: (pair: FilePair) => void;
  /** Called for each tree of the second side that is read: the directory ("" or "dir/") and its entries. */
  onTree?: (prefix: string, oid: Oid | null, entries: readonly TreeEntry[]) => void;
}

interface WalkLevel {
  readonly prefix: string;
  readonly old: readonly TreeEntry[];
  readonly new: readonly TreeEntry[];
  i: number;
  j: number;
}

/** Null: no tree, everything is created or deleted. */
export async function walkTrees(
  repo: Pick<Repository, "odb" | "limits">,
  before: Oid | null,
  after: Oid | null,
  options: WalkTreesOptions = {},
): Promise<FilePair[]> {
  const { recursive = true, showTrees = false, unmodified = false } = options;
  const pathspec = options.pathspec?.isEmpty ? null : (options.pathspec ?? null);
  const pairs: FilePair[] = [];
  const count = new TreeCount(repo);
  if (before === after && !unmodified) return pairs;
  const open = async (prefix: string, old: Oid | null, fresh: Oid | null) => {
    const level = await openLevel(repo, prefix, old, fresh);
    count.add(level.old.length + level.new.length);
    options.onTree?.(prefix, fresh, level.new);
    return level;
  };
  const levels: WalkLevel[] = [await open("", before, after)];
  for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
    const old = level.old[level.i];
    const fresh = level.new[level.j];
    if (old === undefined && fresh === undefined) {
      levels.pop();
      continue;
    }
    const order = old === undefined ? 1 : fresh === undefined ? -1 : compareEntries(old, fresh);
    const from = order <= 0 ? (old as TreeEntry) : null;
    const to = order >= 0 ? (fresh as TreeEntry) : null;
    if (from) level.i++;
    if (to) level.j++;
    const same = from !== null && to !== null && from.oid === to.oid && from.mode === to.mode;
    if (same && !unmodified) continue;

    const { name, mode } = (from ?? to) as TreeEntry;
    const path = level.prefix + name;
    if (!isTreeMode(mode)) {
      if (pathspec && !pathspec.matches(path)) continue;
      const pair = createPair(toFileSpec(path, from), toFileSpec(path, to));
      pairs.push(pair);
      options.onPair?.(pair);
      continue;
    }
    if (pathspec && !pathspec.mayMatchUnder(path)) continue;
    if ((!recursive || showTrees) && !same) pairs.push(createPair(toFileSpec(path, from), toFileSpec(path, to)));
    if (!recursive) continue;
    if (levels.length >= repo.limits.treeDepth) {
      throw new GitError("ETOOBIG", `tree is deeper than ${repo.limits.treeDepth}: '${path}'`);
    }
    levels.push(await open(`${path}/`, from?.oid ?? null, to?.oid ?? null));
  }
  return pairs;
}

async function openLevel(
  repo: Pick<Repository, "odb">,
  prefix: string,
  before: Oid | null,
  after: Oid | null,
): Promise<WalkLevel> {
  const [old, fresh] = [await readTree(repo, before), before === after ? null : await readTree(repo, after)];
  return { prefix, old, new: fresh ?? old, i: 0, j: 0 };
}

async function readTree({ odb }: Pick<Repository, "odb">, oid: Oid | null): Promise<readonly TreeEntry[]> {
  if (oid === null || oid === EMPTY_TREE) return [];
  return parseTree((await odb.need(oid, "tree")).body);
}

function compareEntries(a: TreeEntry, b: TreeEntry): number {
  if (a.name === b.name && isTreeMode(a.mode) === isTreeMode(b.mode)) return 0;
  return compareText(isTreeMode(a.mode) ? `${a.name}/` : a.name, isTreeMode(b.mode) ? `${b.name}/` : b.name);
}

function toFileSpec(path: string, entry: TreeEntry | null): FileSpec {
  if (entry === null) return missingFile(path);
  return { path, mode: isTreeMode(entry.mode) ? MODE_TREE : indexMode(entry.mode), oid: entry.oid };
}
