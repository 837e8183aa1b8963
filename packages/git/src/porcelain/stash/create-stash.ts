/**
 * Creates the commits of a stash from the index and the work tree. It changes neither of them, and no ref: `push-stash.ts` stores
 * the stash and resets the files.
 */
import { GitError } from "../../errors.ts";
import { compareIndexToTree } from "../../index/compare-index-to-tree.ts";
import { compareIndexToWorkTree } from "../../index/compare-worktree.ts";
import { findUntracked } from "../../index/find-untracked.ts";
import { IndexEditor } from "../../index/index-editor.ts";
import { type ColumnarIndex, indexFromColumns, readColumnarIndex } from "../../index/read-index.ts";
import { stagePaths } from "../../index/stage-paths.ts";
import { writeTree } from "../../index/write-tree.ts";
import { commitSubject } from "../../message/commit-message.ts";
import { parseCommit } from "../../object/commit.ts";
import { isGitlinkMode } from "../../object/file-mode.ts";
import type { Oid } from "../../object/oid.ts";
import type { Pathspec } from "../../pathspec/pathspec.ts";
import { authorIdentity, committerIdentity } from "../../repository/identity.ts";
import { logOutputEncoding } from "../../text/encodings.ts";
import type { WorkRepository } from "../../worktree/work-tree-stats.ts";
import { currentBranch } from "../branch/branch-names.ts";
import { treeOfCommit } from "../checkout/switch-branch.ts";
import { writeCommit } from "../commit/write-commit.ts";

export interface CreateStashOptions {
  readonly pathspec: Pathspec;
  readonly untracked?: "no" | "yes" | "all";
  /** Saves only staged changes. */
  readonly staged?: boolean;
  readonly message?: string;
  readonly quiet?: boolean;
}

export interface CreatedStash {
  readonly oid: Oid;
  /** As shown in the list. */
  readonly message: string;
  readonly head: Oid;
  readonly headTree: Oid;
  readonly indexTree: Oid;
  /** Untracked files that the stash contains. */
  readonly untracked: readonly string[];
}

/** Returns null if there is nothing to save. */
export async function createStash(repo: WorkRepository, options: CreateStashOptions): Promise<CreatedStash | null> {
  const { pathspec, staged = false } = options;
  const head = (await repo.refs.resolve("HEAD"))?.oid ?? null;
  if (head === null)
    throw new GitError("ESTATE", options.quiet ? "" : "You do not have the initial commit yet", {
      prefix: "",
      exitCode: 1,
    });
  const columns = await readColumnarIndex(repo);
  const headTree = await treeOfCommit(repo, head);
  const changed = await changedPaths(repo, columns, headTree, pathspec);
  const untracked = await untrackedFiles(repo, columns, options);
  if (changed.staged.length + changed.edited.length + untracked.length === 0) return null;
  const index = indexFromColumns(columns);
  const intended = staged ? undefined : index.entries.find(({ intentToAdd }) => intentToAdd);
  if (intended !== undefined) throw notSaved(intended.path, options.quiet);
  const indexTree = (await writeTree(repo.odb, index)).oid;
  if (staged && changed.staged.length === 0)
    throw new GitError("ESTATE", "No staged changes", { prefix: "", exitCode: 1 });

  const branch = (await currentBranch(repo)) ?? "(no branch)";
  const { message: headMessage } = parseCommit(
    (await repo.odb.need(head, "commit")).body,
    logOutputEncoding(repo.config),
  );
  const label = `${branch}: ${await repo.odb.abbreviate(head)} ${commitSubject(headMessage)}`;
  const message = options.message ? `On ${branch}: ${options.message}` : `WIP on ${label}`;
  const identified = withStashIdentity(repo);
  const commit = async (tree: Oid, parents: Oid[], text: string) => {
    const [author, committer] = [authorIdentity(identified), committerIdentity(identified)];
    return (await writeCommit(repo, { tree, parents, author, committer, message: text })).oid;
  };
  const parents = [head, await commit(indexTree, [head], `index on ${label}\n`)];
  if (untracked.length > 0 || (options.untracked ?? "no") !== "no") {
    const files = new IndexEditor({ ...index, entries: [], tree: null, extensions: [] });
    await stagePaths(repo, untracked, [files]);
    const tree = (await writeTree(repo.odb, files.finish())).oid;
    if (untracked.length > 0) parents.push(await commit(tree, [], `untracked files on ${label}\n`));
  }
  const work = new IndexEditor(index);
  // Paths removed from the index but present in the work tree are saved with their current content.
  const isSkipped = (path: string) => work.at(path)[0]?.skipWorktree === true;
  const paths = new Set([...changed.edited, ...changed.staged.filter((path) => !isSkipped(path))]);
  if (!staged) await stagePaths(repo, [...paths], [work]);
  const tree = (await writeTree(repo.odb, work.finish())).oid;
  return { oid: await commit(tree, parents, message), message, head, headTree, indexTree, untracked };
}

/** An intent-to-add entry has no content that the index could store. */
function notSaved(path: string, quiet = false): GitError {
  const hint = quiet ? "" : "Cannot save the current worktree state\n";
  return new GitError("ESTATE", `Entry '${path}' not uptodate. Cannot merge.`, { prefix: "error", exitCode: 1, hint });
}

/** Falls back to git's identity for stashes, `git <git@stash>`, if none is configured. */
export function withStashIdentity(repo: WorkRepository): WorkRepository {
  const [name, email] = ["git", "git@stash"];
  const placeholder = {
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: email,
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: email,
  };
  try {
    return authorIdentity(repo) && committerIdentity(repo) && repo;
  } catch {
    return { ...repo, env: { ...placeholder, ...repo.env } };
  }
}

async function changedPaths(repo: WorkRepository, columns: ColumnarIndex, tree: Oid, pathspec: Pathspec) {
  const work = await compareIndexToWorkTree(repo, columns, { unstaged: false, pathspec, ignoreGitlinks: true });
  if (work.unmerged.size > 0) {
    const lines = [...work.unmerged.keys()].map((path) => `${path}: needs merge\n`);
    throw new NeedsMerge(lines.join(""));
  }
  const staged = await compareIndexToTree(repo.odb, tree, columns, { intended: true });
  const isGitlink = ({ mode }: { mode: number }) => isGitlinkMode(mode);
  // Ignores submodules, staged or not.
  const submodules = new Set(
    indexFromColumns(columns)
      .entries.filter(isGitlink)
      .map(({ path }) => path),
  );
  for (const { path, before } of staged) if (before !== null && isGitlink(before)) submodules.add(path);
  const isIncluded = (path: string) => pathspec.matches(path) && !submodules.has(path);
  return {
    staged: staged.map(({ path }) => path).filter(isIncluded),
    edited: work.changes.map(({ path }) => path).filter(isIncluded),
  };
}

/** Thrown if the index has unmerged paths. `lines` go to stdout, as when git refreshes the index. */
export class NeedsMerge extends GitError {
  constructor(readonly lines: string) {
    super("ESTATE", "", { prefix: "", exitCode: 1 });
  }
}

async function untrackedFiles(
  repo: WorkRepository,
  columns: ColumnarIndex,
  { pathspec, untracked = "no" }: CreateStashOptions,
): Promise<string[]> {
  if (untracked === "no") return [];
  const comparison = await compareIndexToWorkTree(repo, columns, { pathspec });
  const survey = await findUntracked(repo, comparison, {
    untracked: "all",
    pathspec,
    ignores: { standard: untracked !== "all" },
  });
  // Ignores nested repositories.
  return survey.untracked.filter((path) => !path.endsWith("/"));
}
