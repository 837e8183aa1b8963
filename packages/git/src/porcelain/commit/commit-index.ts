/** The content of a commit: the index, with tracked changes (`-a`) or some paths added (`-i`), or HEAD with some paths (`-o`). */
import { GitError } from "../../errors.ts";
import { IndexEditor } from "../../index/index-editor.ts";
import type { IndexFile } from "../../index/index-file.ts";
import { indexFromColumns, readColumnarIndex } from "../../index/read-index.ts";
import { indexFromTree } from "../../index/read-tree.ts";
import { stagePaths } from "../../index/stage-paths.ts";
import type { Oid } from "../../object/oid.ts";
import { type Pathspec, unmatchedError } from "../../pathspec/pathspec.ts";
import type { Repository } from "../../repository.ts";
import { commitTreeOid } from "../../revision/peel.ts";
import { stageWorkTree } from "../add.ts";

export interface CommitContents {
  /** The index that becomes the tree. */
  readonly committed: IndexFile;
  /** The index to write back; the same, except for `-o`. */
  readonly index: IndexFile;
}

export interface CommitContentsOptions {
  mode: "index" | "all" | "include" | "only";
  pathspec: Pathspec;
  head: Oid | null;
  /** The operation in progress, for the error message. */
  whence: "commit" | "merge" | "cherry-pick" | "rebase";
}

type WorkRepository = Repository & { readonly workTree: string };

export async function prepareIndex(repo: WorkRepository, options: CommitContentsOptions): Promise<CommitContents> {
  const { mode, pathspec } = options;
  const columns = await readColumnarIndex(repo);
  const index = indexFromColumns(columns);
  if (mode === "index") return same(index);
  if (mode !== "only") {
    const { index: staged } = await stageWorkTree(repo, columns, { pathspec, mode: "update", lenient: true });
    return same(staged ?? index);
  }
  if (options.whence !== "commit") {
    throw new GitError("ESTATE", `cannot do a partial commit during a ${options.whence}.`);
  }
  const base = options.head === null ? null : await headIndex(repo, options.head, index);
  // Without paths: HEAD's own tree, for another message.
  const paths = pathspec.isEmpty ? [] : matchingPaths(index, base, pathspec);
  const edited = new IndexEditor(index);
  const partial = new IndexEditor(base ?? { ...index, entries: [], tree: null });
  await stagePaths(repo, paths, [edited, partial]);
  return { committed: partial.finish(), index: edited.finish() };
}

function same(index: IndexFile): CommitContents {
  return { committed: index, index };
}

async function headIndex({ odb }: Repository, head: Oid, like: IndexFile): Promise<IndexFile> {
  const { entries, tree } = await indexFromTree(odb, commitTreeOid((await odb.need(head, "commit")).body));
  return { ...like, entries, tree };
}

/** Paths known to the index or to HEAD. */
function matchingPaths(index: IndexFile, base: IndexFile | null, pathspec: Pathspec): string[] {
  const paths = new Set<string>();
  const skipped = new Set<string>();
  for (const { path, skipWorktree } of [...index.entries, ...(base?.entries ?? [])]) {
    if (skipWorktree) skipped.add(path);
    if (!paths.has(path) && pathspec.matches(path) && !skipped.has(path)) paths.add(path);
  }
  const unmatched = pathspec.unmatched();
  if (unmatched.length > 0) throw unmatchedError(unmatched);
  return [...paths];
}
